"""Warnings about words: options that look like something else, names that scripts cannot read."""

from __future__ import annotations

import re

from trutdsl.ir import nodes
from trutdsl.ir.check.dealing import Warnings
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import SCRIPT_FUNCTIONS, SCRIPT_VALUES
from trutdsl.language import say
from trutdsl.variant import Variant

RANGE = re.compile(r"(.*?)(?: \w)?(?: in)? ?(\d+) (?:to|à|a|bis|or|ou) (\d+)")  # words of an option
TWO = re.compile(r"(.+) (?:or|ou|oder|o) (.+)")
CONDITION = re.compile(r"(.+?) (?:if|si|wenn) (.+)")
MARK = re.compile(r"\b(?:openly|as pass)\b")


def find_words_of_options(body: nodes.Node, warnings: Warnings) -> None:
    """Warn of options whose words look like a choice or a mark."""
    for node in walk(body):
        words = " ".join(node.words) if isinstance(node, nodes.Option) else ""
        if hit := RANGE.fullmatch(words):
            text = "the option '{words}' is one choice with these words, not a choice of a number"
            help_ = say(
                "write `{words} n from {low} to {high}`",
                words=hit[1] or "bid",
                low=hit[2],
                high=hit[3],
            )
            warnings.warn("range-in-words", say(text, words=words), node.span, help=help_)
        elif hit := TWO.fullmatch(words):
            message = say("the option '{words}' is one choice with these words", words=words)
            help_ = say("write `{one}` and `{other}` on a line each", one=hit[1], other=hit[2])
            warnings.warn("choice-in-words", message, node.span, help=help_)
        elif hit := CONDITION.fullmatch(words):
            message = say(
                "the option '{words}' is always possible; these are its words", words=words
            )
            help_ = say("write `{spoken}`", spoken=f"{hit[1]} when {hit[2]}")
            warnings.warn("condition-in-words", message, node.span, help=help_)
        if hit := MARK.search(words):
            text = "in the option '{words}', `{mark}` belongs to the words and has no effect"
            message = say(text, words=words, mark=hit[0])
            help_ = say("write it last, as in `OPTION when CONDITION openly as pass`")
            warnings.warn("mark-in-words", message, node.span, help=help_)


def find_names_of_scripts(program: nodes.Program, variant: Variant, warnings: Warnings) -> None:
    """Warn of names that mean something else in scripts, so that no script can read them."""
    warnings.place = None
    found = [(one.name, one.span) for one in variant.parameters.values()]
    # In scripts `shown` can have an index, too.
    places = (one for one in program.declarations if one.index is None or one.name == "shown")
    found += [(one.name, one.span) for one in places]
    found = [one for one in found if one[0] in SCRIPT_VALUES]
    for function in program.functions.values():
        if function.name in (SCRIPT_FUNCTIONS if function.params else SCRIPT_VALUES):
            found.append((function.name, function.span))
    for name, span in found:
        message = say(
            "no script can read this '{name}'; there the word means something else", name=name
        )
        help_ = say("choose another name, so that strategies can use it")
        warnings.warn("word-of-scripts", message, span, help=help_)
