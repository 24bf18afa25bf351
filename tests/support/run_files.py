"""Files of a tournament's folder that a repetition must reproduce byte by byte."""

import json
from pathlib import Path

FILES = ("manifest.json", "standings.csv", "pairs.csv", "results.json")


def contents(folder):
    return {name: Path(folder, name).read_bytes() for name in FILES}


def results(folder):
    return json.loads(Path(folder, "results.json").read_text())
