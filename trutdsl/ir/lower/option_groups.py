"""The options of a question, with those of groups and those that other files add."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_NODES
from trutdsl.ir.lower.body import BodyBuilder
from trutdsl.ir.lower.scope import BoundNames, Head, OptionGroup
from trutdsl.ir.types import SEAT, Type
from trutdsl.language import figure, say
from trutdsl.syntax import ast

# Nodes of the texts that groups give to questions. More are too large in any case: together, four
# nodes of a text become more than one of the rules.
MOST_GROUP_NODES = 4 * MOST_NODES


@dataclass(frozen=True)
class OptionContext:
    """The context of an option in its text.

    names:     those that it can use besides declarations of files. place: its name in messages.
    base_rule: the target of `do base` in it. base: the target of `options base`.
    """

    names: BoundNames
    place: str | None
    base_rule: nodes.Rule | None = None
    base: OptionGroup | None = None


@dataclass(frozen=True)
class Offer:
    """An option of a text; `blocks`: the blocks after it where its group is used, in order."""

    option: ast.Option
    context: OptionContext
    blocks: tuple[tuple[ast.Block, OptionContext], ...] = ()


@contextmanager
def standing(builder: BodyBuilder, context: OptionContext) -> Iterator[None]:
    """Build a part of another text, with the names of that text only."""
    old = builder.frame.bound, builder.errors.place, builder.base_rule
    builder.frame.bound = dict(context.names)
    builder.errors.place, builder.base_rule = context.place, context.base_rule
    yield
    builder.frame.bound, builder.errors.place, builder.base_rule = old


class Expansion:
    """The options of one question.

    offers: all of them, in order; those that files add come last.
    seat:   the asked seat. statements: the sentences before the question. They name that seat for
            added options, and the arguments of groups.
    """

    def __init__(self, builder: BodyBuilder, node: ast.Ask, seat: nodes.Expression) -> None:
        self.builder, self.seat = builder, seat
        self.statements: list[nodes.Statement] = []
        self._open_groups: list[OptionGroup] = []
        self._question_span = node.span
        context = OptionContext(builder.frame.bound, builder.errors.place, builder.base_rule)
        self.offers = list(self._those(node.options, context))
        additions = builder.names.additions.get(node.decision.text, ())
        if additions:
            self.seat = local = self._settle(seat, SEAT)
            place = say("what is added to ask '{decision}'", decision=node.decision.text)
            for addition in additions:
                names = self._bind_names([addition.seat], [local], place)
                self.offers += self._those(addition.options, OptionContext(names, place))
        if builder.names.group_nodes > MOST_GROUP_NODES:
            self.offers.clear()  # they are refused, and too many to be read

    def _those(
        self, options: Sequence[ast.Option | ast.Placed], context: OptionContext
    ) -> Iterator[Offer]:
        for one in options:
            if isinstance(one, ast.Option):
                if not self._open_groups or self._may_give(one):
                    yield Offer(one, context)
                continue
            follows = ((one.body, context),) if one.body.statements else ()
            for offer in self._group(one, context):
                if not follows or self._may_give(one.body):
                    yield Offer(offer.option, offer.context, (*offer.blocks, *follows))

    def _may_give(self, part: ast.Option | ast.Block) -> bool:
        """Count a part of a group that is used here; return whether there are not too many."""
        names = self.builder.names
        if names.group_nodes > MOST_GROUP_NODES:
            return False
        names.group_nodes += sum(not isinstance(one, ast.Word) for one in ast.walk(part))
        if names.group_nodes > MOST_GROUP_NODES:
            text = "up to here the rules have more than {most} meaningful words"
            message = say(text, most=figure(MOST_NODES, ","))
            help_ = say("say less, or say it once")
            names.errors.error("too-large", message, self._question_span, help=help_)
        return names.group_nodes <= MOST_GROUP_NODES

    def _group(self, node: ast.Placed, context: OptionContext) -> Iterator[Offer]:
        """Yield the options of a group where it is used; its parameters get new names."""
        group = self._find_group(node, context)
        if group is None or self.builder.names.group_nodes > MOST_GROUP_NODES:
            return
        head = Head(node.name.text, group.params, None, group.node.name.span)
        with standing(self.builder, context):
            args = node.args or ()
            if node.name.text == "base" and not args:
                args = tuple(
                    ast.Name(p.span, p.name.text) for p in self._open_groups[-1].node.params
                )
            values = self.builder.values.arguments(head, args, node.span)
        if len(values) != len(group.params):
            return
        place = say("options '{node}'", node=group.node.name.text)
        place += f" [{group.node.cites}]" if group.node.cites else ""
        local_values = [self._settle(v, t) for v, t in zip(values, group.params, strict=True)]
        names = self._bind_names([param.name for param in group.node.params], local_values, place)
        self._open_groups.append(group)
        yield from self._those(group.node.options, OptionContext(names, place, None, group.base))
        self._open_groups.pop()

    def _find_group(self, node: ast.Placed, context: OptionContext) -> OptionGroup | None:
        names, word = self.builder.names, node.name
        group = context.base if word.text == "base" else names.groups.get(word.text)
        with standing(self.builder, context):
            if group is None and word.text == "base":
                message = say("there are no options here that `base` could mean")
                help_ = say(
                    "write `options base` in `replace options`; it means the replaced options"
                )
                names.errors.error("unknown-name", message, word.span, help=help_)
            elif group is None:
                names.unknown(say("group of options"), word.text, word.span, names.groups)
            elif group in self._open_groups:
                message = say("the options '{word}' contain themselves", word=word.text)
                help_ = say("write down those that are meant")
                names.errors.error("recursion", message, node.span, help=help_)
                return None
        names.used_groups.add(word.text)
        return group

    def _settle(self, value: nodes.Expression, type_: Type) -> nodes.Local:
        """Return a value computed before the question; nothing changes it."""
        slot = self.builder.frame.slot()
        self.builder.frame.fixed_slots.add(slot)
        self.statements.append(nodes.Let(value.span, slot, value))
        return nodes.Local(value.span, type_, slot, "")

    def _bind_names(
        self, words: Sequence[ast.Word], values: Sequence[nodes.Local], place: str
    ) -> BoundNames:
        """Return only the names of values from before the question."""
        with standing(self.builder, OptionContext({}, place)):
            for word, value in zip(words, values, strict=True):
                self.builder.frame.bind(word, value.type, value.slot)
            return self.builder.frame.bound
