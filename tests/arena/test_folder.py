import json

import pytest

from trutdsl.arena.folder import canonical_json, open_folder
from trutdsl.game import BadUsage

MANIFEST = {
    "trutdsl": "1",
    "seed": 1,
    "variant": {"name": "trut", "fingerprint": "a" * 64},
    "strategies": {"bold": "1", "meek": "2"},
}


def refuse(message):
    raise AssertionError(f"nothing was to be said, but: {message}")


def begin(folder, manifest=MANIFEST):
    with open_folder(folder, manifest, refuse) as journal:
        journal.add("key", 0, 1, [1])


def test_a_folder_is_made_with_its_manifest(tmp_path):
    begin(tmp_path / "new" / "run")
    text = (tmp_path / "new" / "run" / "manifest.json").read_text()
    assert json.loads(text) == MANIFEST and text == canonical_json(MANIFEST)


def test_the_same_experiment_goes_on(tmp_path):
    begin(tmp_path)
    with open_folder(tmp_path, dict(reversed(MANIFEST.items())), refuse) as journal:
        assert journal.has("key")


@pytest.mark.parametrize("lost", [None, "manifest.json", "journal.sqlite"])
def test_another_experiment_is_refused_and_the_difference_named(tmp_path, lost):
    begin(tmp_path)
    if lost:
        (tmp_path / lost).unlink()
    before = sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir())
    other = MANIFEST | {
        "seed": 2,
        "variant": {"name": "trut", "fingerprint": "b" * 64},
        "strategies": {"bold": "1", "shy": "3"},
    }
    with pytest.raises(BadUsage) as refused:
        open_folder(tmp_path, other, refuse)
    assert str(refused.value) == (
        f"{tmp_path} holds another experiment (seed: 1 there, 2 here; "
        "strategies.meek: 2 there, nothing here; strategies.shy: nothing there, 3 here; "
        "variant.fingerprint: aaaaaaaaaaaa... there, bbbbbbbbbbbb... here); "
        f"write --out {tmp_path}-2"
    )
    assert sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir()) == before


def test_a_damaged_journal_is_set_aside_in_one_message(tmp_path):
    begin(tmp_path)
    (tmp_path / "journal.sqlite").write_bytes(b"nonsense" * 100)
    told = []
    with open_folder(tmp_path, MANIFEST, told.append) as journal:
        assert not journal.has("key")
    assert told == [
        f"{tmp_path / 'journal.sqlite'} is damaged (file is not a database); "
        "it is now journal.sqlite.damaged-1, and the run starts anew"
    ]
    assert (tmp_path / "journal.sqlite.damaged-1").read_bytes() == b"nonsense" * 100


@pytest.mark.parametrize("content", ["", "[1]", '{"name": "a web page"}'])
def test_a_manifest_of_something_else_is_left_alone(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadUsage, match="is not the manifest of a trutdsl run"):
        open_folder(tmp_path, MANIFEST, refuse)
    assert [p.name for p in tmp_path.iterdir()] == ["manifest.json"]


def test_a_file_where_the_folder_should_be_is_refused(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(BadUsage, match="cannot be used as a run's folder"):
        open_folder(tmp_path / "run", MANIFEST, refuse)
