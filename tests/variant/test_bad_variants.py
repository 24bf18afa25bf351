"""Files that must be refused, each beside the exact text that a person then sees."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import trutdsl.variant
from trutdsl.variant import load_variant

BAD = Path(__file__).parent / "bad"
CASES = sorted(path.stem for path in BAD.glob("*.yaml"))
# Seen in test_hostile_files.py, where the files are made: too large, not text, too deep, ...
ELSEWHERE = {"alias-bomb", "missing-file", "not-a-file", "not-utf8", "too-deep", "too-large"}
ELSEWHERE |= {"unreadable"}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_is_refused_with_the_expected_text(name, library, refusal, monkeypatch):
    monkeypatch.chdir(BAD)
    shown = refusal(lambda: load_variant(Path(f"{name}.yaml"), library=library))
    assert shown + "\n" == (BAD / f"{name}.expected").read_text()


def test_every_bad_file_has_its_expected_text_and_the_other_way_round():
    assert sorted(path.stem for path in BAD.glob("*.expected")) == CASES
    assert len(CASES) > 80


def test_every_code_is_seen():
    folder = Path(trutdsl.variant.__file__).parent
    calls = r'(?:error|fail|reject|refuse)\(\s*f?"([a-z0-9{}-]+)"'
    codes = {code for path in folder.glob("*.py") for code in re.findall(calls, path.read_text())}
    codes |= {"yaml-syntax", "wrong-type", "bad-default", "unknown-module", "unknown-variant"}
    codes |= {"alias-bomb", "extends-cycle", "uses-cycle"}
    codes -= {"{verb}-cycle", "unknown-{kind}"}
    shown = "".join(path.read_text() for path in BAD.glob("*.expected"))
    seen = set(re.findall(r"\[([a-z0-9-]+)\]$", shown, re.MULTILINE))
    assert codes - seen - ELSEWHERE == set()
    assert len(codes) >= 40
