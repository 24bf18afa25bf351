"""Plays a program in both engines and all forms of machine code, and compares the results."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import MappingProxyType
from unittest.mock import patch

from altered_match import AlteredMatch
from both_engines import ENGINES, ExternalChance, assert_same, load_both, play
from both_forms import StepwiseMatches, WholeMatches, common_fields
from recorded_match import CHANCES, RecordedMatch
from side_by_side import side_by_side, summarize_row, summarize_view

from trutdsl import passes
from trutdsl.diagnostics import Rejected
from trutdsl.game import DealStart, Game, State
from trutdsl.interp.policy import Player
from trutdsl.native import jit, llvm
from trutdsl.strategy.count import MatchCounter
from trutdsl.strategy.legs import native_seating
from trutdsl.strategy.load import Spec, load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for
from trutdsl.strategy.spec import StrategyError
from trutdsl.streams import Stream
from trutdsl.syntax.ast import Audience
from trutdsl.table.counts import Counts
from trutdsl.table.faults import PolicyError, RuleError
from trutdsl.transcript.events import Recorder
from trutdsl.variant import load_variant

from .scripts import SCRIPTS
from .write import SCRIPTED, TOP, Program

MATCHES, WHOLE, COUNTED = 4, 12, 5
OPTIMIZED_SHARE = 16  # LLVM optimizes one in so many programs fully
MOST = 120  # questions and deals of a match
NO_SCRIPTS: Mapping[int, Spec] = MappingProxyType({})


class Difference(AssertionError):  # noqa: N818 - it is an outcome, not a fault
    """Two ways of playing a program differ; the message names the form and the difference."""


def games_of(program: Program, folder: Path) -> list[Game]:
    """Return a program at its table in both engines; raises `Rejected` if it is invalid."""
    for name, text in program.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    variant = load_variant(folder / TOP)
    row = {name: value for name, value in program.parameters.items() if name in variant.parameters}
    return load_both(variant, program.players, row, TOP)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Turn off garbage collection, which took a sixth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@without_garbage_collection()
def compare(program: Program, folder: Path) -> dict[str, int]:
    """Play a program in the forms that its seed selects; return the count of each outcome.

    Raises `Rejected` if it is invalid, and `Difference` if two ways of playing differ.
    """
    games = games_of(program, folder)
    met: dict[str, int] = {}
    forms = [(compare_engines, True), (compare_copies, True), (compare_batch, True)]
    some_teams = games[0].team_count > 2  # counters distinguish several teams after the dealer
    forms += [(compare_forms, program.seed % 3 == 0)]
    forms += [(compare_counts, program.seed % (4 if some_teams else 12) == 1)]
    forms += [(compare_passes, program.seed % 3 == 1)]
    # LLVM takes most of the time, and is not under test.
    large = jit.LARGE if program.seed % OPTIMIZED_SHARE == 0 else 0
    copied = llvm.INLINE_LIMIT if program.seed % 5 < 3 else -1  # -1: no rule is inlined
    with patch.object(jit, "LARGE", large), patch.object(llvm, "INLINE_LIMIT", copied):
        for form, wanted in forms:
            if wanted:
                with name_form(form.__name__):
                    form(games, program.seed, met)
        if SCRIPTS[0] in program.files:
            with name_form("scripts"):
                compare_scripts(games, program.seed, met, folder)
        if program.seed % 12 == 5:
            checked = [game.in_engine(game.engine) for game in games]
            with checked_code(), name_form("checked"):
                compare_engines(checked, program.seed, met)
                compare_forms(checked, program.seed, met)
    return met


@contextmanager
def name_form(form: str) -> Iterator[None]:
    """Add the name of the form to the message of a difference."""
    try:
        yield
    except (AssertionError, KeyError, IndexError, ValueError) as found:
        raise Difference(f"{form}: {type(found).__name__}: {found}") from found


@contextmanager
def checked_code() -> Iterator[None]:
    """Compile machine code that checks every place and number before use."""
    os.environ["TRUTDSL_CHECKED"] = "1"
    try:
        yield
    finally:
        del os.environ["TRUTDSL_CHECKED"]


def compare_engines(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """Compare both engines: events, questions, legal actions, views, errors, results."""
    for match in range(MATCHES):
        shown = []
        for game in games:
            chance = ExternalChance(seed, match) if match % 2 else None
            shown.append(play(game, match, True, seed=seed, chance=chance, most=MOST)[0])
        assert_same(*shown, f"match {match}")
        last = shown[0][-1]
        error = last[0] if isinstance(last[0], str) else "played"
        met[error] = met.get(error, 0) + 1
        asked = sum(isinstance(item, tuple) and len(item) == 3 for item in shown[0])
        met["questions"] = met.get("questions", 0) + asked


def compare_passes(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """Compare the program as written with the program after each pass, in the reference engine."""
    source = games[0]
    assert source.engine == ENGINES[0]
    passed = passes.after_each(source.program, source.setting)
    after = {name: source.with_program(program) for name, program in passed}
    for match in range(MATCHES):
        expected, _ = play(source, match, True, seed=seed, most=MOST // 2)
        for name, game in after.items():
            shown, _ = play(game, match, True, seed=seed, most=MOST // 2)
            assert_same(expected, shown, f"match {match}, after {name}")
            met["passes"] = met.get("passes", 0) + 1


class Fallible(RecordedMatch):
    """A match that stops at an error of its rules."""

    wrong: tuple[str, str] | None = None

    def go(self, number: int) -> None:
        if self.wrong is None:
            try:
                super().go(number)
            except RuleError as found:
                self.wrong = found.diagnostic.code, str(found.diagnostic.span)

    def go_far(self, key: int) -> None:
        for turn in range(MOST // 6):
            self.go(key + 7 * turn)

    def end(self) -> list[object]:
        return super().end() if self.wrong is None else [*self.shown, self.wrong]


def compare_copies(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """Compare matches that are copied and left at any time, with chance of every kind."""
    kind = sorted(CHANCES)[seed % len(CHANCES)]
    ends = []
    for game in games:
        random, played = Random(seed), []
        try:
            played.append(Fallible(game, (seed, 1, kind)))
        except RuleError as wrong:
            ends.append([wrong.diagnostic.code])
            continue
        for _ in range(12):
            one = random.choice(played)
            if random.random() < 0.3 and len(played) < 3 and one.wrong is None:
                played.append(one.clone())
            else:
                one.go(random.randrange(1000))
        for number, one in enumerate(played):
            one.go_far(number)
        ends.append([one.end() for one in played])
    reference, native = ends
    assert len(reference) == len(native), f"{reference} and {native}"
    for number, (one, two) in enumerate(zip(reference, native, strict=True)):
        assert_same(one, two, f"chance {kind}, copy {number}")
    met["copies"] = met.get("copies", 0) + len(reference) - 1


def compare_batch(
    games: list[Game], seed: int, met: dict[str, int], scripts: Mapping[int, Spec] = NO_SCRIPTS
) -> None:
    """Compare matches side by side with single matches; scripts: those that play some seats."""
    game = next(g for g in games if g.engine == ENGINES[1])
    try:
        for batch, waiting, states in side_by_side(game, seed % 1000, MOST // 4, scripts):
            seen, history = batch.observe(), batch.history()
            assert [states[match] for match in seen.matches] == waiting
            for row, state in enumerate(waiting):
                assert summarize_row(seen, history, row, game) == summarize_view(
                    state, state.view()
                )
            met["batch"] = met.get("batch", 0) + len(waiting)
    except (RuleError, PolicyError):
        met["batch stopped"] = met.get("batch stopped", 0) + 1


def compare_forms(games: list[Game], _seed: int, met: dict[str, int]) -> None:
    """Compare whole matches with matches played step by step, including all streams."""
    game = next(g for g in games if g.engine == ENGINES[1])
    whole, steps = WholeMatches(game), StepwiseMatches(game)
    fields = common_fields(whole.code)
    for match in range(WHOLE):
        whole.play(match)
        steps.play(match)
        assert whole.mistake() == steps.mistake(), f"match {match}: mistakes"
        if whole.mistake() is None:
            one, two = whole.shown(fields), steps.shown(fields)
            assert one == two, f"match {match}: {one} and {two}"
            met["whole"] = met.get("whole", 0) + 1


def compare_counts(
    games: list[Game], seed: int, met: dict[str, int], seating: Sequence[Spec] = ()
) -> None:
    """Compare the counters of machine code with counts of the reference engine's events.

    seating: the strategy of each seat; `uniform` without one.
    """
    reference, native = games if seating else [game.measuring() for game in games]
    seating = seating or [load_strategy("uniform")] * reference.players
    machine = native_seating(native, seating)
    assert machine is not None

    def by_events(match: int) -> Counts:
        counter = MatchCounter(reference, seating, seed)
        counter.play(match)
        return counter.counts()

    def counted(match: int) -> Counts:
        return machine.game.count(machine.seats, seed, match, 1)

    for match in range(COUNTED):
        one, two = (_parts(count, match) for count in (by_events, counted))
        assert one == two, f"match {match}: {one} and {two}"
        met["counted"] = met.get("counted", 0) + 1


def _parts(count: Callable[[int], Counts], match: int) -> object:
    """Return the counters of a match by name, or the error that stopped it."""
    try:
        found = count(match)
    except RuleError as wrong:
        return wrong.diagnostic.code, str(wrong.diagnostic.span)
    except (PolicyError, StrategyError):  # machine code plays on, so several scripts may fail
        return "a script failed"
    return {name: found[name] for name in found.plan.shapes}


def compare_scripts(games: list[Game], seed: int, met: dict[str, int], folder: Path) -> None:
    """Compare the play of a program's scripts: events, results and errors, then counters."""
    try:
        one, two = (load_strategy(str(folder / name)) for name in SCRIPTS)
        table_for(games[0], (one, two)).program  # noqa: B018 - it builds the scripts
    except Rejected:
        met["scripts refused"] = met.get("scripts refused", 0) + 1
        return
    others = [one, load_strategy("uniform"), two]
    seating = [one, two, *others * 2][: games[0].players]
    for match in range(COUNTED):
        shown, other = (_played(game, seating, seed, match) for game in games)
        assert_same(shown, other, f"match {match}")
        met["scripts played"] = met.get("scripts played", 0) + 1
        ended = not isinstance(shown[-1], str | tuple)
        met["scripts ended"] = met.get("scripts ended", 0) + ended
        if not isinstance(shown[-1], str):  # the transcript, played again from its answers
            actions = [e["action"] for e in shown if isinstance(e, dict) and "action" in e]
            again = _played(games[1], seating[::-1], seed, match, actions)
            assert_same(shown, again, f"match {match}, again")
    compare_counts(games, seed, met, seating)
    if seed % 8 > SCRIPTED:  # half of them: it compiles the steps anew
        compare_batch(games, seed, met, dict(list(enumerate(seating))[::2]))
    if any(z.audience is not Audience.ALL for z in games[0].program.zones.values()):
        compare_choices(games[0], (one, two), seed, met)


def compare_choices(game: Game, specs: tuple[Spec, ...], seed: int, met: dict[str, int]) -> None:
    """Compare the choices of scripts in pairs of states that their seat cannot distinguish."""
    table, random = table_for(game, specs), Random(seed)
    for match in range(MATCHES):
        with suppress(RuleError):
            state = table.game.start(seed, match)
            players, others = (
                [table.player(specs[s % 2], state, s, Stream(s)) for s in range(game.players)]
                for _ in range(2)
            )
            while state.pending is not None and state.decisions < MOST:
                if isinstance(state.pending, DealStart):
                    state.next_deal()
                    continue
                seat = state.pending.seat
                others[seat].match = AlteredMatch(state.match, table.game, seat, random)
                one, two = (_choice(who[seat], state) for who in (players, others))
                assert one == two, f"match {match}: seat {seat} chooses {one} and {two}"
                met["choices"] = met.get("choices", 0) + 1
                if not isinstance(one, int):
                    break
                state.apply(one)


def _choice(player: Player, state: State) -> int | str:
    """Return the choice of a script, or the error that stopped it."""
    try:
        return player.choose(state.pending)
    except PolicyError as wrong:
        return str(wrong.diagnostic.span)


def _played(
    game: Game, seating: Sequence[Spec], seed: int, match: int, answers: Sequence[str] = ()
) -> list[object]:
    """Return the events and the result of a match of scripts, or the error that stopped it.

    answers: the first answers, for which no script is asked.
    """
    shown: list[object] = []
    recorder = Recorder(shown.append, legal=True)
    try:
        result = play_match(game, seating, seed, match, recorder, answers=answers)
        recorder.flush()
        shown.append(result)
    except RuleError as wrong:
        shown.append((wrong.diagnostic.code, str(wrong.diagnostic.span)))
    except StrategyError as wrong:
        shown.append(str(wrong))
    return shown
