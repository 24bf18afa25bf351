"""Figures by themselves, such as for a notebook."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from logging import ERROR, getLogger

from trutdsl.diagnostics import BadUsage
from trutdsl.language import ENGLISH, say, speaking
from trutdsl.report.blocks import Page, Plot

# The colours of figures in a notebook; a page of results has its own.
COLOURS = (
    "--paper: #ffffff; --ink: #1c1e21; --faint: #6a6f76; --grid: #e3e5e8; --band: #e6e9f5; "
    "--strong: #b3261e; --mild: #b26a00; --even: #2f6690; --open: #6a6f76"
)


@dataclass(frozen=True)
class Picture:
    """A figure as SVG, whose colours are variables of the style sheet around it."""

    caption: str
    svg: str

    def _repr_html_(self) -> str:
        style = f"{COLOURS}; background: var(--paper); font-family: sans-serif; max-width: 55rem"
        caption = f'<figcaption style="color: var(--ink)">{escape(self.caption)}</figcaption>'
        return f'<figure style="{style}">{self.svg}{caption}</figure>'


def load_drawing() -> Callable[[Plot, bool], str]:
    """Return the function that draws figures as SVG; raises `BadUsage` without Matplotlib."""
    # Otherwise it reports a home folder that it may not write, which it does not need.
    getLogger("matplotlib").setLevel(ERROR)
    try:
        from trutdsl.report.figures import render_svg
    except ModuleNotFoundError as problem:
        text = "{name} is not installed, which draws figures; write: {command}"
        command = "pip install 'trutdsl[figures]'"
        raise BadUsage(say(text, name=problem.name, command=command)) from None
    return render_svg


def drawing_version() -> str:
    """Return the version of Matplotlib; raises `BadUsage` without it."""
    load_drawing()
    return version("matplotlib")


def pictures_in_html(pictures: Callable[[], Sequence[Picture]]) -> str:
    """Return figures as a notebook shows them, nothing without Matplotlib."""
    try:
        load_drawing()
    except BadUsage:
        return ""
    return "\n".join(picture._repr_html_() for picture in pictures())


def render_picture(plot: Plot) -> Picture:
    """Return a figure of a page by itself."""
    return Picture(plot.caption, load_drawing()(plot, True))


def render_pictures(make: Callable[[], Page]) -> list[Picture]:
    with speaking(ENGLISH):
        blocks = [block for section in make().sections for block in section.blocks]
        return [render_picture(block) for block in blocks if isinstance(block, Plot)]
