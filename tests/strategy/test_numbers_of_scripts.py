"""Large numbers in scripts: both engines compute the same, or report the same error."""

from io import StringIO

import pytest

from trutdsl.cli.app import DONE, FAILED, run

VARIANT = """\
variant: money
title: Numbers of more than 32 bits that a script can see
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 3 cards, seen by owner
  match state:
      n: 0 to 9000000000 = 3000000000
      k: number = 5
      f: set of 0 to 20 = {17}
  rule match:
      if k > 400: f += 3
      repeat 3 times:
          deal:
              gather hand into stock
              shuffle stock
              for p in seats: draw from stock to hand[p]
              announce n as "n" by dealer to all
              announce k as "n" by next_seat(dealer) to all
              ask dealer "pick":
                  say x from 3000000000 to 3000000003: n = x
                  low x from 3000000000 to 3000000007 when x <= n + 10 or 17 in f: k += x mod 7
                  up
              ask next_seat(dealer) "other":
                  a
                  b when k < 9
              end deal because played
      end match drawn
"""
SCRIPTS = {
    "remembered": """
    match memory:
        big: 0 to 9999999999 = 4000000000
    on pick:
        low x with highest x when big < 9000000000: big += 1500000000
        say x with lowest x
        up
    on other:
        b when big > 6000000000
        a
""",
    "heard": """
    deal memory:
        best: 0 to 9999999999
    define twice(x: 0 to 9999999999): x * 2
    on pick:
        best = announced(dealer, "n")
        let v: 0 to 9999999999 = twice(n) div 2
        low x where x > n with highest twice(x) when v == n and best == n
        up
    on other:
        b when announced(dealer, "n") > 2999999999
        a
""",
    "compared": """
    parameter big: 0 to 9999999999 = 8888888888
    on pick:
        let t = big
        low x with lowest t - x * 3 when t > 8888888887
        up
    on other:
        let three: 0 to 6 = roll 1 to 6
        b when three > 3
        a
""",
    "random": """
    on pick:
        let other: seat = random from seats - me
        say x at random when other != me
        up
    on other:
        b
        a
""",
}
FAULTS = {
    "'low' would be 4, but is from 0 to 2": """
    match memory:
        low: 0 to 2 = roll 4 to 4
    on pick:
        up when low > 1
    otherwise:
        any
""",
    "17 is not from 0 to 3": """
    match memory:
        few: set of 0 to 3 = f
    on pick:
        up when 2 in few
    otherwise:
        any
""",
    "7 is not from 0 to 3": """
    match memory:
        few: set of 0 to 3
    on pick:
        up when 2 in few: few += roll 7 to 7
        up: few = few + {2}
    otherwise:
        any
""",
    "is none, expected a seat": """
    on pick:
        let s: seat = first p in seats where p != p
        up when s == me
    otherwise:
        any
""",
    "3000000000 is too large a number": """
    on pick:
        do look_at(n)
    otherwise:
        any
    rule look_at(x: number):
        up when x > 3
""",
    "'big' would be 10000000000, but is from 0 to 9999999999": """
    match memory:
        big: 0 to 9999999999 = 4000000000
    on pick:
        up: big += n
    otherwise:
        any
""",
}


def simulate(text, engine, tmp_path, monkeypatch, capsys):
    """Run a simulation; return its exit code and its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "money.yaml").write_text(VARIANT, encoding="utf-8")
    script = f'strategy teller "Counts money." for "money.yaml":{text}'
    (tmp_path / "teller.strategy").write_text(script, encoding="utf-8")
    who = ["--strategies", "teller.strategy,uniform", "--matches", "12", "--seed", "3"]
    code = run(["simulate", "money.yaml", "--engine", engine, *who])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


@pytest.mark.parametrize("name", SCRIPTS)
def test_both_engines_compute_large_numbers_of_scripts_alike(name, tmp_path, monkeypatch, capsys):
    both = [
        simulate(SCRIPTS[name], e, tmp_path, monkeypatch, capsys) for e in ("reference", "native")
    ]
    assert both[0] == both[1]
    assert both[0][0] == DONE


@pytest.mark.parametrize("message", FAULTS)
def test_a_number_beyond_its_bounds_is_the_same_error_in_both_engines(
    message, tmp_path, monkeypatch, capsys
):
    text = FAULTS[message]
    both = [simulate(text, e, tmp_path, monkeypatch, capsys) for e in ("reference", "native")]
    assert both[0] == both[1]
    assert both[0][0] == FAILED
    assert message in both[0][1]


SCENARIO = """\
scenario: asked
variant: money.yaml
players: 2
start: {dealer: 0}
actions: []
expect:
  choose: {teller.strategy: up}
"""
SEATED = ["--strategies", "teller.strategy,uniform", "--seed", "3"]
COMMANDS = {
    "tournament": ["money.yaml", *SEATED, "--sets", "2", "--jobs", "1", "--out", "run"],
    "play": ["money.yaml", "--seat", "2", "--strategies", "teller.strategy", "--seed", "3"],
    "scenario": ["one.yaml"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("message", [*FAULTS][:2])
def test_other_commands_report_the_same_error(command, message, tmp_path, monkeypatch, capsys):
    found = []
    for engine in ("reference", "native"):
        folder = tmp_path / engine
        folder.mkdir()
        monkeypatch.chdir(folder)
        (folder / "one.yaml").write_text(SCENARIO, encoding="utf-8")
        (folder / "money.yaml").write_text(VARIANT, encoding="utf-8")
        script = f'strategy teller "Counts money." for "money.yaml":{FAULTS[message]}'
        (folder / "teller.strategy").write_text(script, encoding="utf-8")
        monkeypatch.setattr("sys.stdin", StringIO("1\n" * 40))
        code = run([command, *COMMANDS[command], "--engine", engine])
        captured = capsys.readouterr()
        log = folder / "run/run.log"
        logged = log.read_text("utf-8") if log.exists() else ""
        found.append((code, captured.out, captured.err))
        assert message in captured.out + captured.err + logged
    assert found[0] == found[1]
    assert found[0][0] == FAILED
