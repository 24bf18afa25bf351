"""A short fuzz of every reader, earlier findings, and planted defects that the fuzz must find."""

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
from .readers.run import Failure, Plan, find_planted, run, write_failures
from .readers.work import MOST_STEPS

COUNT = extent(
    150, 2_000
)  # with this seed, 150 inputs have every format; `make fuzz` makes 200,000
STORED_INPUTS = sorted((Path(__file__).parent / "readers/found").glob("*.*"))


def test_every_reader_keeps_its_promises():
    report = run(Plan(seed=60, count=COUNT))
    assert not report.failures, "\n".join(report.lines())
    assert report.inputs == COUNT and report.compared == extent(50, 250)
    answered = {outcome.split()[0] for outcome in report.outcomes}
    assert answered == set(FORMATS)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder like that of the fuzz."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr("trutdsl.interp.machine.MOST_STEPS", MOST_STEPS)
    corpus.fill_folder(tmp_path)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("path", STORED_INPUTS, ids=lambda path: path.name)
def test_earlier_findings_are_refused(path):
    one = FORMATS[path.name.split("-")[0]]
    file = write_input(one, path.read_bytes())
    assert judge(partial(one.read, file)).outcome != "accepted"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", FORMATS)
def test_each_corpus_has_accepted_files(name):
    one = FORMATS[name]
    originals = one.load_corpus()
    files = (write_input(one, data) for data in originals[:: -(-len(originals) // 12)])
    assert any(judge(partial(one.read, file)).outcome == "accepted" for file in files)


def test_a_number_determines_an_input():
    names = list(FORMATS)
    first = [make_input(3, number, names) for number in range(60)]
    assert [make_input(3, number, names) for number in range(60)] == first
    assert len({data for _, data in first}) > 50


@pytest.mark.parametrize(
    "name", [name for name, one in DEFECTS.items() if one.quick][: extent(1, None)]
)
def test_a_planted_defect_is_found(name):
    failure = find_planted(name)
    assert failure is not None
    assert failure.format in DEFECTS[name].formats


def test_a_failed_input_is_written(tmp_path):
    plan = Plan(1, 10, formats=("document",))
    write_failures(plan, [Failure(4, "document", "wrong", "trace")], tmp_path)
    assert (tmp_path / "document-4.yaml").read_bytes() == make_input(1, 4, plan.formats)[1]
    assert (tmp_path / "document-4.txt").read_text() == "wrong\n\ntrace"
