"""Rules that are too large, too deep or no text: one message with a position, soon.

One separate process checks all files, with two gigabytes and a minute of processor time.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from fnmatch import fnmatchcase

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game

HEAD = """\
variant: x
title: Too much
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
"""
END = "\n    end match won by team(dealer)\n"
GIGABYTES = 2
SECONDS = 60  # of processor time
MOST_SECONDS_EACH = 10

DRIVER = """
import contextlib, io, json, sys, time
from trutdsl.cli.app import run
for name in sys.argv[1:]:
    out, err, start = io.StringIO(), io.StringIO(), time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["check", name])
    seconds = time.process_time() - start
    print(json.dumps([name, code, err.getvalue(), seconds]), flush=True)
"""


def in_yaml(rules):
    return (HEAD + "rules: |\n" + "".join(f"  {line}\n" for line in rules.split("\n"))).encode()


def in_match(lines):
    return in_yaml("rule match:\n" + lines)


def condition(text):
    return in_match(f"    if {text}: end match drawn{END}")


def chain_of(count, line, last):
    return "".join(line.format(i, i + 1) for i in range(count)) + last.format(count)


def deep_rule(depth):
    conditions = "".join("    " * (i + 1) + "if yes:\n" for i in range(depth))
    return "rule a{}:\n" + conditions + "    " * (depth + 1) + "do a{}\n"


DEEP_RULE, TOO_DEEP_RULE = deep_rule(5), deep_rule(20)
TOO_DEEP_DEFINE = "define a{}(n: number) -> number: " + "- " * 40 + "a{}(n)\n"

# The content of a file, and the start of the message after the name of the file.
FILES = {
    "ten megabytes": (b"#" * 10**7, ":1:1: error: the file has 10,000,000 bytes"),
    "many sentences": (in_match("    dealer = on_lead\n" * 40_000), ":7:3: error: the rules have"),
    "a line of 280,000": (condition("yes or " * 40_000 + "yes"), ":8:2003: error: this line"),
    "parentheses on a line": (condition("(" * 10_000 + "yes"), ":8:2003: error: this line"),
    "parentheses": (
        in_match("    if " + "(\n" * 10_000 + "yes" + ")\n" * 10_000),
        ":48:3: error: brackets are nested more than 40 deep",
    ),
    "sets of sets": (in_match("    let x = " + "{\n" * 10_000), ":48:3: error: brackets are"),
    "if in if": (
        in_match("".join(" " * (i + 4) + "if yes:\n" for i in range(600))),
        ":31:30: error: blocks are nested more than 24 deep",
    ),
    "deeper and deeper": (
        in_match("".join(" " * (i + 4) + "stop\n" for i in range(600))),
        ":9:8: error: this line is indented, but nothing above it starts a block",
    ),
    "not not not": (
        in_match("    if (\n" + "    not not not not not\n" * 2_000 + "    yes): stop\n"),
        ":1985:7: error: this expression is nested too deeply",
    ),
    "minus minus": (
        in_match("    if (\n" + "    - - - - - - - - - -\n" * 2_000 + "    1) == 1: stop\n"),
        ":1997:7: error: this expression is nested too deeply",
    ),
    "a long sum": (
        in_match("    if (\n" + "    1 + 1 + 1 + 1 +\n" * 3_000 + "    1) == 1: stop\n"),
        ":9:7: error: this expression is nested too deeply",
    ),
    "a long or": (
        in_match("    if (\n" + "    yes or yes or\n" * 3_000 + "    yes): stop\n"),
        ":9:7: error: this expression is nested too deeply",
    ),
    "thousands of rules": (
        in_yaml("".join(f"rule a{i}: stop\n" for i in range(12_000)) + "rule match: a"),
        ":12007:15: error: no sentence begins with 'a'",
    ),
    "thousands of mistakes": (
        in_yaml("".join(f"rule a{i}: stop\n" for i in range(600))),
        ":7:12: error: 'stop' belongs inside a loop",
    ),
    "defines in defines": (
        in_yaml(chain_of(600, "define a{}: a{}\n", "define a{}: yes\n") + "rule match: do a0"),
        ":37:10: error: more than 30 defines are nested",
    ),
    "rules in rules": (
        in_yaml(chain_of(600, "rule a{}: do a{}\n", "rule a{}: end match drawn\n")
                + "rule match: do a0"),
        ":67:3: error: more than 60 rules are nested",
    ),
    "deep rules in deep rules": (
        in_yaml(chain_of(50, TOO_DEEP_RULE, "rule a{}: end match drawn\n") + "rule match: do a0"),
        ":1:10: error: the rules build on one another too deeply",
    ),
    "deep defines in deep defines": (
        in_yaml(chain_of(28, TOO_DEEP_DEFINE, "define a{}(n: number) -> number: n\n")
                + f"rule match:\n    if a0(1) == 1: end match drawn{END}"),
        ":*:10: error: the rules build on one another too deeply",
    ),
    "factors": (
        in_match("    let x = " + "1000000000 * " * 50 + "1\n    end match drawn"),
        ":8:15: error: the result of '*' may be too large",
    ),
    "arguments": (
        in_match("    do match(" + "dealer,\n" * 20_000 + "dealer)"),
        ":8:7: error: 'match' takes 0 arguments, but is given 20001",
    ),
    "a question without end": (
        in_match('    ask dealer "x' + "x" * 1_500),
        ":8:18: error: this text is not closed on its line",
    ),
    "binary": (bytes(range(256)) * 40, ":3:115: error: found the byte 0x80"),
    "another encoding": (
        condition("yes").replace(b"drawn", b"drawn # caf\xe9"),
        ":8:36: error: found the byte 0xE9",
    ),
    "a zero byte": (condition("yes").replace(b"drawn", b"dra\0wn"), ":8:28: error: found the char"),
}  # fmt: skip


@pytest.fixture(scope="module")
def results_of_checks(tmp_path_factory):
    """Check all files; return the exit code, the text and the seconds of each."""
    folder = tmp_path_factory.mktemp("bounds")
    for name, (data, _) in FILES.items():
        (folder / name).mkdir()
        (folder / name / "x.yaml").write_bytes(data)
    memory = GIGABYTES * 2**30

    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    done = subprocess.run(
        [sys.executable, "-c", DRIVER, *[f"{name}/x.yaml" for name in FILES]],
        cwd=folder, capture_output=True, text=True, preexec_fn=bound, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return {name.removesuffix("/x.yaml"): rest for name, *rest in results}


@pytest.mark.parametrize("name", FILES)
def test_a_too_large_file_is_refused_soon_with_a_position(name, results_of_checks):
    code, text, seconds = results_of_checks[name]
    assert code == 2
    assert fnmatchcase(text, f"{name}/x.yaml{FILES[name][1]}*")
    assert len(text) < 10_000
    assert seconds < MOST_SECONDS_EACH


def test_too_deeply_nested_rules_are_refused_before_play(tmp_path):
    path = tmp_path / "x.yaml"
    last = "rule a{}: end match drawn\n"
    path.write_bytes(in_yaml(chain_of(55, DEEP_RULE, last) + "rule match: do a0"))
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(20 * usual)
    try:
        game = load_game(path, engine="reference")
        assert game.program  # build it now, even if the check of these rules is cached
    finally:
        sys.setrecursionlimit(usual)
    with pytest.raises(Rejected) as caught:
        game.start(1, 0)
    (found,) = caught.value.diagnostics
    assert found.message == "the rules are nested too deeply to be played"
