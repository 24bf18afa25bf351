"""A person plays a match at the terminal, and is shown what the seat sees, nothing else."""

import io
import re
import shlex
import subprocess
import sys

import pytest

from trutdsl.cli.app import run
from trutdsl.cli.play import Hand, action_for, action_lines
from trutdsl.game import Action, Announcement, HistoryEntry, PassedCards, load_game
from trutdsl.game.legend import card_texts
from trutdsl.strategy import load_strategy, play_match
from trutdsl.strategy.spec import person
from trutdsl.table.sight import Sight
from trutdsl.transcript import Follower, read_transcript
from trutdsl.variant import list_variants

SITTING = """\
Trut
  seat 0, team 0: you
  seat 1, team 1: caller
Answer with words, an end of them, or a number; ? shows all that you may know,
q or quit ends the match.
The rules: trutdsl show trut
  turned up: Jh
  turned up: 7s

Deal 0, seat 1 deals. longs 0-0, petits 0-0
  your hand: Jc Ah As
  1 pass   2 trut
interrupt> PASS
  you: pass
  seat 1: trut
  your hand: Jc Ah As
  now caller: 1
  1 accept   2 fold
respond> 3
  '3' cannot be done now; write a number from 1 to 2
respond> fodl
  'fodl' cannot be done now; did you mean 'fold'?
respond> 2
  you: fold
  team 1: +1 petits, now 1
  team 1 wins the deal (folded)

Deal 1, seat 1 deals. longs 0-0, petits 0-1
  your hand: 10d Jh Js
  1 pass   2 trut
interrupt> 1
  you: pass
  seat 1: trut
  your hand: 10d Jh Js
  now caller: 1
  1 accept   2 fold
respond> accept
  you: accept
  seat 1: play 7h
  your hand: 10d Jh Js
  table of seat 1: 7h
  1 play 10d   2 play Jh   3 play Js
turn> 10d
  you: play 10d
  seat 1 won the trick
  seat 1: play 10h
  your hand: Jh Js
  table of seat 1: 10h
  played: 10d 7h
  now tricks of seat 1: 1; tricks_left: 2; first_trick of seat 1: 1;
    last_winner: 1
  1 play Jh   2 play Js
turn> quit
You left the match; the same cards again: --seed 3
"""


def sit_down(monkeypatch, capsys, answers, *args):
    """Play with these answers; return the exit code and what was shown."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in answers)))
    code = run(["play", *args])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_sitting_from_first_card_to_leaving(monkeypatch, capsys):
    answers = ["PASS", "3", "fodl", "2", "1", "", "accept", "10d", "quit"]
    code, out, err = sit_down(
        monkeypatch, capsys, answers, "trut", "--strategies", "caller", "--seed", "3"
    )
    # An empty line is no answer: the question is there once more.
    expected = SITTING.replace("respond> accept\n", "respond> \nrespond> accept\n")
    assert (code, out, err) == (0, expected, "")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_whole_match_is_told_to_its_end_and_can_be_replayed(
    monkeypatch, capsys, tmp_path, engine
):
    file = tmp_path / "match.jsonl"
    args = ("trut", "--strategies", "steady,quiet,bluffer", "--players", "4", "--seat", "2")
    answers = ["1"] * 400
    code, out, _ = sit_down(
        monkeypatch, capsys, answers,
        *args, "--seed", "1", "--engine", engine, "--transcript", str(file),
    )  # fmt: skip
    assert code == 0 and "wins the match after" in out
    assert out.endswith("The same cards again: --seed 1\n")
    [recorded] = read_transcript(file, str(file))
    assert recorded.events[0]["strategies"] == ["steady", "quiet", "you", "bluffer"]
    deals = [event for event in recorded.events if event["event"] == "deal"]
    assert len(re.findall(r"(?m)^Deal ", out)) == len(deals)
    assert run(["replay", "--verify", str(file)]) == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seat", "2"], "error: --seat 2: the seats are 0 to 1\n"),
        (["--strategies", "steady,quiet"], "error: 2 strategies for the other seat; give one\n"),
        (
            ["--players", "4", "--strategies", "steady,quiet"],
            "error: 2 strategies for the 3 other seats; give 1 or 3\n",
        ),
        (["--seed", "-3"], "error: --seed must be from 0 to 2**128-1, not -3\n"),
        (["--transcript", "/nowhere/x"], "error: /nowhere/x cannot be written: No such"),
        (["--transcript", "-"], "error: --transcript needs a file here"),
    ],
)
def test_what_cannot_be_is_refused_before_play(monkeypatch, capsys, args, said):
    code, out, err = sit_down(monkeypatch, capsys, [], "trut", *args)
    assert code == 2 and out == "" and err.startswith(said)


def test_an_end_that_only_one_action_has_is_enough():
    actions = [Action(text, (), (), (), 0) for text in ("play 7h", "play 7d", "fold", "7h")]
    assert action_for("7d", actions).text == "play 7d"
    assert action_for("7H", actions).text == "7h"  # whole, before any end
    assert action_for("2", actions).text == "play 7d"
    assert action_for("d", actions) == "'d' cannot be done now; write a number from 1 to 4"
    two = [Action(text, (), (), (), 0) for text in ("keep 7h", "play 7h")]
    assert action_for("7h", two) == "'7h' may be keep 7h or play 7h; write it whole"


def test_where_a_number_says_how_many_it_says_nothing_else():
    texts = ["pass", *(f"raise {n}" for n in range(2, 7)), "all in", "show 2", "show 4", "show 5"]
    actions = [Action(text, (), (), (), 0) for text in texts]
    assert list(action_lines(actions)) == [
        "  pass   raise 2 to 6   all in   show 2   show 4   show 5"
    ]
    assert action_for("3", actions).text == "raise 3"
    assert action_for("2", actions) == "'2' may be raise 2 or show 2; write it whole"
    assert action_for("9", actions) == "'9' cannot be done now; write one of these"


def test_of_very_many_actions_the_first_are_shown():
    actions = [Action(f"discard {number}x", (), (), (), 0) for number in range(2000)]
    *_, last = lines = list(action_lines(actions))
    assert all(len(line) <= 78 for line in lines) and "60 discard 59x" in lines[-2]
    assert last == "  and 1,940 more, up to discard 1999x"


class Watched(Hand):
    """A hand that answers by chance, and notes which cards its seat has seen."""

    def __init__(self, follower, screen, game):
        super().__init__(follower, io.StringIO(), screen)
        self.shown, self.legend, self.seen = screen, game.legends[0], set()
        self.left = 25

    def note(self, sight):
        """Add all cards in what a seat sees to those seen, and look at what was shown."""
        for part in self.legend.zone_parts:
            for cards in sight.seen[part.first : part.beyond]:
                self.seen |= set(card_texts(cards, self.legend.pack))
        for said in sight.heard:
            self.seen |= set(re.split(r"[ ,]+", said.action))
        told = set(re.split(r"[\s,:]+", self.shown.getvalue()))
        assert told & set(self.legend.cards) <= self.seen
        self.shown.truncate(0)

    def choose(self, view):
        """Have everything shown, then answer by chance; leave after a while."""
        self.left -= 1
        self._answers = io.StringIO("?\n" + ("quit\n" if self.left < 0 else ""))
        try:
            return super().choose(view)
        except KeyboardInterrupt:
            if self.left < 0:
                raise
            return view.actions[view.random.below(len(view.actions))]
        finally:
            self.note(Sight(view._seen, view.history))


@pytest.mark.parametrize("name", list_variants())
def test_no_card_is_told_that_the_seat_has_not_seen(name):
    game = load_game(name, engine="reference")
    follower, screen = Follower(0), io.StringIO()
    hand = Watched(follower, screen, game)
    rested = hand.watch(0)

    def rest(state):
        rested(state)
        hand.note(state.sight(0))

    seating = [person("you", hand), *[load_strategy("uniform")] * (game.players - 1)]
    with pytest.raises(KeyboardInterrupt):
        while True:
            play_match(game, seating, 7, hand.left, follower, lambda *at: rest(at[0]), rest)


def test_what_a_seat_does_not_notice_is_not_told_and_puts_nothing_out_of_order():
    def action(seat, decision, text):
        return {"event": "action", "seat": seat, "decision": decision, "action": text}

    follower = Follower(0)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (action(1, "sign", "wink"), trick, action(1, "turn", "play 7h")):
        follower(event)
    noticed = [HistoryEntry(1, "turn", "play 7h")]
    assert list(follower.tell(noticed)) == ["  seat 1 won the trick", "  seat 1: play 7h"]
    follower({"event": "passed"})
    follower({"event": "passed"})
    noticed += [PassedCards(0, "hand", "Js to 1"), PassedCards(1, "hand", "1 card to 0")]
    gone = ["  you give seat 1: Js", "  seat 1 gives you: 1 card"]
    assert list(follower.tell(noticed)) == gone
    follower(action(0, "turn", "play 8h"))
    follower({**trick, "winner": None})
    follower({**trick, "winner": None, "team": None})
    told = list(follower.tell([*noticed, HistoryEntry(0, "turn", "play 8h")]))
    assert told == ["  you: play 8h", "  team 1 won the trick", "  the trick is tied"]


def test_what_is_announced_to_others_puts_nothing_out_of_order():
    def announced(*to):
        return {"event": "announced", "seat": 1, "what": "ace", "value": 1, "to": list(to)}

    follower = Follower(0)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (announced(1, 3), trick, announced(0, 1)):
        follower(event)
    told = list(follower.tell([Announcement(1, "ace", "1")]))
    assert told == ["  seat 1 won the trick", "  seat 1 announced ace: 1"]


def test_input_that_is_closed_or_no_text_ends_nothing_badly():
    play = [sys.executable, "-m", "trutdsl", "play", "trut", "--strategies", "caller", "--seed=3"]
    play += ["--engine", "reference"]
    closed = subprocess.run(["sh", "-c", f"{shlex.join(play)} <&-"], capture_output=True, text=True)
    assert closed.returncode == 0 and "You left the match" in closed.stdout, closed.stderr
    odd = subprocess.run(play, input=b"\xff\xfe\n" + b"x" * 9999 + b"\n", capture_output=True)
    assert odd.returncode == 0 and odd.stderr == b"", odd.stderr
    assert max(map(len, odd.stdout.splitlines())) < 300
    gone = subprocess.run(
        ["sh", "-c", f"yes 1 | {shlex.join(play)} | head -2; exit 0"], capture_output=True
    )
    assert gone.stdout.startswith(b"Trut\n") and gone.stderr == b"", gone.stderr
