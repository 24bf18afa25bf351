"""Tests that need more than the extra `dev`: each folder has a marker and a target of make."""

import re

import pytest


@pytest.fixture
def markers(pytestconfig):
    """Return the names of the markers of this project."""
    return set(
        re.findall(r"^(\w+): needs ", "\n".join(pytestconfig.getini("markers")), re.MULTILINE)
    )


def test_each_marker_has_a_folder_and_a_target(root, markers):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(
        r"^test-(\w+):(?:.*\n\t)+.* -m (\w+) tests/(\w+)\n", makefile, re.MULTILINE
    )
    assert targets == [(name, name, name) for name, *_ in targets]
    assert {name for name, *_ in targets} == markers
    assert all((root / "tests" / name).is_dir() for name in markers)


def test_marked_tests_run_only_on_request(root, markers, pytestconfig):
    def is_ignored(name):
        path = root / "tests" / name
        return pytestconfig.hook.pytest_ignore_collect(collection_path=path, config=pytestconfig)

    assert {name for name in markers if is_ignored(name)} == markers
    assert not is_ignored("stats")
