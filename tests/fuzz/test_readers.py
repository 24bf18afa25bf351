"""A short run over every reader; what longer runs found; and defects that the net must find."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from extent import extent

from .readers import corpus
from .readers.formats import FORMATS, write_input
from .readers.inputs import make_input
from .readers.judge import judge
from .readers.planted import DEFECTS
from .readers.run import Failure, Plan, find_planted, keep, run
from .readers.work import MOST_STEPS

COUNT = extent(300, 2_000)  # `make fuzz` makes 200,000
FOUND = sorted((Path(__file__).parent / "readers/found").glob("*.*"))


def test_every_reader_answers_in_place_within_its_bounds():
    report = run(Plan(seed=19, count=COUNT))
    assert not report.failures, "\n".join(report.lines())
    assert report.inputs == COUNT and report.compared == extent(50, 250)
    answered = {outcome.split()[0] for outcome in report.outcomes}
    assert answered == set(FORMATS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder as the fuzz has it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr("trutdsl.interp.machine.MOST_STEPS", MOST_STEPS)
    corpus.lay_out(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.name)
def test_what_was_found_once_is_answered(path):
    one = FORMATS[path.name.split("-")[0]]
    file = write_input(one, path.read_bytes())
    assert judge(partial(one.read, file)).outcome != "accepted"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", FORMATS)
def test_some_of_what_is_changed_was_right_before(name):
    one = FORMATS[name]
    begun = one.begin()
    files = (write_input(one, data) for data in begun[:: -(-len(begun) // 12)])
    assert "accepted" in {judge(partial(one.read, file)).outcome for file in files}


def test_an_input_is_known_by_its_number():
    names = list(FORMATS)
    first = [make_input(3, number, names) for number in range(60)]
    assert [make_input(3, number, names) for number in range(60)] == first
    assert len({data for _, data in first}) > 50


@pytest.mark.parametrize("name", [name for name, one in DEFECTS.items() if one.quick])
def test_a_planted_defect_is_found(name):
    failure = find_planted(name)
    assert failure is not None
    assert failure.format in DEFECTS[name].formats


def test_an_input_that_failed_is_kept(tmp_path):
    plan = Plan(1, 10, formats=("document",))
    keep(plan, [Failure(4, "document", "wrong", "trace")], tmp_path)
    assert (tmp_path / "document-4.yaml").read_bytes() == make_input(1, 4, plan.formats)[1]
    assert (tmp_path / "document-4.txt").read_text() == "wrong\n\ntrace"
