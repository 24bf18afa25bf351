"""Finds sentences that no match ever comes to: what stands before them always ends something."""

from __future__ import annotations

from trutdsl.diagnostics import Collector, Note
from trutdsl.ir import nodes
from trutdsl.ir.walk import walk

# The ends that a sentence can lead to instead of the next one.
NEXT, TRICK, DEAL, MATCH, ELSEWHERE = "next", "trick", "deal", "match", "elsewhere"
Ways = frozenset[str]
BEFORE = "before"  # how the names of the rules begin that are done before another one


def check_reach(program: nodes.Program, errors: Collector) -> None:
    """Report what stands behind a rule that never comes to its end."""
    checker = _Reach(program, errors)
    for name in program.rules:
        checker.ways_of(name)
    errors.place = None


def ways_of_rules(program: nodes.Program) -> dict[str, Ways]:
    """Return for each rule in which ways it can be left: `NEXT`, or the ends that it comes to."""
    checker = _Reach(program, Collector())
    return {name: checker.ways_of(name) for name in program.rules}


def block_ways(program: nodes.Program, block: nodes.Block, known: dict[str, Ways]) -> Ways:
    """Return in which ways a block can be left, by those of the rules."""
    checker = _Reach(program, Collector())
    checker.known = dict(known)
    return checker.ways_in(block)


class _Reach:
    """Works out in which ways each rule can be left.

    A rule that always ends the trick, the deal or the match never comes back to the one that does
    it. `return`, `stop`, `next` and `again` are taken to go on somewhere.
    """

    def __init__(self, program: nodes.Program, errors: Collector) -> None:
        self.program, self.errors = program, errors
        self.known: dict[str, Ways] = {}

    def ways_of(self, name: str) -> Ways:
        """Return the ways in which a rule can be left: to what follows it, or past that."""
        if name not in self.known:
            self.known[name] = frozenset({NEXT})  # rules do not lead back to themselves
            place, self.errors.place = self.errors.place, self.program.rules[name].heading
            body = self.program.rules[name].body
            ways = self._block(body)
            if any(isinstance(node, nodes.Return) for node in walk(body)):
                ways |= {NEXT}
            self.known[name] = ways - {ELSEWHERE} or ways
            self.errors.place = place
        return self.known[name]

    def ways_in(self, block: nodes.Block) -> Ways:
        """Return the ways in which a block can be left."""
        return self._block(block)

    def _block(self, block: nodes.Block) -> Ways:
        ways: set[str] = set()
        for number, statement in enumerate(block.statements):
            found = self._statement(statement)
            ways |= found - {NEXT}
            if NEXT not in found:
                rest = block.statements[number + 1 :]
                done = _rule_in(statement)
                # A rule with a result has to say one, also where nobody can ask for it; behind
                # each option of `ask any` stands a `stop` that nobody wrote.
                idle = nodes.Return | nodes.Stop
                if rest and done is not None and not isinstance(rest[0], idle):
                    self._report(rest[0], done, found)
                    ways.add(NEXT)  # it is told once, not again of each rule that does this one
                return frozenset(ways)
        return frozenset(ways | {NEXT})

    def _statement(self, node: nodes.Statement) -> Ways:
        match node:
            case nodes.EndTrick():
                return frozenset({TRICK})
            case nodes.EndDeal():
                return frozenset({DEAL})
            case nodes.EndMatch():
                return frozenset({MATCH})
            case nodes.Stop() | nodes.Next() | nodes.Again() | nodes.Return():
                return frozenset({ELSEWHERE})
            case nodes.If(_, branches, otherwise):
                inner = [self._block(body) for _, body in branches]
                return frozenset().union(*inner, self._block(otherwise))
            case nodes.Ask(_, _, _, _, options):
                return frozenset().union(*(self._block(option.body) for option in options))
            case nodes.For(_, _, _, body) | nodes.Repeat(_, _, _, _, body):
                return self._block(body) | {NEXT}
            case nodes.Setup(_, _, body):
                return self._block(body) | {NEXT}
            case nodes.DealBlock(_, body):
                return _after(self._block(body), DEAL)
            case nodes.TrickBlock(_, _, body):
                return _after(self._block(body), TRICK)
        done = _rule_in(node)
        return self.ways_of(done) if done is not None else frozenset({NEXT})

    def _report(self, behind: nodes.Statement, done: str, ways: Ways) -> None:
        ended = next((what for what in (TRICK, DEAL, MATCH) if what in ways), None)
        name, *piece = done.split(" ")
        how = f"always ends the {ended}" if ended else "never comes to an end"
        if name == BEFORE:
            self._report_before(done, piece[0], how)
            return
        where = f", or behind the `{ended}` block" if ended in (TRICK, DEAL) else ""
        self.errors.error(
            "unreachable",
            f"this is never done: the rule '{name}' before it {how}",
            behind.span,
            Note(f"'{name}' stands here", self.program.rules[done].span),
            help="do it before that rule" + where,
        )

    def _report_before(self, done: str, name: str, how: str) -> None:
        """Report a `before rule`, in the file that it stands in, behind which nothing is done."""
        own = self.program.rules[done]
        place, self.errors.place = self.errors.place, own.heading
        self.errors.error(
            "unreachable",
            f"this {how}, so the rule '{name}' behind it is never done",
            own.span,
            Note(f"'{name}' stands here", self.program.rules[name].span),
            help=f"let it do so in an `if` only, or write `replace rule {name}`",
        )
        self.errors.place = place


def _after(inside: Ways, what: str) -> Ways:
    """Return the ways out of a block in which something ends: then what follows is done."""
    return frozenset(NEXT if way == what else way for way in inside) | (
        {NEXT} if NEXT in inside else frozenset()
    )


def _rule_in(node: nodes.Statement) -> str | None:
    """Return the rule that a sentence does, if it does one."""
    match node:
        case nodes.Perform(_, do):
            return do.rule
        case nodes.Let(_, _, nodes.Do(_, _, rule)) | nodes.Assign(_, _, _, nodes.Do(_, _, rule)):
            return rule
    return None
