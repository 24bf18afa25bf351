"""Writes the pictures of README.md from real output; `make pictures` runs it."""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
COLUMNS = 100
HOUSE = """variant: short-trut
title: Trut to three longs, called only on one's own turn
extends: trut
set: {goal: 3, trut_window: own_turn}
"""
COMPARE = "compare trut short-trut.yaml --players 4 --sets 2000 --seed 1"
TOURNAMENT = "tournament trut --strategies steady,caller,quiet,bluffer --sets 2000 --seed 1"
# Rich's template of a terminal, without fonts from the network.
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
  font: {char_height}px/{line_height}px Menlo, Consolas, "DejaVu Sans Mono", monospace;
}}
{styles}
</style>
<defs>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def run(command: str, folder: Path) -> str:
    """Return what a command prints on a terminal."""
    env = {"COLUMNS": str(COLUMNS), "PATH": "/usr/bin:/bin", "HOME": str(folder)}
    call = [sys.executable, "-m", "trutdsl", *command.split()]
    return subprocess.run(
        call, cwd=folder, env=env, check=True, capture_output=True, text=True
    ).stdout


def draw_terminal(command: str, printed: str) -> str:
    """Return a command and its output as a picture of a terminal."""
    with Path("/dev/null").open("w") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere)
        console.print(f"$ trutdsl {command}", style="bold", highlight=False)
        console.print(Text.from_ansi(printed))
        return console.export_svg(title="trutdsl", code_format=FRAME, unique_id="trutdsl")


def extract_figure(page: str) -> str:
    """Return the first figure of a page, in the page's light colours."""
    svg = re.search(r"<svg .*?</svg>", page, re.DOTALL)
    assert svg, "the page has a figure"
    colours = dict(reversed(re.findall(r"(--[a-z]+):\s*(#[0-9a-fA-F]+|[a-z]+\([^)]*\))", page)))
    drawn = re.sub(r"var\((--[a-z]+)\)", lambda match: colours[match[1]], svg[0])
    drawn = html.unescape(drawn).replace("&", "&amp;")
    start = '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" '
    drawn = drawn.replace("<svg ", start, 1)
    paper = '</desc><rect width="100%" height="100%" fill="white" />'  # for dark screens
    return drawn.replace("</desc>", paper, 1) + "\n"


def main() -> None:
    """Write both pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "short-trut.yaml").write_text(HOUSE, encoding="utf-8")
        printed = run(TOURNAMENT + " --out tournament", folder)
        (PICTURES / "tournament.svg").write_text(
            draw_terminal(TOURNAMENT, printed), encoding="utf-8"
        )
        run(COMPARE + " --out compared", folder)
        run("report compared -o page.html", folder)
        page = (folder / "page.html").read_text(encoding="utf-8")
        (PICTURES / "compare.svg").write_text(extract_figure(page), encoding="utf-8")


if __name__ == "__main__":
    main()
