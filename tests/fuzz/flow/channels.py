"""Channels, through which a seat receives a run: interfaces, bots, screens, scripts.

A channel plays given answers from a position of `runs.Base`, and returns what its seat receives.
This must be the same for two runs that the seat may not distinguish.
"""

from contextlib import suppress
from functools import cached_property, partial
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np

from tests.fuzz.flow.observed import Luck, ObservedMatch, compile_observed
from tests.support.person import people_at, sit
from trutdsl.cli.hand import PlayerLeft
from trutdsl.diagnostics import Rejected
from trutdsl.game import DealStart, Question, State
from trutdsl.game.view import make_view
from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import nodes
from trutdsl.ir.effects import Effects
from trutdsl.ir.types import SEAT
from trutdsl.learning.encoding import Encoder
from trutdsl.native.abi import QUESTION
from trutdsl.report.telling import Follower
from trutdsl.strategy.bots import Bot
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import MonteCarlo
from trutdsl.strategy.script import load_script, table_for
from trutdsl.streams import Stream

SECRET = "secret-question"  # why the parallel environment refuses a game
MOST_CYCLES = 3  # answers after which an environment cuts a match off, if it does


class Refused(Exception):  # noqa: N818 - it is an outcome, not a fault
    """A channel does not support this game or this position, so no seat receives anything."""


class Run:
    """One run of a pair: a position, and the answers from there on.

    key: identifies the position, see `Base.replay`; None for the first run.
    """

    def __init__(self, base, key, answers, interfaces):
        self.base, self.key, self.answers = base, key, answers
        self.game, self.seat, self.interfaces = base.game, base.seat, interfaces

    def start_match(self):
        """Return the match at the position, in the reference engine."""
        return self.base.replay(self.key)

    def yield_stops(self, match, go_on):
        """Continue as in this run; yield at each stop, also at the start."""
        answers = iter(self.answers)
        yield
        while match.pending is not None:
            index = 0 if isinstance(match.pending, DealStart) else next(answers, None)
            if index is None:
                return
            go_on(index)
            yield

    def set_position(self, match, luck):
        """Set a match of another engine or program, at the same question, to the position."""
        here = self.start_match()
        for name, piles in here.zones.items():
            for at, pile in enumerate(piles):
                set_groups(match, name, at, pile.groups)
        for name in self.game.program.variables:
            set_variable(match, name, here.variables[name])
        luck.order, luck.first = here.chance.order, here.chance.first


def set_groups(match, name, at, groups):
    if isinstance(match, ObservedMatch) or hasattr(match, "zones"):
        match.zones[name][at].groups = [list(group) for group in groups]
    else:
        match._set_groups(name, at, [list(group) for group in groups])


def set_variable(match, name, values):
    if hasattr(match, "zones"):
        list.__setitem__(match.variables[name], slice(None), values)
    else:
        for at, value in enumerate(values):
            match.write(name, at, to_number(value))


def to_number(value):
    """Return a value in the representation of machine code."""
    if isinstance(value, frozenset):
        return sum(1 << one for one in value)
    return -1 if value is None else int(value)


def play_machine_code(run, match, go_on):
    """Continue as in this run in machine code, which must ask the reference engine's questions."""
    reference = run.start_match()

    def both(index):
        if texts_of(match.pending) != texts_of(reference.pending):
            raise Refused
        go_on(index)
        reference.go_on(index)

    for _ in run.yield_stops(match, both):
        pass
    if texts_of(match.pending) != texts_of(reference.pending):
        raise Refused


def texts_of(pending):
    """Return the seat and the actions of a question; otherwise whether the match is over."""
    if not isinstance(pending, Question):
        return pending is None
    return pending.seat, [action.text for action in pending.actions]


def is_asked(match, seat):
    return isinstance(match.pending, Question) and match.pending.seat == seat


# ---------------------------------------------------------------- people and bots


def transcript(run):
    """Return the lines that a person at the table reads."""
    match, follower, lines = run.start_match(), Follower(people_at(run.game, run.seat)), []
    match.emit_to = follower
    for _ in run.yield_stops(match, match.go_on):
        if match.pending is None or is_asked(match, run.seat):
            lines += follower.tell(match.sight(run.seat)[1])
    return lines


def screen(run):
    """Return the screen of `play`, with everything that a person can request."""
    match, shown = run.start_match(), StringIO()
    hand = sit(run.game, run.seat, StringIO(), shown)
    match.emit_to = hand.follower
    state = State(run.game, match)
    for _ in run.yield_stops(match, match.go_on):
        hand.answers = StringIO("?\n")
        with suppress(PlayerLeft):
            if is_asked(match, run.seat):
                hand.choose(state.view())
            else:
                hand.watch(run.seat)(state)
    return shown.getvalue()


class Lines:
    """A fake bot process that stores the lines written to it."""

    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)


def bot(run):
    """Return the lines that a bot receives."""
    match, process = run.start_match(), Lines()
    asked = Bot(process, None)
    for _ in run.yield_stops(match, match.go_on):
        if is_asked(match, run.seat):
            asked.ask(make_view(match, run.game.legends, match.pending, Stream(0)))
            asked.count += 1
    return process.lines


# ---------------------------------------------------------------- learning agents


class Interfaces:
    """What all runs of a game share: environments, scripts, machine code."""

    def __init__(self, game):
        self.game, self.native = game, game.in_engine("native")

    @cached_property
    def in_turn(self):
        from trutdsl.learning.zoo import AskedInTurn

        return {most: AskedInTurn(self.game, most) for most in (None, MOST_CYCLES)}

    @cached_property
    def at_once(self):
        from trutdsl.learning.zoo import AllAtOnce

        try:
            return {most: AllAtOnce(self.game, most) for most in (None, MOST_CYCLES)}
        except Rejected as refused:
            if any(d.code != SECRET for d in refused.diagnostics):
                raise
            raise Refused from refused

    @cached_property
    def encoder(self):
        return Encoder(self.game)

    @cached_property
    def side_by_side(self):
        from trutdsl.learning import vector

        with patch.object(vector, "load_game", lambda *_: self.native):
            return vector.SideBySide(num_envs=1)

    @cached_property
    def script(self):
        """Return a script that reads all it can, the values it reads, and the code of its game."""
        words = ["a", "b", "c", "pass"]
        while True:
            try:
                return self._looking(words)
            except Rejected as refused:  # these words are not public, or no option has them
                messages = " ".join(d.message for d in refused.diagnostics)
                words = [word for word in words if f"'{word}'" not in messages]

    def _looking(self, words):
        said = " + ".join(f'{i} * said(p, "{word}")' for i, word in enumerate(words, 3))
        with TemporaryDirectory() as folder:
            path = Path(folder) / "looking.strategy"
            path.write_text(LOOKING_SCRIPT.replace("SAID", said or "0"), encoding="utf-8")
            spec = load_script(path, path.name)
        table = table_for(self.game, (spec,))
        policy = PolicyCode(table.program, table.program.policies[spec.name], self.game.setting)
        look = next(f for f in table.program.functions.values() if f.name.endswith(":all_seen"))
        me = nodes.Local(look.span, SEAT, 0, "me")
        call = nodes.Call(look.span, look.result, look.name, (me,))
        return policy, compile_observed(table.game), compile_expression(call, policy)

    @cached_property
    def has_constants(self):
        """Tell whether rules read a variable that no rule changes: a constant in machine code.

        Machine code cannot continue from a position where such a variable has another value.
        """
        program = self.game.program
        effects, body = Effects(program), program.rules["match"].body
        fixed = program.variables.keys() - effects.writes_of(body)
        return bool(fixed & effects.reads_of(body))

    @cached_property
    def searching(self):
        spec = load_strategy(f"monte-carlo:playouts={PLAYOUTS},playout=uniform")
        return spec, table_for(self.native, spec.scripts)


def make_comparable(value):
    """Return a value that can be compared: arrays become bytes."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, dict):
        return {name: make_comparable(inner) for name, inner in value.items()}
    return value


def play_through(run, env, step):
    """Play the answers in an environment, from the position; yield before each and at the end."""
    match = run.start_match()

    def reset(_seed):
        env.table.state = State(run.game, match)

    with patch.object(env.table, "reset", reset):
        env.reset()
    yield
    for index in run.answers:
        if (
            env.table.asked_seat is None
            or not env.agents
            or any(getattr(env, "truncations", {}).values())
        ):
            return
        step(env.table.encoder.legal(env.table.state)[index])
        yield


def aec(run, most=None):
    """Return what an agent of the PettingZoo environment receives at each of its turns."""
    found, name, env = [], f"seat_{run.seat}", run.interfaces.in_turn[most]
    for _ in play_through(run, env, env.step):
        ended = env.terminations[name], env.truncations[name]
        if env.agent_selection == name or any(ended):
            got = env.observe(name), env.rewards[name], env._cumulative_rewards[name]
            found.append([make_comparable(one) for one in (*got, *ended, env.infos[name])])
    return found


def parallel(run, most=None):
    """Return what an agent of the parallel environment receives at each of its steps.

    Raises `Refused` for a game with a question that some seats do not notice.
    """
    found, name, env = [], f"seat_{run.seat}", run.interfaces.at_once[most]

    def step(number):
        actions = dict.fromkeys(env.agents, env.wait)
        actions[env.possible_agents[env.table.asked_seat]] = number
        got = env.step(actions)
        if name in got[0]:
            found.append([make_comparable(part[name]) for part in got])

    for _ in play_through(run, env, step):
        pass
    return found


def spiel(run):
    """Return what a player of the OpenSpiel game observes at its questions, with its memory."""
    from trutdsl.learning.spiel import Observer, SpielMatch

    played, match = object.__new__(SpielMatch), run.start_match()
    played.encoder, played.match = run.interfaces.encoder, State(run.game, match)
    played.known, played.steps, found = [()] * run.game.players, [], []
    observer = Observer(played.encoder, recall=4)
    state = SimpleNamespace(spiel_match=played, match=played.match)

    def go_on(index):
        if isinstance(match.pending, DealStart):
            played.match.next_deal()
        else:
            played.do(played.legal()[index])

    for _ in run.yield_stops(match, go_on):
        if match.pending is None or is_asked(match, run.seat):
            observer.set_from(state, run.seat)
            found += [observer.string_from(state, run.seat), observer.tensor.tobytes()]
    return found


def vector(run):
    """Return what the agent of a Gymnasium vector environment observes at its question."""
    if run.interfaces.has_constants:
        raise Refused
    env = run.interfaces.side_by_side
    luck = Luck(run.base.seed)
    match = run.interfaces.native.start(0, 0, chance=luck).match
    for index in run.base.before:
        match.go_on(index)
    run.set_position(match, luck)
    play_machine_code(run, match, match.go_on)
    if not is_asked(match, run.seat):
        return []
    env._batch.memory[0] = np.frombuffer(match.memory, np.uint8)
    env._batch.why[0] = QUESTION
    return [make_comparable(env._observe())]


# ---------------------------------------------------------------- strategies

PLAYOUTS = 6
# It uses each word of the strategy language, and each place that a seat may see.
LOOKING_SCRIPT = """\
strategy looking "Looks at all that it may look at.":
    define mixed(n: number, m: number) -> number: (n * 31 + m) mod 9973
    define of(held: cards) -> number: total (strength(c) * 7 + 1) for c in held
    define hidden_of(p) -> number: mixed(of(in_sight(hand[p])), of(in_sight(kept[p])))
    define others_of(p) -> number: mixed(of(in_sight(down[p])), of(in_sight(pool[p])))
    define many_of(p) -> number: mixed(size(hand[p]) + 9 * size(kept[p]), size(down[p]))
    define more_of(p) -> number: mixed(size(pool[p]) + 9 * size(row[p]), of(row[p]))
    define cards_of(p) -> number: mixed(hidden_of(p), others_of(p))
    define of_seat(p) -> number: mixed(cards_of(p), mixed(many_of(p), more_of(p)))
    define piles: mixed(mixed(of(in_sight(one)), of(in_sight(two))), mixed(size(one), size(two)))
    define ours: mixed(of(in_sight(shared[team(me)])), of(in_sight(crib)) + 9 * size(crib))
    define others: mixed(mixed(piles, ours), of(shown) + 9 * size(stock))
    define mine: mixed(mixed(hint[me], mates[me]), mixed(plan[team(me)], known))
    define talk(p) -> number: SAID + 2 * public[p]
    define leads(p) -> number: (1 if p in {dealer, on_lead, marked, picked[me]} else 0)
    define seats_seen: total mixed(of_seat(p), talk(p) + leads(p)) for p in seats
    define all_seen -> number: mixed(mixed(seats_seen, others), mine)
    otherwise:
        let n = all_seen
        any
"""


def script(run):
    """Return what a script can read at the questions of its seat."""
    policy, code, look = run.interfaces.script
    luck = Luck(run.base.seed)
    match = ObservedMatch(code, luck)
    for index in run.base.before:
        match.go_on(index)
    match.watch(run.game, run.seat)
    run.set_position(match, luck)
    found = []
    for _ in run.yield_stops(match, match.go_on):
        if is_asked(match, run.seat):
            player = Player(policy, match, run.seat, Stream(0))
            found.append((player.choose(match.pending), player.value(look)))
    return found


def monte_carlo(run):
    """Return the choice of monte-carlo, and the observations that its worlds must match."""
    if run.interfaces.has_constants:
        raise Refused
    spec, table = run.interfaces.searching
    luck = Luck(run.base.seed)
    course = MatchHistory(table.compiled_game, (run.seat,), luck)
    for index in run.base.before:
        go_on_in(course, index)
    run.set_position(course.state.match, luck)
    play_machine_code(run, course.state.match, lambda index: go_on_in(course, index))
    noticed = course.noticed[run.seat]
    found = [noticed.marks, noticed.hidden_cards, noticed.seen_cards]
    if is_asked(course.state.match, run.seat):
        found.append(MonteCarlo(spec, table, course, run.seat, Stream(0)).choose())
    return found


def go_on_in(course, index):
    if isinstance(course.state.pending, DealStart):
        course.next_deal()
    else:
        course.apply(index)


CHANNELS = {
    "transcript": transcript,
    "screen": screen,
    "bot": bot,
    "aec": aec,
    "aec cut off": partial(aec, most=MOST_CYCLES),
    "parallel": parallel,
    "parallel cut off": partial(parallel, most=MOST_CYCLES),
    "spiel": spiel,
    "vector": vector,
    "script": script,
    "monte-carlo": monte_carlo,
}
LEARNING = ("aec", "aec cut off", "parallel", "parallel cut off", "spiel", "vector")
