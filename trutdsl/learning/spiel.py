"""OpenSpiel game: every variant as a sequential game with explicit chance.

The import of this module registers it with OpenSpiel:
`pyspiel.load_game("trutdsl(variant=trut,players=2,settings=goal:3)")`. A match is one game. Players
are seats, actions have the numbers of `Encoder`, outcomes of chance their index in the
`ChanceNode`. Seats of the winning team get 1, and the others share the loss equally; a draw
gives 0.

With `points=petits:1;longs:3` the game is one deal. A seat gets the points of its team less the
mean of those of the other teams.

The tensor of an information state holds what the seat sees, and its last `recall=32` questions and
answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum, isfinite
from typing import Any, NamedTuple

import numpy as np

from trutdsl.arguments import check_names
from trutdsl.diagnostics import BadUsage
from trutdsl.game import ChanceNode, DealStart, Question, State, load_game
from trutdsl.game.state import points_of
from trutdsl.ir.types import Number
from trutdsl.learning import library_of
from trutdsl.learning.encoding import Encoder
from trutdsl.table.match import MOST_LISTED
from trutdsl.table.sight import Sight

with library_of("openspiel"):
    import pyspiel

LONGEST = 100_000  # decisions of a match
MOST_PLAYERS = 16
PARAMETERS = {"variant": "trut", "players": 2, "settings": "", "points": "", "recall": 32}

GAME_TYPE = pyspiel.GameType(
    short_name="trutdsl",
    long_name="A variant of trutdsl",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


@lru_cache(maxsize=64)
def load_encoder(variant: str, players: int, settings: str, one_deal: bool) -> Encoder:
    """Return the encoding of a variant at a table, for matches or for single deals."""
    texts = [text.replace(":", "=", 1) for text in settings.split(";") if text]
    game = load_game(variant, players, texts, "native")
    return Encoder(game.one_deal() if one_deal else game)


def read_points(points: str) -> dict[str, float]:
    """Return the points of each counter, from COUNTER:POINTS with `;` between."""
    result = {}
    for text in filter(None, points.split(";")):
        name, _, number = text.partition(":")
        try:
            result[name] = float(number)
            if not isfinite(result[name]):
                raise ValueError
        except ValueError:
            raise BadUsage(f"points={points}: write COUNTER:POINTS, such as chips:1") from None
    return result


class SpielGame(pyspiel.Game):
    """A variant at a table.

    variant, players: as `load_game` takes them.
    settings:         parameters as NAME:VALUE, with `;` between.
    points:           of one deal, what one of each counter is worth, as COUNTER:POINTS, with `;`
                      between; nothing for a whole match.
    recall:           how many of the seat's last questions the tensor of an information state has.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Make the game.

        Raises as `load_game` does, and ValueError for unknown counters or a negative `recall`.
        """
        values = PARAMETERS | dict(params or {})
        players, settings = int(str(values["players"])), str(values["settings"])
        self.recall = int(str(values["recall"]))
        if self.recall < 0:
            raise BadUsage(f"recall={self.recall}: write a number of questions from 0 up")
        self.worth = read_points(str(values["points"]))
        self.names = (str(values["variant"]), players, settings, bool(self.worth))
        self.encoder = load_encoder(*self.names)
        self.table = self.encoder.game
        check_names("counter", [*self.worth], self.table.count_plan.counters)
        teams = self.table.team_count
        most = self._most_points() if self.worth else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.actions,
            max_chance_outcomes=MOST_LISTED,
            num_players=players,
            min_utility=-most if self.worth else -1.0 / (teams - 1),
            max_utility=most,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(GAME_TYPE, info, values)

    def _most_points(self) -> float:
        """Return the most points that a team can be ahead of the others."""
        variables = self.table.program.variables
        types = [(worth, variables[name].type) for name, worth in self.worth.items()]
        return fsum(
            abs(worth) * (of.high - of.low) for worth, of in types if isinstance(of, Number)
        )

    def new_initial_state(self) -> SpielState:
        """Return a match at its first stop."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Return the observer of a seat's view; raises ValueError for parameters."""
        if params:
            raise BadUsage("an observer of trutdsl has no parameters")
        recalls = iig_obs_type is not None and bool(iig_obs_type.perfect_recall)
        return Observer(self.encoder, self.recall if recalls else None)


class Recalled(NamedTuple):
    """A question to a seat, what it saw then, and the text of its answer."""

    sight: Sight
    question: Question
    answer: str

    def __str__(self) -> str:
        return f"{view_text(self.sight, self.question)} -> {self.answer}"


def view_text(sight: Sight, question: Question | None) -> str:
    """Return what a seat sees, and what it is asked, as a text."""
    text = repr(tuple(sight))
    return text if question is None else f"{question.decision} {list(question.texts)} {text}"


class SpielMatch:
    """A match in play with open chance; it can be copied, and pickled as its actions."""

    def __init__(self, names: tuple[str, int, str, bool], done: Sequence[int] = ()) -> None:
        self.names, self.encoder = names, load_encoder(*names)
        self.match = self.encoder.game.start(0, 0, open_chance=True)
        self.known: list[tuple[Recalled, ...]] = [()] * self.encoder.game.players
        self.steps: list[int] = []
        self._to_stop()
        for step in done:
            self.do(step)

    def __deepcopy__(self, _memo: object) -> SpielMatch:
        own = {"match": self.match.clone(), "known": list(self.known), "steps": list(self.steps)}
        twin = object.__new__(SpielMatch)  # `copy` would play the steps again
        vars(twin).update(vars(self) | own)
        return twin

    def __reduce__(self) -> tuple[type[SpielMatch], tuple[tuple[str, int, str, bool], list[int]]]:
        return SpielMatch, (self.names, self.steps)

    def _to_stop(self) -> None:
        while isinstance(self.match.pending, DealStart):
            self.match.next_deal()

    def legal(self) -> list[int]:
        return self.encoder.legal(self.match)

    def do(self, step: int) -> None:
        """Continue with an action or an outcome of chance; store the seat's question and answer."""
        pending = self.match.pending
        if isinstance(pending, ChanceNode):
            self.match.decide(step)
        else:
            assert isinstance(pending, Question)
            seat, index = pending.seat, self.legal().index(step)
            entry = Recalled(self.match.sight(seat), pending, pending.actions[index].text)
            self.known[seat] = (*self.known[seat], entry)
            self.match.apply(index)
        self.steps.append(step)
        self._to_stop()

    def seen_by(self, seat: int) -> str:
        """Return the present view of a seat as a text."""
        question = self.match.pending
        own_question = (
            question if isinstance(question, Question) and question.seat == seat else None
        )
        return view_text(self.match.sight(seat), own_question)


class SpielState(pyspiel.State):
    """A match in play, in OpenSpiel's form."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.worth = game.worth
        self.spiel_match = SpielMatch(game.names)

    @property
    def match(self) -> State:
        return self.spiel_match.match

    def current_player(self) -> int:
        """Return the asked seat, or OpenSpiel's number for chance or the end."""
        pending = self.match.pending
        if isinstance(pending, Question):
            return pending.seat
        over = pyspiel.PlayerId.TERMINAL if pending is None else pyspiel.PlayerId.CHANCE
        return int(over)

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return self.spiel_match.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome of the open chance node and its probability."""
        node = self.match.pending
        assert isinstance(node, ChanceNode)
        whole = sum(node.weights)
        return [(index, weight / whole) for index, weight in enumerate(node.weights)]

    def _apply_action(self, action: int) -> None:
        self.spiel_match.do(action)

    def _action_to_string(self, player: int, action: int) -> str:
        pending = self.match.pending
        if isinstance(pending, ChanceNode):
            return pending.texts[action] if action < len(pending.texts) else str(action)
        if isinstance(pending, Question) and action in self.spiel_match.legal():
            return pending.actions[self.spiel_match.legal().index(action)].text
        return f"{player}: {action}"

    def is_terminal(self) -> bool:
        return self.match.pending is None

    def returns(self) -> list[float]:
        """Return the rewards of the seats so far: 0 before the end."""
        game = self.match.game
        if self.match.pending is not None:
            return [0.0] * game.setting.players
        won = [team == self.match.winner for team in range(game.team_count)]
        counters = self.match.counters() if self.worth else {"won": won}
        gains = points_of(counters, self.worth or {"won": 1.0})
        return [gains[seat % game.team_count] for seat in range(game.setting.players)]

    def __str__(self) -> str:
        return str(self.match.to_dict())


class Observer:
    """Writes the view of a seat, as numbers and as a text.

    recall: None for the present view alone. Else the text begins with all earlier questions and
            answers of the seat. `tensor` then has a row for each of its last `recall` ones, the
            latest first: the features at the question, then 1 + the number of its answer. Missing
            rows are 0.
    """

    def __init__(self, encoder: Encoder, recall: int | None) -> None:
        self.encoder, self.recall = encoder, recall
        self.tensor = np.zeros(encoder.size + (recall or 0) * (encoder.size + 1), np.float32)
        self.dict = {name: self.tensor[part] for name, part in encoder.parts.items()}
        self._rows = self.tensor[encoder.size :].reshape(recall or 0, encoder.size + 1)
        if recall:
            self.dict["recalled"] = self._rows

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees, and remembers, into `tensor`."""
        self.tensor[: self.encoder.size] = self.encoder.features(state.match, player)
        self._rows[:] = 0
        known = state.spiel_match.known[player][::-1][: len(self._rows)]
        for row, (sight, question, answer) in zip(self._rows, known, strict=False):
            row[:-1] = self.encoder.encode(sight, player, question)
            row[-1] = 1 + self.encoder.number(question.decision, answer)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat sees, and remembers, as a text."""
        seen = state.spiel_match.seen_by(player)
        if self.recall is None:
            return seen
        return "\n".join([*map(str, state.spiel_match.known[player]), seen])


pyspiel.register_game(GAME_TYPE, SpielGame)
