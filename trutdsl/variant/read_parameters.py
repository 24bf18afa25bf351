"""The parameters that a file of a variant declares or sets, from its YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import get_args

from trutdsl.diagnostics import Collector, did_you_mean, write_instead
from trutdsl.language import quote_name, say
from trutdsl.variant.key_advice import PARAMETER_TYPES, key_meant_by, number_meant
from trutdsl.variant.parameters import BadParameter, Parameter, ParameterType, Pool, Value
from trutdsl.variant.read_values import (
    CHOICE,
    describe,
    keep_node,
    key_span,
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_known,
    read_line,
    read_mapping,
    read_name,
    read_names,
    read_value,
    refuse,
    shorten,
)
from trutdsl.variant.shapes import VALUE, YamlKey, mapping, shaped, table
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping

TYPES: tuple[ParameterType, ...] = get_args(ParameterType)
FEWEST_CHOICES, MOST_CHOICES = 2, 64
# For each type, the keys that only it needs.
OWN_KEYS = {"integer": ("min", "max"), "choice": ("choices",), "cards": ("choices",)}
POOLS: tuple[Pool, ...] = get_args(Pool)
PARAMETER_KEYS = {
    "type": YamlKey(
        "what kind of value it takes", keep_node, required=True, shape={"enum": [*TYPES]}
    ),
    "default": YamlKey("its value where none is given", read_value, required=True),
    "min": YamlKey("the least value of an `integer`", keep_node, shape={"type": "integer"}),
    "max": YamlKey("the greatest value of an `integer`", keep_node, shape={"type": "integer"}),
    "choices": YamlKey(
        "the values of a `choice`, or where `cards` are from", keep_node, shape=VALUE
    ),
    "help": YamlKey("what it does, in one line", read_line, "", required=True),
    "source": YamlKey("where it comes from", read_line),
    "choice": YamlKey("whether sources differ here or are silent", read_boolean, False),
}


def read_parameters(node: Node, errors: Collector) -> tuple[Parameter, ...]:
    """Return the readable parameters; the others are reported."""
    parameters = []
    for name, value in read_entries(node, "'parameters'", errors) or ():
        errors.place = say("parameter '{name}'", name=shorten(name.text))
        parameter = _read_parameter(name, value, errors)
        errors.place = None
        if parameter is not None:
            parameters.append(parameter)
    return tuple(parameters)


def value_of_scalar(parameter: Parameter, node: Node) -> Value:
    """Return the value of a node for a parameter; raise `BadParameter` if it has none.

    Numbers, decimals and booleans must be plain: `'7'` in quotes is a text.
    """
    styles = {
        "choice": ("plain", "quoted", "literal", "folded"),
        "cards": ("plain", "quoted", "list"),
    }
    if not isinstance(node, Scalar) or node.style not in styles.get(parameter.type, ("plain",)):
        text = "parameter '{parameter}' must be {allowed}, found {found}"
        message = say(
            text, parameter=parameter.name, allowed=parameter.allowed, found=describe(node)
        )
        raise BadParameter(parameter.name, message)
    return parameter.value_of(node.text or "none" if node.style == "list" else node.text)


def _read_parameter(name: Scalar, node: Node, errors: Collector) -> Parameter | None:
    name_text = read_name(name, say("the name of a parameter"), errors)
    if not isinstance(node, YamlMapping):
        _refuse_value(name, node, errors)
        return None
    if _refuse_setting(name, node, errors):
        return None
    required = tuple(key for key, one in PARAMETER_KEYS.items() if one.required)
    what = say("a parameter")
    fields = read_fields(node, what, errors, tuple(PARAMETER_KEYS), required, name.span)
    kind = _read_type(fields["type"], errors) if fields and "type" in fields else None
    if fields is None or kind is None:
        return None
    _check_keys_of_type(name, node, kind, fields, errors)
    values = read_known(fields, errors, PARAMETER_KEYS)
    pool = None
    least = most = None
    choices: tuple[str, ...] = ()
    if kind == "integer":
        least, most = _read_bounds(fields, errors)
        if least is None or most is None:
            return None
    elif kind == "choice":
        choices = _read_choices(fields, errors)
        if not choices:
            return None
    elif kind == "cards":
        pool = _read_pool(fields, errors)
        if pool is None:
            return None
    default = values["default"]
    if not name_text or default is None:
        return None
    parameter = Parameter(
        name=name.text,
        type=kind,
        default=0,
        help=values["help"],
        span=name.span,
        default_span=default.span,
        least=least,
        most=most,
        choices=choices,
        pool=pool,
        source=values["source"],
        is_choice=values["choice"],
    )
    return with_default(parameter, default, errors)


def _refuse_value(name: Scalar, node: Node, errors: Collector) -> None:
    """Report a parameter that is a value or a list; tell how it is declared, or set."""
    some = node.items if isinstance(node, Sequence) else ()
    items = [one.text for one in some if isinstance(one, Scalar)]
    keys = "type: integer, min: 0, max: 9, default: 1"
    if items:
        keys = f"type: choice, choices: [{', '.join(items)}], default: {items[0]}"
    help_text = say("write `{found}`", found=f"{name.text}: {{{keys}, help: TEXT}}")
    if isinstance(node, Scalar) and node.text:
        help_text = _help_to_set(name, node.text, help_text)
    refuse(node, say("a parameter"), say("a mapping"), errors, help_text)


def _refuse_setting(name: Scalar, node: YamlMapping, errors: Collector) -> bool:
    """Report a parameter that has nothing but a default; return whether it is one."""
    default = node.by_name.get("default")
    if len(node.by_name) > 1 or not isinstance(default, Scalar):
        return False
    cure = _help_to_set(name, default.text, say("add `{found}`", found="type: integer"))
    message = say("{what} has no '{name}'", what=say("a parameter"), name="type")
    errors.error("missing-key", message, name.span, help=cure)
    return True


def _help_to_set(name: Scalar, value: str, example: str) -> str:
    """Return the help for who may mean a parameter of the base; example: what declares one."""
    text = "to set a parameter of the base, write `{value}`; for a new one, {example}"
    return say(text, value=f"set: {{{name.text}: {value}}}", example=example)


def _check_keys_of_type(
    name: Scalar, node: YamlMapping, kind: str, fields: Mapping[str, Node], errors: Collector
) -> None:
    """Report keys that do not belong to a parameter's type, and those that it needs."""
    own = OWN_KEYS.get(kind, ())
    for key in ("min", "max", "choices"):
        if key in fields and key not in own:
            message = say("a parameter of type {kind} has no '{key}'", kind=kind, key=key)
            errors.error("unknown-key", message, key_span(node, key))
        elif (
            key in own
            and key not in fields
            and not any(key_meant_by(other, [key]) for other in node.by_name)
        ):
            message = say("a parameter of type {kind} needs '{key}'", kind=kind, key=key)
            pool = "special_pack" if kind == "cards" else "[a, b]"
            example = {"min": "0", "max": "9"}.get(key, pool)
            cure = say("add `{found}`", found=f"{key}: {example}")
            errors.error("missing-key", message, name.span, help=cure)


@dataclass(frozen=True)
class NewDefault:
    """An entry of `set`, not yet checked against the parameter.

    is_choice: whether the variant's own sources are silent or differ there; None if not said.
    """

    name: Scalar
    value: Scalar
    is_choice: bool | None = None


SET_KEYS = {
    "value": YamlKey("the new default", read_value, required=True),
    "choice": YamlKey("whether this game's sources differ here or are silent", read_boolean),
}


@shaped(lambda: table({"anyOf": [VALUE, mapping(SET_KEYS)]}))
def read_defaults(node: Node, what: str, errors: Collector) -> tuple[NewDefault, ...]:
    """Return the entries of `set`: each a value, or a mapping that also says if it is a choice."""
    result = []
    for name, entry in read_entries(node, what, errors) or ():
        about = quote_name(name.text)
        keys = entry.by_name if isinstance(entry, YamlMapping) else {}
        if keys and not keys.keys() & SET_KEYS:  # as a parameter is declared
            value = getattr(keys.get("default"), "text", None) or "VALUE"
            cure = say("write `{found}`", found=f"{name.text}: {value}")
            refuse(entry, about, say("one value"), errors, cure)
            continue
        if isinstance(entry, YamlMapping):
            fields = read_mapping(entry, about, errors, SET_KEYS)
        else:
            fields = {"value": read_value(entry, about, errors), "choice": None}
        if fields["value"] is not None:
            result.append(NewDefault(name, fields["value"], fields["choice"]))
    return tuple(result)


def with_default(parameter: Parameter, node: Node, errors: Collector) -> Parameter:
    """Return the parameter with the default of a node; unchanged after a reported mistake."""
    try:
        value = value_of_scalar(parameter, node)
    except BadParameter as wrong:
        help_ = number_meant(node) if parameter.type == "integer" else None
        errors.error("bad-default", str(wrong), node.span, help=help_)
        return parameter
    return replace(parameter, default=value, default_span=node.span)


def _read_type(node: Node, errors: Collector) -> ParameterType | None:
    for kind in TYPES:
        if isinstance(node, Scalar) and node.text == kind:
            return kind
    word = node.text if isinstance(node, Scalar) else ""
    meant = PARAMETER_TYPES.get(word.lower())
    hint = write_instead(meant) if meant else did_you_mean(word, TYPES)
    refuse(node, "'type'", say("one of ") + ", ".join(TYPES), errors, hint)
    return None


def _read_pool(fields: dict[str, Node], errors: Collector) -> Pool | None:
    node = fields.get("choices")
    for pool in POOLS:
        if isinstance(node, Scalar) and node.text == pool:
            return pool
    if node is not None:
        refuse(node, "'choices'", say("one of ") + ", ".join(POOLS), errors)
    return None


def _read_bounds(fields: dict[str, Node], errors: Collector) -> tuple[int | None, int | None]:
    least, most = (
        read_integer(fields[key], quote_name(key), errors) if key in fields else None
        for key in ("min", "max")
    )
    if least is not None and most is not None and most < least:
        message = say("'max' ({most}) is below 'min' ({least})", most=most, least=least)
        errors.error("out-of-range", message, fields["max"].span)
        most = None
    return least, most


def _read_choices(fields: dict[str, Node], errors: Collector) -> tuple[str, ...]:
    node = fields.get("choices")
    names = read_names(node, "'choices'", errors, CHOICE) if node is not None else ()
    if not isinstance(node, Sequence) or len(names) < len(node.items):
        return ()  # reported
    if not FEWEST_CHOICES <= len(names) <= MOST_CHOICES:
        text = "'choices' must hold {fewest} to {most} texts, found {number}"
        message = say(text, fewest=FEWEST_CHOICES, most=MOST_CHOICES, number=len(names))
        errors.error("wrong-type", message, node.span)
    return tuple(name.text for name in names)
