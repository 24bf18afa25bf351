"""What the tests of reports share: a comparison and a tournament with their pages."""

import json
import sys
from pathlib import Path

import pytest

from trutdsl.cli.app import run as command
from trutdsl.report import page as stored
from trutdsl.tournaments.folder import read_given

# The fake game, and the sets made up without playing, stand beside the tests of their users.
for folder in ("tournaments", "stats"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))

COMPARE = "compare trut trut-gatinaise --players 2 --sets 8 --jobs 1"
TOURNAMENT = "tournament trut --strategies steady,caller,quiet --sets 8 --jobs 1"


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """Return the folders of a comparison and of a tournament."""
    root = tmp_path_factory.mktemp("held")
    assert command([*COMPARE.split(), "--out", str(root / "compared")]) == 0
    assert command([*TOURNAMENT.split(), "--out", str(root / "run")]) == 0
    return {"comparison": root / "compared", "run": root / "run"}


@pytest.fixture(scope="session")
def results(folders):
    """Return what the two came to."""
    files = {"comparison": "comparison.json", "run": "results.json"}
    return {kind: json.loads((folders[kind] / name).read_text()) for kind, name in files.items()}


@pytest.fixture(scope="session")
def written(folders):
    """Return the pages of the two, in English."""
    return {
        kind: stored.write_up(folder, "en", given=read_given(folder))
        for kind, folder in folders.items()
    }
