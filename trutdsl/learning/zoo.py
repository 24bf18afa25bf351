"""PettingZoo environments of a game: one seat after the other (AEC), and all seats at once.

`env(...)` is the first, `parallel_env(...)` the second. Agents are `seat_0`, `seat_1`, ... An
observation is a mapping of `observation`, the seat's view as `Encoder.features`, float32, and
`action_mask`, 1 for each legal action, int8. At the end of the match the seats of the winning team
get 1, the others -1, and all get 0 for a draw; there are no other rewards. An illegal action stands
for the first legal one, and `infos` reports it. At the end `infos` has the `reason` of each agent.

The observations of a seat, and their number, depend only on events that it may notice. So
`max_cycles` does not count questions that some seats cannot notice. Games with such a question have
no parallel form, since there a waiting seat takes a step for each question.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from trutdsl.arguments import check_arguments, check_kind, check_names, check_range
from trutdsl.diagnostics import BadUsage, Diagnostic, Rejected
from trutdsl.game import DealStart, Game, Question, load_game
from trutdsl.learning import check_ready, library_of
from trutdsl.learning.encoding import Encoder

with library_of("rl"):
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv

IN_PLAY = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "steps")
LARGEST = 2.0**31  # the bound of numbers in a match, unless the rules declare larger ones


class _AgentMatch:
    """A match with its seats as agents, for both forms."""

    def __init__(self, game: Game, max_cycles: int | None) -> None:
        if max_cycles is not None:
            check_kind("max_cycles", max_cycles, "int")
            check_range("max_cycles", max_cycles, 1)
        self.game, self.encoder, self.max_cycles = game, Encoder(game), max_cycles
        self.encoder.check_questions()
        self.names = [f"seat_{seat}" for seat in range(game.players)]
        self.seed, self.match, self.state = 0, -1, game.start(0, 0)

    def spaces(self, waiting: int) -> tuple[spaces.Dict, spaces.Discrete]:
        """Return the observation and action spaces; waiting: the number of additional actions."""
        actions = self.encoder.actions + waiting
        most = max(LARGEST, self.encoder.largest)
        features = spaces.Box(-most, most, (self.encoder.size,), np.float32)
        mask = spaces.Box(0, 1, (actions,), np.int8)
        return spaces.Dict({"observation": features, "action_mask": mask}), spaces.Discrete(actions)

    def reset(self, seed: int | None) -> None:
        """Start the next match of the seed; with a seed its first."""
        if seed is not None or self.match < 0:
            self.seed = seeding.np_random(seed)[1] if seed is None else seed
            self.match = -1
        self.match += 1
        self.state = self.game.start(self.seed, self.match)
        self._to_question()

    def _to_question(self) -> None:
        while isinstance(self.state.pending, DealStart):
            self.state.next_deal()

    @property
    def asked_seat(self) -> int | None:
        """The seat that is asked; None when the match is over."""
        pending = self.state.pending
        return pending.seat if isinstance(pending, Question) else None

    @property
    def all_notice(self) -> bool:
        """Whether a question is open that all seats notice."""
        pending = self.state.pending
        return isinstance(pending, Question) and pending.number not in self.game.secret_questions

    def act(self, action: Any) -> bool:
        """Answer; return whether the action is legal. Raises `BadUsage` if it is no number."""
        try:
            action = index(action)
        except TypeError:
            text = f"found the action {action!r} of an agent that is asked"
            raise BadUsage(f"{text}, expected a whole number") from None
        legal = self.encoder.legal(self.state)
        result = action in legal
        self.state.apply(legal.index(action) if result else 0)
        self._to_question()
        return result

    def observe(self, seat: int) -> dict[str, Any]:
        features = self.encoder.features(self.state, seat)
        return {"observation": features, "action_mask": self.encoder.mask(self.state, seat)}

    def reward(self, seat: int) -> int:
        """Return 1 for a seat that has won, -1 for one that has lost, else 0."""
        winner = self.state.winner
        return 0 if winner is None else 1 if self.game.teams[seat] == winner else -1

    def reason(self, seat: int) -> str:
        """Return why there is no more for a seat to do: `won`, `lost`, `drawn` or `cut off`."""
        if self.asked_seat is not None:
            return "cut off"
        return {1: "won", -1: "lost", 0: "drawn"}[self.reward(seat)]


class _Agents:
    """The seats of a table as agents, with their spaces."""

    def __init__(self, game: Game, max_cycles: int | None, waiting: int) -> None:
        super().__init__()
        self.table = _AgentMatch(game, max_cycles)
        self.metadata: dict[str, Any] = {"name": game.name, "render_modes": []}
        self.possible_agents = list(self.table.names)
        observed, done = self.table.spaces(waiting)
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces = {agent: spaces.Discrete(done.n) for agent in self.possible_agents}
        self.render_mode, self.closed = None, False

    def close(self) -> None:
        """End the environment; it cannot be used any more."""
        self.closed = True

    def observation_space(self, agent: str) -> spaces.Dict:
        check_names("agent", [agent], self.possible_agents)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        check_names("agent", [agent], self.possible_agents)
        return self.action_spaces[agent]


class AskedInTurn(_Agents, AECEnv):
    """One seat after the other, whenever it is asked."""

    def __init__(self, game: Game, max_cycles: int | None = None) -> None:
        super().__init__(game, max_cycles, 0)
        self.metadata["is_parallelizable"] = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match: with a seed its first, else the next one."""
        check_ready(self, "reset")
        del options
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.steps = 0
        self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        """Select the asked agent; without one, the match is over."""
        seat = self.table.asked_seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            return
        self._end(self.terminations)
        for seat, name in enumerate(self.possible_agents):
            self.rewards[name] = self.table.reward(seat)

    def _end(self, truncations: dict[str, bool]) -> None:
        """End all agents in the order of their seats, not of the questions."""
        truncations.update(dict.fromkeys(self.agents, True))
        for seat, agent in enumerate(self.possible_agents):
            self.infos[agent]["reason"] = self.table.reason(seat)
        self.agent_selection = self.agents[0]

    def __getattr__(self, name: str) -> NoReturn:
        if name in IN_PLAY:
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observe(self, agent: str) -> dict[str, Any]:
        check_ready(self, "observe", "agents" in vars(self))
        check_names("agent", [agent], self.possible_agents)
        return self.table.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Answer for the agent that is asked; None for one that is done."""
        check_ready(self, "step", bool(vars(self).get("agents")))
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        notice = self.table.all_notice
        legal = self.table.act(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.steps += notice
        self.infos[agent] = {} if legal else {"illegal": int(action)}
        self._select()
        if self.table.all_notice and self.steps == self.table.max_cycles:
            self._end(self.truncations)
        self._accumulate_rewards()


class AllAtOnce(_Agents, ParallelEnv):
    """All seats act at each question; seats that are not asked can only wait, the last action."""

    def __init__(self, game: Game, max_cycles: int | None = None) -> None:
        """Make the environment; raises `Rejected` for a game with secret questions."""
        _refuse_secret_questions(game)
        super().__init__(game, max_cycles, 1)
        self.wait = self.table.encoder.actions

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a match: with a seed its first, else the next one."""
        check_ready(self, "reset")
        del options
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.steps = 0
        return self._observe_all(), {agent: {} for agent in self.agents}

    def _observe_all(self) -> dict[str, Any]:
        result = {}
        for seat, agent in enumerate(self.possible_agents):
            seen = self.table.observe(seat)
            waits = np.array([seat != self.table.asked_seat], np.int8)
            result[agent] = seen | {"action_mask": np.append(seen["action_mask"], waits)}
        return result

    def step(self, actions: dict[str, int]) -> tuple[dict[str, Any], ...]:
        """Answer for the asked seat; the actions of the others have no effect."""
        check_ready(self, "step", bool(vars(self).get("agents")))
        own, agents = self.table.asked_seat, self.agents
        infos: dict[str, Any] = {agent: {} for agent in agents}
        if own is not None:  # else the match ended before any question
            asked = self.possible_agents[own]
            if not isinstance(actions, Mapping) or asked not in actions:
                text = f"found the actions {actions!r}, expected one for each agent"
                raise BadUsage(f"{text}; {asked} is asked")
            if not self.table.act(actions[asked]):
                infos[asked] = {"illegal": int(actions[asked])}
        self.steps += 1
        over = self.table.asked_seat is None
        cut = not over and self.steps == self.table.max_cycles
        rewards = {agent: self.table.reward(seat) for seat, agent in enumerate(agents)}
        if over or cut:
            self.agents = []
            for seat, agent in enumerate(agents):
                infos[agent]["reason"] = self.table.reason(seat)
        ends, cuts = dict.fromkeys(agents, over), dict.fromkeys(agents, cut)
        return self._observe_all(), rewards, ends, cuts, infos


def _refuse_secret_questions(game: Game) -> None:
    questions = [game.plans[number].node for number in sorted(game.secret_questions)]
    if questions:
        raise Rejected(
            Diagnostic(
                "secret-question",
                f"not all seats can tell that '{ask.decision}' is asked, but with `parallel_env` "
                "a seat that waits would take a step for it",
                ask.span,
                help="use `trutdsl.learning.zoo.env`, where a seat acts only when it is asked",
            )
            for ask in questions
        )


@check_arguments
def env(
    variant: str | Path = "trut",
    players: int | None = None,
    max_cycles: int | None = None,
    **set_: Any,
) -> AskedInTurn:
    """Return a variant as an AEC environment.

    max_cycles: the number of answers after which a match is cut off. Answers to questions that some
                seats do not notice do not count.
    set_:       parameters of the variant by name.
    Raises as `load_game` does.
    """
    return AskedInTurn(load_game(variant, players, set_, "native"), max_cycles)


@check_arguments
def parallel_env(
    variant: str | Path = "trut",
    players: int | None = None,
    max_cycles: int | None = None,
    **set_: Any,
) -> AllAtOnce:
    """Return a variant as a parallel environment; see `env`.

    Raises `Rejected` also for a game with a question that some seats do not notice.
    """
    return AllAtOnce(load_game(variant, players, set_, "native"), max_cycles)
