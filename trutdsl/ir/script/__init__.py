"""Scripts of strategies: what one declares with its bases, and which clause an error is in.

`build` gives a script its meaning for one variant, as a policy: an answer for each question that
can be asked, with the names and expressions of the variant (`names`), its clauses written out as
statements (`answers`). `vocabulary` proves that it looks at nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Note, Span, did_you_mean
from trutdsl.ir.nodes import Call, Node, Policy, Program
from trutdsl.ir.walk import walk
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.variant import Parameter
from trutdsl.variant.parameters import ParameterType, Value

# A script with all that it extends: what it declares, each thing once, and its parameters.


@dataclass(frozen=True)
class Script:
    """A strategy as its files say it.

    parameters, memory: by name.
    defines, rules:     by name, the one first declared and those that replace it, in order.
    answers:            decision (None: `otherwise`) -> the one first declared and those that
                        replace it, in order.
    meant:              the variants and modules that it is for; none for any.
    """

    name: str
    span: Span
    help: str
    meant: tuple[ast.Word, ...]
    parameters: Mapping[str, Parameter]
    memory: Mapping[str, script.Memory]
    defines: Mapping[str, tuple[ast.Define, ...]]
    rules: Mapping[str, tuple[script.SubRule, ...]]
    answers: Mapping[str | None, tuple[script.On, ...]]


def merge_script(own: script.Strategy, base: Script | None, errors: Collector) -> Script:
    """Return a script with what it extends; mistakes go to `errors`."""
    merger = _Merger(own, errors)
    parameters = dict(base.parameters) if base else {}
    for one in own.parameters:
        if merger.is_new(one.name, one.replaces, parameters, "parameter"):
            parameters[one.name.text] = _parameter(one, own.name.text, errors)
    memory = dict(base.memory) if base else {}
    for kept in own.memory:
        if merger.is_new(kept.name, kept.replaces, memory, "memory"):
            memory[kept.name.text] = kept
    defines = dict(base.defines) if base else {}
    for define in own.defines:
        if merger.is_new(define.name, define.replaces, defines, "define"):
            defines[define.name.text] = (*defines.get(define.name.text, ()), define)
    rules = dict(base.rules) if base else {}
    for rule in own.rules:
        if merger.is_new(rule.name, rule.replaces, rules, "rule"):
            rules[rule.name.text] = (*rules.get(rule.name.text, ()), rule)
    answers = dict(base.answers) if base else {}
    said: dict[str | None, Span] = {}
    for on in own.answers:
        places: list[tuple[str | None, Span]] = [(w.text, w.span) for w in on.decisions]
        for decision, span in places or [(None, on.span)]:
            if decision in said:
                what = f"`on {decision}`" if decision else "`otherwise`"
                note = Note("the first one stands here", said[decision])
                message = f"{what} stands here twice"
                errors.error("defined-twice", message, span, note, help="put both into one")
                continue
            said[decision] = span
            answers[decision] = (*answers.get(decision, ()), on)
    meant = own.meant or (base.meant if base else ())
    help_ = own.help or (base.help if base else "")
    return Script(
        own.name.text, own.name.span, help_, meant, parameters, memory, defines, rules, answers
    )


class _Merger:
    def __init__(self, own: script.Strategy, errors: Collector) -> None:
        self.own, self.errors = own, errors
        self.declared: dict[str, Span] = {}

    def is_new(
        self, name: ast.Word, replaces: bool, known: Mapping[str, object], what: str
    ) -> bool:
        """Tell whether a declaration can stand; reports one that cannot."""
        first = self.declared.setdefault(name.text, name.span)
        if first is not name.span:
            self.errors.error(
                "defined-twice",
                f"there is already a '{name.text}'; this {what} needs another name",
                name.span,
                Note("the first one stands here", first),
                help="choose another name",
            )
            return False
        if replaces and name.text not in known:
            message = f"there is no {what} '{name.text}' to replace in what this strategy extends"
            help_ = did_you_mean(name.text, known) or "leave out `replace`"
            self.errors.error("unknown-name", message, name.span, help=help_)
            return False
        if not replaces and name.text in known:
            message = f"what this strategy extends has a {what} '{name.text}' already"
            help_ = "write `replace` before it, or choose another name"
            self.errors.error("defined-twice", message, name.span, help=help_)
            return False
        return True


def _parameter(node: script.Parameter, origin: str, errors: Collector) -> Parameter:
    errors.place = f"parameter '{node.name.text}'"
    type_, least, most, choices = _allowed(node.type, errors)
    span, default = node.name.span, _constant(node.default)
    made = Parameter(
        node.name.text, type_, 0, node.help or "", span, node.default.span, origin, least, most,
        choices,
    )  # fmt: skip
    value: Value | None = None
    match type_, default:
        case "integer", int() if not isinstance(default, bool):
            value = default if least is None or most is None or least <= default <= most else None
        case "boolean", bool():
            value = default
        case "choice", str():
            value = default if default in choices else None
        case "probability", float():
            value = round(default * 10**6)
        case "probability", int() if default in (0, 1) and not isinstance(default, bool):
            value = default * 10**6
    if value is None and not (type_ == "integer" and least is None):
        errors.error(
            "bad-default", f"the default must be {made.allowed}", node.default.span,
            help=did_you_mean(default, choices) if isinstance(default, str) else None,
        )  # fmt: skip
    errors.place = None
    return replace(made, default=value if value is not None else least or 0)


TYPES = "a parameter is `LOW to HIGH`, `yes_no`, `probability` or `one of a | b`"


def _allowed(
    node: ast.Type, errors: Collector
) -> tuple[ParameterType, int | None, int | None, tuple[str, ...]]:
    match node:
        case ast.TypeName(_, "yes_no", False):
            return "boolean", None, None, ()
        case ast.TypeName(_, "probability", False):
            return "probability", None, None, ()
        case ast.TypeEnum(_, values):
            return "choice", None, None, tuple(value.text for value in values)
        case ast.TypeRange(_, low, high):
            least, most = _constant(low), _constant(high)
            if type(least) is int and type(most) is int and least <= most:
                return "integer", least, most, ()
    help_ = "bounds are whole numbers, the lower first"
    if isinstance(node, ast.TypeName):
        help_ = "a script's parameters are set before any variant is known: write out the type"
    errors.error("type", TYPES, node.span, help=help_)
    return "integer", None, None, ()


def _constant(node: ast.Expr) -> int | bool | float | str | None:
    """Return what a parameter's bound or default says, or None if it is worked out."""
    match node:
        case ast.Number(_, value) | ast.YesNo(_, value):
            return value
        case ast.Negate(_, ast.Number(_, value)):
            return -value
        case ast.Decimal(_, millionths) if millionths is not None:
            return millionths / 10**6
        case ast.Name(_, name) | ast.Text(_, name):
            return name
    return None


# Blame: which clauses of a script come to a place in what its variant defines.

MOST_NAMED = 3


def clauses_at(program: Program, policy: Policy, question: int, at: Span) -> tuple[Span, ...]:
    """Return where an answer comes to a place of another file: at most three sentences, in order.

    None if the place stands in the script itself. A sentence comes to what its defines come to.
    """
    found: list[Span] = []
    leads = dict[str, bool]()
    if at.source.name == policy.span.source.name:
        return ()
    for answer in policy.answers:
        if answer.question == question:
            sentences = answer.body.statements
            found += [one.span for one in sentences if _comes_to(program, one, at, leads)]
    return tuple(dict.fromkeys(found))[:MOST_NAMED]


def _comes_to(program: Program, node: Node, at: Span, leads: dict[str, bool]) -> bool:
    """Tell whether a node, or a define that it asks, holds a place; `leads`: of each define."""
    for name in _asked(node):
        if name not in leads:
            leads[name] = False  # defines do not lead back to themselves
            leads[name] = _comes_to(program, program.functions[name], at, leads)
        if leads[name]:
            return True
    return any(one.span == at for one in walk(node))


def _asked(node: Node) -> Iterator[str]:
    return (one.function for one in walk(node) if isinstance(one, Call))
