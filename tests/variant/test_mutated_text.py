"""Mutated texts of variant files are accepted or refused, without an exception."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from trutdsl.diagnostics import Collector, Rejected, Source, render
from trutdsl.variant.compose_yaml import read_document
from trutdsl.variant.manifest import read_manifest

LIBRARY = Path(__file__).parent / "library"
TEXTS = [path.read_text() for path in sorted(LIBRARY.glob("**/*.yaml"))]
SIGNS = "[]{}:,-?&*!|>'\"%@`#\n \t\\~<0.aé"


@st.composite
def mutated_texts(draw):
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.text(SIGNS, max_size=4)) + text[end:]
    return text


@given(mutated_texts())
@example("a: |1\n b\n")
@example("? &a [*a]\n: 1\n")
@example("variant: |\n  a\n")
@example("variant: base\npack: {by: [], of: []}\nteams: {2: {}, [2]: 3}\n")
def test_any_text_is_accepted_or_refused_with_positions(text):
    source = Source("base.yaml", text)
    errors = Collector()
    try:
        read_manifest(read_document(source), "base", errors)
        found = tuple(errors.diagnostics)
    except Rejected as rejected:
        found = rejected.diagnostics
        assert found
    for diagnostic in found:
        assert 1 <= diagnostic.span.line <= len(source.lines)
        assert 1 <= diagnostic.span.col <= len(source.line(diagnostic.span.line)) + 1
        assert render(diagnostic)
