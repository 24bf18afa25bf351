"""The folder of a run: its manifest, and the recovery of its journal."""

import json
import os
import re
import signal
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from trutdsl.cli.app import run
from trutdsl.diagnostics import refuse_os_errors
from trutdsl.files import canonical_json, write_whole
from trutdsl.game import BadUsage
from trutdsl.tournaments.folder import fresh_folder, open_folder, read_stored_manifest
from trutdsl.tournaments.schedule import Chunk

MANIFEST = {
    "trutdsl": "1",
    "seed": 1,
    "variant": {"name": "trut", "fingerprint": "a" * 64},
    "strategies": {"bold": "1", "meek": "2"},
}


def fits(*_row):
    return True


def refuse(message):
    raise AssertionError(f"no message was expected, but: {message}")


def start_run(folder, manifest=MANIFEST):
    with open_folder(folder, manifest, fits, refuse) as journal:
        journal.add("key", Chunk(0, 1), [1])


def test_a_folder_is_made_with_its_manifest(tmp_path):
    start_run(tmp_path / "new" / "run")
    text = (tmp_path / "new" / "run" / "manifest.json").read_text()
    assert json.loads(text) == MANIFEST and text == canonical_json(MANIFEST)


def test_the_same_experiment_resumes(tmp_path):
    start_run(tmp_path)
    with open_folder(tmp_path, dict(reversed(MANIFEST.items())), fits, refuse) as journal:
        assert journal.chunks() == [Chunk(0, 1)]


@pytest.mark.parametrize("missing", [None, "manifest.json", "journal.sqlite"])
def test_another_experiment_is_refused_and_the_difference_named(tmp_path, missing):
    start_run(tmp_path)
    if missing:
        (tmp_path / missing).unlink()
    before = sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir())
    other = MANIFEST | {
        "seed": 2,
        "variant": {"name": "trut", "fingerprint": "b" * 64},
        "strategies": {"bold": "1", "shy": "3"},
    }
    with pytest.raises(BadUsage) as refused:
        open_folder(tmp_path, other, fits, refuse)
    assert str(refused.value) == (
        f"{tmp_path} holds another experiment (seed: 1 there, 2 here; "
        "strategies.meek: 2 there, nothing here; strategies.shy: nothing there, 3 here; "
        "variant.fingerprint is not the same); "
        f"what is new goes to another folder, such as {tmp_path}-2"
    )
    assert sorted((p.name, p.read_bytes()) for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize("key", ["engine_hash", "format"])
def test_a_folder_of_another_version_is_refused_in_words(tmp_path, key):
    start_run(tmp_path, MANIFEST | {key: "a" * 64})
    with pytest.raises(BadUsage) as refused:
        open_folder(tmp_path, MANIFEST | {key: "b" * 64}, fits, refuse)
    assert str(refused.value) == (
        f"{tmp_path} holds another experiment (another version of trutdsl made it); "
        f"what is new goes to another folder, such as {tmp_path}-2"
    )


@pytest.mark.parametrize(("path", "name"), [(".", "here-2"), ("..", "above-2"), ("run", "run-2")])
def test_a_fresh_folder_has_a_name_beside_any_folder(path, name, tmp_path, monkeypatch):
    here = tmp_path / "above" / "here"
    (here / "run").mkdir(parents=True)
    monkeypatch.chdir(here)
    assert fresh_folder(Path(path)).name == name
    assert fresh_folder(Path("/")).parent == Path("/")


@pytest.mark.parametrize("run_command", ["results", "resume", "verify"])
def test_a_missing_folder_and_a_file_are_named_as_such(run_command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("notes").touch()
    for name, message in (
        ("none", "there is no folder none"),
        ("notes", "notes is a file, expected a folder"),
    ):
        assert run([run_command, name]) == 2
        assert capsys.readouterr().err == f"error: {message}\n"


def test_a_run_of_another_version_is_told_with_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    start_run(tmp_path / "run")
    for command in ("results", "resume"):
        assert run([command, "run"]) == 2
        assert capsys.readouterr().err == (
            "error: run holds a run of another version of trutdsl, or is damaged; use that "
            "version, or begin a new run, in a folder such as run-2\n"
        )


def test_a_budget_without_a_number_is_damage(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = "tournament trut --strategies caller,quiet --sets 2 --engine reference --out run -q"
    assert run(command.split()) == 0
    path = Path("run/manifest.json")
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(manifest | {"sets": None}))
    capsys.readouterr()
    for command in ("results", "resume", "verify"):
        assert run([command, "run"]) == 2
        assert "or is damaged" in capsys.readouterr().err


def test_a_damaged_journal_is_set_aside_with_one_message(tmp_path):
    start_run(tmp_path)
    (tmp_path / "journal.sqlite").write_bytes(b"nonsense" * 100)
    messages = []
    with open_folder(tmp_path, MANIFEST, fits, messages.append) as journal:
        assert not journal.chunks()
    assert messages == [
        f"{tmp_path / 'journal.sqlite'} is damaged (it is no whole database); "
        "it is now journal.sqlite.damaged-1, and the run starts anew"
    ]
    assert (tmp_path / "journal.sqlite.damaged-1").read_bytes() == b"nonsense" * 100


@pytest.mark.parametrize("content", ["", "[1]", '{"name": "a web page"}'])
def test_another_kind_of_manifest_is_left_alone(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadUsage, match="is not the manifest of a trutdsl run"):
        open_folder(tmp_path, MANIFEST, fits, refuse)
    assert [p.name for p in tmp_path.iterdir()] == ["manifest.json"]


def test_a_damaged_manifest_is_to_be_deleted(tmp_path):
    start_run(tmp_path)
    (tmp_path / "manifest.json").write_text('{"trutdsl": "0.9", ')
    with pytest.raises(BadUsage, match=r"manifest\.json is damaged; delete it: the journal beside"):
        read_stored_manifest(tmp_path)
    (tmp_path / "manifest.json").unlink()
    assert read_stored_manifest(tmp_path).items() >= MANIFEST.items()
    open_folder(tmp_path, MANIFEST, fits, refuse).close()
    assert (tmp_path / "manifest.json").exists()


def test_a_file_where_the_folder_should_be_is_refused(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(BadUsage, match="cannot be used as a run's folder"):
        open_folder(tmp_path / "run", MANIFEST, fits, refuse)


def test_rows_of_another_run_are_set_aside(tmp_path):
    start_run(tmp_path)
    messages = []
    with open_folder(tmp_path, MANIFEST, lambda *row: row == (), messages.append) as journal:
        assert not journal.chunks()
    assert "is damaged (it holds a chunk that does not belong to this run)" in messages[0]
    rows = []
    start_run(tmp_path)
    with open_folder(tmp_path, MANIFEST, lambda *row: rows.append(row) or True, refuse):
        assert rows == [("key", Chunk(0, 1), [1])]


@pytest.mark.parametrize("text", ["", "no JSON", "[" * 100_000, "[]", "{}"])
def test_a_journal_without_its_experiment_is_set_aside(text, tmp_path):
    start_run(tmp_path)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as db, db:
        checksum = sha256(text.encode()).hexdigest()
        db.execute("UPDATE experiment SET manifest = ?, checksum = ?", [text, checksum])
    messages = []
    open_folder(tmp_path, MANIFEST, fits, messages.append).close()
    assert "is damaged (it does not say which experiment it belongs to)" in messages[0]


@pytest.mark.parametrize(
    "content", ["[" * 100_000, '{"trutdsl": ' + "9" * 5_000 + "}", "#" * 2_000_000]
)
def test_an_extreme_manifest_is_left_alone(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadUsage, match="is not the manifest of a trutdsl run"):
        open_folder(tmp_path, MANIFEST, fits, refuse)


def test_control_characters_of_another_manifest_are_escaped(tmp_path):
    other = MANIFEST | {"seed": "\x1b[2J", "\u202e": 1, "kind": "\ud800"}
    (tmp_path / "manifest.json").write_text(json.dumps(other))
    with pytest.raises(BadUsage) as refused:
        open_folder(tmp_path, MANIFEST, fits, refuse)
    assert str(refused.value).startswith(
        f"{tmp_path} holds another experiment "
        '(kind: "\\ud800" there, nothing here; seed: "\\u001b[2J" there, 1 here; '
        '"\\u202e": 1 there, nothing here); '
    )


def test_a_pipe_is_no_manifest(tmp_path):
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(BadUsage, match="is not the manifest of a trutdsl run"):
        open_folder(tmp_path, MANIFEST, fits, refuse)


@pytest.mark.parametrize("name", ["journal.sqlite", "run.log"])
@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda p: p.symlink_to("../other")])
def test_an_irregular_file_is_not_written(name, make, tmp_path):
    (tmp_path / "other").write_text("kept")
    (tmp_path / "run").mkdir()
    make(tmp_path / "run" / name)
    with pytest.raises(BadUsage, match=f"{name} is not a regular file; use another folder"):
        open_folder(tmp_path / "run", MANIFEST, fits, refuse)
    assert (tmp_path / "other").read_text() == "kept"


def test_a_file_that_cannot_be_written_leaves_no_draft(tmp_path):
    (tmp_path / "x.json").mkdir()
    with (
        pytest.raises(BadUsage, match=re.escape(f"{tmp_path / 'x.json'} cannot be written")),
        refuse_os_errors(tmp_path),
    ):
        write_whole(tmp_path / "x.json", "new")
    assert [one.name for one in tmp_path.iterdir()] == ["x.json"]


def test_an_error_names_the_file_and_not_its_draft(tmp_path):
    file = tmp_path / "run" / "x.json"
    for replace_folder in (lambda _: None, Path.touch):  # there is none, then it is a file
        replace_folder(file.parent)
        with pytest.raises(OSError) as problem:
            write_whole(file, "new")
        assert problem.value.filename == str(file)


def test_a_write_that_is_stopped_leaves_the_old_file_and_no_draft(tmp_path, monkeypatch):
    (tmp_path / "x.json").write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "x.json", "new")
    assert [one.read_text() for one in tmp_path.iterdir()] == ["old"]


def test_two_processes_that_write_one_file_have_a_draft_each(tmp_path, monkeypatch):
    """The later one must not take away the draft of the other, nor put half of it in place."""
    file = tmp_path / "x.json"
    replace = Path.replace

    def meanwhile(draft, path):
        monkeypatch.setattr(Path, "replace", replace)
        monkeypatch.setattr(os, "getpid", lambda: 1)
        write_whole(file, "other")
        assert file.read_text() == "other"
        return replace(draft, path)

    monkeypatch.setattr(Path, "replace", meanwhile)
    write_whole(file, "new")
    assert [one.name for one in tmp_path.iterdir()] == ["x.json"]
    assert file.read_text() == "new"


def write_and_die(file):
    """Write a file in a process that is killed in between; return the draft that it leaves."""
    process = os.fork()
    if not process:
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        write_whole(file, "half")
    os.waitpid(process, 0)
    (draft,) = file.parent.glob(f"*{process}.part")
    return draft


def test_the_next_writer_of_a_file_removes_the_drafts_of_killed_ones(tmp_path):
    dead = write_and_die(tmp_path / "x[1] y.json")
    for other in ("x2 y.json", "x[1] y.csv"):
        write_and_die(tmp_path / other)
    stays = {one.name for one in tmp_path.iterdir()} - {dead.name}
    write_whole(tmp_path / "x[1] y.json", "new")
    assert {one.name for one in tmp_path.iterdir()} == {"x[1] y.json", *stays}


def test_the_drafts_of_living_processes_and_of_other_hosts_stay(tmp_path):
    file = tmp_path / "x.json"
    dead = write_and_die(file)
    host, process = dead.name.removeprefix("x.json.").removesuffix(".part").split("-")
    others = [
        f"{host}-{os.getppid()}",
        f"{host[::-1]}-{process}",
        f"{host}-1",
        f"{host}-0{process}",
    ]
    for other in others:
        (tmp_path / f"x.json.{other}.part").touch()
    write_whole(file, "new")
    stays = [f"x.json.{other}.part" for other in others]
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["x.json", *stays])


def test_a_file_is_not_written_through_a_link(tmp_path):
    draft = write_and_die(tmp_path / "x.json")
    (tmp_path / "other").write_text("kept")
    host = draft.name.rpartition("-")[0]
    (tmp_path / f"{host}-{os.getpid()}.part").symlink_to("other")
    write_whole(tmp_path / "x.json", "new")
    assert (tmp_path / "other").read_text() == "kept"
    assert (tmp_path / "x.json").read_text() == "new"


@pytest.mark.parametrize("content", [b"", b"nonsense" * 100])
def test_a_damaged_journal_is_refused_with_the_cure_where_it_is_only_read(tmp_path, content):
    (tmp_path / "journal.sqlite").write_bytes(content)
    cure = "the command that began the run starts it anew"
    with pytest.raises(BadUsage, match=f"journal.sqlite is damaged .*; {cure}"):
        read_stored_manifest(tmp_path)
