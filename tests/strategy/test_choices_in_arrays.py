"""Strategies that answer for a batch of matches in arrays: they play as in single matches."""

import numpy as np
import pytest

from trutdsl.game import load_game
from trutdsl.strategy.count import count_matches
from trutdsl.strategy.legs import answers_in_arrays, read_leg, record_of
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import StrategyError
from trutdsl.table.faults import RuleError

LEADER = """\
import numpy as np
class Leader:
    reads = ("hand", "table", "tricks")
    def choose(self, view):
        worth = {f"play {card}": strength for card, strength in view.strengths.items()}
        plays = [text for text in view.texts if text in worth]
        if not plays:
            return view.texts[0]
        leads = not list(view.lying("table")) or view.variables["tricks"][view.team] > 0
        return (max if leads else min)(plays, key=worth.__getitem__)
    def choose_batch(self, seen, names):
        rows, cards = np.arange(len(seen.seat)), np.arange(len(names.strengths), dtype=np.uint64)
        legal = seen.legal[:, 0]
        result = np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(int)
        hand = seen.zones["hand"][rows, seen.seat][:, None] >> cards & np.uint64(1) == 1
        team = seen.seat % seen.variables["tricks"].shape[1]
        leads = ~seen.zones["table"].any(axis=1) | (seen.variables["tricks"][rows, team] > 0)
        strongest = np.where(hand, names.strengths, -1).argmax(axis=1)
        weakest = np.where(hand, names.strengths, 99).argmin(axis=1)
        card = np.where(leads, strongest, weakest)
        for row, question in enumerate(seen.decision.tolist()):
            plays = [n for text, n in names.actions[question].items() if text.startswith("play ")]
            if plays and any(int(legal[row]) >> n & 1 for n in plays):
                result[row] = plays[card[row]]
        return result
"""
FIRST_ACTION = """\
import numpy as np
class First:
    reads = ()
    def choose(self, view):
        return view.actions[0]
    def choose_batch(self, seen, names):
        STATEMENT
        legal = seen.legal[:, 0]
        return np.bitwise_count((legal & (~legal + np.uint64(1))) - np.uint64(1)).astype(int)
"""


def play_rows(game, seating, start, count):
    """Return the rows of matches up to the first that fails, and the message of its failure."""
    found = []
    try:
        for rows in read_leg(game, seating, range(len(seating)), 3, start, count):
            found += rows.tolist()
    except StrategyError as failed:
        return found, str(failed)
    return found, None


@pytest.fixture(scope="module")
def game():
    return load_game("trut", 2, {"goal": "1"}, "native")


@pytest.fixture
def leader(tmp_path):
    (tmp_path / "leader.py").write_text(LEADER)
    return load_strategy(str(tmp_path / "leader.py"))


@pytest.mark.parametrize("other", ["leader", "bluffer"])
def test_choices_in_arrays_equal_single_choices(game, leader, other):
    seating = [leader if other == "leader" else load_strategy(other), leader]
    assert answers_in_arrays(game, seating)
    alone = [record_of(play_match(game, seating, 3, match))[0].tolist() for match in range(40)]
    assert play_rows(game, seating, 0, 40) == (alone, None)
    assert play_rows(game, seating, 7, 5) == (alone[7:12], None)


def test_arrays_need_choose_batch_and_machine_code(game, leader):
    able, other = leader, load_strategy("monte-carlo")
    assert not answers_in_arrays(game, [able, other])
    assert not answers_in_arrays(game.in_engine("reference"), [able, able])
    assert not answers_in_arrays(game, [load_strategy("steady")] * 2)


def load_first(tmp_path, body):
    """Return a strategy that takes the first action; in arrays, it runs this statement before."""
    path = tmp_path / "first.py"
    path.write_text(FIRST_ACTION.replace("STATEMENT", body))
    return load_strategy(str(path))


def test_a_failure_belongs_to_its_match_in_any_batch(game, tmp_path):
    path, quiet = tmp_path / "first.py", load_strategy("quiet")
    deals = [row[1] for row in play_rows(game, [load_first(tmp_path, "pass"), quiet], 1, 40)[0]]
    longest = int(np.argmax(deals))
    spec = load_first(tmp_path, f"assert seen.deal.max() < {max(deals) - 1}")
    for begin in (1, 1 + longest, max(1, longest - 3)):
        rows, said = play_rows(game, [spec, quiet], begin, 41 - begin)
        assert len(rows) == longest + 1 - begin
        assert said == (
            f"strategy 'first' ({path}:7) failed in match {longest + 2}: AssertionError"
        )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return np.full(len(seen.seat), 99)", "it returned 99"),
        ("return np.full(len(seen.seat), -1)", "it returned -1"),
        ("return [0.0] * len(seen.seat)", "returned float64 (1,) for 1 matches in match 1"),
        ("return np.zeros(len(seen.seat) + 1, int)", "returned int64 (2,) for 1 matches"),
        ("del names.actions[0]", "TypeError: "),
    ],
)
def test_an_invalid_answer_is_reported(game, tmp_path, body, said):
    rows, message = play_rows(game, [load_first(tmp_path, body), load_strategy("quiet")], 0, 3)
    assert rows == []
    assert said in message


def test_a_strategy_that_chooses_differently_in_arrays_is_reported(game, tmp_path):
    body = "return np.array([int(m).bit_length() - 1 for m in seen.legal[:, 0]])"
    rows, message = play_rows(game, [load_first(tmp_path, body), load_strategy("quiet")], 49, 5)
    assert len(rows) == 1
    named = f"of strategy 'first' ({tmp_path / 'first.py'})"
    assert message == f"match 51 goes otherwise with `choose_batch` than with `choose`, {named}"


FRAIL = """\
variant: frail
title: Frail
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K]}
rules: |
  match state:
      sum: 0 to 26 = 0

  rule match "Fails in some matches.":
      repeat 6 times:
          ask dealer "go":
              on: sum += roll 1 to 6
              off: dealer = next_seat(dealer)
      end match drawn
"""


def test_an_error_in_the_rules_belongs_to_its_match(tmp_path):
    """Its message is that of the first match that fails, with counts and without."""
    (tmp_path / "frail.yaml").write_text(FRAIL)
    game, spec = load_game(tmp_path / "frail.yaml"), load_first(tmp_path, "pass")
    seating, match = [spec, spec], 0
    with pytest.raises(RuleError) as expected:
        while True:
            play_match(game.in_engine("reference"), seating, 3, match)
            match += 1
    assert match > 0
    for play in (count_matches, lambda *leg: list(read_leg(game, seating, (0, 1), *leg[2:]))):
        with pytest.raises(RuleError) as found:
            play(game, seating, 3, 0, match + 5)
        assert found.value.diagnostic == expected.value.diagnostic
