"""The `parameters` of a variant file, from nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from trutdsl.diagnostics import Collector, did_you_mean
from trutdsl.variant.parameters import BadParameter, Parameter, ParameterType, Pool, Value
from trutdsl.variant.read_values import (
    CHOICE,
    describe,
    key_span,
    read_boolean,
    read_entries,
    read_fields,
    read_integer,
    read_line,
    read_name,
    read_names,
    read_value,
    refuse,
    shorten,
)
from trutdsl.variant.yaml_nodes import Node, Scalar

TYPES: tuple[ParameterType, ...] = get_args(ParameterType)
KEYS = ("type", "default", "min", "max", "choices", "help", "source", "choice")
FEWEST_CHOICES, MOST_CHOICES = 2, 64
OWN_KEYS: dict[str, tuple[str, ...]] = {
    "integer": ("min", "max"),
    "choice": ("choices",),
    "cards": ("choices",),
}
POOLS: tuple[Pool, ...] = get_args(Pool)


def read_parameters(node: Node, origin: str, errors: Collector) -> tuple[Parameter, ...]:
    """Return the parameters that can be read; the others are reported.

    origin: the name of the file's variant or module.
    """
    parameters = []
    for name, value in read_entries(node, "'parameters'", errors) or ():
        errors.place = f"parameter '{shorten(name.text)}'"
        parameter = _read_parameter(name, value, origin, errors)
        errors.place = None
        if parameter is not None:
            parameters.append(parameter)
    return tuple(parameters)


def value_of_scalar(parameter: Parameter, node: Node) -> Value:
    """Return the value that a node means for a parameter; raise `BadParameter` if it means none.

    Numbers, decimals and booleans must be plain: `'7'` in quotes is a text.
    """
    styles = {
        "choice": ("plain", "quoted", "literal", "folded"),
        "cards": ("plain", "quoted", "list"),
    }
    if not isinstance(node, Scalar) or node.style not in styles.get(parameter.type, ("plain",)):
        message = (
            f"parameter '{parameter.name}' must be {parameter.allowed}, found {describe(node)}"
        )
        raise BadParameter(parameter.name, message)
    return parameter.value_of(node.text or "none" if node.style == "list" else node.text)


def _read_parameter(name: Scalar, node: Node, origin: str, errors: Collector) -> Parameter | None:
    named = read_name(name, "the name of a parameter", errors)
    required = ("type", "default", "help")
    fields = read_fields(node, "a parameter", errors, KEYS, required, name.span)
    if fields is None or "type" not in fields:
        return None
    kind = _read_type(fields["type"], errors)
    if kind is None:
        return None
    own = OWN_KEYS.get(kind, ())
    for key in ("min", "max", "choices"):
        if key in fields and key not in own:
            message = f"a parameter of type {kind} has no '{key}'"
            errors.error("unknown-key", message, key_span(node, key))
        elif key in own and key not in fields:
            message = f"a parameter of type {kind} needs '{key}'"
            errors.error("missing-key", message, name.span)
    pool = _read_pool(fields, errors) if kind == "cards" else None
    least, most, choices = _read_bounds(own if kind != "cards" else (), fields, errors)
    text = read_line(fields["help"], "'help'", errors) if "help" in fields else ""
    source = read_line(fields["source"], "'source'", errors) if "source" in fields else None
    is_choice = read_boolean(fields["choice"], "'choice'", errors) if "choice" in fields else False
    if not named or "default" not in fields:
        return None
    if (kind == "integer" and None in (least, most)) or (kind == "choice" and not choices):
        return None
    default = read_value(fields["default"], "'default'", errors)
    if default is None or (kind == "cards" and pool is None):
        return None
    parameter = Parameter(
        name=name.text,
        type=kind,
        default=0,
        help=text or "",
        span=name.span,
        default_span=default.span,
        origin=origin,
        least=least,
        most=most,
        choices=choices,
        pool=pool,
        source=source,
        is_choice=bool(is_choice),
    )
    return with_default(parameter, default, errors, "bad-default")


def with_default(parameter: Parameter, node: Node, errors: Collector, code: str) -> Parameter:
    """Return the parameter with the default that a node says, unchanged if that is reported."""
    try:
        value = value_of_scalar(parameter, node)
    except BadParameter as wrong:
        errors.error(code, str(wrong), node.span)
        return parameter
    return replace(parameter, default=value, default_span=node.span)


def _read_type(node: Node, errors: Collector) -> ParameterType | None:
    for kind in TYPES:
        if isinstance(node, Scalar) and node.text == kind:
            return kind
    near = did_you_mean(node.text, TYPES) if isinstance(node, Scalar) else None
    refuse(node, "'type'", "one of " + ", ".join(TYPES), errors, near)
    return None


def _read_pool(fields: dict[str, Node], errors: Collector) -> Pool | None:
    node = fields.get("choices")
    for pool in POOLS:
        if isinstance(node, Scalar) and node.text == pool:
            return pool
    if node is not None:
        refuse(node, "'choices'", "one of " + ", ".join(POOLS), errors)
    return None


def _read_bounds(
    own: tuple[str, ...], fields: dict[str, Node], errors: Collector
) -> tuple[int | None, int | None, tuple[str, ...]]:
    least = most = None
    choices: tuple[str, ...] = ()
    if "min" in own and "min" in fields:
        least = read_integer(fields["min"], "'min'", errors)
    if "max" in own and "max" in fields:
        most = read_integer(fields["max"], "'max'", errors)
        if least is not None and most is not None and most < least:
            message = f"'max' ({most}) is below 'min' ({least})"
            errors.error("out-of-range", message, fields["max"].span)
            most = None
    if "choices" in own and "choices" in fields:
        names = read_names(fields["choices"], "'choices'", errors, CHOICE) or ()
        choices = tuple(name.text for name in names)
        if names and not FEWEST_CHOICES <= len(choices) <= MOST_CHOICES:
            found = f"found {len(choices)}"
            message = f"'choices' must hold {FEWEST_CHOICES} to {MOST_CHOICES} texts, {found}"
            errors.error("wrong-type", message, fields["choices"].span)
    return least, most, choices
