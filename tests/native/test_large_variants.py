"""Every accepted variant is checked and compiled in bounded time and memory.

Each variant is just below some bound. A separate process checks it and compiles it in both forms,
and measures its processor time and memory. `LARGE=1` in the environment tests all of them, not only
those nearest to a limit (`make bounds`).
"""

import json
import os
import resource
import subprocess
import sys

import pytest
from extent import extent

from trutdsl.diagnostics import Rejected
from trutdsl.game import load_game
from trutdsl.ir import intervals

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
import json, time
from pathlib import Path
from trutdsl.game import load_game
from trutdsl.native.jit import StepCode
from trutdsl.native.play.runs import RunCode

def memory():
    status = Path("/proc/self/status").read_text()  # rusage counts what the parent had, too
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024

start = time.process_time()
game = load_game("x.yaml", engine="native")
_ = game.program
measured = {"checked": time.process_time() - start, "memory": memory()}
for name, code in (("whole", RunCode), ("steps", StepCode)):
    start = time.process_time()
    code(game)
    measured[name] = time.process_time() - start
print(json.dumps(measured))
"""


def variant_text(rules, players=8, parameters=""):
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    return HEAD.format(players=players).replace("rules: |\n", f"{parameters}rules: |\n") + lines


def rules_of(count, lines):
    """Return rules with the same statements, called one after the other."""
    body = "".join(f"    {line}\n" for line in lines)
    rules = "".join(f"rule r{i}(p):\n{body}" for i in range(count))
    done = "".join(f"    do r{i}(dealer)\n" for i in range(count))
    draw = "    if empty(table[dealer]): draw from stock to table[dealer]\n"
    return f"{rules}rule match:\n{done}{draw}    end match drawn\n"


def loops_in_loops(count):
    """Return rules that each have three nested loops and call the next rule in them."""
    rules = "".join(
        f"rule r{i}(p):\n    for q in seats from p:\n        for r in seats from q:\n"
        f"            for s in seats from r: do r{i + 1}(s)\n"
        for i in range(count)
    )
    last = (
        f"rule r{count}(p):\n    if empty(table[p]): draw from stock to table[p]\n"
        "    else: move all from table[p] under stock\n"
    )
    return f"{rules}{last}rule match:\n    do r0(dealer)\n    end match drawn\n"


def define_chains(count):
    """Return defines that each use the next one twice."""
    rules = "".join(
        f"define d{i}(p) -> number:\n"
        f"    return (d{i + 1}(p) + (total d{i + 1}(q) for q in seats after p)) mod 7\n"
        for i in range(count)
    )
    return (
        f"{rules}define d{count}(p) -> number: points[team(p)] + size(table[p])\n"
        "rule match:\n    if empty(table[dealer]): draw from stock to table[dealer]\n"
        "    points[team(dealer)] += d0(dealer)\n    end match drawn\n"
    )


def match_rule(lines, before=""):
    """Return the rule `match` with these statements, a draw and its end."""
    body = "".join(f"    {line}\n" for line in lines)
    draw = "    if empty(table[dealer]): draw from stock to table[dealer]\n"
    return f"{before}rule match:\n{body}{draw}    end match drawn\n"


def zones(count, sentence):
    """Return piles of each seat, which are filled and used; one rule for each ten piles."""
    declared = "".join(f"zone z{i}[seat]: pile, seen by all\n" for i in range(count))
    fill = [f"if not empty(stock): draw from stock to z{i}[dealer]" for i in range(count)]
    used = [sentence.format(i) for i in range(count)]
    rules = "".join(
        f"rule r{at}:\n" + "".join(f"    {line}\n" for line in used[at : at + 10])
        for at in range(0, count, 10)
    )
    return match_rule([*fill, *(f"do r{at}" for at in range(0, count, 10))], declared + rules)


def gathers(count, many):
    """Return `count` rules that each gather the cards of `many` zones of each seat."""
    names = ", ".join(f"z{i}" for i in range(many))
    declared = "".join(f"zone z{i}[seat]: pile, seen by all\n" for i in range(many))
    rules = "".join(f"rule g{i}(p): gather {names} from p into stock\n" for i in range(count))
    fill = [f"if not empty(stock): draw from stock to z{i}[dealer]" for i in range(many)]
    return match_rule([*fill, *(f"do g{i}(dealer)" for i in range(count))], declared + rules)


def deals(count, many):
    """Return `count` deals, each of which starts with `many` variables of each card."""
    declared = "deal state:\n" + "".join(f"    v{i}[card]: number = {i}\n" for i in range(many))
    change = "".join(
        f"rule u{at}:\n"
        + "".join(f"    for c in pack_cards: v{i}[c] += 1\n" for i in range(at, min(at + 10, many)))
        for at in range(0, many, 10)
    )
    rules = "".join(
        f"rule g{i}:\n    deal:\n        v{i}[(first c in pack_cards)] += 1\n"
        "        end deal because over\n"
        for i in range(count)
    )
    used = [f"do u{at}" for at in range(0, many, 10)] + [f"do g{i}" for i in range(count)]
    return match_rule(used, declared + change + rules)


def many_questions(count, option):
    """Return questions with one option, each in its own rule."""
    rules = "".join(f'rule q{i}:\n    ask dealer "q{i}":\n        {option}\n' for i in range(count))
    return match_rule([f"do q{i}" for i in range(count)], rules)


MOVES = [
    "for q in seats: move all from table[q] under stock",
    "if not empty(stock) and empty(table[p]): draw from stock to table[p]",
    "gather table from p into stock",
    "shuffle stock",
]
CHOOSE = "a c from pack_cards, n from 1 to {} when strength(c) != n: points[team(dealer)] += n"
PARAMETERS = "parameters:\n" + "".join(
    f"  p{i}: {{type: integer, min: 0, max: 1000, default: 5, help: P.}}\n"
    for i in range(intervals.MOST_PARAMETERS)
)
QUANTIFIERS = (
    "if any q in seats where q != p has any r in seats after q has team(r) != team(p): "
    "points[team(p)] += 1"
)
QUESTION = ['ask p "q":', "    a n from 1 to 300", "    b when size(table[p]) == 1"]
LARGE = {
    "quantifiers": variant_text(rules_of(62, [QUANTIFIERS] * 8)),
    "questions": variant_text(rules_of(100, QUESTION)),
    "loops": variant_text(loops_in_loops(18), 2),
    "loops of four": variant_text(loops_in_loops(18), 4),
    "defines": variant_text(define_chains(28)),
    "moves": variant_text(rules_of(100, MOVES * 2)),
    "zones": variant_text(
        zones(48, "if size(z{0}[dealer]) > 2: move all from z{0}[dealer] to stock")
    ),
    "gathers": variant_text(gathers(13, 48)),
    "variables": variant_text(deals(9, 119)),
    "options of one": variant_text(many_questions(1, CHOOSE.format(290))),
    "options of all": variant_text(many_questions(100, CHOOSE.format(5))),
    "parameters": variant_text(
        match_rule(f"if p{i} > 3: points[team(dealer)] += p{i}" for i in range(80)), 8, PARAMETERS
    ),
}


# The first ones compile quickly. The others are nearest to a limit, by measurement.
TESTED = extent(["loops"], ["loops of four", "loops", "moves", "zones", "options of all"])


@pytest.mark.parametrize("name", LARGE if os.environ.get("LARGE") else TESTED)
def test_an_accepted_variant_is_compiled_within_bounds(tmp_path, name):
    (tmp_path / "x.yaml").write_text(LARGE[name], encoding="utf-8")

    def bound():
        seconds = CHECKING + 2 * COMPILING
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    done = subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True,
        check=False, preexec_fn=bound, env=os.environ | {"TRUTDSL_CACHE": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert measured["checked"] < CHECKING
    assert measured["memory"] < MEGABYTES
    assert max(measured["whole"], measured["steps"]) < COMPILING


MATCH = "rule match:\n    end match drawn\n"
TOO_LARGE = {
    "zones": "".join(f"zone z{i}: seen by all\n" for i in range(intervals.MOST_ZONES)) + MATCH,
    "variables": "match state:\n"
    + "".join(f"    v{i}: number\n" for i in range(intervals.MOST_VARIABLES + 1))
    + MATCH,
    "rules and defines": "".join(f"define d{i}: yes\n" for i in range(intervals.MOST_RULES))
    + MATCH,
    "is too large": "rule match:\n"
    + "    dealer = on_lead\n" * intervals.MOST_NODES_OF_ONE
    + "    end match drawn\n",
    "meaningful words": rules_of(65, [QUANTIFIERS] * 8),
    "questions": rules_of(101, QUESTION),
    "the rules have more than": gathers(16, 48),
    "actions": 'rule match:\n    ask dealer "q":\n        a n from 1 to 16385\n' + MATCH[12:],
}


@pytest.mark.parametrize("what", TOO_LARGE)
def test_a_too_large_variant_is_refused_with_a_position(tmp_path, what):
    path = tmp_path / "x.yaml"
    path.write_text(variant_text(TOO_LARGE[what]), encoding="utf-8")
    with pytest.raises(Rejected) as found:
        load_game(path, engine="reference")
    first = found.value.diagnostics[0]
    assert first.code == "too-large"
    assert what in first.message
    assert first.span.line > 7
