"""Pieces of pages that comparisons and runs share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from trutdsl.arena.folder import canonical_json
from trutdsl.report.compared import unit_of
from trutdsl.report.figures.drawing import DRAWN_BY, SvgFigure, to_svg
from trutdsl.report.html.blocks import COOLEST, WARMEST, HtmlTable, Plot, TableCell
from trutdsl.report.language import say
from trutdsl.report.wording import shown


def plot(key: str, caption: str, about: str, draw: Callable[[bool], SvgFigure]) -> Plot:
    """Return a figure in both widths; draw: makes it, told whether it is the wide one."""
    wide, narrow = (
        to_svg(draw(is_wide), f"{key}-{'wide' if is_wide else 'narrow'}", caption, about)
        for is_wide in (True, False)
    )
    return Plot(caption, wide, narrow)


def estimate_text(kind: str, estimate: Mapping[str, Any] | None) -> str:
    """Return a metric's value with its interval; nothing for none."""
    if estimate is None:
        return ""
    return shown(estimate, unit_of(kind))


def heat(number: float, least: float, most: float) -> int:
    """Return the step of colour of a number between two others."""
    share = (number - least) / (most - least) if most > least else 0.5
    return min(COOLEST, max(WARMEST, round(share * (COOLEST - WARMEST))))


def fingerprints(
    asked: Mapping[str, Any], variants: Mapping[str, str], results: Mapping[str, Any]
) -> HtmlTable:
    """Return what everything was: versions, and fingerprints of what was played by whom."""
    content = sha256(canonical_json(results).encode()).hexdigest()
    rows = [
        ("trutdsl", asked["trutdsl"]),
        (say("engine"), asked["engine"]),
        (say("seed"), str(asked["seed"])),
        *((say("variant {name}", name=name), found) for name, found in variants.items()),
        *((say("strategy {name}", name=n), found) for n, found in asked["strategies"].items()),
        (say("all these results"), content),
        (say("figures drawn by"), DRAWN_BY),
    ]
    caption = say("Versions, seed and fingerprints (SHA-256)")
    cells = [[TableCell(name), TableCell(text, look="code")] for name, text in rows]
    return HtmlTable(caption, [say("what"), say("which")], cells, (0, 1))
