"""Refuses files of another kind: scenarios, scripts, and files that do not name their kind."""

from __future__ import annotations

import re

from trutdsl.diagnostics import Collector
from trutdsl.language import say
from trutdsl.variant.key_advice import key_meant_by
from trutdsl.variant.read_values import HYPHENATED
from trutdsl.variant.source import kind_of_keys, name_other
from trutdsl.variant.yaml_nodes import Scalar, YamlMapping


def refuse_without_kind(node: YamlMapping, errors: Collector) -> None:
    """Add the diagnostic for a file without `variant` and `module`."""
    first = node.entries[0][0] if node.entries else None
    if first and first.text.startswith("strategy "):
        message = say("this is a script, not a variant")
        help_text = say("a script's name ends in .strategy; rename the file")
        errors.error("wrong-kind", message, node.span, help=help_text)
        return
    help_text = say("begin with 'variant: NAME'")
    for key, _ in node.entries:
        if meant := key_meant_by(key.text, ("variant", "module")):
            text = "write `{found}` instead of `{instead}`"
            help_text = say(text, found=meant, instead=key.text)
            errors.error("missing-key", _no_kind(), key.span, help=help_text)
            return
    errors.error("missing-key", _no_kind(), node.span, help=help_text)


def _no_kind() -> str:
    return say("the file says neither 'variant: NAME' nor 'module: NAME'")


def refuse_other_kind(node: YamlMapping, expected: str, errors: Collector) -> bool:
    """Add the diagnostic for a YAML file of another kind; return whether there is one.

    expected: a kind of `trutdsl.variant.source`.
    """
    values = node.by_name
    kind, one = kind_of_keys(values), values.get("scenario")
    if kind in (None, expected):
        return False
    known = isinstance(one, Scalar) and re.fullmatch(HYPHENATED.pattern, one.text)
    help_text = name_other(expected, kind, node.span.source.name, known[0] if known else "NAME")
    message = say("this is {found}, not {expected}", found=say(kind), expected=say(expected))
    errors.error("wrong-kind", message, node.span, help=help_text)
    return True
