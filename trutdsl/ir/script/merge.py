"""Merges a script with the scripts that it extends, as its files declare them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from trutdsl.diagnostics import Collector, Note, Span, did_you_mean
from trutdsl.ir.script.tables import ScriptTable, Texts, read_table
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.syntax import strategy_ast as script
from trutdsl.variant import Parameter, Value
from trutdsl.variant.parameters import ParameterType


@dataclass(frozen=True)
class Script:
    """A strategy as its files declare it.

    parameters, memory: by name.
    defines, rules: by name, the first declaration and its replacements, in order.
    tables: by name, as their files give them.
    answers: decision (None: `otherwise`) -> the first answer and its replacements, in order.
    after_deal: what is done after each deal, in order.
    variants: the variants and modules that it is for; none for any.
    """

    name: str
    span: Span
    help: str
    variants: tuple[ast.Word, ...]
    parameters: Mapping[str, Parameter]
    memory: Mapping[str, script.MemoryDeclaration]
    defines: Mapping[str, tuple[ast.Define, ...]]
    tables: Mapping[str, ScriptTable]
    rules: Mapping[str, tuple[script.SubRule, ...]]
    answers: Mapping[str | None, tuple[script.On, ...]]
    after_deal: tuple[script.AfterDeal, ...] = ()


def merge_script(
    own: script.StrategyTree, base: Script | None, texts: Texts, errors: Collector
) -> Script:
    """Return a script with what it extends; mistakes go to `errors`. texts: of its tables."""
    name = own.name.text
    base = base or Script(name, own.name.span, "", (), {}, {}, {}, {}, {}, {})
    merger = _Merger(base, errors)
    parameters = dict(base.parameters)
    for parameter in merger.new(own.parameters, "parameter"):
        parameters[parameter.name.text] = _parameter(parameter, errors)
    memory = dict(base.memory)
    for declaration in merger.new(own.memory, "memory"):
        memory[declaration.name.text] = declaration
    defines = dict(base.defines)
    for define in merger.new(own.defines, "define"):
        defines[define.name.text] = (*defines.get(define.name.text, ()), define)
    tables = dict(base.tables)
    for table in merger.new(own.tables, "table"):
        tables[table.name.text] = read_table(table, texts, errors)
    rules = dict(base.rules)
    for rule in merger.new(own.rules, "rule"):
        rules[rule.name.text] = (*rules.get(rule.name.text, ()), rule)
    answers = dict(base.answers)
    spans: dict[str | None, Span] = {}
    for on in own.answers:
        places: list[tuple[str | None, Span]] = [(w.text, w.span) for w in on.decisions]
        for decision, span in places or [(None, on.span)]:
            if decision in spans:
                what = say("`on {decision}`", decision=decision) if decision else "`otherwise`"
                note = Note(say("the first one is here"), spans[decision])
                message = say("{what} is here twice", what=what)
                errors.error("defined-twice", message, span, note, help=say("put both into one"))
                continue
            spans[decision] = span
            answers[decision] = (*answers.get(decision, ()), on)
    return Script(
        name, own.name.span, own.help or base.help, own.variants or base.variants, parameters,
        memory, defines, tables, rules, answers, (*base.after_deal, *own.after_deal),
    )  # fmt: skip


Declared = TypeVar(
    "Declared",
    script.ParameterDeclaration,
    script.MemoryDeclaration,
    ast.Define,
    script.TableDeclaration,
    script.SubRule,
)


class _Merger:
    def __init__(self, base: Script, errors: Collector) -> None:
        self.errors = errors
        self.declared: dict[str, Span] = {}
        self.known: dict[str, Mapping[str, object]] = {
            "parameter": base.parameters,
            "memory": base.memory,
            "define": base.defines,
            "table": base.tables,
            "rule": base.rules,
        }

    def new(self, declarations: Iterable[Declared], what: str) -> Iterator[Declared]:
        """Yield the declarations that are allowed; report each other one."""
        for one in declarations:
            name, span = one.name.text, one.name.span
            kind = next((kind for kind, names in self.known.items() if name in names), None)
            first = self.declared.setdefault(name, span)
            if first is not span:
                text = "there is already a '{name}'; this {what} needs another name"
                message, note = (
                    say(text, name=name, what=what),
                    Note(say("the first one is here"), first),
                )
                help_ = say("choose another name")
                self.errors.error("defined-twice", message, span, note, help=help_)
            elif one.replaces and kind is None:
                known = self.known[what]
                text = "there is no {what} '{name}' to replace in what this strategy extends"
                help_ = did_you_mean(name, known) or say("leave out `replace`")
                self.errors.error("unknown-name", say(text, what=what, name=name), span, help=help_)
            elif kind is not None and not (one.replaces and kind == what):
                text = "what this strategy extends has a {what} '{name}' already"
                help_ = say("choose another name")
                if kind == what:
                    help_ = say("write `replace` before it, or choose another name")
                self.errors.error(
                    "defined-twice", say(text, what=kind, name=name), span, help=help_
                )
            else:
                yield one


def _parameter(node: script.ParameterDeclaration, errors: Collector) -> Parameter:
    errors.place = say("parameter '{node}'", node=node.name.text)
    type_, least, most, choices = _parameter_type(node.type, errors)
    span, default = node.name.span, _constant(node.default)
    parameter = Parameter(
        node.name.text, type_, 0, node.help or "", span, node.default.span, least, most, choices
    )
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
            "bad-default",
            say("the default must be {allowed}", allowed=parameter.allowed),
            node.default.span,
            help=did_you_mean(default, choices) if isinstance(default, str) else None,
        )
    errors.place = None
    return replace(parameter, default=value if value is not None else least or 0)


TYPES = "a parameter is `LOW to HIGH`, `yes_no`, `probability` or `one of a | b`"


def _parameter_type(
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
    help_ = say("bounds are whole numbers, the lower first")
    if isinstance(node, ast.TypeName):
        help_ = say("a script's parameters are set before any variant is known: write out the type")
    errors.error("type", TYPES, node.span, help=help_)
    return "integer", None, None, ()


def _constant(node: ast.Expr) -> int | bool | float | str | None:
    """Return the value of a constant bound or default of a parameter; None for an expression."""
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
