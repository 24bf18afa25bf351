"""Each wrong call raises a subclass of `trutdsl.Error`."""

import inspect
import json
import pickle
import threading
from copy import copy, deepcopy
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import trutdsl

GAME = trutdsl.load_game("trut", 2)
KUHN = str(Path(__file__).parents[2] / "variants/examples/kuhn-poker.yaml")
RESULT = trutdsl.MatchResult(0, 1, 1, {"longs": (1, 0)})
TWO_STRATEGIES = ["steady", "tight"]
SHORT = {"sets": 1, "engine": "reference", "parameters": {"goal": 1}}


@cache
def counts():
    """Return counts of a match; made when a test needs them, because every worker imports this."""
    return trutdsl.count_matches(GAME, TWO_STRATEGIES, 1, 0, 1)


class FirstOutcome:
    """Chance that takes the first outcome, as a number of NumPy, or always one card."""

    def __init__(self, always=None):
        self.always = always

    def start(self, *_):
        pass

    def card(self, cards, *_):
        return np.int64(cards[0]) if self.always is None else self.always

    def number(self, low, *_):
        return np.int64(low)

    def element(self, elements, *_):
        return np.int64(elements[0])

    def yes(self, *_):
        return np.False_


class Locked:
    def __init__(self):
        self.lock = threading.Lock()

    def choose(self, view):
        return view.actions[0]


def start_at_question():
    state = GAME.start(1, 0)
    while isinstance(state.pending, trutdsl.DealStart):
        state.next_deal()
    return state


def start_before_deal():
    return GAME.start(1, 0)


def play(**more):
    return trutdsl.tournament("trut", TWO_STRATEGIES, **{"players": 2, "sets": 2, "jobs": 1} | more)


def measure(*variants, **more):
    return trutdsl.compare(*variants, **{"players": 2, "sets": 2, "jobs": 1} | more)


def simulate(**more):
    return trutdsl.simulate("trut", TWO_STRATEGIES, **{"players": 2, "matches": 3} | more)


CALLS = {
    "unknown variant": lambda: trutdsl.load_game("nothing"),
    "number of players": lambda: trutdsl.load_game("trut", 17),
    "value of a parameter": lambda: trutdsl.load_game("trut", 2, {"goal": -1}),
    "unknown engine": lambda: trutdsl.load_game("trut", 2, {}, "fast"),
    "unknown strategy": lambda: trutdsl.load_strategy("nobody"),
    "no run": lambda: trutdsl.load_run("nowhere"),
    "one variant": lambda: trutdsl.compare("trut"),
    "strategy of a tournament": lambda: trutdsl.tournament("trut", ["nobody"]),
    "parameter of a sweep": lambda: trutdsl.sweep("trut", {"nothing": [1]}),
    "one strategy": lambda: trutdsl.exact("trut", ["steady"]),
    "best play of nothing": lambda: trutdsl.best_play("trut"),
    "no transcript": lambda: trutdsl.replay("nowhere"),
    "no scenarios": lambda: trutdsl.run_scenarios("nowhere"),
    "unknown variant of a difference": lambda: trutdsl.diff("trut", "nothing"),
    "name of a shipped variant": lambda: trutdsl.new_variant("trut"),
    "negative matches": lambda: trutdsl.simulate("trut", ["steady", "steady"], matches=-1),
    "apply before a deal": lambda: start_before_deal().apply(0),
    "view before a deal": lambda: start_before_deal().view(),
    "decide before a deal": lambda: start_before_deal().decide(0),
    "next deal at a question": lambda: start_at_question().next_deal(),
    "index too large": lambda: start_at_question().apply(99),
    "negative index": lambda: start_at_question().apply(-1),
    "text as an index": lambda: start_at_question().apply("fold"),
    "fraction as an index": lambda: start_at_question().apply(0.5),
    "sight of no seat": lambda: start_at_question().sight(-1),
    "dealer too late": lambda: start_at_question().set_dealer(0),
    "dealer of no seat": lambda: start_before_deal().set_dealer(9),
    "dealer before the draw": lambda: GAME.start(1, 0, open_chance=True).set_dealer(0),
    "counter too late": lambda: start_at_question().set_counter("petits", (0, 0)),
    "unknown counter": lambda: start_before_deal().set_counter("nothing", (0, 0)),
    "counter of one team": lambda: start_before_deal().set_counter("petits", (0,)),
    "counter that is no text": lambda: start_before_deal().set_counter([1], (0, 0)),
    "counter of a number": lambda: start_before_deal().set_counter("petits", 3),
    "worth without names": lambda: RESULT.points("longs"),
    "worth that is no number": lambda: RESULT.points({"longs": "x"}),
    "worth beyond all floats": lambda: RESULT.points({"longs": 10**400}),
    "points of no team": lambda: RESULT.points({"longs": 1}, 2),
    "cards of a text": lambda: start_at_question().view().cards_of("play 7h"),
    "negative target": lambda: trutdsl.best_play("trut", deal={"petits": 1}, target=-1),
    "points that are no number": lambda: trutdsl.best_play(KUHN, deal={"chips": float("nan")}),
    "counter of texts": lambda: start_before_deal().set_counter("petits", "ab"),
    "seed of a start": lambda: GAME.start("x", 0),
    "match of a start": lambda: GAME.start(1, -1),
    "fraction of a match": lambda: GAME.start(1, 0.5),
    "number as a receiver": lambda: GAME.start(1, 0, emit=5),
    "number as chance": lambda: GAME.start(1, 0, chance=5),
    "card that is not there": lambda: GAME.start(1, 0, chance=FirstOutcome(99)),
    "text as a card": lambda: GAME.start(1, 0, chance=FirstOutcome("7h")),
    "number as a flag": lambda: GAME.start(1, 0, open_chance=1),
    "half a bound": lambda: trutdsl.Stream(1).below(2.5),
    "name that is too long": lambda: trutdsl.load_variant("x" * 5000),
    "name with a null character": lambda: play(out="a\0b"),
    "array as a name": lambda: trutdsl.check(np.zeros((2, 2))),
    "name of two lines": lambda: trutdsl.load_strategy("a\nb"),
    "negative seed": lambda: GAME.start(-1, 0),
    "key of no seed": lambda: trutdsl.chance_key("x"),
    "nothing below 0": lambda: trutdsl.Stream(1).below(0),
    "bound of more than 64 bits": lambda: trutdsl.Stream(1).below(2**64 + 1),
    "key in words": lambda: trutdsl.Stream("x"),
    "number as a variant": lambda: trutdsl.load_variant(3),
    "None as a variant": lambda: trutdsl.load_game(None),
    "players in words": lambda: trutdsl.load_game("trut", "two"),
    "parameter as a text": lambda: trutdsl.load_game("trut", 2, "goal=3"),
    "parameter without name": lambda: trutdsl.load_game("trut", 2, {3: 1}),
    "number as an engine": lambda: trutdsl.load_game("trut", 2, {}, 5),
    "library": lambda: trutdsl.list_variants(5),
    "number as a strategy": lambda: trutdsl.load_strategy(3),
    "dictionary as a strategy": lambda: trutdsl.load_strategy({}),
    "name as a game": lambda: trutdsl.play_match("trut", TWO_STRATEGIES, 1),
    "three strategies for two": lambda: trutdsl.play_match(GAME, [*TWO_STRATEGIES, "steady"], 1),
    "no strategies": lambda: trutdsl.play_match(GAME, None, 1),
    "seed of a match": lambda: trutdsl.play_match(GAME, TWO_STRATEGIES, "x"),
    "negative match": lambda: trutdsl.play_match(GAME, TWO_STRATEGIES, 1, -1),
    "function that answers 99": lambda: trutdsl.play_match(GAME, [lambda _: 99, "steady"], 1),
    "function that answers nothing": lambda: trutdsl.play_match(
        GAME, [lambda _: None, "steady"], 1
    ),
    "function that fails": lambda: trutdsl.play_match(GAME, [lambda _: 1 // 0, "steady"], 1),
    "fewer than no matches": lambda: list(trutdsl.play_matches(GAME, TWO_STRATEGIES, 1, -1)),
    "negative count": lambda: trutdsl.count_matches(GAME, TWO_STRATEGIES, 1, 0, -3),
    "opponent on no seat": lambda: trutdsl.start_batch(GAME, 2, opponents={9: "steady"}),
    "opponents as a list": lambda: trutdsl.start_batch(GAME, 2, opponents=["steady"]),
    "batch of a name": lambda: trutdsl.start_batch("trut", 2),
    "batch of no size": lambda: trutdsl.start_batch(GAME, -1),
    "too few answers": lambda: trutdsl.start_batch(GAME, 3).answer(np.array([0])),
    "illegal answers": lambda: trutdsl.start_batch(GAME, 1).answer(np.array([60])),
    "fractions as answers": lambda: trutdsl.start_batch(GAME, 1).answer(np.array([0.5])),
    "answer to no match": lambda: trutdsl.start_batch(GAME, 1).answer(np.array([0]), np.array([7])),
    "answer to one match twice": lambda: trutdsl.start_batch(GAME, 1).answer([1, 1], [0, 0]),
    "restart of one match twice": lambda: trutdsl.start_batch(GAME, 1).restart([0, 0], 5),
    "number as matches": lambda: trutdsl.start_batch(GAME, 1).restart(0, 5),
    "restart of no match": lambda: trutdsl.start_batch(GAME, 1).restart(np.array([8]), 5),
    "sets in words": lambda: play(sets="many"),
    "function for new processes": lambda: trutdsl.tournament(
        "trut",
        ["steady", lambda view: view.actions[0]],
        sets=1,
        start_method="spawn",
        engine="reference",
    ),
    "fraction of a set": lambda: play(sets=1.5),
    "format": lambda: play(format=3),
    "seed in words": lambda: play(seed="x"),
    "jobs in words": lambda: play(jobs="all"),
    "number as a folder": lambda: play(out=5),
    "score as a number": lambda: play(mode="deals", score={"petits": 3}),
    "list of parameters": lambda: play(parameters=["goal=3"]),
    "time in words": lambda: play(sets=None, time="soon"),
    "no list of strategies": lambda: trutdsl.tournament("trut", 5, sets=2),
    "strategies in no order": lambda: trutdsl.tournament("trut", {"steady", "tight"}, sets=2),
    "variant of a tournament": lambda: trutdsl.tournament(5, TWO_STRATEGIES, sets=2),
    "variant of a comparison": lambda: measure("trut", 5),
    "deals in words": lambda: measure("trut", "trut:goal=3", deals="many"),
    "no deals": lambda: measure("trut", "trut:goal=3", deals=0),
    "no sets": lambda: measure("trut", "trut:goal=3", sets=0),
    "metric of a number": lambda: trutdsl.Comparison({}, None).difference(5),
    "margin in words": lambda: measure("trut", "trut:goal=3", margin="x"),
    "negative margin": lambda: measure("trut", "trut:goal=3", margin=-1),
    "margin of all shares": lambda: measure("trut", "trut:goal=3", margin=2),
    "margin of nothing": lambda: measure("trut", "trut:goal=3", margins={"length.deals": 0}),
    "no workers of a comparison": lambda: measure("trut", "trut:goal=3", jobs=0),
    "margins as a list": lambda: measure("trut", "trut:goal=3", margins=[1]),
    "apart in words": lambda: measure("trut", "trut:goal=3", apart="x"),
    "grid as a list": lambda: trutdsl.sweep("trut", ["goal"]),
    "grid of one value": lambda: trutdsl.sweep("trut", {"goal": 3}),
    "empty grid": lambda: trutdsl.sweep("trut", {}),
    "ambiguities of a number": lambda: trutdsl.ambiguities(4),
    "matches in words": lambda: simulate(matches="many"),
    "half a match": lambda: simulate(matches=1.5),
    "negative first": lambda: simulate(first=-1),
    "score of a simulation": lambda: simulate(score={"petits": 1}),
    "scenarios of a coverage": lambda: trutdsl.coverage("trut", scenarios=5),
    "detect in words": lambda: trutdsl.plan("trut", TWO_STRATEGIES, "x"),
    "exact for a number": lambda: trutdsl.exact("trut", 5),
    "best response to nobody": lambda: trutdsl.exploit("trut", []),
    "choices in words": lambda: trutdsl.exploit("trut", "steady", choices="x"),
    "worth as a number": lambda: trutdsl.best_play("trut", deal=5),
    "no iterations": lambda: trutdsl.best_play("trut", deal={"longs": 1}, iterations=0),
    "choice in no file": lambda: trutdsl.explain_choice("steady", 5),
    "number as a transcript": lambda: trutdsl.replay(5),
    "scenario file": lambda: trutdsl.run_scenarios(5),
    "check of a number": lambda: trutdsl.check(5),
    "description of a number": lambda: trutdsl.describe(5),
    "difference from a number": lambda: trutdsl.diff("trut", 5),
    "migration of a number": lambda: trutdsl.migrate(5),
    "folder of a new variant": lambda: trutdsl.new_variant("house", "trut", folder=5),
    "language of a rulebook": lambda: trutdsl.rulebook("trut", language="xx"),
    "language of a report": lambda: play(**SHORT).to_html("FR"),
    "array as a language": lambda: trutdsl.Comparison({}, None).to_html(np.zeros(2)),
    "players of a rulebook": lambda: trutdsl.rulebook("trut", "x"),
    "number as a run": lambda: trutdsl.load_run(5),
    "no runs": lambda: trutdsl.merge_runs([], "out"),
    "no folder": lambda: play(out=""),
    "no file": lambda: trutdsl.check(""),
    "file with a long name": lambda: trutdsl.exploit(KUHN, "uniform", out="x" * 300 + ".policy"),
    "folder with a long name": lambda: trutdsl.new_variant("house", folder="x" * 300),
    "unknown zone": lambda: start_at_question().view().cards("nothing"),
    "place of no seat": lambda: start_at_question().view().cards("hand", 9),
    "unknown zone of lying cards": lambda: start_at_question().view().lying("nothing"),
    "unknown part of a view": lambda: start_at_question().view().to_dict(["nothing"]),
    "name as parts of a view": lambda: start_at_question().view().to_dict("seat"),
    "unknown part of counts": lambda: counts()["nothing"],
    "list as a part of counts": lambda: counts()[["deals"]],
    "answers of no seat": lambda: list(counts().answers(9)),
    "unknown zone of a batch": lambda: trutdsl.start_batch(GAME, 1).observe(["nothing"]),
    "name as zones of a batch": lambda: trutdsl.start_batch(GAME, 1).observe("hand"),
    "too many matches": lambda: trutdsl.start_batch(GAME, 10**12),
    "restart at no match": lambda: trutdsl.start_batch(GAME, 1).restart(np.array([0]), -1),
    "first beyond all matches": lambda: trutdsl.start_batch(GAME, 1, first=2**70),
    "match beyond all matches": lambda: GAME.start(1, 2**70),
    "score of a number": lambda: GAME.one_deal({"longs": 3}),
    "pickled state": lambda: pickle.dumps(start_at_question()),
    "pickled batch": lambda: pickle.dumps(trutdsl.start_batch(GAME, 1)),
    "object with a lock": lambda: trutdsl.play_match(GAME, [Locked(), "steady"], 1),
    "strategy of a batch": lambda: trutdsl.start_batch(GAME, 2, opponents={1: "nobody"}),
}


@pytest.mark.parametrize("what", CALLS)
def test_a_wrong_call_raises_an_error_of_trutdsl_in_one_sentence(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(trutdsl.Error) as raised:
        CALLS[what]()
    assert len(str(raised.value).strip().splitlines()) == 1


def test_a_wrong_argument_is_named_with_the_expected_type():
    with pytest.raises(trutdsl.BadUsage) as raised:
        trutdsl.load_game("trut", "two")
    text = "load_game(): found 'two' for players, expected a whole number or None"
    assert str(raised.value) == text
    with pytest.raises(trutdsl.BadUsage, match=r"expected values by name, such as \{'goal': 3\}"):
        play(parameters=["goal=3"])
    with pytest.raises(trutdsl.BadUsage, match="found 0 for chunks, expected 1 or more"):
        trutdsl.Tournament({}, Path(), None).verify(chunks=0)
    with pytest.raises(trutdsl.BadUsage, match="found 5 for kind, expected one of: Tournament, "):
        trutdsl.load_run("out", 5)


def test_numbers_of_numpy_are_numbers():
    run = play(**SHORT | {"sets": np.int64(1), "seed": np.uint8(3)})
    assert (run.results["run"]["sets"], run.results["manifest"]["seed"]) == (1, 3)
    assert trutdsl.load_game("trut", 2, {"goal": np.int64(3)}).parameters["goal"] == 3
    matches = [GAME.start(number(3), number(1)) for number in (int, np.int64)]
    for match in matches:
        match.next_deal()
    assert matches[0].view().to_dict() == matches[1].view().to_dict()
    draws = [trutdsl.Stream(n).below(np.int64(3)) for n in range(50)]
    assert draws == [trutdsl.Stream(n).below(3) for n in range(50)]


def test_numbers_of_numpy_can_be_copied_and_written():
    found = []
    for engine in ("native", "reference"):
        state = GAME.in_engine(engine).start(1, 0, chance=FirstOutcome())
        state.set_dealer(np.int64(1))
        state.set_counter("longs", np.array([1, 0]))
        state.next_deal()
        for _ in range(3):
            state.apply(np.int64(0))
            state = state.clone()
        found.append(json.dumps(state.to_dict()))
    assert found[0] == found[1]
    assert play(**SHORT, move_timeout=np.float32(5)).results["run"]["sets"] == 1


@pytest.mark.parametrize("kind", [iter, tuple, np.array, pd.Series, pd.Index])
def test_lists_can_have_any_kind(kind):
    two = ["uniform", "uniform"]
    assert trutdsl.play_match(GAME, kind(two), 1) == trutdsl.play_match(GAME, two, 1)
    assert start_at_question().view().to_dict(kind(["seat"])) == {"seat": 1}
    batch = trutdsl.start_batch(GAME, 1)
    assert [*batch.observe(kind(["hand"])).zones] == ["hand"]
    batch.restart([], 5)
    batch.answer([], [])


@pytest.mark.parametrize(
    ("part", "kind"),
    [
        ("zones", "zone"),
        ("sizes", "zone"),
        ("variables", "variable"),
        ("counters", "counter"),
        ("parameters", "parameter"),
    ],
)
def test_an_unknown_name_of_a_view_is_told_with_a_near_one(part, kind):
    names = getattr(start_at_question().view(), part)
    one = next(name for name in names if len(name) > 3)
    with pytest.raises(KeyError) as raised:
        names[one + "x"]
    assert isinstance(raised.value, trutdsl.BadUsage)
    assert str(raised.value) == f"there is no {kind} '{one}x'; did you mean '{one}'?"
    assert "nothing" not in names and names.get("nothing", 3) == 3
    with pytest.raises(KeyError, match=r"^there is no .* 'nothing'; choose .*"):
        names["nothing"]


@pytest.mark.parametrize("duplicate", [copy, deepcopy])
def test_copies_of_states_and_batches_are_independent(duplicate):
    state, batch = start_at_question(), trutdsl.start_batch(GAME, 2, opponents={1: "steady"})
    before = repr(state.to_dict()), batch.observe().legal.tolist(), batch.decisions.tolist()
    duplicate(state).apply(0)
    twin = duplicate(batch)
    rows = twin.observe().legal[:, 0]
    twin.answer(np.log2(rows & (~rows + np.uint64(1))).astype(np.int64))  # the first legal ones
    assert twin.decisions.sum() > batch.decisions.sum()
    assert before == (
        repr(state.to_dict()), batch.observe().legal.tolist(), batch.decisions.tolist()
    )  # fmt: skip


def test_a_match_that_is_over_takes_no_answer():
    batch = trutdsl.start_batch(trutdsl.load_game(KUHN).one_deal(), 1)
    while len(batch.waiting):
        answer = [int(batch.observe().legal[0, 0]).bit_length() - 1]
        batch.answer(answer)
    with pytest.raises(trutdsl.BadUsage, match="match 0 is over"):
        batch.answer(answer, [0])


ERRORS = {
    "a name": lambda: start_at_question().view().zones["nothing"],
    "a file": lambda: trutdsl.load_game("nothing"),
    "a parameter": lambda: trutdsl.load_game("trut", 2, {"goal": -1}),
    "usage": lambda: trutdsl.load_game("trut", 17),
    "a strategy": lambda: trutdsl.play_match(GAME, [lambda _: 1 // 0, "steady"], 1),
}


@pytest.mark.parametrize("what", ERRORS)
def test_an_error_passes_from_process_to_process(what):
    with pytest.raises(trutdsl.Error) as raised:
        ERRORS[what]()
    problem = raised.value
    copied = pickle.loads(pickle.dumps(problem))
    assert (type(copied), str(copied)) == (type(problem), str(problem))
    assert copied.__dict__ == problem.__dict__


def test_every_public_function_checks_its_arguments():
    unchecked = {"chance_key", "deal_start", "match_start", "render_all", "load_strategy"}
    functions = {
        name for name in trutdsl.__all__ if inspect.isfunction(getattr(trutdsl, name))
    } - unchecked
    with_arguments = {n for n in functions if inspect.signature(getattr(trutdsl, n)).parameters}
    assert {n for n in with_arguments if not hasattr(getattr(trutdsl, n), "__wrapped__")} == set()


def test_objects_of_play_have_short_reprs():
    things = [trutdsl.load_strategy(name) for name in ("steady", "monte-carlo")]
    assert repr(things[0]) == "<ScriptSpec: steady>"
    assert max(len(repr(one)) for one in (*things, GAME, GAME.count_plan, GAME.variant)) < 80


def test_every_public_exception_is_an_error_of_trutdsl():
    public = [getattr(trutdsl, name) for name in trutdsl.__all__]
    exceptions = {one for one in public if isinstance(one, type) and issubclass(one, BaseException)}
    assert {trutdsl.BadUsage, trutdsl.Rejected, trutdsl.Failure} < exceptions
    assert all(issubclass(one, trutdsl.Error) for one in exceptions)
