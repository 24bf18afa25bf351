"""Deals enumerated: from a score to the distribution of what the deal leads to.

All positions after as many steps are one block. Chance and mixed answers are summed, the same
positions are merged. Most of a deal does not depend on the score. So the steps that read
counters are kept, one of each kind, and for another score only these are done again. If they go the
same way as before, the deal is the same but for what it brings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, say
from trutdsl.native import abi
from trutdsl.native.layout import READ
from trutdsl.solve.branches import Brancher, Branches
from trutdsl.solve.lasting import check_rules, lasting_variables
from trutdsl.solve.positions import (
    ONE,
    Floats,
    Masks,
    Numbers,
    Positions,
    distinct,
    joined,
    merged,
)
from trutdsl.solve.steps import Deal, Steps, kinds_of

DEALER = "dealer"
STOP = frozenset(("#pc", "#seat", "#decision"))
MOST_CLASSES = 200_000  # deals that differ
MOST_POSITIONS = 200_000_000  # of a deal
ENOUGH = 16  # blocks of deals from which the number of positions is estimated
DEALT_AT_ONCE = 4096  # positions that are stepped at once while cards are dealt
BLOCK = 64  # deals that are enumerated at once
PLAYED_AT_ONCE = 32_768  # most positions of a block that are stepped at once
ENDS_AT_ONCE = 32_768  # ends of a deal that are compared at once with new matches
STEPS_AT_ONCE = 4096  # steps that are repeated at once, at another score


class Score(NamedTuple):
    """What lasts from one deal to the next.

    start: the values of `DealEnumerator.start`, the dealer first.
    values: those of all lasting variables.
    """

    start: tuple[int, ...]
    values: tuple[int, ...]


class DependsOnMore(BadUsage):
    """A deal depends on more than the score at which it starts."""


class Outcome(NamedTuple):
    """What a deal leads to: the next score; or who has won the match (None for a draw)."""

    score: Score | None
    winner: int | None


class _LooksElsewhere(Exception):  # noqa: N818 - an outcome of the program's own making
    """The last steps of a deal read other fields at this score."""


Used = TypeVar("Used")


class DealEnumerator:
    """The deals of a game between two policies, each enumerated when it is first needed.

    start: the engine's fields that last from deal to deal; deals that differ in them share nothing.
    """

    most_positions = MOST_POSITIONS

    def __init__(
        self,
        brancher: Brancher,
        start: Sequence[str] = (DEALER,),
        show: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self.brancher, self.stepper, self.start = brancher, brancher.stepper, start
        self._show = show
        program = self.stepper.program
        check_rules(program)
        self.lasting = lasting_variables(program)
        self._known: dict[tuple[int, ...], list[tuple[Score, Deal]]] = {}
        self._openings: dict[bytes, Masks] = {}
        self._read_elsewhere: set[str] = set()  # what steps read at other scores only
        self.classes = 0

    def outcomes(self, score: Score) -> Mapping[Outcome, float]:
        """Return the probability of everything that a deal from this score leads to."""
        return self.at(score, self._lead_to)

    def at(self, score: Score, use: Callable[[Deal, Score], Used]) -> Used:
        """Use the deal as it goes from this score, enumerated now or before."""
        for first, deal in self._known.get(score.start, []):
            if first == score or (not deal.fixed and self._goes_alike(deal, score)):
                with suppress(_LooksElsewhere):
                    return use(deal, score)
        deal = self._enumerate(score)
        self._known.setdefault(score.start, []).append((score, deal))
        return use(deal, score)

    # -------------------------------------------------------- one deal

    def first_scores(self) -> list[Score]:
        """Return the equally likely scores at which a match starts."""
        _, drawn = self._start(0)
        dealers = range(self.stepper.setting.players) if drawn else [0]
        return [self._scores(self._start(dealer)[0])[0] for dealer in dealers]

    def _start(self, dealer: int) -> tuple[Positions, bool]:
        """Return the match before its first deal, and whether the first dealer was open."""
        stepper, found, drawn = self.stepper, self.stepper.start(), False
        while found.why[0] == abi.SETTLED:
            number = int(stepper.number(found.memory, "#luck_zone")[0])
            given = stepper.code.unit.setups[number] == DEALER
            if given:
                stepper.write(found.memory, DEALER, np.array([[dealer]]))
                drawn = True
            stepper.step(found, np.array([int(given)]))
        if found.why[0] != abi.BEFORE_DEAL:
            raise BadUsage(say("something is decided before the first deal of this game"))
        return found, drawn

    def begin(self, score: Score) -> Positions:
        """Return the match before a deal at this score."""
        found, _ = self._start(score.start[0])
        found.memories = self.brancher.no_memories()
        for name, value in zip(self.start, score.start, strict=True):
            self.stepper.write(found.memory, name, np.array([[value]]))
        self.set_values(found, score)
        return found

    def _enumerate(self, score: Score) -> Deal:
        deal = Deal(fixed=self.brancher.by_score)
        now = self._deal_cards(deal, self.begin(score))
        self.classes = max(self.classes, len(now), 1)
        # Blocks are small enough for their arrays to be used again, instead of new memory.
        found = 0
        for rows in _blocks(len(now), BLOCK):
            number = 1 + sum(map(len, self._known.values()))
            self._show(
                say(
                    "deal {number}: {rows} of its {classes} classes",
                    number=number,
                    rows=figure(rows[0] / len(now), ".0%"),
                    classes=figure(len(now), ","),
                )
            )
            for count in self._play(deal, now.take(rows)):
                found += count
                if found > self.most_positions:
                    raise self._too_long(found)
            share = (1 + int(rows[-1])) / len(now)
            if rows[0] >= ENOUGH * BLOCK and found > self.most_positions * share:
                raise self._too_long(found / share)
            if rows[-1] // BLOCK % 16 == 0 or rows[-1] + 1 == len(now):
                deal.put_together()
        self.finish(deal, score)
        return deal

    def note_ends(self, deal: Deal, memories: Numbers, weight: Floats, kinds: Masks) -> None:
        """Note ends of a deal; memories: what the seats remember then; kinds: see `kinds_of`."""

    def finish(self, deal: Deal, _score: Score) -> None:
        """Check a deal that was enumerated from this score."""
        self._check_fresh(deal)

    def _deal_cards(self, deal: Deal, before: Positions) -> Positions:
        """Go on from before a deal to the first questions after all cards are dealt.

        All questions before the first card are answered first, so that equal deals merge.
        """
        rows = np.arange(len(before), dtype=np.int64)
        begin = Branches(rows, np.zeros_like(rows), np.ones(len(rows)))
        now = self._follow(deal, before, begin)  # it can read the score, too
        waiting = []
        while 0 < len(now) <= BLOCK:
            dealing = self.brancher.is_open(now)
            waiting.append(now.take(dealing))
            now = now.take(~dealing)
            if len(now):
                now = self._go_on(deal, now)
        now = merged(self.stepper, joined([*waiting, now]))
        while (chance := now.why == abi.LUCK).any():
            going, parts, found = now.take(chance), [now.take(~chance)], 0
            for rows in _blocks(len(going), DEALT_AT_ONCE):
                after = merged(self.stepper, self._go_on(deal, going.take(rows)))
                found += len(after)
                if found > 2 * MOST_CLASSES:  # not all of which differ
                    raise self._too_large()
                parts += [after]
            now = merged(self.stepper, joined(parts))
            if len(now) > MOST_CLASSES:
                raise self._too_large()
        return now

    def _play(self, deal: Deal, block: Positions) -> Iterator[int]:
        """Play a block of positions to the end; yield how many positions each step leads to.

        A block that grows too large is cut in two, and one half is played first.
        """
        waiting = [block]
        while waiting:
            some = waiting.pop()
            if len(some) > PLAYED_AT_ONCE:
                half = len(some) // 2
                rows = np.arange(len(some), dtype=np.int64)
                waiting += [some.take(rows[half:]), some.take(rows[:half])]
                continue
            some = self._go_on(deal, some)
            yield len(some)
            if self.brancher.is_open(some).any():
                some = merged(self.stepper, some)
            if len(some):
                waiting.append(some)

    def _go_on(self, deal: Deal, now: Positions) -> Positions:
        """Take every branch of these positions; return where the deal is not over."""
        chance = now.why == abi.LUCK
        if chance.any() and not chance.all():
            return joined([self._go_on(deal, now.take(rows)) for rows in (chance, ~chance)])
        here = now
        branches = (self.brancher.by_chance if chance.any() else self.brancher.by_policy)(here)
        self.note_branches(deal, here, branches, bool(chance.any()))
        asked = np.flatnonzero(~chance & self.reads_score(here)).astype(np.int64)
        if len(asked):
            rows = np.arange(len(here), dtype=np.int64)
            every = Branches(rows, np.zeros_like(rows), here.weight)
            self._keep(deal, here, every, here, asked, deal.asked)
        return self._follow(deal, here, branches)

    def _follow(self, deal: Deal, here: Positions, branches: Branches) -> Positions:
        """Go from these positions along branches; return where the deal is not over."""
        after = here.take(branches.rows)
        after.weight *= branches.share
        if branches.memories is not None:
            after.memories = branches.memories
        self.stepper.step(after, branches.answers)
        over = (after.why == abi.OVER) | (after.why == abi.BEFORE_DEAL)
        deal.fixed |= bool(
            (self.values_of(here)[branches.rows] != self.values_of(after))[~over].any()
        )
        looks = np.flatnonzero(~over & self.reads_score(after)).astype(np.int64)
        if len(looks):
            self._keep(deal, here, branches, after, looks, deal.first)
        ends = np.flatnonzero(over).astype(np.int64)
        if len(ends):
            kinds = self._keep(deal, here, branches, after, ends, deal.last)
            self.note_ends(deal, after.memories[ends], after.weight[ends], kinds)
        return after.take(~over) if over.any() else after

    def note_branches(self, deal: Deal, here: Positions, branches: Branches, chance: bool) -> None:
        """Note the branches of some positions, which wait for chance or for answers."""

    def _too_large(self) -> BadUsage:
        proved = self.stepper.classes.sentence()
        return BadUsage(
            say(
                "this game has more than {most_classes} classes of deals: {proved}",
                most_classes=figure(MOST_CLASSES, ","),
                proved=proved,
            )
        )

    def _too_long(self, positions: float) -> BadUsage:
        return BadUsage(
            say(
                "a deal of this game has about {positions} million positions, more than {most}: "
                "{proved}",
                positions=figure(positions / 1e6, ",.0f"),
                most=figure(self.most_positions / 1e6, ",.0f"),
                proved=self.stepper.classes.sentence(),
            )
        )

    def reads_score(self, after: Positions) -> NDArray[np.bool_]:
        """Tell which positions note that lasting variables were read."""
        read = self.stepper.masks(after.memory, READ)
        found = np.zeros(len(after), np.bool_)
        for name in self.lasting:
            word, bit = divmod(self.stepper.layout.bits[name], 64)
            found |= read[:, word] >> np.uint64(bit) & ONE == ONE
        return found

    def _read(self, after: Positions, rows: Numbers | None = None) -> frozenset[str]:
        """Return the fields that any of these steps has read; rows: which ones, if not all."""
        masks = self.stepper.masks(after.memory, READ)
        read = np.bitwise_or.reduce(masks if rows is None else masks[rows], axis=0).tolist()
        bits = self.stepper.layout.bits.items()
        return frozenset(name for name, bit in bits if read[bit // 64] >> bit % 64 & 1)

    def _keep(
        self,
        deal: Deal,
        here: Positions,
        branches: Branches,
        after: Positions,
        some: Numbers,
        among: list[Steps],
    ) -> Masks:
        """Keep one step of each kind; kinds differ in what these steps read, counters aside.

        some: which branches, from positions here to those after. Returns the kind of each step, a
        hash.
        """
        rows, origin = np.unique(branches.rows[some], return_inverse=True)
        before, answers = here.take(rows.astype(np.int64)), branches.answers[some]
        columns = [answers.view(np.uint64)[:, None]]
        if among is deal.asked:
            columns.append(self.brancher.legal(before)[0][origin])
        else:
            before.memories[:] = 0  # the engine does not read them
        names = self._read(after, some) | STOP | self._read_elsewhere
        score = set() if deal.fixed else set(self.lasting)  # it is the same before each step
        key = self.stepper.keys(before, names - score)
        keys = np.concatenate([key[origin], *columns], axis=1)
        first, group = distinct(keys)
        kept = before.take(origin[first].astype(np.int64))
        kept.weight = np.bincount(group, after.weight[some], len(first)).astype(np.float64)
        reached: Positions | None = None
        if among is deal.first:
            reached = after.take(some[first])
        among.append(Steps(kept, answers[first], names, keys[first], reached))
        return kinds_of(keys)

    def _check_fresh(self, deal: Deal) -> None:
        """Raise `BadUsage` if the next deal depends on more than the score that this one leaves.

        What lies on the table may differ from a new match at this score. So each ending is compared
        with a new match where the deal first stops; where they differ there, up to the questions.
        """
        for steps in deal.last:
            for block in _blocks(len(steps.answers), ENDS_AT_ONCE):
                now = steps.before.take(block)
                self.stepper.step(now, steps.answers[block])
                now = now.take(now.why == abi.BEFORE_DEAL)
                scores = self._scores(now)
                for score in dict.fromkeys(scores):
                    rows = [row for row, other in enumerate(scores) if other == score]
                    if not self._is_fresh(score, now.take(np.array(rows, np.int64))):
                        raise DependsOnMore(
                            "a deal of this game depends on more than the score before it"
                        )

    def _is_fresh(self, score: Score, ended: Positions) -> bool:
        """Tell whether matches that stand at this score go on as a new one does."""
        new = self.begin(score)
        # Unfinished rules remember nothing between deals (see `check_rules`).
        self.stepper.frame(ended.memory)[:] = self.stepper.frame(new.memory)
        new.weight[:], ended.weight[:] = 1.0, 1.0
        before = joined([new, ended])
        keys = self._after_step(before)
        first, _ = distinct(keys)
        first.sort()
        if len(first) == 1:
            return True
        openings = [
            self._opening(before.take(np.array([row], np.int64)), keys[row].tobytes())
            for row in first.tolist()
        ]
        return all(np.array_equal(openings[0], opening) for opening in openings)

    def _after_step(self, before: Positions) -> Masks:
        """Return what tells positions apart after the first step of a deal, but for the score."""
        now = before.take(np.arange(len(before), dtype=np.int64))
        self.stepper.step(now, np.zeros(len(now), np.int64))
        chance = (now.why == abi.LUCK).all()
        return self.stepper.keys(now, self._readable | ({"#pc"} if chance else STOP))

    @cached_property
    def _readable(self) -> frozenset[str]:
        """The fields that rules can read, but for the score."""
        names = {name for name in self.stepper.layout.fields if not name.startswith("#")}
        return frozenset(names - set(self.lasting))

    def _opening(self, before: Positions, key: bytes) -> Masks:
        """Return what tells the first questions of a deal apart, with the probability of each.

        key: of the position after its first step; the same opening is enumerated only once.
        """
        if key not in self._openings:
            deal = Deal()
            now = self._deal_cards(deal, before)
            keys = self.stepper.keys(now, self._readable | STOP, frame=False)
            first, group = distinct(keys)
            weights = np.bincount(group, now.weight, len(first)).round(12)
            opening = np.concatenate([keys[first], weights.view(np.uint64)[:, None]], axis=1)
            if deal.first:  # it depends on the score
                return opening
            self._openings[key] = opening
        return self._openings[key]

    def _scores(self, positions: Positions) -> list[Score]:
        """Return the score at which each position stands."""
        starts, values = self._starts(positions).tolist(), self.values_of(positions).tolist()
        return [Score(tuple(start), tuple(row)) for start, row in zip(starts, values, strict=True)]

    def _starts(self, positions: Positions) -> Numbers:
        columns = [self.stepper.values(positions.memory, name) for name in self.start]
        return np.concatenate(columns, axis=1)

    def values_of(self, positions: Positions) -> Numbers:
        """Return the values of all lasting variables, int64 (n, values)."""
        memory = positions.memory
        columns = [self.stepper.values(memory, name) for name in self.lasting]
        return np.concatenate([np.zeros((len(memory), 0), np.int64), *columns], axis=1)

    # -------------------------------------------------------- the same deal at another score

    def _again(self, steps: Steps, score: Score | None) -> Iterator[tuple[Numbers, Positions]]:
        """Yield these steps at a score, a block at a time, with the block's rows.

        A step counts only if it reads nothing else than before. score: None for the scores that
        were reached within the deal.
        """
        for rows in _blocks(len(steps.answers), STEPS_AT_ONCE):
            now = steps.before.take(rows)
            if score is not None:
                self.set_values(now, score)
            self.stepper.step(now, steps.answers[rows])
            if more := self._read(now) - steps.read - set(self.lasting):
                self._read_elsewhere |= more
                return
            yield rows, now

    def set_values(self, positions: Positions, score: Score) -> None:
        """Give positions the lasting variables of a score."""
        values = iter(score.values)
        for name in self.lasting:
            count = self.stepper.layout.fields[name].count
            own = np.array([next(values) for _ in range(count)], np.int64)
            self.stepper.write(positions.memory, name, np.tile(own, (len(positions), 1)))

    def _goes_alike(self, deal: Deal, score: Score) -> bool:
        """Tell whether a deal from this score goes as one that was enumerated."""
        for steps in deal.first:
            done = 0
            for rows, now in self._again(steps, score):
                assert steps.reached is not None
                there = steps.reached.take(rows)
                if (now.why != there.why).any():
                    return False
                if self.stepper.differ(now, there.memory, self.lasting):
                    return False
                done += len(rows)
            if done < len(steps.answers):
                return False
        return all(self._answers_alike(steps, score) for steps in deal.asked)

    def _answers_alike(self, steps: Steps, score: Score) -> bool:
        """Tell whether scripts answer these questions at another score as they did."""
        for rows in _blocks(len(steps.answers), STEPS_AT_ONCE):
            own, now = steps.before.take(rows), steps.before.take(rows)
            self.set_values(now, score)
            if not self.brancher.by_policy(own).equals(self.brancher.by_policy(now)):
                return False
            if not self._read(now) <= steps.read | set(self.lasting):
                return False
        return True

    def _lead_to(self, deal: Deal, score: Score) -> Mapping[Outcome, float]:
        found: dict[Outcome, float] = {}
        for _, ended in self.last_steps(deal, score):
            outcomes, numbers = self.outcomes_of(ended)
            weights = np.bincount(numbers, ended.weight, len(outcomes))
            for outcome, share in zip(outcomes, weights.tolist(), strict=True):
                found[outcome] = found.get(outcome, 0.0) + share
        return found

    def last_steps(self, deal: Deal, score: Score) -> Iterator[tuple[Masks, Positions]]:
        """Yield the kinds of last steps, see `kinds_of`, and the positions that they lead to."""
        for steps in deal.last:
            kinds, done = kinds_of(steps.keys), 0
            for rows, now in self._again(steps, None if deal.fixed else score):
                yield kinds[rows], now
                done += len(rows)
            if done < len(kinds):
                raise _LooksElsewhere

    def outcomes_of(self, ended: Positions) -> tuple[list[Outcome], Numbers]:
        """Return what ended deals lead to, and of each deal the number of its outcome."""
        over, width = ended.why == abi.OVER, 1 + len(self.start)
        starts, values = self._starts(ended), self.values_of(ended)
        winner = self.stepper.number(ended.memory, "#winner")
        starts[over], values[over] = winner[over, None], 0
        columns = np.concatenate([over[:, None], starts, values], axis=1)
        low, high = columns.min(axis=0, initial=0), columns.max(axis=0, initial=0)
        sizes = [1 + most - least for least, most in zip(low.tolist(), high.tolist(), strict=True)]
        if prod(sizes) > np.iinfo(np.int64).max:
            unique, numbers = np.unique(columns, axis=0, return_inverse=True)
        else:  # numbers are sorted faster than rows, in the same order
            marks = np.ravel_multi_index(tuple((columns - low).T), sizes)
            _, first, numbers = np.unique(marks, return_index=True, return_inverse=True)
            unique = columns[first]
        outcomes = [
            Outcome(None, row[1] if row[1] >= 0 else None)
            if row[0]
            else Outcome(Score(tuple(row[1:width]), tuple(row[width:])), None)
            for row in unique.tolist()
        ]
        return outcomes, numbers.ravel().astype(np.int64)


def _blocks(count: int, size: int) -> Iterator[Numbers]:
    """Yield the rows of blocks that are small enough for the processor's cache."""
    for first in range(0, count, size):
        yield np.arange(first, min(first + size, count), dtype=np.int64)
