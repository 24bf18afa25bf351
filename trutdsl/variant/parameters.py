"""Parameters of a variant: their types, and conversion of texts to values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from trutdsl.diagnostics import BadUsage, Span, did_you_mean
from trutdsl.language import one_by_one, say
from trutdsl.variant.read_values import BOOLEANS, parse_integer, shorten

MILLION = 1_000_000
YES_NO = {"oui": "true", "vrai": "true", "non": "false", "faux": "false"}

Value: TypeAlias = int | bool | str
ParameterType: TypeAlias = Literal["integer", "boolean", "choice", "probability", "cards"]
Pool: TypeAlias = Literal["special_pack", "pack_cards"]


class BadParameter(BadUsage):
    """A parameter that does not exist or a value that it cannot take, in one line.

    name: the parameter as the user wrote it. known: whether there is one of this name.
    """

    def __init__(self, name: str, message: str, known: bool = True) -> None:
        super().__init__(message)
        self.name, self.known = name, known


@dataclass(frozen=True)
class Parameter:
    """A parameter of a variant.

    default:      the effective one in a `Variant`, the declared one in a `Manifest`. It is an int
                  for `integer`, millionths for `probability`, a bool for `boolean`, a text for
                  `choice`. For `cards` it is their texts with commas, in the order of the pack,
                  `all` or `none`.
    least, most:  the bounds of an `integer`, else None.
    choices:      the texts of a `choice`; of `cards` all that may be in the set, which is not known
                  in a `Manifest`; else empty.
    pool:         which part of the pack `cards` are from, as rules call it, else None.
    is_choice:    sources are silent or differ here (`choice: true`).
    span:         its name where it is declared; default_span: the default, or the `set` of it.
    """

    name: str
    type: ParameterType
    default: Value
    help: str
    span: Span
    default_span: Span
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    pool: Pool | None = None
    source: str | None = None
    is_choice: bool = False

    @property
    def allowed(self) -> str:
        """Its possible values, in words."""
        match self.type:
            case "integer":
                return say(
                    "a whole number from {least} to {most}", least=self.least, most=self.most
                )
            case "boolean":
                return say("true or false")
            case "choice":
                return say("one of ") + ", ".join(self.choices)
            case "probability":
                return say("a decimal from 0 to 1 with at most 6 places, such as 0.25")
            case "cards":
                known = ", ".join(self.choices) or say("the cards of the pack")
                return say("all, none, or some of these, with commas: {known}", known=known)

    def value_of(self, text: str) -> Value:
        """Return the value of a text; raise `BadParameter` if it has none."""
        value: Value | None = None
        part = text
        match self.type:
            case "integer":
                value = parse_integer(text)
                if value is not None and not (self.least or 0) <= value <= (self.most or 0):
                    value = None
            case "boolean":
                value = BOOLEANS.get(text)
            case "choice":
                value = text if text in self.choices else None
            case "probability":
                value = parse_probability(text)
            case "cards":
                value, part = self._parse_cards(text)
        if value is None:
            whole = [one for one in self.choices if part and one.startswith(part.lower())]
            meant = say("did you mean '{inside}'?", inside=whole[0]) if len(whole) == 1 else None
            hint = meant or did_you_mean(part, self.choices)
            if self.type == "boolean" and text.lower() in {**BOOLEANS, **YES_NO}:
                hint = say("write {lower}", lower=YES_NO.get(text.lower(), text.lower()))
            elif self.type == "probability" and (decimal := _decimal_meant_by(text)):
                hint = say("write {lower}", lower=decimal)
            elif self.type == "integer" and (whole_number := re.fullmatch(r"(\d+)\.0+", text)):
                hint = say("write {lower}", lower=whole_number[1])
            elif self.type == "integer" and re.fullmatch(r"\d+(\.\.|,)\d[\d,]*", text):
                call = f"`trutdsl sweep VARIANT --param {self.name}={text}`"
                hint = say("{call} plays several values", call=call)
            message = say(
                "parameter '{name}' must be {allowed}, found '{found}'",
                name=self.name,
                allowed=self.allowed,
                found=shorten(part),
            )
            raise BadParameter(self.name, one_by_one(filter(None, (message, hint))))
        return value

    def text_of(self, value: Value) -> str:
        """Return the text of a value: `value_of(text_of(value)) == value`."""
        if self.type == "boolean":
            return "true" if value else "false"
        if self.type == "probability":
            whole, rest = divmod(int(value), MILLION)
            return f"{whole}.{rest:06}".rstrip("0").rstrip(".")
        return str(value)

    def cards_in(self, value: Value) -> tuple[str, ...]:
        """Return the cards of a value of type `cards`."""
        if value in ("all", "none"):
            return self.choices if value == "all" else ()
        return tuple(str(value).split(","))

    def _parse_cards(self, text: str) -> tuple[str | None, str]:
        """Return the value of a text, or None and what is wrong with it."""
        if text in ("all", "none"):
            return text, text
        names = [name.strip() for name in text.split(",")]
        if not self.choices:  # before packs are merged
            return ",".join(names), text
        for name in names:
            if name not in self.choices:
                return None, name
        cards = [name for name in self.choices if name in names]
        return ("all" if len(cards) == len(self.choices) else ",".join(cards)), text


def _decimal_meant_by(text: str) -> str | None:
    """Return the decimal for a percentage, a fraction or a decimal with a comma."""
    number = r"(\d{1,6}(?:[.,]\d{1,6})?)"
    part, whole = "", "100"
    if hit := re.fullmatch(rf"{number}\s*%", text):
        part = hit[1]
    elif hit := re.fullmatch(rf"{number}\s*(?:/|out of|in|sur)\s*(\d{{1,6}})", text):
        part, whole = hit[1], hit[2]
    elif hit := re.fullmatch(r"(0?[.,]\d{1,6})", text):
        part, whole = hit[1], "1"
    if not part or not int(whole):
        return None
    share = Fraction(part.replace(",", ".")) / int(whole)
    return f"{float(share):.6f}".rstrip("0").rstrip(".") if share <= 1 else None


def parse_probability(text: str) -> int | None:
    """Return the millionths of a decimal from 0 to 1, or None."""
    hit = re.fullmatch(r"([01])(?:\.([0-9]{1,6}))?", text)
    if not hit:
        return None
    millionths = int(hit[1]) * MILLION + int((hit[2] or "").ljust(6, "0"))
    return millionths if millionths <= MILLION else None


def unknown_parameter(name: str, known: Iterable[str], whose: str) -> BadParameter:
    """Return the error for a name that is no parameter of `whose`."""
    names = sorted(known)
    hint = did_you_mean(name, names)
    has = say("it has {names}", names=", ".join(names)) if names else say("it has none")
    text = "{whose} has no parameter '{name}'; {near}"
    message = say(text, whose=whose, name=shorten(name), near=hint or has)
    return BadParameter(name, message, known=False)


def format_value(value: object) -> str:
    """Return a plain Python value of a parameter in the notation of files."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(sorted(map(str, value)))
    return str(value)
