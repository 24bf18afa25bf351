"""Brings a variant of an older edition up: one step for each change of the language.

A step is the edit that a mistake of the present edition carries, where older files could write so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trutdsl.diagnostics import Diagnostic, Edit, Rejected, Span
from trutdsl.ir import build_program
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant import Variant
from trutdsl.variant.editions import rewrite, warn_of
from trutdsl.variant.manifest import LATEST

ROUNDS = 20  # a mistake may hide others
OPENLY = "openly("


def bring_up(variant: Variant) -> Variant:
    """Return a variant whose older files are rewritten where the present edition refuses them.

    Its `older` has a warning for each place. Raises `Rejected` with what no step cures.
    """
    if all(layer.edition >= LATEST for layer in variant.layers):
        return variant
    warnings = [w for layer in variant.layers if layer.text for w in layer.text.older]
    for _ in range(ROUNDS):
        try:
            build_program(variant)
            break
        except Rejected as rejection:
            old = {
                layer.text.excerpt.source
                for layer in variant.layers
                if layer.text is not None and layer.edition < LATEST
            }
            diagnostics = rejection.diagnostics
            rest = [
                d
                for d in diagnostics
                if not d.edits or any(e.span.source not in old for e in d.edits)
            ]
            if rest:
                raise Rejected(rest) from None
            warnings += [_warning(d) for d in diagnostics]
            variant = rewrite(variant, _edits_of(variant, diagnostics))
    return replace(variant, older=tuple(warnings)) if warnings else variant


def _warning(diagnostic: Diagnostic) -> Diagnostic:
    text = "edition {edition} refuses this: {message}; {help}"
    message = say(text, edition=LATEST, message=diagnostic.message, help=diagnostic.help or "")
    return warn_of(message, diagnostic.span, diagnostic.place)


def _edits_of(variant: Variant, diagnostics: Iterable[Diagnostic]) -> Iterator[Edit]:
    edits = [edit for one in diagnostics for edit in one.edits]
    yield from edits
    yield from _openly_in_rules(variant, [e.span for e in edits if e.span.text == OPENLY])


def _openly_in_rules(variant: Variant, spans: list[Span]) -> Iterator[Edit]:
    """Yield `openly(...)` around the calls in rules of the defines that have lost it."""
    if not spans:
        return
    texts = [layer.rules for layer in variant.layers if layer.rules is not None]
    defines = [one for text in texts for one in text.defines]
    names = {d.name.text for d in defines if any(_within(span, d.span) for span in spans)}
    more = True
    while more:
        callers = {d.name.text for d in defines if any(_calls(n, names) for n in ast.walk(d.body))}
        more = not callers <= names
        names |= callers
    for layer in variant.layers:
        if layer.rules is None or layer.edition >= LATEST:
            continue
        for node in ast.walk((layer.rules.rules, layer.rules.groups, layer.rules.additions)):
            if _calls(node, names):
                span = node.span
                yield Edit(replace(span, end_line=span.line, end_col=span.col), OPENLY)
                yield Edit(replace(span, line=span.end_line, col=span.end_col), ")")


def _within(span: Span, outer: Span) -> bool:
    start, end = (outer.line, outer.col), (outer.end_line, outer.end_col)
    return span.source is outer.source and start <= (span.line, span.col) < end


def _calls(node: ast.Node, names: set[str]) -> bool:
    match node:
        case ast.Call(name=word):
            return word.text in names
        case ast.Name(name=name):
            return name in names
    return False
