"""The definitions of a variant by name: each with its text, its file and its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from trutdsl.diagnostics import Span
from trutdsl.syntax import ast
from trutdsl.variant.model import Layer, Variant

Declaration = ast.Rule | ast.Define | ast.Group | ast.Addition | ast.Zone | ast.Variable


@dataclass(frozen=True)
class Definition:
    """A part of the rules with a name.

    name: such as `turn`, `before turn`, `options announced` or `add to ask turn`. kind: `rule`,
    `define`, `options`, `zone` or `state`. help: its sentence, or None. cites: the ids in its
    heading. layer: the file's name.
    """

    name: str
    kind: str
    help: str | None
    cites: tuple[str, ...]
    layer: str
    span: Span

    @property
    def text(self) -> str:
        """Its lines as they are written, without blank lines and comments at the end."""
        span = self.span
        beyond = span.end_line + (span.end_col > 1 and span.end_line == span.line)
        lines = span.source.lines[span.line - 1 : max(beyond, span.line + 1) - 1]
        while len(lines) > 1 and lines[-1].strip()[:1] in ("", "#"):
            lines.pop()
        return "\n".join(line[self._indent(line) :] for line in lines)

    def _indent(self, line: str) -> int:
        return min(self.span.col - 1, len(line) - len(line.lstrip()))


def definitions(variant: Variant) -> dict[str, list[Definition]]:
    """Return all definitions by name, those of the bases first."""
    found: dict[str, list[Definition]] = {}
    for layer in variant.layers:
        for one in _of_layer(layer):
            found.setdefault(one.name, []).append(one)
    return found


def _of_layer(layer: Layer) -> Iterator[Definition]:
    rules = layer.rules
    if rules is None:
        return
    parts: list[tuple[str, str, Declaration]] = [
        *((f"{r.piece} {r.name.text}" if r.piece else r.name.text, "rule", r) for r in rules.rules),
        *((d.name.text, "define", d) for d in rules.defines),
        *((f"options {g.name.text}", "options", g) for g in rules.groups),
        *((f"add to ask {a.decision.text}", "options", a) for a in rules.additions),
        *((z.name.text, "zone", z) for z in rules.zones),
        *((v.name.text, "state", v) for v in rules.variables),
    ]
    for name, kind, node in parts:
        help_text = None if isinstance(node, ast.Zone | ast.Variable) else node.help
        cites = None if isinstance(node, ast.Zone | ast.Variable) else node.cites
        yield Definition(name, kind, help_text, tuple((cites or "").split()), layer.name, node.span)
