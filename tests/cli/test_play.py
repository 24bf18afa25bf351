"""A person plays a match at the terminal, and is shown what the seat sees, nothing else."""

import io
import re
import shlex
import subprocess
import sys
from contextlib import suppress

import pytest
from seated import sit

from trutdsl.cli.app import run
from trutdsl.cli.hand import Hand, action_for
from trutdsl.cli.screen import Screen
from trutdsl.game import Action, Announcement, HistoryEntry, PassedCards, load_game
from trutdsl.game.legend import card_texts
from trutdsl.language import speaking
from trutdsl.report.people import People
from trutdsl.report.telling import Follower, Teller
from trutdsl.strategy import load_strategy, play_match
from trutdsl.strategy.spec import person
from trutdsl.table.sight import Sight
from trutdsl.transcript import read_transcript
from trutdsl.variant import list_variants

SITTING = """\
Trut
  player 1 (you)
  player 2 (caller)
  Answer with a number, with the words, or with the last word of an answer.
  ?      the rule in force, and all that you may know
  pp     pass, and pass this question for the rest of the deal
  quit   leave the match
The rules: trutdsl rules trut --players 2
  Turned up: J♥
  Turned up: 7♠

Deal 1. Player 2 (caller) deals.
  longs: you 0, player 2 (caller) 0; petits: you 0, player 2 (caller) 0
  Your hand: J♣ A♥ A♠
  1 pass   2 trut
out of turn> PASS
  You: pass
  Player 2 (caller): trut
  Your hand: J♣ A♥ A♠
  1 accept   2 fold
respond> 3
  '3' cannot be done now; write a number from 1 to 2, or help
respond> fodl
  'fodl' cannot be done now; did you mean 'fold'?
respond> 2
  You: fold
  Player 2 (caller): +1 petit, now 1
  Player 2 (caller) wins the deal: folded.
  Rule [T12 T13 T21 T22 000]: A petit for each team that folds; the others
    play on.

Deal 2. Player 2 (caller) deals.
  longs: you 0, player 2 (caller) 0; petits: you 0, player 2 (caller) 1
  Your hand: 10♦ J♥ J♠
  1 pass   2 trut
out of turn> 1
  You: pass
  Player 2 (caller): trut
  Your hand: 10♦ J♥ J♠
  1 accept   2 fold
respond> accept
  You: accept
  Player 2 (caller): play 7♥
  Your hand: 10♦ J♥ J♠
  Table, player 2 (caller): 7♥
  1 play 10♦   2 play J♥   3 play J♠
turn> 10d
  You: play 10♦
  Player 2 (caller) wins the trick.
  Player 2 (caller): play 10♥
  Your hand: J♥ J♠
  Table, player 2 (caller): 10♥
  Played: 10♦ 7♥
  1 play J♥   2 play J♠
turn> ?
  Rule [T5 T11 000 002]: Play any card, or call trut first.
  Who deals: player 2 (caller). Who leads: player 2 (caller).
 ▶ You                 longs 0   petits 0
   Player 2 (caller)   longs 0   petits ●
  Stock: 26 cards
  Hand, player 2 (caller): 1 card
  Your hand: J♥ J♠
  Table, player 2 (caller): 10♥
  Played: 10♦ 7♥
  Said in this deal: You: pass · Player 2 (caller): trut · You: accept ·
    Player 2 (caller): play 7♥ · You: play 10♦ · Player 2 (caller): play 10♥
  How many each team has won, player 2 (caller): 1
  Which trick each team won first; 4 if none yet, player 2 (caller): 1
  Who won the latest trick that was not tied: player 2 (caller)
  Who called trut: player 2 (caller)
  1 play J♥   2 play J♠
turn> quit
You left the match.
The same cards again: --seed 3
"""


def sit_down(monkeypatch, capsys, answers, *args):
    """Play with these answers; return the exit code and what was shown."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in answers)))
    code = run(["play", *args])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_a_sitting_from_first_card_to_leaving(monkeypatch, capsys):
    answers = ["PASS", "3", "fodl", "2", "1", "", "accept", "10d", "?", "quit"]
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
    args = ("trut", "--strategies", "steady,quiet,bluffer", "--players", "4", "--seat", "3")
    answers = ["1"] * 400
    code, out, _ = sit_down(
        monkeypatch, capsys, answers,
        *args, "--seed", "1", "--engine", engine, "--transcript", str(file),
    )  # fmt: skip
    assert code == 0 and re.search("wins? the match after", out, re.IGNORECASE)
    assert out.endswith("The same cards again: --seed 1\n")
    [recorded] = read_transcript(file, str(file))
    assert recorded.events[0]["strategies"] == ["steady", "quiet", "you", "bluffer"]
    deals = [event for event in recorded.events if event["event"] == "deal"]
    assert len(re.findall(r"(?m)^Deal ", out)) == len(deals)
    assert run(["replay", "--verify", str(file)]) == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seat", "3"], "error: --seat 3: the seats are 1 to 2\n"),
        (["--seat", "0"], "error: --seat 0: the seats are 1 to 2\n"),
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


FIRST = People((0, 1), ("me", "b"), 0)
NOBODY = People((0, 1), ("a", "b"))


def action_lines(actions):
    return list(Screen(NOBODY, None, None).actions(actions))


def test_an_end_that_only_one_action_has_is_enough():
    actions = [Action(text, (), (), (), 0) for text in ("play 7h", "play 7d", "fold", "7h")]
    assert action_for("7d", actions, NOBODY).text == "play 7d"
    assert action_for("7H", actions, NOBODY).text == "7h"  # whole, before any end
    assert action_for("2", actions, NOBODY).text == "play 7d"
    assert (
        action_for("d", actions, NOBODY)
        == "'d' cannot be done now; write a number from 1 to 4, or help"
    )
    two = [Action(text, (), (), (), 0) for text in ("keep 7h", "play 7h")]
    assert action_for("7h", two, NOBODY) == "'7h' may be keep 7h or play 7h; write it whole"


def test_where_a_number_says_how_many_it_says_nothing_else():
    texts = ["pass", *(f"raise {n}" for n in range(2, 7)), "all in", "show 2", "show 4", "show 5"]
    actions = [Action(text, (), (), (), 0) for text in texts]
    assert list(action_lines(actions)) == [
        "  pass   raise 2 to 6   all in   show 2   show 4   show 5"
    ]
    assert action_for("3", actions, NOBODY).text == "raise 3"
    assert action_for("2", actions, NOBODY) == "'2' may be raise 2 or show 2; write it whole"
    assert action_for("9", actions, NOBODY) == "'9' cannot be done now; write one of these, or help"


def test_of_very_many_actions_the_first_are_shown():
    actions = [Action(f"discard {number}x", (), (), (), 0) for number in range(2000)]
    *_, last = lines = list(action_lines(actions))
    assert all(len(line) <= 78 for line in lines) and "60 discard 59x" in lines[-2]
    assert last == "  and 1,940 more, up to discard 1999x"


class Watched(Hand):
    """A hand that answers by chance, and notes which cards its seat has seen."""

    def begin(self, game, output):
        self.shown, self.legend, self.seen, self.left = output, game.legends[0], set(), 25
        people = self.follower.people
        self.cards = {
            card: re.compile(
                rf"(?<![\w])({re.escape(card)}|{re.escape(people.card(card))})(?![\w])"
            )
            for card in self.legend.cards
        }

    def note(self, sight):
        """Add all cards in what a seat sees to those seen, and look at what was shown."""
        for part in self.legend.zone_parts:
            for cards in sight.seen[part.first : part.beyond]:
                self.seen |= set(card_texts(cards, self.legend.pack))
        for said in sight.heard:
            self.seen |= set(re.split(r"[ ,]+", said.action))
        text = self.shown.getvalue()
        told = {card for card, face in self.cards.items() if face.search(text)}
        assert told <= self.seen
        self.shown.truncate(0)

    def choose(self, view):
        """Have everything shown, then answer by chance; leave after a while."""
        self.left -= 1
        self.answers = io.StringIO("?\n" + ("quit\n" if self.left < 0 else ""))
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
    game, output = load_game(name, engine="reference"), io.StringIO()
    hand = sit(game, 0, io.StringIO(), output, Watched)
    hand.begin(game, output)
    rested = hand.watch(0)

    def rest(state):
        rested(state)
        hand.note(state.sight(0))

    seating = [person("you", hand), *[load_strategy("uniform")] * (game.players - 1)]
    with pytest.raises(KeyboardInterrupt):
        while True:
            play_match(game, seating, 7, hand.left, hand.follower, lambda *at: rest(at[0]), rest)


def test_what_a_seat_does_not_notice_is_not_told_and_puts_nothing_out_of_order():
    def action(seat, decision, text):
        return {"event": "action", "seat": seat, "decision": decision, "action": text}

    follower = Follower(FIRST)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (action(1, "sign", "wink"), trick, action(1, "turn", "play 7h")):
        follower(event)
    noticed = [HistoryEntry(1, "turn", "play 7h")]
    assert list(follower.tell(noticed)) == [
        "  Player 2 (b) wins the trick.",
        "  Player 2 (b): play 7h",
    ]
    follower({"event": "passed"})
    follower({"event": "passed"})
    noticed += [PassedCards(0, "hand", "Js to 1"), PassedCards(1, "hand", "1 card to 0")]
    gone = ["  You to player 2 (b): Js", "  Player 2 (b) to you: 1 card"]
    assert list(follower.tell(noticed)) == gone
    follower(action(0, "turn", "play 8h"))
    follower({**trick, "winner": None})
    follower({**trick, "winner": None, "team": None})
    told = list(follower.tell([*noticed, HistoryEntry(0, "turn", "play 8h")]))
    assert told == [
        "  You: play 8h",
        "  Player 2 (b) wins the trick.",
        "  The trick is tied: nobody wins it.",
    ]


def test_what_is_announced_to_others_puts_nothing_out_of_order():
    def announced(*to):
        return {"event": "announced", "seat": 1, "what": "ace", "value": 1, "to": list(to)}

    follower = Follower(FIRST)
    trick = {"event": "trick", "leader": 1, "cards": [], "winner": 1, "team": 1}
    for event in (announced(1, 3), trick, announced(0, 1)):
        follower(event)
    told = list(follower.tell([Announcement(1, "ace", "1")]))
    assert told == ["  Player 2 (b) wins the trick.", "  Player 2 (b) announced ace: 1"]


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


def test_in_practice_a_choice_is_taken_back_and_a_hint_says_why(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    args = ("trut", "--strategies", "caller", "--seed", "3", "--practice")
    answers = ["hint", "undo", "pass", "accept", "undo", "accept", "Jc", "undo", "As", "quit"]
    code, out, err = sit_down(monkeypatch, capsys, answers, *args, "--transcript", str(file))
    assert (code, err) == (0, "")
    hint = r"monte-carlo would choose: trut\n    pass wins 4\d\.\d of 100 matches \(.*\)\n"
    assert re.search(hint + r"    trut wins 5\d\.\d .*\n  counted in 500 ways", out)
    assert "You have not chosen anything in this deal yet." in out
    [recorded] = read_transcript(file, str(file))
    mine = [e["action"] for e in recorded.events if e["event"] == "action" and e["seat"] == 0]
    assert mine[:3] == ["pass", "accept", "play As"]  # nothing that was taken back
    assert run(["replay", "--verify", str(file)]) == 0
    capsys.readouterr()
    _, out, _ = sit_down(monkeypatch, capsys, ["pass", "undo"], *args[:-1])
    assert "Choices can be taken back in practice only: --practice" in out


def test_a_script_gives_its_clause_and_what_speaks_against_others(monkeypatch, capsys):
    args = ("trut", "--strategies", "caller", "--seed", "3", "--hint", "actuary")
    _, out, _ = sit_down(monkeypatch, capsys, ["hint"], *args)
    assert "  actuary would choose: pass\n  because its script says: pass\n" in out
    assert re.search("  and not: trut when now >= call\n .*: now is [0-9]+ and call is 750\n", out)
    code, _, err = sit_down(monkeypatch, capsys, [], *args[:-1], "objects.py")
    assert code == 2 and "there is no such file" in err


def test_one_word_passes_for_the_rest_of_a_deal(monkeypatch, capsys):
    args = ("trut", "--strategies", "quiet", "--seed", "3")
    _, out, _ = sit_down(monkeypatch, capsys, ["pp", *["1"] * 12], *args)
    first = out.split("Deal 2.")[0].split("out of turn> ")
    assert len(first) == 2 and first[1].count("You: pass") == 3
    assert "out of turn> " in out.split("Deal 3.")[1]


def test_a_person_goes_on_with_a_deal_of_a_transcript(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    played = ["simulate", "trut", "--strategies", "caller", "--matches", "2", "--seed", "5"]
    assert run([*played, "--transcript", str(file)]) == 0
    capsys.readouterr()
    args = (str(file), "--match", "2", "--deal", "3", "--strategies", "caller")
    code, out, _ = sit_down(monkeypatch, capsys, ["quit"], *args)
    recorded = [*read_transcript(file, str(file))][1]
    hands = [e for e in recorded.events if e["event"] == "cards" and e["seat"] == 0]
    faces = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    own = {card[:-1] + faces[card[-1]] for card in hands[2]["cards"]}
    shown = re.search("Your hand: (.*)", out)[1].split(" ")
    assert code == 0 and "Deal 3." in out and "Deal 2." not in out and set(shown) == own
    code, _, err = sit_down(monkeypatch, capsys, [], str(file), "--deal", "999")
    assert code == 2 and "--deal 999 is not among them" in err


SCENARIO = ("tests/scenarios/trut.yaml", "--scenario")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_person_goes_on_from_the_question_where_a_scenario_ends(monkeypatch, capsys, engine):
    name = "no-duty-to-follow-and-suit-gives-no-advantage"
    answers = ["hint", "Qh", "undo", "9c", *["1"] * 400]
    args = (*SCENARIO, name, "--practice", "--engine", engine, "--seed", "2")
    code, out, err = sit_down(monkeypatch, capsys, answers, *args)
    assert (code, err) == (0, "")
    first = "  1 play 9♣   2 play Q♥   3 trut\nturn> hint\n  steady would choose: "
    assert out.count("turn> ") > 3 and first in out
    assert "  You: play 9♣\n" in out.split("turn> 9c\n")[1]
    assert re.search("wins? the match after", out, re.IGNORECASE)


def test_a_person_plays_from_the_start_of_a_scenario_that_is_over(monkeypatch, capsys):
    args = (*SCENARIO, "refused-trut-after-a-trick-of-the-other-team")
    _, out, _ = sit_down(monkeypatch, capsys, [], *args)
    assert "Deal 1. Player 1 (steady) deals." in out and "  player 2 (you)\n" in out
    assert "  Your hand: 10♣ J♦ Q♥\n  1 pass   2 trut\n" in out


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["no-such"], "has no scenario 'no-such'"),
        (["ten-over-nine", "--players", "2"], "--scenario goes with none of --players"),
        (["ten-over-nine", "--transcript", "x"], "--scenario goes with none of --players"),
        (["ten-over-nine", "--strategies", "monte-carlo"], "needs a match from its first deal"),
        (["ten-over-nine", "--hint", "monte-carlo"], "after a scenario hints come from a script"),
    ],
)
def test_what_a_scenario_cannot_begin_with_is_refused(monkeypatch, capsys, args, said):
    code, out, err = sit_down(monkeypatch, capsys, [], *SCENARIO, *args)
    assert code == 2 and out == "" and said in err


def drawn_match(name, players, answers, seed=7, others="uniform", language="fr"):
    """Return the lines of a drawn match of the first seat, in a language."""
    with speaking(language):
        game, output = load_game(name, players, engine="reference"), io.StringIO()
        hand = sit(game, 0, io.StringIO("".join(f"{line}\n" for line in answers)), output)
        seating = [person("you", hand), *[load_strategy(others)] * (players - 1)]
        with suppress(KeyboardInterrupt):
            play_match(game, seating, seed, 0, hand.follower, None, hand.watch(0))
    return output.getvalue().replace("\N{NO-BREAK SPACE}", " ").splitlines()


@pytest.mark.parametrize("name", ["trut", "tute", "trut-deluxe"])
def test_a_drawn_table_fits_80_columns_and_speaks_french(name):
    lines = drawn_match(name, 4, ["1"] * 12)
    assert max(map(len, lines)) <= 80
    assert " Votre main" in [line.split(" ·")[0] for line in lines]
    assert any("╭────╮" in line for line in lines) or name == "tute"
    assert not re.search(r"\b(hand|player|your|wins|deals|espases|oros)\b", "\n".join(lines))


def test_a_drawn_table_says_who_deals_leads_and_called():
    lines = drawn_match("trut", 4, ["1"] * 6, seed=4, others="bluffer")
    first = lines[: lines.index("  1 joue !   2 je me couche")]
    assert "   Joueur 4 (other) · « je trute »  ▒▒▒" in first
    assert "   Joueur 3 (other) · votre partenaire · donneur · entame  ▒▒▒" in first
    assert " ▶ Votre équipe : vous, joueur 3           longs 0   petits 0" in first
    assert "   L'équipe adverse : joueur 2, joueur 4   longs 0   petits 0" in first
    assert " Votre main · vous entamez · « joue ! »" in lines


def test_before_the_first_deal_nobody_leads_and_nothing_has_changed():
    lines = drawn_match("trut-deluxe", 4, ["?"], seed=4, language="en")
    assert any(line.endswith("  Before the first deal") for line in lines)
    assert not any("lead" in line for line in lines[: lines.index("draft> ?")])
    assert not any("first trick" in line or "won first" in line for line in lines)


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("colours", [True, False])
def test_red_suits_and_the_own_side_are_coloured_except_with_no_color(monkeypatch, colours):
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    game, output = load_game("trut", 2, engine="reference"), Terminal()
    hand = sit(game, 0, io.StringIO("1\n"), output)
    seating = [person("you", hand), load_strategy("caller")]
    with suppress(KeyboardInterrupt):
        play_match(game, seating, 3, 0, hand.follower, None, hand.watch(0))
    out = output.getvalue()
    assert ("\x1b[1;31m A♥\x1b[0m" in out) is ("\x1b[1;32m ▶ You" in out) is colours
    assert ("\x1b" in out) is colours and "J♣" in out


ANNOUNCED = """
variant: look
title: Look
extends: trut
rules: |
  before rule open_play "Each tells how strong its best card is, and who deals.":
      for p in seats from on_lead:
          announce (highest strength(c) for c in hand[p]) as "best" by p to seats
          announce dealer as "deals" by p to all
          announce "hear me" by p to all
words:
  fr: {announcements: {best: plus forte carte, deals: qui donne, hear me: écoutez-moi}}
"""


def test_what_others_announced_stays_on_the_table(tmp_path):
    file = tmp_path / "look.yaml"
    file.write_text(ANNOUNCED)
    lines = drawn_match(str(file), 2, ["1", "1"], others="quiet")
    heard = ["plus forte carte, 7", "qui donne, vous", "écoutez-moi"]
    said = [f"Joueur 2 (other), annonce : {what}" for what in heard]
    assert [line for line in lines if line.startswith("  Joueur 2 (other), annonce")] == [
        f"  {line}" for line in said
    ]
    assert lines.count(f"   {said[1]}") == sum("─" * 70 in line for line in lines) / 2 == 3
    assert not any(line.startswith("   Vous, annonce") for line in lines)


def test_a_deal_is_told_in_sentences_with_the_rule_that_decided(capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    played = ["simulate", "trut", "--strategies", "caller", "--matches", "1", "--seed", "5"]
    run([*played, "--transcript", str(file)])
    capsys.readouterr()
    assert run(["replay", str(file), "--deal", "2"]) == 0
    out = capsys.readouterr().out
    assert re.findall("(?m)^Deal .*", out) == ["Deal 2. Player 1 (caller) deals."]
    assert "Dealt to player 1 (caller): " in out and "Rule [T8 T13 000]: The deal is" in out
    assert run(["replay", str(file), "--deal", "2", "--lang", "fr"]) == 0
    assert "Manche 2. Joueur 1 (caller) donne." in capsys.readouterr().out
    assert run(["replay", str(file), "--deal", "999"]) == 2


CAPOT = """
variant: capot
title: Capot
extends: trut
rules: |
  when a deal is over "Capot: a petit more.":
      if let side = winner:
          if tricks[side] == 3: do gain_petits(side, 1)
"""


def test_a_hook_of_ends_does_not_hide_which_rule_decided(capsys, tmp_path):
    (tmp_path / "capot.yaml").write_text(CAPOT)
    file = tmp_path / "match.jsonl"
    played = ["simulate", str(tmp_path / "capot.yaml"), "--strategies", "quiet", "--matches", "1"]
    assert run([*played, "--seed", "5", "--transcript", str(file)]) == 0
    capsys.readouterr()
    assert run(["replay", str(file), "--deal", "1"]) == 0
    assert "Rule [T8 T9 T22 K5]: Most tricks win the deal" in capsys.readouterr().out


def test_a_loss_has_a_minus_sign_in_french():
    with speaking("fr"):
        teller = Teller(FIRST)
        event = {"event": "counter", "name": "petits", "delta": -2, "team": 1, "value": 0}
        (line,) = teller.tell(event)
    assert line.endswith("\N{MINUS SIGN}2 petits, donc 0")
