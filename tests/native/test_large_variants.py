"""What the check accepts is checked and compiled in bounded time and memory, however it is made.

Each variant stands right below some bound; a process of its own checks it and compiles it in both
forms, and tells its processor time and its memory.
"""

import json
import resource
import subprocess
import sys

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.ir import bounds

CHECKING, COMPILING, MEGABYTES = 10, 20, 500
HEAD = """\
variant: x
title: Much
players: [{players}]
teams: {{{players}: 2}}
pack: {{suits: {{a: a, b: b, c: c, d: d}}, ranks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}}
counters: {{points: {{help: P.}}}}
rules: |
  zone stock: pile, starts with pack_cards, seen by all
  zone table[seat]: up to 1 card, seen by all
"""
DRIVER = """
import json, resource, sys, time
from trutdsl.game import load_game
from trutdsl.native.engine import StepCode
from trutdsl.native.runs import RunCode

def used():
    return resource.getrusage(resource.RUSAGE_SELF)

def memory():
    return used().ru_maxrss / 1024

start = time.process_time()
game = load_game("x.yaml", engine="native")
_ = game.program
told = {"checked": time.process_time() - start, "memory": memory()}
for name, code in (("whole", RunCode), ("steps", StepCode)):
    start = time.process_time()
    code(game)
    told[name] = time.process_time() - start
print(json.dumps(told))
"""


def variant(rules, players=8):
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    return HEAD.format(players=players) + lines


def rules_of(count, lines):
    """So many rules of the same sentences, done one after the other."""
    body = "".join(f"    {line}\n" for line in lines)
    made = "".join(f"rule r{i}(p):\n{body}" for i in range(count))
    done = "".join(f"    do r{i}(dealer)\n" for i in range(count))
    draw = "    if empty(table[dealer]): draw from stock to table[dealer]\n"
    return f"{made}rule match:\n{done}{draw}    end match drawn\n"


def loops_in_loops(count):
    """Three loops over both seats, in each a rule with three more, and so on."""
    made = "".join(
        f"rule r{i}(p):\n    for q in seats from p:\n        for r in seats from q:\n"
        f"            for s in seats from r: do r{i + 1}(s)\n"
        for i in range(count)
    )
    last = (
        f"rule r{count}(p):\n    if empty(table[p]): draw from stock to table[p]\n"
        "    else: move all from table[p] under stock\n"
    )
    return f"{made}{last}rule match:\n    do r0(dealer)\n    end match drawn\n"


def twice(count):
    """Defines that use the next one twice."""
    made = "".join(
        f"define d{i}(p) -> number:\n"
        f"    return (d{i + 1}(p) + (total d{i + 1}(q) for q in seats after p)) mod 7\n"
        for i in range(count)
    )
    return (
        f"{made}define d{count}(p) -> number: points[team(p)] + size(table[p])\n"
        "rule match:\n    if empty(table[dealer]): draw from stock to table[dealer]\n"
        "    points[team(dealer)] += d0(dealer)\n    end match drawn\n"
    )


QUANTIFIERS = (
    "if any q in seats where q != p has any r in seats after q has team(r) != team(p): "
    "points[team(p)] += 1"
)
QUESTION = ['ask p "q":', "    a n from 1 to 300", "    b when size(table[p]) == 1"]
LARGE = {
    "quantifiers": variant(rules_of(62, [QUANTIFIERS] * 8)),
    "questions": variant(rules_of(100, QUESTION)),
    "loops": variant(loops_in_loops(18), 2),
    "defines": variant(twice(28)),
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_accepted_is_compiled_in_bounds(tmp_path, name):
    (tmp_path / "x.yaml").write_text(LARGE[name], encoding="utf-8")

    def bound():
        seconds = CHECKING + 2 * COMPILING
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True,
        check=False, preexec_fn=bound,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["checked"] < CHECKING
    assert told["memory"] < MEGABYTES
    assert max(told["whole"], told["steps"]) < COMPILING


MATCH = "rule match:\n    end match drawn\n"
BEYOND = {
    "zones": "".join(f"zone z{i}: seen by all\n" for i in range(bounds.MOST_ZONES)) + MATCH,
    "variables": "match state:\n"
    + "".join(f"    v{i}: number\n" for i in range(bounds.MOST_VARIABLES + 1))
    + MATCH,
    "rules and defines": "".join(f"define d{i}: yes\n" for i in range(bounds.MOST_RULES)) + MATCH,
    "says too much": "rule match:\n"
    + "    dealer = on_lead\n" * bounds.MOST_NODES_OF_ONE
    + "    end match drawn\n",
    "words with a meaning": rules_of(65, [QUANTIFIERS] * 8),
    "questions": rules_of(101, QUESTION),
    "actions": 'rule match:\n    ask dealer "q":\n        a n from 1 to 16385\n' + MATCH[12:],
}


@pytest.mark.parametrize("what", BEYOND)
def test_what_is_too_much_is_refused_where_it_stands(tmp_path, what):
    path = tmp_path / "x.yaml"
    path.write_text(variant(BEYOND[what]), encoding="utf-8")
    with pytest.raises(Rejected) as found:
        load_game(path)
    first = found.value.diagnostics[0]
    assert first.code == "too-large"
    assert what in first.message
    assert first.span.line > 7
