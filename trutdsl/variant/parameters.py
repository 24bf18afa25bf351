"""Parameters: what of a variant can be set, and the one way from a text to a checked value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.source import Span
from trutdsl.variant.read_values import BOOLEANS, parse_integer, shorten

MILLION = 1_000_000

Value: TypeAlias = int | bool | str
ParameterType: TypeAlias = Literal["integer", "boolean", "choice", "probability", "cards"]
Pool: TypeAlias = Literal["special_pack", "pack_cards"]


class BadParameter(BadUsage):
    """A parameter that does not exist or a value that it cannot take, said in one line.

    name: the parameter as it was asked for.
    """

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name

    def __reduce__(self) -> tuple[type[BadParameter], tuple[str, str]]:
        return BadParameter, (self.name, str(self))


@dataclass(frozen=True)
class Parameter:
    """One thing that can be set.

    default:      an int for `integer`, millionths for `probability`, a bool for `boolean`, a text
                  for `choice`; for `cards` their texts with commas, in the order of the pack, `all`
                  or `none`; the effective one in a `Variant`, the declared one in a `Manifest`.
    least, most:  the bounds of an `integer`, else None.
    choices:      the texts of a `choice`; of `cards` all that may be in the set, which is not known
                  in a `Manifest`; else empty.
    pool:         which part of the pack `cards` are from, as rules call it, else None.
    is_choice:    sources are silent or differ here (`choice: true`).
    span:         its name where it is declared; default_span: the default, or the `set` of it.
    origin:       the name of the variant or module that declares it.
    """

    name: str
    type: ParameterType
    default: Value
    help: str
    span: Span
    default_span: Span
    origin: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    pool: Pool | None = None
    source: str | None = None
    is_choice: bool = False

    @property
    def allowed(self) -> str:
        """What values it takes, in words."""
        match self.type:
            case "integer":
                return f"a whole number from {self.least} to {self.most}"
            case "boolean":
                return "true or false"
            case "choice":
                return "one of " + ", ".join(self.choices)
            case "probability":
                return "a decimal from 0 to 1 with at most 6 places, such as 0.25"
            case "cards":
                known = ", ".join(self.choices) or "the cards of the pack"
                return f"all, none, or some of these, with commas: {known}"

    def value_of(self, text: str) -> Value:
        """Return the value that a text means; raise `BadParameter` if it means none."""
        value: Value | None = None
        found = text
        match self.type:
            case "integer":
                value = parse_integer(text)
                if value is not None and not self._least() <= value <= self._most():
                    value = None
            case "boolean":
                value = BOOLEANS.get(text)
            case "choice":
                value = text if text in self.choices else None
            case "probability":
                value = parse_probability(text)
            case "cards":
                value, found = self._parse_cards(text)
        if value is None:
            near = did_you_mean(found, self.choices)
            if self.type == "boolean" and text.lower() in BOOLEANS:
                near = f"write {text.lower()}"
            message = f"parameter '{self.name}' must be {self.allowed}, found '{shorten(found)}'"
            raise BadParameter(self.name, message + (f"; {near}" if near else ""))
        return value

    def text_of(self, value: Value) -> str:
        """Return the text that means a value: `value_of(text_of(value)) == value`."""
        if self.type == "boolean":
            return "true" if value else "false"
        if self.type == "probability":
            whole, rest = divmod(int(value), MILLION)
            return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
        return str(value)

    def cards_in(self, value: Value) -> tuple[str, ...]:
        """Return the cards that a value of type `cards` stands for."""
        if value in ("all", "none"):
            return self.choices if value == "all" else ()
        return tuple(str(value).split(","))

    def _parse_cards(self, text: str) -> tuple[str | None, str]:
        """Return the value that a text means, or None and what of it is wrong."""
        if text in ("all", "none"):
            return text, text
        names = [name.strip() for name in text.split(",")]
        if not self.choices:  # the pack is not known yet
            return ",".join(names), text
        for name in names:
            if name not in self.choices:
                return None, name
        chosen = [name for name in self.choices if name in names]
        return ("all" if len(chosen) == len(self.choices) else ",".join(chosen)), text

    def _least(self) -> int:
        return 0 if self.least is None else self.least

    def _most(self) -> int:
        return 0 if self.most is None else self.most


def parse_probability(text: str) -> int | None:
    """Return the millionths of a decimal from 0 to 1, or None."""
    match = re.fullmatch(r"([01])(?:\.([0-9]{1,6}))?", text)
    if not match:
        return None
    millionths = int(match[1]) * MILLION + int((match[2] or "").ljust(6, "0"))
    return millionths if millionths <= MILLION else None


def unknown_parameter(name: str, known: Iterable[str], whose: str) -> BadParameter:
    """Return the outcome for a name that is no parameter of `whose`."""
    names = sorted(known)
    near = did_you_mean(name, names)
    has = f"it has {', '.join(names)}" if names else "it has none"
    return BadParameter(name, f"{whose} has no parameter '{shorten(name)}'; {near or has}")


def written(value: object) -> str:
    """Return a plain Python value of a parameter as it is written in a file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(sorted(map(str, value)))
    return str(value)
