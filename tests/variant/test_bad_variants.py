"""Files that must be refused, each with the exact expected text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import trutdsl.variant
from trutdsl.variant import load_variant

BAD = Path(__file__).parent / "bad"
CASES = sorted(path.stem for path in BAD.glob("*.yaml"))
# Codes that are tested in test_hostile_files.py, which creates its files.
OTHER_CODES = {
    "alias-bomb",
    "missing-file",
    "not-a-file",
    "merge-conflict",
    "not-text",
    "not-utf8",
    "too-deep",
    "too-large",
}
OTHER_CODES |= {"unreadable"}


@pytest.mark.parametrize("name", CASES)
def test_a_bad_file_is_refused_with_the_expected_text(
    name, library, refusal, monkeypatch, expect_file
):
    monkeypatch.chdir(BAD)
    shown = refusal(lambda: load_variant(Path(f"{name}.yaml"), library=library))
    expect_file(BAD / f"{name}.expected", shown + "\n")


def test_bad_files_and_expected_texts_correspond():
    assert sorted(path.stem for path in BAD.glob("*.expected")) == CASES
    assert len(CASES) > 80


def test_every_code_occurs_in_an_expected_text():
    folder = Path(trutdsl.variant.__file__).parent
    calls = r'(?:error|fail|reject|refuse)\(\s*f?"([a-z0-9{}-]+)"'
    codes = {code for path in folder.glob("*.py") for code in re.findall(calls, path.read_text())}
    codes |= {"yaml-syntax", "wrong-type", "bad-default", "unknown-module", "unknown-variant"}
    codes |= {"alias-bomb", "extends-cycle", "uses-cycle"}
    codes -= {"{verb}-cycle", "unknown-{kind}"}
    shown = "".join(path.read_text() for path in BAD.glob("*.expected"))
    seen = set(re.findall(r"\[([a-z0-9-]+)\]$", shown, re.MULTILINE))
    assert codes - seen - OTHER_CODES == set()
    assert len(codes) >= 40
