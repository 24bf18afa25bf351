"""Strategies: shipped ones play as described, and faulty ones are reported."""

import pytest
from extent import covering
from tables import scripts_for

from trutdsl.cli.app import run
from trutdsl.game import DealStart, load_game
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.play import play_checked, play_match
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream


@pytest.fixture(scope="module")
def game():
    return load_game("trut", 2, engine="reference")


def actions_of(game, names, matches=20):
    """Return (seat, decision, action, legal) of every decision."""
    found = []
    for match in range(matches):
        play_match(game, [load_strategy(n) for n in names], 3, match, found.append)
    return [
        (e["seat"], e["decision"], e["action"], e["legal"]) for e in found if e["event"] == "action"
    ]


@pytest.mark.parametrize(
    ("players", "name"), covering([(p, name) for p in (2, 4) for name in scripts_for("trut")])
)
def test_every_shipped_strategy_plays_to_the_end(name, players):
    game = load_game("trut", players, engine="reference")
    result = play_match(game, [load_strategy(name)] * players, 1, 0)
    assert result.winner in (0, 1)
    assert max(result.counters["longs"]) >= 7


def test_every_shipped_strategy_has_a_summary():
    assert len(list_strategies()) >= 4
    assert all(load_strategy(name).summary.endswith(".") for name in list_strategies())


def test_caller_always_calls_and_never_folds(game):
    for seat, _, action, legal in actions_of(game, ["caller", "uniform"]):
        if seat == 0:
            assert action == "trut" if "trut" in legal else True
            assert action == "accept" if "accept" in legal else True


def test_quiet_never_calls_and_folds(game):
    for seat, _, action, legal in actions_of(game, ["quiet", "uniform"]):
        if seat == 0:
            assert action != "trut"
            assert action == "fold" if "fold" in legal else True


def test_steady_wins_a_trick_with_its_weakest_winning_card(game):
    steady = load_strategy("steady")
    table = table_for(game, (steady,))
    state = table.game.start(1, 0)
    players = [table.player(steady, state, seat, Stream(seat)) for seat in range(2)]
    checked = 0
    while state.pending is not None and checked < 30:
        if isinstance(state.pending, DealStart):
            state.next_deal()
            continue
        view = state.view()
        chosen = view.actions[players[view.seat].choose(state.pending)]
        table = [c for s in range(2) for c in view.cards("table", s)]
        if chosen.words == ("play",) and table:
            strength = view.strengths
            winning = [c for c in view.cards("hand") if strength[c] > strength[table[0]]]
            want = min(winning or view.cards("hand"), key=strength.get)
            assert strength[chosen.text[5:]] == strength[want]
            checked += 1
        state.apply(view.actions.index(chosen))
    assert checked >= 20


def test_uniform_chooses_every_action_equally_often(game):
    """With two actions at `interrupt`, the share is 1/2 within 4.5 standard deviations."""
    chosen = [a for _, d, a, _ in actions_of(game, ["uniform"] * 2, 60) if d == "interrupt"]
    n, passed = len(chosen), chosen.count("pass")
    assert n > 1000
    assert abs(passed - n / 2) < 4.5 * (n / 4) ** 0.5


def test_a_view_does_not_lead_to_the_match(game):
    """No object reachable from a view is the match, one of its piles or its chance."""
    import gc

    from trutdsl.game import Game, State
    from trutdsl.interp import CompiledProgram, Machine
    from trutdsl.interp.table import Pile
    from trutdsl.table.chance import StreamChance

    state = game.start(1, 0)
    while isinstance(state.pending, DealStart):
        state.next_deal()
    waiting, seen = [state.view(Stream(1))], set()
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, type) or callable(item):
            continue
        seen.add(id(item))
        assert not isinstance(item, Machine | Pile | State | Game | CompiledProgram | StreamChance)
        waiting += gc.get_referents(item)
    assert len(seen) > 50


FAULTY_STRATEGIES = {
    "raises": ("        return 1 / 0", "raises.py:3) failed in match 1, deal 1", 1),
    "illegal": ("        return 'play 6h'", "chose no legal action in match 1, deal 1", 1),
    "syntax": ("        return (", "syntax.py:3:16: error: this is not Python", 2),
}


@pytest.mark.parametrize("name", FAULTY_STRATEGIES)
def test_a_faulty_strategy_is_reported(name, tmp_path, capsys):
    body, message, code = FAULTY_STRATEGIES[name]
    path = tmp_path / f"{name}.py"
    path.write_text(f"class S:\n    def choose(self, view):\n{body}\n")
    assert run(["simulate", "trut", "--strategies", str(path), "--matches", "1"]) == code
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "here is none"),
        ("class A:\n  def choose(self, v): ...\nclass B:\n  def choose(self, v): ...\n", "are 2"),
        ("\x00", "error: "),
        ("class A:\n  def __init__(self): raise OSError('no')\n  def choose(self, v): ...\n", "no"),
    ],
)
def test_a_file_without_a_strategy_is_refused(text, message, tmp_path, capsys):
    path = tmp_path / "s.py"
    path.write_text(text)
    assert run(["simulate", "trut", "--strategies", str(path)]) in (1, 2)
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err


def test_an_unknown_strategy_is_refused(capsys):
    assert run(["simulate", "trut", "--strategies", "stedy"]) == 2
    assert "there is no strategy 'stedy'; did you mean 'steady'?" in capsys.readouterr().err


def test_best_play_is_not_a_strategy(capsys):
    assert run(["simulate", "trut", "--strategies", "best-play"]) == 2
    assert "write the path of a solved policy, such as ./trut.policy" in capsys.readouterr().err


CHOICE = "class S:\n    def choose(self, view):\n        return {}\n"


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_text_is_an_answer(engine, tmp_path):
    """A strategy that returns texts plays as one that returns actions."""
    found = []
    for answer in ("view.actions[-1]", "view.actions[-1].text"):
        path = tmp_path / "s.py"
        path.write_text(CHOICE.format(answer))
        spec, events = load_strategy(str(path)), []
        play_match(load_game("trut", 2, engine=engine), [spec, spec], 1, 0, events.append)
        found.append(events)
    assert found[0] == found[1]
    assert len(found[0]) > 20


RETURNED = {
    "'truth'": "it returned 'truth'; did you mean 'trut'?; legal: pass, trut",
    "'\\x1b[2J'": "it returned '\\x1b[2J'; legal: pass, trut",
    "None": "it returned nothing; legal: pass, trut",
    "7": "it returned something of the kind int; legal: pass, trut",
    "view.actions[0]._replace(text='fold')": "it returned the action 'fold'; legal: pass, trut",
}


@pytest.mark.parametrize("answer", RETURNED)
def test_the_message_names_the_returned_value(answer, tmp_path, capsys):
    path = tmp_path / "s.py"
    path.write_text(CHOICE.format(answer))
    assert run(["simulate", "trut", "--strategies", str(path), "--matches", "1"]) == 1
    error = capsys.readouterr().err
    assert error.endswith(RETURNED[answer] + "\n")
    assert "asked for 'interrupt' as player" in error


NONDETERMINISTIC = {
    "luck of its own": "import random\nP = 'random.randrange(2)'\n",
    "a clock": "import time\nP = 'time.perf_counter_ns() // 100 % 2'\n",
    "other matches": "N = [0]\nP = 'N.__setitem__(0, N[0] + 1) or (N[0] >> 6) % 2'\n",
}


@pytest.mark.parametrize("how", NONDETERMINISTIC)
def test_a_nondeterministic_strategy_is_reported(how, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "moody.py"
    body = "class S:\n    def choose(self, view):\n        return view.actions[eval(P) - 1]\n"
    path.write_text(NONDETERMINISTIC[how] + body)
    play = [
        "trut",
        "--players",
        "2",
        "--strategies",
        "uniform,moody.py",
        "--matches",
        "1",
        "--seed=1",
    ]
    assert run(["simulate", *play]) == 1
    output = capsys.readouterr().err
    assert "strategy 'moody' (moody.py) does not choose the same again in match 1, " in output
    assert "take all luck from view.random" in output
    assert run(["tournament", *play]) == 1
    output = " ".join(capsys.readouterr().out.split())
    assert "moody forfeited" in output
    assert "does not choose the same again" in output


def test_a_checked_match_sends_its_events_once(game):
    """The check plays the match twice."""
    seating, events, once = [load_strategy("steady"), load_strategy("caller")], [], []
    assert play_checked(game, seating, 1, 0, events.append) == play_match(
        game, seating, 1, 0, once.append
    )
    assert events == once
