"""Phrases of rule books and of other languages, and what to write instead of them."""

from __future__ import annotations

import re

from trutdsl.syntax.phrases import cards, parts, sentences
from trutdsl.syntax.phrases.shared import fill

# The first that fits gives the help.
PHRASES = cards.PHRASES + sentences.PHRASES + parts.DECLARATIONS + parts.VALUES


def code_of(line: str) -> str:
    """Return a line of rules without its comment."""
    return re.sub(r"^((?:[^\"#]|\"[^\"]*\")*)#.*", r"\1", line).rstrip()


def hint_in_line(line: str, at: int) -> str | None:
    """Return the correction for the text around column `at` (from 0) of a line of code."""
    for pattern, help_ in PHRASES:
        for hit in re.finditer(pattern, line):
            if hit.start() <= at <= hit.end() + 1:
                return help_(hit) if callable(help_) else fill(help_, hit)
    return None
