"""Enumeration of deals: from a score to the distribution of the outcomes of a deal.

All positions after as many steps are one block. Chance and mixed answers are summed; equal
positions are merged. Most of a deal does not depend on the score. So the steps that read counters
are kept, one of each kind. For another score only these are repeated. If they branch as before, the
deal is the same except for its outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, say
from trutdsl.native import abi
from trutdsl.native.layout import READ
from trutdsl.solve.branches import MOST_BRANCHES, Brancher, Branches, continue_all
from trutdsl.solve.fresh import STOP, FreshCheck
from trutdsl.solve.positions import (
    ONE,
    Floats,
    Masks,
    Numbers,
    Positions,
    find_distinct,
    join_positions,
    merge_equal,
)
from trutdsl.solve.scores import DEALER, Outcome, Score, ScoreCodec, check_rules
from trutdsl.solve.steps import Deal, Steps, blocks, blocks_of, kinds_of
from trutdsl.solve.workers import fork_workers
from trutdsl.variant.pack import MOST_CARDS

MOST_CLASSES = 200_000  # deals that differ
MOST_POSITIONS = 200_000_000  # of a deal
ENOUGH = 1024  # deals from which the number of positions is estimated
DEALT_AT_ONCE = MOST_BRANCHES // 32  # branches that are followed at once while cards are dealt
BLOCK = 64  # fewest deals that are enumerated at once
PLAYED_AT_ONCE = MOST_BRANCHES // MOST_CARDS  # positions of a block that are stepped at once
MOST_LOOSE = 200_000  # steps, not merged yet, each with about a kilobyte
MOST_KINDS = 3_000_000  # of steps; these took 2 GB
STEPS_AT_ONCE = 4096  # steps that are repeated at once, at another score


class _LooksElsewhere(Exception):  # noqa: N818 - an outcome of the program's own making
    """Steps of a deal are not the same at this score; fields: others that they read there."""

    def __init__(self, fields: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.fields = fields


Used = TypeVar("Used")


@dataclass(frozen=True)
class Part:
    """A part of a deal: all that follows some of its starts.

    starts: their number. positions: the number over all steps; largest: that of one step.
    """

    deal: Deal
    starts: int
    positions: int
    largest: int


class DealEnumerator:
    """The deals of a game between two policies, each enumerated when it is first needed.

    start: the engine's fields that last from deal to deal; deals that differ in them share nothing.
    jobs: how many processes enumerate; the deals are the same for any number. alone: whether only
    single deals matter, not the state after them.
    """

    most_positions = MOST_POSITIONS
    least = 0.0  # branches that are less likely are left out

    def __init__(
        self,
        brancher: Brancher,
        start: Sequence[str] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
        jobs: int = 1,
        alone: bool = False,
    ) -> None:
        self.brancher, self.stepper, self._show = brancher, brancher.stepper, show
        self._jobs, self._alone = jobs, alone
        if not alone:
            check_rules(self.stepper.program, self.stepper.setting)
        self.codec = ScoreCodec(self.stepper, start, brancher.no_memories())
        self._fresh = FreshCheck(self.codec, self.deal_cards, self._has_same_opening)
        self._known: dict[tuple[int, ...], list[tuple[Score, Deal]]] = {}
        self._read_elsewhere: set[str] = set()  # what steps read at other scores only
        self._result_names = {*start, *self.codec.lasting, "#deal_winner", "#deal_reason"}
        self.classes = 0

    def first_scores(self) -> dict[Score, float]:
        """Return the scores at which a match starts, see `FreshCheck.first_scores`."""
        return self._fresh.first_scores(self.brancher)

    def outcomes(self, score: Score) -> Mapping[Outcome, float]:
        """Return the probability of each outcome of a deal from this score."""
        return self.at(score, self._lead_to)

    def at(self, score: Score, use: Callable[[Deal, Score], Used]) -> Used:
        """Call `use` with the deal from this score, which is enumerated now or before."""
        for first, deal in self._known.get(score.start, []):
            try:
                if first == score or (not deal.fixed and self.has_same_course(deal, score)):
                    return use(deal, score)
            except _LooksElsewhere as other:
                self._read_elsewhere |= other.fields
        deal = self._enumerate(score)
        self._known.setdefault(score.start, []).append((score, deal))
        return use(deal, score)

    def _enumerate(self, score: Score) -> Deal:
        deal = Deal()
        starts = self.deal_cards(deal, self.codec.begin(score))
        self.classes = max(self.classes, len(starts), 1)
        number, classes = 1 + sum(map(len, self._known.values())), figure(len(starts), ",")
        text = "deal {number}: {done} of its {classes} classes"
        total, done = 0, 0
        with closing(self._play_parts(starts, deal.fixed)) as parts:
            while done < len(starts):
                share = figure(done / len(starts), ".0%")
                self._show(say(text, number=number, done=share, classes=classes))
                part = next(parts)
                deal.extend(part.deal)
                before, done, total = done, done + part.starts, total + part.positions
                if total > self.most_positions:
                    raise self._too_long(total)
                if done >= ENOUGH and total * len(starts) > self.most_positions * done:
                    raise self._too_long(total * len(starts) / done)
                if before // ENOUGH < done // ENOUGH or done == len(starts):
                    self._merge_kinds(deal)
                if deal.log is not None and deal.log.problem:
                    break
        self.finish(deal, score)
        return deal

    def _play_parts(self, starts: Positions, fixed: bool) -> Generator[Part]:
        """Yield the parts of a deal in their order, the same for any number of jobs.

        They grow until one has steps of many positions, because other steps cost mostly calls.
        """
        first, size, largest = 0, BLOCK, 0
        while first < len(starts) and largest < PLAYED_AT_ONCE // 4:
            part = self.play_part(starts, fixed, first, size)
            yield part
            first, largest = first + size, part.largest
            if largest < PLAYED_AT_ONCE // 4:
                size *= 2
        others = range(first, len(starts), size)
        if self._jobs == 1 or len(others) < 2:
            yield from (self.play_part(starts, fixed, first, size) for first in others)
            return
        jobs = min(self._jobs, len(others))
        with fork_workers((self, starts, fixed), jobs) as pool:
            yield from pool.map(partial(_play_shared, first=first, size=size) for first in others)

    def play_part(self, starts: Positions, fixed: bool, first: int, size: int) -> Part:
        """Play so many of a deal's starts to the end; fixed: see `Deal`."""
        deal, total, largest = Deal(fixed=fixed), 0, 0
        rows = np.arange(first, min(first + size, len(starts)), dtype=np.int64)
        for count in self._play(deal, starts.take(rows)):
            total, largest = total + count, max(largest, count)
            if total > self.most_positions:
                raise self._too_long(total)
            kinds, loose = deal.count_steps()
            if loose > max(MOST_LOOSE, kinds // 4):
                self._merge_kinds(deal)
        self._merge_kinds(deal)
        return Part(deal, len(rows), total, largest)

    def _merge_kinds(self, deal: Deal) -> None:
        """Merge steps of the same kind; refuse a deal with too many kinds."""
        deal.merge_kinds()
        if deal.count_steps()[0] > MOST_KINDS:
            text = "a deal of this game reads the score or ends in more than {most} million ways"
            raise BadUsage(say(text, most=figure(MOST_KINDS / 1e6, ".0f")))

    def note_ends(self, deal: Deal, memories: Numbers, weight: Floats, kinds: Masks) -> None:
        """Record ends of a deal; memories: of the seats afterwards; kinds: see `kinds_of`."""

    def check_ends(self, ends: Positions) -> None:
        """Raise `DependsOnMore` if a deal after one of these depends on more than the score."""
        if not self._alone:
            self._fresh.check(ends)

    def finish(self, deal: Deal, score: Score) -> None:
        """Record that a deal was enumerated from this score."""

    def deal_cards(self, deal: Deal, before: Positions) -> Positions:
        """Continue from before a deal to the first questions after all cards are dealt.

        All questions before the first card are answered first, so that equal deals merge.
        """
        positions = self._follow(deal, before, continue_all(before))  # it can read the score, too
        waiting = []
        while 0 < len(positions) <= BLOCK:
            dealing = self.brancher.is_open(positions)
            waiting.append(positions.take(dealing))
            positions = positions.take(~dealing)
            if len(positions):
                positions = self._go_on(deal, positions)
        positions = merge_equal(self.stepper, join_positions([*waiting, positions]))
        while (chance := positions.why == abi.LUCK).any():
            at_chance, parts = positions.take(chance), [positions.take(~chance)]
            for rows in blocks_of(self.brancher.most_outcomes(at_chance), DEALT_AT_ONCE):
                parts.append(merge_equal(self.stepper, self._go_on(deal, at_chance.take(rows))))
                if sum(map(len, parts)) > 1.25 * MOST_CLASSES:  # each takes kilobytes
                    parts = [self._merge_classes(parts)]
            positions = self._merge_classes(parts)
        return positions

    def _merge_classes(self, parts: list[Positions]) -> Positions:
        """Return the positions of all parts without equal ones; refuse too many of them."""
        positions = merge_equal(self.stepper, join_positions(parts))
        if len(positions) > MOST_CLASSES:
            proved = self.stepper.classes.sentence()
            text = "this game has more than {most_classes} classes of deals: {proved}"
            raise BadUsage(say(text, most_classes=figure(MOST_CLASSES, ","), proved=proved))
        return positions

    def _play(self, deal: Deal, block: Positions) -> Iterator[int]:
        """Play a block of positions to the end; yield the number of positions after each step.

        A block that may have too many branches is split in two, and one half is played first.
        """
        waiting = [block]
        while waiting:
            positions = waiting.pop()
            branches = self.brancher.most_outcomes(positions).sum()
            if branches > MOST_BRANCHES and len(positions) > 1:
                half = len(positions) // 2
                rows = np.arange(len(positions), dtype=np.int64)
                waiting += [positions.take(rows[half:]), positions.take(rows[:half])]
                continue
            positions = self._go_on(deal, positions)
            yield len(positions)
            if self.brancher.is_open(positions).any():
                positions = merge_equal(self.stepper, positions)
            if len(positions):
                waiting.append(positions)

    def _go_on(self, deal: Deal, positions: Positions) -> Positions:
        """Take every branch; return the positions in which the deal continues."""
        chance = positions.why == abi.LUCK
        deal.fixed |= self.brancher.by_score and not chance.all()
        if chance.any() and not chance.all():
            halves = (positions.take(rows) for rows in (chance, ~chance))
            return join_positions([self._go_on(deal, half) for half in halves])
        branches = (self.brancher.by_chance if chance.any() else self.brancher.by_policy)(positions)
        self.note_branches(deal, positions, branches, bool(chance.any()))
        readers = np.flatnonzero(~chance & self.reads_score(positions)).astype(np.int64)
        if len(readers):
            rows = np.arange(len(positions), dtype=np.int64)
            every = Branches(rows, np.zeros_like(rows), positions.weight)
            self._keep(deal, positions, every, positions, readers, deal.questions)
        return self._follow(deal, positions, branches)

    def _follow(self, deal: Deal, before: Positions, branches: Branches) -> Positions:
        """Take these branches; return the positions in which the deal continues."""
        if self.least:
            likely = before.weight[branches.rows] * branches.share >= self.least
            branches = branches if likely.all() else branches.take(likely)
        after = self.brancher.follow(before, branches)
        over = after.is_over
        deal.fixed |= bool(
            (self.codec.values_of(before)[branches.rows] != self.codec.values_of(after))[
                ~over
            ].any()
        )
        looks = np.flatnonzero(~over & self.reads_score(after)).astype(np.int64)
        if len(looks):
            self._keep(deal, before, branches, after, looks, deal.first)
        ends = np.flatnonzero(over).astype(np.int64)
        if len(ends):
            kinds = self._keep(deal, before, branches, after, ends, deal.last)
            self.note_ends(deal, after.memories[ends], after.weight[ends], kinds)
            self.check_ends(after.take(ends))
        return after.take(~over) if over.any() else after

    def note_branches(
        self, deal: Deal, positions: Positions, branches: Branches, chance: bool
    ) -> None:
        """Note the branches of some positions, which wait for chance or for answers."""

    def _too_long(self, positions: float) -> BadUsage:
        text = (
            "a deal of this game has about {count} million positions, "
            "more than {most} million: {proved}"
        )
        count, most = (figure(n / 1e6, ",.0f") for n in (positions, self.most_positions))
        proved = self.stepper.classes.sentence()
        return BadUsage(say(text, count=count, most=most, proved=proved))

    def reads_score(self, after: Positions) -> NDArray[np.bool_]:
        """Tell which positions note that lasting variables were read."""
        read_masks = self.stepper.masks(after.memory, READ)
        reads = np.zeros(len(after), np.bool_)
        for name in self.codec.lasting:
            word, bit = divmod(self.stepper.layout.bits[name], 64)
            reads |= read_masks[:, word] >> np.uint64(bit) & ONE == ONE
        return reads

    def _read(self, after: Positions, rows: Numbers | None = None) -> frozenset[str]:
        """Return the fields that any of these steps has read; rows: which ones, if not all."""
        masks = self.stepper.masks(after.memory, READ)
        words = np.bitwise_or.reduce(masks if rows is None else masks[rows], axis=0).tolist()
        bits = self.stepper.layout.bits.items()
        return frozenset(name for name, bit in bits if words[bit // 64] >> bit % 64 & 1)

    def _keep(
        self,
        deal: Deal,
        source: Positions,
        branches: Branches,
        after: Positions,
        some: Numbers,
        among: list[Steps],
    ) -> Masks:
        """Keep one step of each kind; kinds differ in what the steps read, except for counters.

        some: the branches, from the positions `source` to those `after`. Returns the kind of each
        step, a hash.
        """
        rows, origin = np.unique(branches.rows[some], return_inverse=True)
        before, answers = source.take(rows.astype(np.int64)), branches.answers[some]
        columns = [answers.view(np.uint64)[:, None]]
        if among is deal.questions:
            columns.append(self.brancher.legal(before)[0][origin])
        else:
            before.memories[:] = 0  # the engine does not read them
        names = self._read(after, some) | STOP | self._read_elsewhere
        if among is deal.last:
            # The outcome and what is counted depend on these, even if no rule reads them.
            names |= self._result_names
        score = set() if deal.fixed else set(self.codec.lasting)  # it is the same before each step
        key = self.stepper.keys(before, names - score)
        keys = np.concatenate([key[origin], *columns], axis=1)
        first, group = find_distinct(keys)
        examples = before.take(origin[first].astype(np.int64))
        examples.weight = np.bincount(group, after.weight[some], len(first)).astype(np.float64)
        positions: Positions | None = None
        if among is deal.first:
            positions = after.take(some[first])
        among.append(Steps(examples, answers[first], names, keys[first], positions))
        return kinds_of(keys)

    # -------------------------------------------------------- the same deal at another score

    def _repeat(self, steps: Steps, score: Score | None) -> Iterator[tuple[Numbers, Positions]]:
        """Yield these steps at a score, a block at a time, with the block's rows.

        score: None for the scores that were reached within the deal. Raises `_LooksElsewhere` if a
        step reads other fields than before.
        """
        for rows in blocks(len(steps.answers), STEPS_AT_ONCE):
            positions = steps.before.take(rows)
            if score is not None:
                self.codec.set_values(positions, score)
            self.stepper.step(positions, steps.answers[rows])
            if more := self._read(positions) - steps.fields - set(self.codec.lasting):
                raise _LooksElsewhere(more)
            yield rows, positions

    def has_same_course(self, deal: Deal, score: Score) -> bool:
        """Tell whether a deal from this score branches like one that was enumerated.

        Raises as `_repeat` does.
        """
        for steps in deal.first:
            for rows, after in self._repeat(steps, score):
                assert steps.after is not None
                expected = steps.after.take(rows)
                if (after.why != expected.why).any():
                    return False
                if self.stepper.differ(after, expected.memory, self.codec.lasting):
                    return False
        return all(self._has_same_answers(steps, score) for steps in deal.questions)

    def _has_same_opening(self, deal: Deal, score: Score) -> bool:
        """Tell whether the opening of a deal has the same course from this score.

        Fields that its steps read elsewhere are not recorded. So the kinds of steps do not depend
        on which part of a deal met the opening.
        """
        try:
            return self.has_same_course(deal, score)
        except _LooksElsewhere:
            return False

    def _has_same_answers(self, steps: Steps, score: Score) -> bool:
        """Tell whether scripts answer these questions at another score as they did."""
        for rows in blocks(len(steps.answers), STEPS_AT_ONCE):
            before, after = steps.before.take(rows), steps.before.take(rows)
            self.codec.set_values(after, score)
            if not self.brancher.by_policy(before).equals(self.brancher.by_policy(after)):
                return False
            if not self._read(after) <= steps.fields | set(self.codec.lasting):
                return False
        return True

    def _lead_to(self, deal: Deal, score: Score) -> Mapping[Outcome, float]:
        chances: dict[Outcome, float] = {}
        for _, ends in self.last_steps(deal, score):
            outcomes, numbers = self.codec.outcomes_of(ends)
            weights = np.bincount(numbers, ends.weight, len(outcomes))
            for outcome, share in zip(outcomes, weights.tolist(), strict=True):
                chances[outcome] = chances.get(outcome, 0.0) + share
        return chances

    def last_steps(self, deal: Deal, score: Score) -> Iterator[tuple[Masks, Positions]]:
        """Yield the kinds of last steps, see `kinds_of`, and the positions after them."""
        for steps in deal.last:
            kinds = kinds_of(steps.keys)
            for rows, ends in self._repeat(steps, None if deal.fixed else score):
                if not ends.is_over.all():  # at this score the deal goes on
                    raise _LooksElsewhere
                self.check_ends(ends)
                yield kinds[rows], ends


def _play_shared(shared: tuple[DealEnumerator, Positions, bool], first: int, size: int) -> Part:
    """Play a part in a worker; see `DealEnumerator.play_part`."""
    deals, starts, fixed = shared
    return deals.play_part(starts, fixed, first, size)
