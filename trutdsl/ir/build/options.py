"""Macro expansion: the options of a question, with those of groups and those that files add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from trutdsl.ir import nodes
from trutdsl.ir.build.body import BodyBuilder
from trutdsl.ir.build.scope import Bound, Group, Head
from trutdsl.ir.types import SEAT, Type
from trutdsl.syntax import ast


@dataclass(frozen=True)
class Around:
    """What stands around an option in its text.

    names: those that it can use beside what files declare. place: how messages call it.
    replaced: what `do base` does there. base: what `options base` stands for.
    """

    names: Bound
    place: str | None
    replaced: nodes.Rule | None = None
    base: Group | None = None


@dataclass(frozen=True)
class Offer:
    """An option as a text has it; `behind`: what follows it where its group stands, in order."""

    option: ast.Option
    around: Around
    behind: tuple[tuple[ast.Block, Around], ...] = ()


@contextmanager
def standing(builder: BodyBuilder, around: Around) -> Iterator[None]:
    """Build what stands in another text, with the names of that text only."""
    before = builder.frame.bound, builder.errors.place, builder.replaced
    builder.frame.bound = dict(around.names)
    builder.errors.place, builder.replaced = around.place, around.replaced
    yield
    builder.frame.bound, builder.errors.place, builder.replaced = before


class Expansion:
    """The options of one question.

    offers:  all of them, in order; those that files add come last.
    seat:    who is asked. settled: the sentences before the question, which name that seat for
             what is added, and what groups are given.
    """

    def __init__(self, builder: BodyBuilder, node: ast.Ask, seat: nodes.Expression) -> None:
        self.builder, self.seat = builder, seat
        self.settled: list[nodes.Statement] = []
        self._inside: list[Group] = []
        around = Around(builder.frame.bound, builder.errors.place, builder.replaced)
        self.offers = list(self._those(node.options, around))
        added = builder.names.additions.get(node.decision.text, ())
        if added:
            self.seat = asked = self._settle(seat, SEAT)
            place = f"what is added to ask '{node.decision.text}'"
            for addition in added:
                names = self._named([addition.seat], [asked], place)
                self.offers += self._those(addition.options, Around(names, place))

    def _those(self, options: Sequence[ast.Option | ast.Placed], around: Around) -> Iterator[Offer]:
        for one in options:
            if isinstance(one, ast.Option):
                yield Offer(one, around)
                continue
            follows = ((one.body, around),) if one.body.statements else ()
            for offer in self._group(one, around):
                yield Offer(offer.option, offer.around, (*offer.behind, *follows))

    def _group(self, placed: ast.Placed, around: Around) -> Iterator[Offer]:
        """Yield the options of a group where it stands; its parameters are named anew."""
        group = self._found(placed, around)
        if group is None:
            return
        head = Head("options", placed.name.text, group.params, None, group.node.name.span)
        with standing(self.builder, around):
            args = placed.args or ()
            if placed.name.text == "base" and not args:
                args = tuple(ast.Name(p.span, p.name.text) for p in self._inside[-1].node.params)
            values = self.builder.values.arguments(head, args, placed.span)
        if len(values) != len(group.params):
            return
        place = f"options '{group.node.name.text}'"
        place += f" [{group.node.cites}]" if group.node.cites else ""
        given = [self._settle(v, t) for v, t in zip(values, group.params, strict=True)]
        names = self._named([param.name for param in group.node.params], given, place)
        self._inside.append(group)
        yield from self._those(group.node.options, Around(names, place, None, group.replaced))
        self._inside.pop()

    def _found(self, placed: ast.Placed, around: Around) -> Group | None:
        names, word = self.builder.names, placed.name
        group = around.base if word.text == "base" else names.groups.get(word.text)
        with standing(self.builder, around):
            if group is None and word.text == "base":
                names.errors.error(
                    "unknown-name",
                    "there are no options here that `base` could stand for",
                    word.span,
                    help="`options base` stands in `replace options`, for what was there before",
                )
            elif group is None:
                names.unknown("group of options", word.text, word.span, names.groups)
            elif group in self._inside:
                names.errors.error(
                    "recursion",
                    f"the options '{word.text}' stand in themselves",
                    placed.span,
                    help="write down those that are meant",
                )
                return None
        names.placed.add(word.text)
        return group

    def _settle(self, value: nodes.Expression, type_: Type) -> nodes.Local:
        """Return what a value is before the question is asked; nothing changes it."""
        slot = self.builder.frame.slot()
        self.builder.frame.fixed.add(slot)
        self.settled.append(nodes.Let(value.span, slot, value))
        return nodes.Local(value.span, type_, slot, "")

    def _named(self, words: Sequence[ast.Word], values: Sequence[nodes.Local], place: str) -> Bound:
        """Return names for what is settled, and no others."""
        with standing(self.builder, Around({}, place)):
            for word, value in zip(words, values, strict=True):
                self.builder.frame.bind(word, value.type, value.slot)
            return self.builder.frame.bound
