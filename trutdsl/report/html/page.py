"""Lays out a page by its templates, as one HTML file that needs nothing else."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined

from trutdsl.report.html.blocks import COOLEST, EVEN, Page
from trutdsl.report.language import say


def render_page(page: Page, language: str) -> str:
    """Return a page as HTML; whatever a name holds is shown as text."""
    environment = Environment(
        loader=PackageLoader("trutdsl.report.html"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    failed = [check for check in page.checks if not check.holds]
    # How strong the colour of each step is, in 100; which one, by the side of the middle.
    steps = [
        (step, "warm" if step < EVEN else "cool", 7 * abs(step - EVEN))
        for step in range(COOLEST + 1)
    ]
    template = environment.get_template("page.html")
    return template.render(page=page, failed=failed, language=language, say=say, steps=steps)
