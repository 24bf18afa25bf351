"""`python -m tests.calibration FOLDER`: writes the table as Markdown and as CSV."""

from __future__ import annotations

import sys
from dataclasses import astuple, fields
from pathlib import Path

from tests.calibration.tournaments import POINTS, Row, calibrate
from trutdsl.stats.metric import MATCHES

RUNS = 1000
HEAD = (
    "A/A tournaments of equal strategies: the share of tournaments in which any two are called "
    "different (at most 5 %),\nand how often 95 % intervals of scores and of differences hold.\n"
)


def rows(runs: int) -> list[Row]:
    """Return the whole table."""
    tables = [(2, 2, MATCHES), (6, 2, MATCHES), (6, 2, POINTS), (4, 3, MATCHES)]
    sizes = (20, 39, 40, 100, 200)
    return [calibrate(*table, sets, runs) for table in tables for sets in sizes]


def main(folder: Path, runs: int) -> None:
    """Write `calibration.md` and `calibration.csv`."""
    found, names = rows(runs), [field.name for field in fields(Row)]
    lines = [" | ".join(names), " | ".join("---" for _ in names)]
    lines += [" | ".join(_text(value, ".1%") for value in astuple(row)) for row in found]
    table = "\n".join(f"| {line} |" for line in lines)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "calibration.md").write_text(f"{HEAD}\n{table}\n", encoding="utf-8")
    csv = [",".join(names), *(",".join(_text(v, ".4f") for v in astuple(row)) for row in found)]
    (folder / "calibration.csv").write_text("\n".join(csv) + "\n", encoding="utf-8")


def _text(value: object, form: str) -> str:
    return f"{value:{form}}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else RUNS)
