"""Gymnasium vector environment: many matches side by side, an agent on some of their seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.arguments import check_arguments, check_names, check_range
from trutdsl.diagnostics import BadUsage
from trutdsl.game import load_game
from trutdsl.learning import check_ready, library_of
from trutdsl.learning.encoding import LATEST_ANSWERS, Encoder
from trutdsl.learning.features import FeatureMap
from trutdsl.native.play.batch import Batch
from trutdsl.native.play.observation import Observation
from trutdsl.strategy.load import StrategyLike
from trutdsl.strategy.opponents import Opponents, PlayedBatch
from trutdsl.table.match import Passage
from trutdsl.table.sight import variables_of

with library_of("rl"):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Numbers = NDArray[np.int64]
NUMBERS = (-(2**63), 2**63 - 1)
RANDOM = "uniform"


class SideBySide(VectorEnv):
    """Matches of a variant side by side, an agent against opponents or against itself.

    A step takes an action for each match, int64 (num_envs,), with the numbers of `Encoder`. An
    illegal action stands for the first legal one. The step continues to the next question to one
    of the agent's seats. Observations are a mapping of arrays with one row for each match:

    action_mask: int8 (num_envs, actions), 1 for each legal action; all 0 when a match is over.
    place:       int64 (num_envs, 5): the seat that is asked, the question's number, the index of
                 the deal, the dealer, the leader.
    cards.ZONE:  int8 (num_envs, places * cards): whether a card visibly lies there.
    sizes.ZONE:  int64 (num_envs, places): how many cards lie there.
    values.NAME: int64 (num_envs, places): the values of a variable or counter, as in
                 `Observation`; a set's mask is a signed number.
    announced.WORDS: int64 (num_envs, players + 1): the last value in the deal that each seat, and
                 last nobody, announced with these words, if the asked seat heard it; else 0.
    heard.WORDS: int8 (num_envs, players + 1): whether it heard such an announcement.
    passed.ZONE: int8 (num_envs, places * cards): the cards that go there from seat to seat or from
                 team to team. For each place that they leave and each card: 0, or 1 + the place to
                 which the asked seat last saw it go in the deal.
    went.ZONE:   int64 (num_envs, places * places): the number of these cards from each place to
                 each other one.
    seen.NAME:   int8 (num_envs, places): whether the asked seat may look there, zone or variable.

    With `features`, they are instead, beside `action_mask`:

    features: float32 (num_envs, size), for a network, from the asked seat's side; `FeatureMap`.
    history:  int16 (num_envs, HEARD, 2): the last answers of the deal, the latest first. Each is
              1 + the seat, counted from the asked one, and 1 + the action; 0 if there are no more.
    seat:     int64 (num_envs,): the asked seat, which matters if the agent has several.

    Rewards, float64 (num_envs,): 1 if the team of the agent's first seat has won the match, -1 if
    it has lost, else 0. In single deals for points, those of the team less the mean of the others.
    Infos hold, for matches that are over: `reason` (`won`, `lost` or `drawn`, else an empty text),
    `rewards` of all seats, float64 (num_envs, players), and `deals`. After the end of a match, the
    next step starts another one and ignores its action (`AutoresetMode.NEXT_STEP`). If a match ends
    before the agent is asked, the step after its start reports the end.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's own form

    @check_arguments
    def __init__(
        self,
        variant: str | Path = "trut",
        players: int | None = None,
        num_envs: int = 64,
        seats: Sequence[int] | None = (0,),
        opponents: StrategyLike | Mapping[int, StrategyLike] = RANDOM,
        points: Mapping[str, float] | None = None,
        features: bool = False,
        **set_: Any,
    ) -> None:
        """Make the environment.

        seats:     the seats of the agent; None for all, which is self-play.
        opponents: a strategy for all other seats, or one for each of them. Scripts and classes with
                   `choose_batch` play.
        points:    for single deals instead of matches: what one of each counter is worth.
        features:  observe features for a network.
        set_:      parameters of the variant by name.
        Raises as `load_game` does, `BadUsage` for strategies that play one match at a time or
        counters that do not exist, and ValueError for seats that do not exist.
        """
        check_range("num_envs", num_envs, 1)
        game = load_game(variant, players, set_, "native")
        self.game = game if points is None else game.one_deal()
        if seats is None:
            seats = range(self.game.players)
        if not seats or {*seats} - {*range(self.game.players)} or len({*seats}) < len(seats):
            text = f"seats are from 0 to {self.game.players - 1}, each once, not {list(seats)}"
            raise BadUsage(text)
        self._begun = False
        self.num_envs, self.seats = num_envs, np.array(seats, np.int64)
        self.encoder = Encoder(self.game)
        self.encoder.check_questions()
        self.feature_map = FeatureMap(self.encoder) if features else None
        self.action_names = self.encoder.names
        self.team = self.game.teams[seats[0]]
        self._worth = None if points is None else self._read_points(points)
        others = [seat for seat in range(self.game.players) if seat not in seats]
        by_seat = opponents if isinstance(opponents, Mapping) else dict.fromkeys(others, opponents)
        if set(by_seat) - set(others):
            raise BadUsage(f"opponents sit on {others}, not on {[*by_seat]}")
        refs = {seat: by_seat.get(seat, RANDOM) for seat in others}
        self._random = np.array([seat for seat in others if refs[seat] == RANDOM], np.int64)
        self._opponents = Opponents(
            self.game, {seat: ref for seat, ref in refs.items() if ref != RANDOM}
        )
        self._first = np.array([*self.encoder.first, self.encoder.actions], np.int64)
        self._batch = self._begin(0)
        self._match_count = num_envs
        self._over = np.zeros(num_envs, np.bool_)
        self.single_action_space = spaces.Discrete(self.encoder.actions)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.single_observation_space = self._space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def _begin(self, seed: int) -> Batch:
        return PlayedBatch(self._opponents, seed, 0, self.num_envs)

    def _read_points(self, points: Mapping[str, float]) -> NDArray[np.float64]:
        """Return what one of each counter is worth, in the order of `Batch.rows`."""
        names = self.game.count_plan.counters
        check_names("counter", [*points], names)
        if not points:
            raise BadUsage(f"points name no counter; choose {', '.join(names)}")
        return np.array([points.get(name, 0.0) for name in names])

    def _space(self) -> spaces.Dict:
        low, high = NUMBERS
        mask = spaces.Box(0, 1, (self.encoder.actions,), np.int8)
        if self.feature_map is not None:
            return spaces.Dict(
                {
                    "action_mask": mask,
                    "features": spaces.Box(-8, 8, (self.feature_map.size,), np.float32),
                    "history": spaces.Box(0, 2**15 - 1, (LATEST_ANSWERS, 2), np.int16),
                    "seat": spaces.Box(0, self.game.players, (), np.int64),
                }
            )
        place = spaces.Box(low, high, (5,), np.int64)
        result: dict[str, Any] = {"action_mask": mask, "place": place}
        count, program = self.game.setting.count, self.game.program
        for zone in program.zones.values():
            places = count(zone.index)
            result[f"cards.{zone.name}"] = spaces.Box(0, 1, (places * self.encoder.cards,), np.int8)
            result[f"sizes.{zone.name}"] = spaces.Box(0, high, (places,), np.int64)
            result[f"seen.{zone.name}"] = spaces.Box(0, 1, (places,), np.int8)
        for variable in variables_of(program):
            places = count(variable.index)
            result[f"values.{variable.name}"] = spaces.Box(low, high, (places,), np.int64)
            result[f"seen.{variable.name}"] = spaces.Box(0, 1, (places,), np.int8)
        speakers = (self.game.players + 1,)
        for words in self._batch.announcements:
            result[f"announced.{words}"] = spaces.Box(low, high, speakers, np.int64)
            result[f"heard.{words}"] = spaces.Box(0, 1, speakers, np.int8)
        for passage in self._batch.passages:
            name, places = passage.zone, count(program.zones[passage.zone].index)
            cards = (places * self.encoder.cards,)
            result[f"passed.{name}"] = spaces.Box(0, places, cards, np.int8)
            result[f"went.{name}"] = spaces.Box(0, high, (places * places,), np.int64)
        return spaces.Dict(result)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start all matches again: with a seed its first ones, else its next ones."""
        check_ready(self, "reset")
        del options
        if seed is not None or not self._begun:
            self._begun = True
            self._np_random, self._np_random_seed = seeding.np_random(seed)
            self._batch = self._begin(self._np_random_seed or 0)
            self._match_count = self.num_envs
        else:
            self._restart(np.arange(self.num_envs, dtype=np.int64))
        self._over[:] = False
        self._play_others()
        return self._observe(), {}

    def _restart(self, rows: Numbers) -> None:
        self._batch.restart(rows, self._match_count)
        self._match_count += len(rows)

    def step(
        self, actions: Numbers
    ) -> tuple[dict[str, Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Any]:
        """Answer in each match, and continue to the agent's next question."""
        check_ready(self, "step", self._begun)
        actions, old = np.asarray(actions), np.flatnonzero(self._over).astype(np.int64)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise BadUsage(f"actions: expected {self.num_envs} whole numbers, one for each match")
        rows = self._batch.waiting
        if len(rows):
            legal = self._legal(self._batch.observe(()), rows)[rows]
            first = legal.argmax(axis=1)
            inside = (actions[rows] >= 0) & (actions[rows] < legal.shape[1])
            answers = np.where(inside, actions[rows], first).astype(np.int64)
            answers = np.where(legal[np.arange(len(rows)), answers] == 1, answers, first)
            self._answer(rows, answers)
        if len(old):
            self._restart(old)
        self._play_others()
        self._over = np.ones(self.num_envs, np.bool_)
        self._over[self._batch.waiting] = self._over[old] = False
        rewards = np.where(self._over[:, None], self._rewards(), 0.0)
        own = rewards[:, self.seats[0]]
        outcome = np.where(own > 0, "won", np.where(own < 0, "lost", "drawn"))
        infos = {
            "reason": np.where(self._over, outcome, ""),
            "rewards": rewards,
            "deals": self._batch.deals,
        }
        cut = np.zeros(self.num_envs, np.bool_)
        return self._observe(), own.copy(), self._over.copy(), cut, infos

    def _rewards(self) -> NDArray[np.float64]:
        """Return what each seat has now, float64 (num_envs, players)."""
        teams = np.array(self.game.teams)
        if self._worth is None:
            winner = self._batch.winner[:, None]
            return np.where(winner < 0, 0.0, np.where(winner == teams, 1.0, -1.0))
        among = self.game.team_count
        counters = self._batch.rows()[:, 3:].reshape(self.num_envs, -1, among)
        gains = np.tensordot(counters, self._worth, axes=(1, 0))
        others = (gains.sum(axis=1, keepdims=True) - gains) / (among - 1)
        result: NDArray[np.float64] = (gains - others)[:, teams]
        return result

    def _answer(self, rows: Numbers, actions: Numbers) -> None:
        decision = self._batch.observe(()).decision[np.searchsorted(self._batch.waiting, rows)]
        self._batch.answer(actions - self._first[decision], rows)

    def _play_others(self) -> None:
        """Answer at random for other seats until each match asks the agent or is over."""
        while len(self._random):
            seen = self._batch.observe(())
            rows = seen.matches[np.isin(seen.seat, self._random)]
            if not len(rows):
                return
            legal = self._legal(seen, seen.matches)[rows]
            picked = self.np_random.random(legal.shape)
            self._answer(rows, (picked * legal).argmax(axis=1).astype(np.int64))

    def _legal(self, seen: Observation, rows: Numbers) -> NDArray[np.int8]:
        """Return the action masks of all matches; 0 in those that do not wait."""
        result = np.zeros((self.num_envs, self.encoder.actions), np.int8)
        bits = np.unpackbits(seen.legal.view(np.uint8), axis=1, bitorder="little")
        for question in np.unique(seen.decision):
            first, end = self._first[question : question + 2]
            waits = seen.decision == question
            result[rows[waits], first:end] = bits[waits, : end - first]
        return result

    def _observe(self) -> dict[str, Any]:
        seen = self._batch.observe()
        rows = seen.matches
        result = {
            name: np.zeros(space.shape, space.dtype)
            for name, space in self.observation_space.spaces.items()
        }
        result["action_mask"] = self._legal(seen, rows)
        if self.feature_map is not None:
            history = self._batch.history()
            result["features"][rows] = self.feature_map.encode(seen, history)
            result["history"][rows] = self.feature_map.recent(seen, history, LATEST_ANSWERS)
            result["seat"][rows] = seen.seat
            return result
        place = (seen.seat, seen.decision, seen.deal, seen.dealer, seen.leader)
        result["place"][rows] = np.stack(place, axis=1)
        for name, masks in seen.zones.items():
            bits = np.unpackbits(
                masks[..., None].view(np.uint8), axis=2, count=self.encoder.cards, bitorder="little"
            )
            result[f"cards.{name}"][rows] = bits.reshape(len(rows), bits.shape[1] * bits.shape[2])
            result[f"sizes.{name}"][rows] = seen.sizes[name]
        for name, values in seen.variables.items():
            result[f"values.{name}"][rows] = values.astype(np.int64)
        for name, may in seen.seen.items():
            result[f"seen.{name}"][rows] = may
        if self._batch.announcements or self._batch.passages:
            self._put_told(result, rows)
        return result

    def _put_told(self, observation: dict[str, Any], rows: Numbers) -> None:
        questions, batch = len(self.game.plans), self._batch
        for who, number, value in batch.history().transpose(1, 2, 0):
            for which, words in enumerate(batch.announcements):
                is_announced = number == questions + which
                at = rows[is_announced], who[is_announced]  # nobody is -1, the last column
                observation[f"announced.{words}"][at] = value[is_announced]
                observation[f"heard.{words}"][at] = 1
            for which, passage in enumerate(batch.passages, questions + len(batch.announcements)):
                is_announced = number == which
                if is_announced.any():
                    told = (part[is_announced] for part in (rows, who, value))
                    self._put_passed(observation, passage, *told)

    def _put_passed(
        self,
        observation: dict[str, Any],
        passage: Passage,
        rows: Numbers,
        who: Numbers,
        value: Numbers,
    ) -> None:
        places = self.game.setting.count(self.game.program.zones[passage.zone].index)
        went, many = observation[f"went.{passage.zone}"], value
        if passage.seen:
            left = observation[f"passed.{passage.zone}"].reshape(self.num_envs, places, -1)
            bits = value[:, None] >> np.arange(self.encoder.cards) & 1
            left[rows, who] = np.where(bits == 1, 1 + passage.to, left[rows, who])
            many = bits.sum(axis=1)
        went[rows, who * places + passage.to] += many
