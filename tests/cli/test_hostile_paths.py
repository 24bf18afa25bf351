"""Irregular files and failing outputs: one line reports them; nothing waits for them."""

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import pytest
from extent import covering, extent
from forked import TIMEOUT, trutdsl

from trutdsl.cli.app import run
from trutdsl.files import MOST_BYTES, read_cache, write_cache

NO_SPACE = "No space left on device"
LOG = "log.jsonl"
WRITERS = {
    "list": [],
    "show": ["trut"],
    "rules": ["trut"],
    "check": ["trut"],
    "scenario": ["tests/scenarios/trut.yaml"],
    "coverage": ["trut", "--matches", "5"],
    "simulate": ["trut"],
    "simulate-json": ["trut", "--json"],
    "simulate-transcript": ["trut", "--transcript", "-"],
    "simulate-page": ["trut", "-o", "page.html"],
    "replay": [LOG],
    "replay-verify": [LOG, "--verify"],
    "dump": ["trut"],
    "schema": ["scenario"],
    "tournament": ["trut", "--strategies", "steady,quiet", "--sets", "2"],
    "tournament-json": ["trut", "--strategies", "steady,quiet", "--sets", "2", "--json"],
    "list-help": ["--help"],
}

# Forks a process for each command after the imports. Exit codes and errors go to files.
FORK_EACH = """\
import json, os, sys
from trutdsl.cli import main
if sys.argv[2:]:
    reading, writing = os.pipe()
    os.close(reading)
    os.dup2(writing, 1)
codes = []
for number, command in enumerate(json.loads(sys.argv[1])):
    child = os.fork()
    if not child:
        os.dup2(os.open(str(number) + ".err", os.O_WRONLY | os.O_CREAT), 2)
        sys.argv[1:] = command
        main()
        raise SystemExit
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
with open("codes.json", "w") as file:
    json.dump(codes, file)
"""
RUN_EACH = """\
import sys
from trutdsl.cli.app import run
for command in sys.argv[1:]:
    print(run(command.split(",")))
"""


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    """Change to a folder that contains a transcript and scenarios."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests/scenarios").mkdir(parents=True)
    shutil.copy(root / "tests/scenarios/trut.yaml", tmp_path / "tests/scenarios")
    (tmp_path / LOG).write_bytes((root / "tests/golden/trut-2p.jsonl").read_bytes())
    return tmp_path


def run_writers(folder, *closed, names=tuple(WRITERS), stdout=None):
    """Run the writers; yield their names, exit codes and errors, without a tournament's first line.

    closed: with any value here, nobody reads standard output; stdout: a file for standard output.
    """
    commands = [[name.split("-")[0], *WRITERS[name]] for name in names]
    done = trutdsl(folder, json.dumps(commands), *closed, program=FORK_EACH, stdout=stdout)
    assert (done.returncode, done.stderr) == (0, "")
    codes = json.loads((folder / "codes.json").read_text())
    for number, (name, code) in enumerate(zip(names, codes, strict=True)):
        errors = (folder / f"{number}.err").read_text()
        yield name, code, re.sub(r"^2 sets of deals .* = 4 matches\n", "", errors)


def test_a_full_standard_output_is_reported_in_one_line(folder):
    for name, code, errors in run_writers(folder, stdout="/dev/full"):
        assert errors == f"error: standard output cannot be written: {NO_SPACE}\n", name
        assert code == 2, name


def test_a_broken_pipe_is_no_error(folder):
    different = (
        "show",
        "simulate",
        "simulate-transcript",
        "replay",
        "tournament-json",
        "list-help",
    )
    for name, code, errors in run_writers(folder, "gone", names=extent(different, tuple(WRITERS))):
        assert (code, errors) == (1, ""), name


def test_a_closed_standard_output_cannot_be_written():
    command = f'"{sys.executable}" -m trutdsl list >&-'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=TIMEOUT)
    errors = "error: standard output cannot be written: it is closed\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", errors)


def test_characters_outside_the_encoding_are_escaped(folder):
    title = "Brème\u202f♠ \u2212"
    (folder / "house.yaml").write_text(f"variant: house\ntitle: {title}\nextends: trut\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "trutdsl", "check", "house.yaml"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        encoding="latin-1",
        timeout=TIMEOUT,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Brème \\u2660 - for" in done.stdout


def test_a_transcript_on_a_full_disk_is_reported_in_one_line(capsys):
    assert run(["simulate", "trut", "--transcript", "/dev/full"]) == 2
    assert capsys.readouterr() == ("", f"error: /dev/full cannot be written: {NO_SPACE}\n")


def test_a_machine_without_temporary_files_is_told_so(monkeypatch, capsys):
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/none"])
    call = ["plan", "trut", "--strategies", "steady,quiet", "--detect", "0.1"]
    assert run(call) == 2
    end = "error: there is no folder for temporary files; name one in TMPDIR\n"
    assert capsys.readouterr().err.endswith(end)


def test_a_library_that_cannot_be_loaded_is_named(monkeypatch, capsys):
    """The errors of `ctypes` and llvmlite have no number."""

    def load(*_):
        raise OSError("Could not load 'libllvmlite.so'\nmore")

    monkeypatch.setattr("trutdsl.api.rules.check_one", load)
    assert run(["check", "trut"]) == 1
    assert capsys.readouterr() == ("", "error: Could not load 'libllvmlite.so'\n")


def test_a_full_disk_is_reported_in_french(capsys):
    assert run(["simulate", "trut", "--transcript", "/dev/full", "--lang", "fr"]) == 2
    assert "il n'y a plus de place sur le disque" in capsys.readouterr().err


def test_the_place_of_an_output_is_checked_first(folder, capsys):
    (folder / "notes").touch()
    (folder / "loop").symlink_to("loop")
    for command, message in (
        (
            ["rules", "trut", "-o", "none/trut.html"],
            "-o none/trut.html: there is no folder none; make it, or write -o trut.html",
        ),
        (
            ["compare", "trut", "trut:goal=3", "--out", "notes"],
            "notes is a file, expected a folder",
        ),
        (
            ["compare", "trut", "trut:goal=3", "--strategies", "best-play", "--out", "loop"],
            "loop is a file, expected a folder",
        ),
    ):
        assert run(command) == 2
        errors = capsys.readouterr().err
        assert message in errors and len(errors.splitlines()) == 1


LONG = "a" * 300


@pytest.mark.parametrize(
    "command",
    [
        ["results", LONG],
        ["report", LONG],
        ["compare", "trut", "trut:goal=3", "--out", LONG],
        ["tournament", "trut", "--strategies", "steady,quiet", "--sets", "2", "--out", LONG],
    ],
    ids=lambda command: command[0],
)
@pytest.mark.usefixtures("folder")
def test_a_folder_with_too_long_a_name_is_bad_input(command, capsys):
    assert run(command) == 2
    *_, error = capsys.readouterr().err.splitlines()
    assert "File name too long" in error and "cannot be written" not in error


def test_a_rulebook_on_a_full_disk_leaves_the_old_one(folder):
    (folder / "trut.md").write_text("the old one")
    done = trutdsl(folder, "rules", "trut", "-o", "trut.md", file_size=4096)
    assert (done.returncode, done.stderr) == (
        2,
        "error: trut.md cannot be written: File too large\n",
    )
    assert (folder / "trut.md").read_text() == "the old one"


def test_a_page_is_written_also_if_nobody_reads_the_output(folder):
    command = ["simulate", "trut", "--matches", "2", "-o", "page.html"]
    done = trutdsl(folder, json.dumps([command]), "gone", program=FORK_EACH)
    assert done.returncode == 0 and json.loads((folder / "codes.json").read_text()) == [1]
    assert "</html>" in (folder / "page.html").read_text()


def test_a_policy_that_cannot_be_read_is_named_in_french(folder, capsys):
    (folder / "folder.policy").mkdir()
    for name, reason in (
        ("none.policy", "ce fichier n'existe pas"),
        ("folder.policy", "trouvé un dossier, il faut un fichier"),
    ):
        assert run(["simulate", "trut", "--strategies", name, "--lang", "fr"]) == 2
        message = f"erreur\u00a0: {name} ne peut pas être lu\u00a0: {reason}\n"
        assert capsys.readouterr().err == message


def test_a_run_on_a_full_disk_is_reported_in_one_line(folder, capsys):
    play = ["tournament", "trut", "--strategies", "steady,quiet", "--sets", "2", "--out", "run"]
    (folder / "run").mkdir()
    (folder / "run/standings.csv").mkdir()
    assert run(play) == 2
    out, err = capsys.readouterr()
    assert out == "" and len(err.splitlines()) == 2 and "cannot be written" in err
    done = trutdsl(folder, *play[:-1], "small", file_size=8192)
    assert len(done.stderr.splitlines()) == 1 and "error: small" in done.stderr, done.stderr
    assert (done.returncode, done.stdout) == (2, "")


KUHN = str(Path(__file__).parents[2] / "variants/examples/kuhn-poker.yaml")
FEW = ["--strategies", "uniform", "--sets", "4", "--jobs", "1"]
FILES = {
    "page.html": ["report", "run", "-o", "page.html"],
    "rules.html": ["rules", "trut", "-o", "rules.html"],
    "matches.html": ["simulate", "trut", "--matches", "2", "-o", "matches.html"],
    "log.jsonl": ["simulate", "trut", "--matches", "2", "--transcript", "log.jsonl"],
    "deals/": ["coverage", "trut", "--matches", "2", "--examples", "deals"],
    "new.yaml": ["new", "new", "--from", "trut"],
    "ours.strategy": ["format", "ours.strategy"],
    "kuhn.policy": ["solve", KUHN, "--param", "goal=1", "--iterations", "2", "-o", "kuhn.policy"],
    "best.policy": ["exploit", KUHN, "--param", "goal=1", "-o", "best.policy"],
    "scores.csv": ["exact", KUHN, "--param", "goal=9", "--scores", "scores.csv"],
    "run": ["resume", "run", "--jobs", "1"],
    "merged": ["merge", "run", "--out", "merged"],
    "compared": ["compare", "trut", "trut:goal=2", *FEW, "--out", "compared"],
    "swept": ["sweep", "trut", "--param", "goal=1,2", *FEW, "--out", "swept"],
    "unclear": ["ambiguities", "trut", *FEW, "--out", "unclear"],
    "ideal": ["compare", f"{KUHN}:goal=1", f"{KUHN}:goal=2", "--strategies", "best-play:ideal"],
}
REASON = re.compile("File too large|Input/output error")  # as the system says it, and SQLite


def test_every_file_on_a_full_disk_is_reported_in_one_line(root, folder):
    """A limit on the size of files simulates the full disk."""
    (folder / "run").mkdir()
    play = ["tournament", "trut", "--strategies", "steady,quiet", "--sets", "2", "--out", "run"]
    assert run(play) == 0
    script = (root / "strategies/honest.strategy").read_text()
    (folder / "ours.strategy").write_text(script.replace("\n  ", "\n      "))
    limits = {"file_size": 600, "stdout": "/dev/null"}
    done = trutdsl(folder, json.dumps([*FILES.values()]), program=FORK_EACH, **limits)
    assert (done.returncode, done.stderr) == (0, "")
    codes = json.loads((folder / "codes.json").read_text())
    for number, (name, code) in enumerate(zip(FILES, codes, strict=True)):
        errors = (folder / f"{number}.err").read_text().splitlines()
        assert code == 2 and errors[-1].startswith("error: "), (name, code, errors)
        assert name in errors[-1] and REASON.search(errors[-1]), (name, errors)
        is_kept = "what is finished is kept, and the same command goes on" in errors[-1]
        assert is_kept == (name in ("merged", "compared", "swept", "unclear")), errors


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize("name", ["best.policy", "scores.csv"])
def test_computed_figures_are_printed_if_their_file_cannot_be_written(
    name, options, capsys, monkeypatch
):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # its files would be cut off
    run([*FILES[name], *options])
    complete = capsys.readouterr().out.replace(f"\nWritten: {name}\n", "")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        assert run([*FILES[name], *options]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    out, errors = capsys.readouterr()
    assert out == complete != ""
    assert errors == f"error: {name} cannot be written: File too large\n"


def make_irregular(kind, path):
    """Make a pipe, folder, device or socket, and return its path."""
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(path.name)
    return path


@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "socket"])
def test_an_irregular_file_is_refused_at_once(kind, folder):
    names = {
        end: make_irregular(kind, folder / f"one{end}").name for end in (".jsonl", ".yaml", ".py")
    }
    commands = [
        ["replay", names[".jsonl"]],
        ["replay", names[".jsonl"], "--verify"],
        ["check", names[".yaml"]],
        ["scenario", names[".yaml"]],
        ["simulate", names[".yaml"]],
        ["simulate", "trut", "--strategies", names[".py"]],
    ]
    what = "a folder" if kind == "folder" else "a device or pipe"
    done = trutdsl(folder, *map(",".join, commands), program=RUN_EACH)
    assert done.stdout.splitlines() == ["2"] * len(commands), done.stderr
    assert done.stderr.count(f"found {what}, expected a file") == len(commands)
    assert len(done.stderr.splitlines()) == len(commands)


@pytest.mark.parametrize("kind", ["fifo", "socket"])
def test_a_transcript_to_a_pipe_is_refused(kind, folder):
    name = make_irregular(kind, folder / "one.jsonl").name
    done = trutdsl(folder, "simulate", "trut", "--transcript", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: one.jsonl cannot be written: found a device or pipe, expected a file; "
        "write - for standard output\n"
    )


def test_a_transcript_may_go_to_dev_null(folder):
    command = ["simulate", "trut", "--matches", "1", "--transcript", os.devnull]
    assert trutdsl(folder, *command).returncode == 0


RUN_FILES = ["manifest.json", "journal.sqlite", "run.log"]


@pytest.mark.parametrize(("kind", "name"), covering(list(product(["fifo", "device"], RUN_FILES))))
def test_a_run_folder_with_an_irregular_file_is_refused(kind, name, folder):
    (folder / "run").mkdir()
    make_irregular(kind, folder / "run" / name)
    play = ["tournament", "trut", "--strategies", "steady,quiet", "--sets", "2"]
    done = trutdsl(folder, *play, "--out", "run")
    assert done.returncode == 2 and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1 and "run" in done.stderr, done.stderr


KINDS = ["fifo", "device", "folder"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_irregular_cache_entry_is_ignored(kind, tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path))
    key = "ab" * 32
    make_irregular(kind, tmp_path / key)
    assert read_cache(key) is None
    write_cache(key, b"kept")


@pytest.mark.parametrize("first", extent([0], [0, 1, 2]))
def test_the_program_runs_with_irregular_cache_entries(first, folder, monkeypatch):
    """Entries hold the grammar, checked rules and machine code; each gets another kind."""
    monkeypatch.setenv("TRUTDSL_CACHE", str(folder / "kept"))
    play = ["simulate", "trut", "--matches", "1"]
    assert trutdsl(folder, *play).returncode == 0
    entries = sorted((folder / "kept").iterdir())
    assert len(entries) >= 3
    for number, entry in enumerate(entries, first):
        entry.unlink()
        make_irregular(KINDS[number % 3], entry)
    done = trutdsl(folder, *play)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_large_entry_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path))
    key = "ab" * 32
    write_cache(key, b"kept")
    assert read_cache(key) == b"kept"
    os.truncate(tmp_path / key, 20 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert read_cache(key) is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes
    write_cache("cd" * 32, bytes(MOST_BYTES))
    assert not (tmp_path / ("cd" * 32)).exists()


@pytest.mark.parametrize("name", ["name", "value"])
@pytest.mark.parametrize("more", [[], ["--verify"]])
def test_a_lone_surrogate_in_a_transcript_is_refused(name, more, root, capsys):
    path = root / f"tests/hostile/replay-surrogate-{name}.jsonl"
    assert run(["replay", str(path), *more]) == 2
    out, err = capsys.readouterr()
    line = path.read_text(encoding="utf-8")
    assert out == ""
    assert err.startswith(f"{path}:1:{line.index(chr(92) + 'ud800') + 1}: error: this line holds")
    assert "half a character, \\ud800" in err


def test_a_surrogate_pair_is_one_character(root, tmp_path, capsys):
    path = tmp_path / "log.jsonl"
    text = (root / "tests/golden/trut-2p.jsonl").read_text(encoding="utf-8")
    path.write_text(text.replace('"steady"', '"\\ud83c\\udcb1"', 1), encoding="utf-8")
    assert run(["replay", str(path)]) == 0
    assert "\U0001f0b1" in capsys.readouterr().out


def test_a_file_name_that_is_not_unicode_is_refused(tmp_path):
    name = os.fsdecode(b"\xff.py")
    (tmp_path / name).write_text("class S:\n    def choose(self, view): ...\n")
    for args in (["simulate", "trut", "--strategies", name], ["check", name], ["replay", name]):
        done = trutdsl(tmp_path, *args)
        assert done.returncode == 2 and done.stdout == ""
        assert "Traceback" not in done.stderr and "error: " in done.stderr
