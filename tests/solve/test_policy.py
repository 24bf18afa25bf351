"""Policy files: every command plays them; damaged ones and those of another game are refused."""

import json
import os
import pickle
from hashlib import blake2b
from random import Random

import numpy as np
import pytest
from extent import extent

from tests.solve.plain_kuhn import KUHN
from tests.solve.test_solve import LEDUC, solve_kuhn
from tests.strategy.test_threads import sum_parts
from trutdsl import load_game
from trutdsl.cli.app import BAD_INPUT, DONE, run
from trutdsl.diagnostics import BadUsage
from trutdsl.game import play_from
from trutdsl.options import Means, Settings
from trutdsl.solve.policy_file import DIGEST, MAGIC, START, SolvedPolicy
from trutdsl.solve.stored import StoredPlay, is_whole
from trutdsl.strategy import count, legs
from trutdsl.strategy.count import CountedLegs, count_in_parts, count_matches
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import play_leg
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import StrategyError
from trutdsl.table.counts import BRIEF, Rows
from trutdsl.tournaments.load import load_run
from trutdsl.tournaments.run import play_run


def sign_file(head, arrays):
    """Return the bytes of a file with this head, these arrays and a valid checksum."""
    content = len(head).to_bytes(8, "little") + head + arrays
    return MAGIC + blake2b(content, digest_size=DIGEST).digest() + content


def parts_of(data):
    """Return the head and the arrays of a file."""
    length = int.from_bytes(data[START - 8 : START], "little")
    return json.loads(data[START : START + length]), data[START + length :]


# ---------------------------------------------------------------- play


def test_a_policy_plays_the_same_in_single_matches_and_batches(tmp_path):
    game, _, _ = solve_kuhn(tmp_path)
    for other in ("uniform", str(tmp_path / "kuhn.policy")):
        meeting = load_strategies((str(tmp_path / "kuhn.policy"), other), game)
        for seated in ((0, 1), (1, 0)):
            rows = Rows.empty(60, 5)
            assert sum(play_leg(game, meeting, seated, 5, 0, rows)) == 60
            seating = [meeting[index] for index in seated]
            for engine in ("native", "reference"):
                for match in (1, 2, 3):
                    found = play_match(game.in_engine(engine), seating, 5, match)
                    assert rows.records()[match][:2].tolist() == [found.winner, found.deals]


LAST_ACTION = """\
import numpy as np
class Last:
    def choose(self, view):
        return view.actions[-1]
    def choose_batch(self, seen, names):
        return np.array([int(mask).bit_length() - 1 for mask in seen.legal[:, 0]])
"""
LIMITED = """\
strategy limited "Calls; fails at its 5th answer in a match.":
    match memory:
        answers: 0 to 4

    on answer:
        answers += 1
        call
    otherwise:
        answers += 1
        any
"""


def test_counts_of_policies_are_those_of_the_reference_engine(tmp_path, monkeypatch):
    """Whether matches are played together or a few at a time, in clusters or not."""
    monkeypatch.setattr(count, "CLUSTERS", 5)
    game, _, _ = solve_kuhn(tmp_path)
    reference, policy = game.in_engine("reference"), str(tmp_path / "kuhn.policy")
    (tmp_path / "last.py").write_text(LAST_ACTION, encoding="utf-8")
    others = ("uniform", (1, 0), 8192), (policy, (0, 1), 5), (str(tmp_path / "last.py"), (0, 1), 5)
    for other, line_up, most in others:
        monkeypatch.setattr(legs, "AT_ONCE", most)
        meeting = load_strategies((policy, other), game)
        seating = [meeting[index] for index in line_up]
        clusters = sum_parts(count_in_parts(reference, seating, 5, 12, 3))
        whole = sum(clusters[1:], clusters[0])
        assert whole["matches"] == 12
        assert sum_parts(count_in_parts(game, seating, 5, 12, 3, brief=False)) == clusters
        brief = count_matches(game, seating, 5, 3, 12, brief=True)
        for part in whole.plan.shapes:
            assert brief[part] == (whole[part] if part in BRIEF else ())
        play, rows = CountedLegs(), [Rows.empty(12, 5) for _ in range(2)]
        assert sum(play(game, meeting, line_up, 5, 3, rows[0])) == 12
        assert sum(play_leg(game, meeting, line_up, 5, 3, rows[1])) == 12
        assert rows[0].records().tolist() == rows[1].records().tolist()
        assert play.take() == [(line_up, whole)]


def test_a_script_that_fails_beside_a_policy_is_named(tmp_path):
    (tmp_path / "limited.strategy").write_text(LIMITED, encoding="utf-8")
    game, _, _ = solve_kuhn(tmp_path)
    names = [str(tmp_path / name) for name in ("limited.strategy", "kuhn.policy")]
    seating, reference = load_strategies(names, game), game.in_engine("reference")
    with pytest.raises(StrategyError) as expected:
        count_matches(reference, seating, 5, 0, 40)
    played, rows = 0, Rows.empty(40, 5)
    with pytest.raises(StrategyError) as found:
        for more in play_leg(game, seating, (0, 1), 5, 0, rows):
            played += more
    assert f"in match {played + 1}," in str(expected.value) == str(found.value)
    assert played > 2
    with pytest.raises(StrategyError) as found:
        count_matches(game, seating, 5, 0, 40)
    assert str(found.value) == str(expected.value)
    counts = count_matches(game, seating, 5, 0, played)
    assert counts == count_matches(reference, seating, 5, 0, played)


def test_single_deals_are_played_from_their_score(tmp_path):
    """At 2:0 of 3, the policy plays a deal as in a match with this score."""
    game, _, _ = solve_kuhn(tmp_path)
    meeting = load_strategies((str(tmp_path / "kuhn.policy"),), play_from(game, ["chips=2,0"]))
    shares = []
    for score in ("chips=2,0", "chips=0,2"):
        rows = Rows.empty(2_000, 5)
        assert sum(play_leg(play_from(game, [score]), meeting, (0, 0), 1, 0, rows)) == 2_000
        shares.append(int((rows.records()[:, 0] == 0).sum()) / 2_000)
    assert shares[0] > 0.4
    assert shares[1] == 0  # one deal is not enough for team 0, and team 1 leads


@pytest.mark.parametrize(
    "args",
    [
        ["tournament", KUHN, "--strategies", "{},uniform", "--sets", "20", "--out", "{}-run"],
        ["simulate", KUHN, "--strategies", "{},uniform", "--matches", "5"],
        ["simulate", KUHN, "--strategies", "{}", "--matches", "5", "--mode", "deals"],
        ["simulate", KUHN, "--strategies", "{}", "--transcript", "{}.jsonl"],
        ["coverage", KUHN, "--strategies", "{}", "--matches", "5"],
        ["plan", KUHN, "--strategies", "{},uniform", "--detect", "0.2"],
    ],
    ids=lambda args: " ".join(args[:1] + args[4:6]),
)
def test_a_path_is_a_strategy_in_every_command(args, tmp_path, capsys):
    solve_kuhn(tmp_path)
    args = [arg.format(*[tmp_path / "kuhn.policy"] * 2) for arg in args]
    assert run([*args, "--players", "2", "--param", "goal=3"]) == DONE, capsys.readouterr().err


def test_a_file_that_changes_during_a_run_is_refused(tmp_path):
    game, _, _ = solve_kuhn(tmp_path)
    path = tmp_path / "kuhn.policy"
    (spec,) = load_strategies((str(path),), game)
    again = pickle.loads(pickle.dumps(spec))
    assert again == spec
    assert again.policy.checksum == spec.policy.checksum
    head, arrays = parts_of(path.read_bytes())
    other = bytes([arrays[-8] ^ 1])
    path.unlink()
    path.write_bytes(sign_file(json.dumps(head).encode(), arrays[:-8] + other + arrays[-7:]))
    assert load_strategies((str(path),), game)[0].fingerprint != spec.fingerprint
    with pytest.raises(BadUsage, match="has changed since this run opened it"):
        pickle.loads(pickle.dumps(spec))


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"][: extent(1, None)])
def test_a_policy_that_changes_under_a_tournament_is_not_played(method, tmp_path, capfd):
    """Forked workers have the old one; others cannot get it any more."""
    path, out = tmp_path / "kuhn.policy", str(tmp_path / "run")
    solve_kuhn(tmp_path)
    old = path.read_bytes()
    names, parameters = (str(path), "uniform"), ("goal=3",)
    settings = Settings(
        variant=KUHN, strategies=names, players=2, parameters=parameters, sets=4, seed=1
    )
    run_of = load_run(settings, Means(out=out, jobs=1, start_method=method))
    path.write_bytes(b"another")
    if method != "fork":
        with pytest.raises(BadUsage, match="is not a policy of this version"):
            play_run(run_of)
        assert capfd.readouterr().err == ""
        path.write_bytes(old)
    results = play_run(run_of).results
    path.write_bytes(old)
    assert play_run(load_run(settings, Means(jobs=1, out=out + "-2"))).results == results


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: os.truncate(path, 0), id="cut"),
        pytest.param(lambda path: path.write_bytes(bytes(path.stat().st_size)), id="changed"),
    ],
)
def test_a_policy_in_use_does_not_depend_on_its_file(spoil, tmp_path):
    """The system ends a process that reads a mapped file beyond its end."""
    game, _, _ = solve_kuhn(tmp_path)
    path = tmp_path / "kuhn.policy"
    first, second = (load_strategies((str(path), "uniform"), game) for _ in range(2))
    before, after = Rows.empty(60, 5), Rows.empty(60, 5)
    assert sum(play_leg(game, first, (0, 1), 5, 0, before)) == 60
    spoil(path)
    assert sum(play_leg(game, second, (0, 1), 5, 0, after)) == 60
    assert (before.records() == after.records()).all()


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda data: data[:-1], "is damaged", id="cut"),
        pytest.param(lambda data: data[:-1] + bytes([data[-1] ^ 1]), "is damaged", id="bit"),
        pytest.param(lambda data: b"x" + data[1:], "is not a policy", id="magic"),
        pytest.param(lambda data: data[:40], "is damaged", id="head"),
        pytest.param(lambda _: b"", "is not a policy", id="empty"),
        pytest.param(
            lambda data: data.replace(b'"count":6', b'"count":9', 1), "is damaged", id="size"
        ),
        pytest.param(lambda _: sign_file(b"[" * 2_000_000, b""), "is damaged", id="deep"),
        pytest.param(
            lambda _: sign_file(b"[" + b"{}," * 999_999 + b"{}]", b""), "damaged", id="wide"
        ),
        pytest.param(lambda _: sign_file(b"9" * 100_000, b""), "is damaged", id="digits"),
        pytest.param(
            lambda data: data[: START - 8] + (2**62).to_bytes(8, "little") + data[START:],
            "is not a policy",
            id="long head",
        ),
    ],
)
def test_damaged_files_are_refused(change, message, tmp_path):
    solve_kuhn(tmp_path, goal=1)
    path = tmp_path / "other.policy"
    path.write_bytes(change((tmp_path / "kuhn.policy").read_bytes()))
    with pytest.raises(BadUsage, match=message):
        SolvedPolicy(str(path))


def other_actions(head):
    """Return a tree with the keys of the first one, and other numbers of actions."""
    first, second = head["trees"][0]
    return [{**first, "actions": head["scores"][0]["play"][0]["parts"]}, second]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda head: head["scores"].clear(), id="no scores"),
        pytest.param(lambda head: head["scores"].extend(head["scores"]), id="twice"),
        pytest.param(lambda head: head["trees"].append(other_actions(head)), id="shared keys"),
        pytest.param(lambda head: head["scores"][0].update(value=float("nan")), id="nan"),
        pytest.param(lambda head: head["scores"][0].update(value=-0.1), id="below 0"),
        pytest.param(lambda head: head["scores"][0].update(best=[float("inf"), 0]), id="infinite"),
        pytest.param(lambda head: head["scores"][0].update(values=[]), id="no values"),
        pytest.param(lambda head: head["scores"][0].update(values=[0, 10**30]), id="values"),
        pytest.param(lambda head: head["scores"][0].update(start=[0, 0]), id="two dealers"),
        pytest.param(lambda head: head["scores"][0].update(tree=-1), id="tree"),
        pytest.param(lambda head: head["trees"][0][0]["keys"].update(count=2**61), id="overflow"),
        pytest.param(lambda head: head["trees"][0][0]["keys"].update(at=1 << 20), id="beyond"),
        pytest.param(lambda head: head.update(variant="\x1b[2J"), id="screen"),
        pytest.param(lambda head: head.update(variant="x" * 10**6), id="long name"),
    ],
)
def test_wrong_heads_are_refused(change, tmp_path):
    game, _, _ = solve_kuhn(tmp_path, goal=1)
    path = tmp_path / "kuhn.policy"
    head, arrays = parts_of(path.read_bytes())
    change(head)
    path.write_bytes(sign_file(json.dumps(head).encode(), arrays))
    with pytest.raises(BadUsage, match=r"is damaged|another version"):
        load_strategies((str(path),), game)


def test_a_file_without_scores_is_refused(tmp_path):
    game, _, _ = solve_kuhn(tmp_path, goal=1)
    path = tmp_path / "kuhn.policy"
    head, _ = parts_of(path.read_bytes())
    head |= {"trees": [], "scores": [], "size": 0}
    path.write_bytes(sign_file(json.dumps(head).encode(), b""))
    with pytest.raises(BadUsage, match="is damaged"):
        load_strategies((str(path),), game)


def test_a_gap_between_arrays_is_refused(tmp_path):
    game, _, _ = solve_kuhn(tmp_path, goal=1)
    path = tmp_path / "kuhn.policy"
    head, arrays = parts_of(path.read_bytes())
    spans = [span for play in head["scores"][0]["play"] for span in play.values()]
    last = max(spans, key=lambda span: span["at"])
    arrays = arrays[: last["at"]] + bytes(8) + arrays[last["at"] :]
    last["at"], head["size"] = last["at"] + 8, head["size"] + 8
    path.write_bytes(sign_file(json.dumps(head).encode(), arrays))
    with pytest.raises(BadUsage, match="is damaged"):
        load_strategies((str(path),), game)


def test_pipes_devices_and_folders_are_refused(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.policy")
    (tmp_path / "zero.policy").symlink_to("/dev/zero")
    (tmp_path / "folder.policy").mkdir()
    for name in ("pipe", "zero", "folder", "missing"):
        args = ["simulate", KUHN, "--strategies", str(tmp_path / f"{name}.policy")]
        assert run(args) == BAD_INPUT
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert f"{name}.policy cannot be read: " in error


def test_hostile_heads_are_refused(tmp_path):
    game, _, _ = solve_kuhn(tmp_path, goal=1)
    head, arrays = parts_of((tmp_path / "kuhn.policy").read_bytes())
    refused, chance = 0, Random(1)
    for number in range(300):
        changed = json.loads(json.dumps(head))
        change(changed, chance)
        if changed == head:
            continue
        path = tmp_path / f"{number}.policy"
        path.write_bytes(sign_file(json.dumps(changed).encode(), arrays))
        try:
            policy = SolvedPolicy(str(path))
            policy.check_for(game)
        except BadUsage:
            refused += 1
            continue
        scores, keys = policy.numbers_of(np.array([[0, 0, 0]])), np.array([7], np.uint64)
        policy.parts(scores, 0, keys, np.array([2]))  # a valid policy must play without errors
    assert refused > 150


def test_hostile_arrays_are_refused_or_play(tmp_path):
    solve_kuhn(tmp_path, goal=1)
    path = tmp_path / "kuhn.policy"
    whole = SolvedPolicy(str(path))
    keys = [whole._words_at(seat.keys).copy() for seat in whole.head.trees[0]]
    head, arrays = parts_of(path.read_bytes())
    bits = {
        place["reached"]["at"] for score in head["scores"] for place in score["play"]
    }  # the first byte of each
    for at in range(len(arrays)):
        changed = arrays[:at] + bytes([arrays[at] ^ 1 << at % 3]) + arrays[at + 1 :]
        path.write_bytes(sign_file(json.dumps(head).encode(), changed))
        try:
            policy = SolvedPolicy(str(path))
        except BadUsage:
            continue
        assert at not in bits
        for seat in (0, 1):
            numbers = np.zeros(len(keys[seat]), np.int64)
            assert (policy.parts(numbers, seat, keys[seat], np.full(len(numbers), 2)) >= 0).all()


def test_stored_play_has_all_parts_of_a_set_or_none():
    starts = np.array([0, 2, 3])  # a set of three actions, and one of two

    def accepts(bits, *parts, starts=starts):
        return is_whole(StoredPlay(np.array([bits], np.uint64), np.array(parts, np.uint8)), starts)

    assert accepts(0b000) and accepts(0b011, 100, 154) and accepts(0b111, 0, 0, 254)
    assert not accepts(0b001, 100)
    assert not accepts(0b011, 100)
    assert not accepts(0b011, 100, 155) and not accepts(0b100, 255)
    assert not accepts(0b1000) and not accepts(0b1000, 1)
    assert not accepts(0b000, starts=None)


def change(value, chance):
    """Change one random place of a JSON value."""
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = chance.choice(list(places))
    inner = value[place]
    if isinstance(inner, dict | list) and inner and chance.random() < 0.85:
        change(inner, chance)
        return
    value[place] = chance.choice([-1, 0, 1, 2**62, 10**30, 1.5, "x", None, [], {}, True, [[0]]])


def test_a_policy_of_another_game_is_refused(tmp_path):
    solve_kuhn(tmp_path, goal=1)
    path = str(tmp_path / "kuhn.policy")
    for variant, goal, message in (
        (KUHN, 2, "for goal=1, not for goal=2"),
        (LEDUC, 1, "for kuhn-poker with 2 players, not for leduc-poker with 2"),
    ):
        with pytest.raises(BadUsage, match=message):
            load_strategies((path,), load_game(variant, 2, {"goal": goal}, "native"))
