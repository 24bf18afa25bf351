"""Plays a program in both engines and every form of machine code, and compares all that shows."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

from both_engines import ENGINES, ExternalChance, assert_same, load_both, play
from both_forms import StepwiseMatches, WholeMatches, common_fields
from recorded_match import CHANCES, RecordedMatch
from side_by_side import side_by_side, summarize_row, summarize_view

from trutdsl import passes
from trutdsl.game import Game
from trutdsl.native import jit, llvm
from trutdsl.strategy import MatchCounter, load_strategy
from trutdsl.table.counts import Counts
from trutdsl.table.faults import RuleError
from trutdsl.table.setting import SeatedPlayer
from trutdsl.variant import load_variant

from .write import TOP, Program

MATCHES, WHOLE, COUNTED = 4, 12, 5
ALL_OF_LLVM = 16  # one program in so many gets all that LLVM can do
MOST = 120  # questions and deals of a match


class Difference(AssertionError):  # noqa: N818 - it is an outcome, not a fault
    """What differs between two ways of playing a program, and in which form."""


def games_of(program: Program, folder: Path) -> list[Game]:
    """Return a program at its table in both engines; raises `Rejected` if it is not right."""
    for name, text in program.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    variant = load_variant(folder / TOP)
    row = {name: value for name, value in program.parameters.items() if name in variant.parameters}
    return load_both(variant, program.players, row, TOP)


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave garbage for later: looking for it took a sixth of the time that a program takes."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@uncollected()
def compare(program: Program, folder: Path) -> dict[str, int]:
    """Play a program in every form that is its turn; return how often what has come up.

    Raises `Rejected` if it is not right, `Difference` for what is not the same.
    """
    games = games_of(program, folder)
    met: dict[str, int] = {}
    forms = [(compare_engines, True), (compare_copies, True), (compare_batch, True)]
    some_teams = games[0].team_count > 2  # who wins after the dealer is one of several
    forms += [(compare_forms, program.seed % 3 == 0)]
    forms += [(compare_counts, program.seed % (4 if some_teams else 12) == 1)]
    forms += [(compare_passes, program.seed % 3 == 1)]
    # Much time goes to LLVM, whose work is not tried here.
    large = jit.LARGE if program.seed % ALL_OF_LLVM == 0 else 0
    copied = llvm.INLINE_LIMIT if program.seed % 5 < 3 else -1  # else no rule is written in place
    with patch.object(jit, "LARGE", large), patch.object(llvm, "INLINE_LIMIT", copied):
        for form, wanted in forms:
            if wanted:
                with named(form.__name__):
                    form(games, program.seed, met)
        if program.seed % 12 == 5:
            checked = [game.in_engine(game.engine) for game in games]
            with looked_at(), named("checked"):
                compare_engines(checked, program.seed, met)
                compare_forms(checked, program.seed, met)
    return met


@contextmanager
def named(form: str) -> Iterator[None]:
    """Say of what differs in which form it does."""
    try:
        yield
    except (AssertionError, KeyError, IndexError, ValueError) as found:
        raise Difference(f"{form}: {type(found).__name__}: {found}") from found


@contextmanager
def looked_at() -> Iterator[None]:
    """Make machine code that looks at every place and number before it uses it."""
    os.environ["TRUTDSL_CHECKED"] = "1"
    try:
        yield
    finally:
        del os.environ["TRUTDSL_CHECKED"]


def compare_engines(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """Both engines: events, questions, legal actions, views, mistakes, results."""
    for match in range(MATCHES):
        shown = []
        for game in games:
            chance = ExternalChance(seed, match) if match % 2 else None
            shown.append(play(game, match, True, seed=seed, chance=chance, most=MOST)[0])
        assert_same(*shown, f"match {match}")
        last = shown[0][-1]
        mistake = last[0] if isinstance(last[0], str) else "played"
        met[mistake] = met.get(mistake, 0) + 1
        asked = sum(isinstance(item, tuple) and len(item) == 3 for item in shown[0])
        met["questions"] = met.get("questions", 0) + asked


def compare_passes(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """The reference engine: the program as it is written, and after each pass."""
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
    """A match in which rules may run into a mistake, at which it then stands."""

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
    """Matches that are copied and left at any time, with chance of every kind."""
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


def compare_batch(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """Matches side by side against matches by themselves."""
    game = next(g for g in games if g.engine == ENGINES[1])
    try:
        for batch, waiting, states in side_by_side(game, seed % 1000, MOST // 4):
            seen, history = batch.observe(), batch.history()
            assert [states[match] for match in seen.matches] == waiting
            for row, state in enumerate(waiting):
                assert summarize_row(seen, history, row, game) == summarize_view(
                    state, state.view()
                )
            met["batch"] = met.get("batch", 0) + len(waiting)
    except RuleError:
        met["batch stopped"] = met.get("batch stopped", 0) + 1


def compare_forms(games: list[Game], _seed: int, met: dict[str, int]) -> None:
    """Whole matches against those played step by step, down to every stream."""
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


def compare_counts(games: list[Game], seed: int, met: dict[str, int]) -> None:
    """What machine code counts against what the reference engine's events come to."""
    reference, native = games
    seating = [load_strategy("uniform")] * reference.players

    def by_events(match: int) -> Counts:
        counter = MatchCounter(reference, seating, seed)
        counter.play(match)
        return counter.counts()

    def counted(match: int) -> Counts:
        return native.count([SeatedPlayer("uniform")] * native.players, seed, match, 1)

    for match in range(COUNTED):
        one, two = (_parts(count, match) for count in (by_events, counted))
        assert one == two, f"match {match}: {one} and {two}"
        met["counted"] = met.get("counted", 0) + 1


def _parts(count: Callable[[int], Counts], match: int) -> object:
    """Return what is counted of a match, part by part, or the mistake that it comes to."""
    try:
        found = count(match)
    except RuleError as wrong:
        return wrong.diagnostic.code, str(wrong.diagnostic.span)
    return {name: found[name] for name in found.plan.shapes}
