"""A person plays at the terminal, which shows only what the seat sees."""

import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from extent import extent
from person import sit

from trutdsl.cli.app import run
from trutdsl.cli.hand import Hand
from trutdsl.game import load_game
from trutdsl.game.legend import card_texts
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import person
from trutdsl.table.sight import Sight
from trutdsl.transcript.events import read_transcript
from trutdsl.variant import list_variants


def play_with_answers(monkeypatch, capsys, answers, *args):
    """Run `play` with these answers; return the exit code, output and errors."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in answers)))
    code = run(["play", *args])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_session_from_the_first_card_to_quit(monkeypatch, capsys, expect_file):
    answers = ["PASS", "3", "fodl", "2", "1", "", "accept", "10d", "?", "quit"]
    code, out, err = play_with_answers(
        monkeypatch, capsys, answers, "trut", "--strategies", "caller", "--seed", "3"
    )
    assert (code, err) == (0, "")
    # An empty line is no answer, so the question is repeated.
    expect_file(Path(__file__).with_name("sitting.txt"), out)


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_whole_match_is_shown_and_can_be_replayed(monkeypatch, capsys, tmp_path, engine):
    file = tmp_path / "match.jsonl"
    args = ("trut", "--strategies", "steady,quiet,bluffer", "--players", "4", "--seat", "3")
    answers = ["1"] * 400
    code, out, _ = play_with_answers(
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
    ("args", "message"),
    [
        (["--seat", "3"], "error: --seat 3: the seats are 1 to 2\n"),
        (["--seat", "0"], "error: --seat 0: the seats are 1 to 2\n"),
        (["--strategies", "steady,quiet"], "error: 2 strategies for the other seat; give one\n"),
        (
            ["--players", "4", "--strategies", "steady,quiet"],
            "error: 2 strategies for the 3 other seats; give 1 or 3\n",
        ),
        (["--seed", "-3"], "error: --seed must be from 0 to 2**128-1, not -3\n"),
        (["--transcript", "/nowhere/x.jsonl"], "error: --transcript /nowhere/x.jsonl: there is no"),
        (["--transcript", "-"], "error: --transcript needs a file here"),
        (["--match", "1"], "error: --match needs a transcript; write"),
        (["--deal", "1"], "error: --deal needs a transcript; write"),
    ],
)
def test_bad_options_are_refused_before_play(monkeypatch, capsys, args, message):
    code, out, err = play_with_answers(monkeypatch, capsys, [], "trut", *args)
    assert code == 2 and out == "" and err.startswith(message)


CHOICES = extent(10, 25)


class RandomHand(Hand):
    """Answers at random, and checks that the screen shows only cards its seat has seen."""

    def begin(self, game, output):
        self.shown, self.legend, self.seen, self.left = output, game.legends[0], set(), CHOICES
        people = self.follower.people
        self.cards = {
            card: re.compile(
                rf"(?<![\w])({re.escape(card)}|{re.escape(people.card(card))})(?![\w])"
            )
            for card in self.legend.cards
        }

    def note(self, sight):
        """Add the cards that the seat sees now, and check the screen against all of them."""
        for part in self.legend.zones:
            for cards in sight.values[part.first : part.end]:
                self.seen |= set(card_texts(cards, self.legend.pack))
        for event in sight.history:
            self.seen |= set(re.split(r"[ ,]+", event.action))
        text = self.shown.getvalue()
        faces_on_screen = {card for card, face in self.cards.items() if face.search(text)}
        assert faces_on_screen <= self.seen
        self.shown.truncate(0)

    def choose(self, view):
        """Ask for help, then answer at random; quit after some choices."""
        self.left -= 1
        self.answers = io.StringIO("?\n" + ("quit\n" if self.left < 0 else ""))
        try:
            return super().choose(view)
        except KeyboardInterrupt:
            if self.left < 0:
                raise
            return view.actions[view.random.below(len(view.actions))]
        finally:
            self.note(Sight(view._values, view.history))


@pytest.mark.parametrize("name", list_variants())
def test_no_unseen_card_is_shown(name):
    game, output = load_game(name, engine="reference"), io.StringIO()
    hand = sit(game, 0, io.StringIO(), output, RandomHand)
    hand.begin(game, output)
    watch = hand.watch(0)

    def watch_and_check(state):
        watch(state)
        hand.note(state.sight(0))

    seating = [person("you", hand), *[load_strategy("uniform")] * (game.players - 1)]
    with pytest.raises(KeyboardInterrupt):
        while True:
            play_match(
                game,
                seating,
                7,
                hand.left,
                hand.follower,
                lambda *at: watch_and_check(at[0]),
                watch_and_check,
            )


@pytest.mark.parametrize(
    ("engine", "playouts", "is_slow"),
    [("reference", 1000, True), ("reference", 20, False), ("native", 1000, False)],
)
def test_a_note_says_where_a_search_takes_minutes(monkeypatch, capsys, engine, playouts, is_slow):
    opponent = f"monte-carlo:playouts={playouts}"
    kuhn = "variants/examples/kuhn-poker.yaml"
    args = (kuhn, "--strategies", opponent, "--engine", engine)
    code, _, err = play_with_answers(monkeypatch, capsys, ["quit"], *args)
    assert code == 0 and ("--strategies monte-carlo:playouts=20" in err) == is_slow


def test_binary_input_causes_no_failure(monkeypatch, capsys):
    odd = io.BytesIO(b"\xff\xfe\n" + b"x" * 9999 + b"\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(odd, encoding="utf-8"))
    assert run(["play", "trut", "--strategies", "caller", "--seed=3"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and max(map(len, out.splitlines())) < 300


def test_input_without_an_end_of_line_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("x" * 20_000))
    assert run(["play", "trut", "--strategies", "caller", "--seed=3"]) == 2
    assert "a line of more than 10,000 characters" in capsys.readouterr().err


def test_closed_pipes_cause_no_failure():
    play = [sys.executable, "-m", "trutdsl", "play", "trut", "--strategies", "caller", "--seed=3"]
    play += ["--engine", "reference"]
    closed = subprocess.run(["sh", "-c", f"{shlex.join(play)} <&-"], capture_output=True, text=True)
    assert closed.returncode == 0 and "You left the match" in closed.stdout, closed.stderr
    broken_pipe = subprocess.run(
        ["sh", "-c", f"yes 1 | {shlex.join(play)} | head -2; exit 0"], capture_output=True
    )
    assert broken_pipe.stdout.startswith(b"Trut\n") and broken_pipe.stderr == b"", (
        broken_pipe.stderr
    )


def test_in_practice_a_choice_is_taken_back_and_a_hint_says_why(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    args = ("trut", "--strategies", "caller", "--seed", "3", "--practice")
    answers = ["hint", "undo", "pass", "accept", "undo", "accept", "Jc", "undo", "As", "quit"]
    code, out, err = play_with_answers(
        monkeypatch, capsys, answers, *args, "--transcript", str(file)
    )
    assert (code, err) == (0, "")
    hint = r"monte-carlo would choose: trut\n    pass wins 4\d\.\d of 100 matches \(.*\)\n"
    assert re.search(hint + r"    trut wins 5\d\.\d .*\n  counted in 500 ways", out)
    assert "You have not chosen anything in this deal yet." in out
    [recorded] = read_transcript(file, str(file))
    mine = [e["action"] for e in recorded.events if e["event"] == "action" and e["seat"] == 0]
    assert mine[:3] == ["pass", "accept", "play As"]  # without the choices taken back
    assert run(["replay", "--verify", str(file)]) == 0
    capsys.readouterr()
    _, out, _ = play_with_answers(monkeypatch, capsys, ["pass", "undo"], *args[:-1])
    assert "Choices can be taken back in practice only: --practice" in out


def test_the_hint_of_a_script_names_clauses_for_and_against(monkeypatch, capsys):
    args = ("trut", "--strategies", "caller", "--seed", "3", "--hint", "actuary")
    _, out, _ = play_with_answers(monkeypatch, capsys, ["hint"], *args)
    assert "  actuary would choose: pass\n  because its script says: pass\n" in out
    assert re.search("  and not: trut when now >= call\n .*: now is [0-9]+ and call is 750\n", out)
    code, _, err = play_with_answers(monkeypatch, capsys, [], *args[:-1], "objects.py")
    assert code == 2 and "there is no such file" in err


def test_one_word_passes_for_the_rest_of_a_deal(monkeypatch, capsys):
    args = ("trut", "--strategies", "quiet", "--seed", "3")
    _, out, _ = play_with_answers(monkeypatch, capsys, ["pp", *["1"] * 12], *args)
    first = out.split("Deal 2.")[0].split("out of turn> ")
    assert len(first) == 2 and first[1].count("You: pass") == 3
    assert "out of turn> " in out.split("Deal 3.")[1]


FREE_ANSWERS = """variant: free-answers
title: Free answers
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts}, ranks: [A, K, Q]}
rules: |
  deal state:
      asked: 0 to 3 = 0
      named[rank]: yes_no # named
      tens[5 to 8]: 0 to 3 = 0 # tens
  rule match:
      deal:
          repeat 3 times:
              ask dealer "bid":
                  pass when asked != 1
                  one
                  two
              asked += 1
          named["K"] = yes
          tens[6] = 2
          ask dealer "rank":
              r from ranks
          end match drawn
"""


@pytest.fixture
def free_answers(tmp_path):
    """Return the arguments of `play` for a game whose first question is the person's."""
    file = tmp_path / "free-answers.yaml"
    file.write_text(FREE_ANSWERS)
    return str(file), "--strategies", "uniform", "--seed", "1", "--engine", "reference"


def test_the_command_for_the_rules_has_the_file_and_the_parameters(monkeypatch, capsys, tmp_path):
    file = tmp_path / "my games" / "a-game.yaml"
    file.parent.mkdir()
    file.write_text("variant: a-game\ntitle: A game\nextends: trut\n")
    args = (str(file), "--param", "goal=2", "--strategies", "uniform", "--engine", "reference")
    _, out, _ = play_with_answers(monkeypatch, capsys, [], *args)
    assert f"The rules: trutdsl rules '{file}' --players 2 --param goal=2\n" in out


def test_a_question_without_a_pass_is_asked_after_pp(monkeypatch, capsys, free_answers):
    code, out, err = play_with_answers(monkeypatch, capsys, ["pp", "two", "Q"], *free_answers)
    assert (code, err) == (0, "")
    assert re.findall("You: (.*)", out) == ["pass", "two", "pass", "Q"]


def test_values_of_ranks_and_numbers_stand_with_these(monkeypatch, capsys, free_answers):
    answers = ["one", "one", "one", "?"]
    _, out, _ = play_with_answers(monkeypatch, capsys, answers, *free_answers)
    assert "  Named, K: yes\n  Tens, 6: 2\n" in out


def test_a_legal_answer_that_is_also_a_command_is_an_answer(monkeypatch, capsys, free_answers):
    answers = ["one", "one", "one", "q"]
    _, out, _ = play_with_answers(monkeypatch, capsys, answers, *free_answers)
    assert "You: Q" in out and "You left the match." not in out
    _, out, _ = play_with_answers(monkeypatch, capsys, ["q"], *free_answers)
    assert "bid> q\nYou left the match." in out


def test_the_first_choice_of_a_match_is_taken_back(monkeypatch, capsys, tmp_path, free_answers):
    file = tmp_path / "match.jsonl"
    answers = ["one", "undo", "undo", "two", "two", "two", "K"]
    code, out, err = play_with_answers(
        monkeypatch, capsys, answers, *free_answers, "--practice", "--transcript", str(file)
    )
    assert (code, err) == (0, "") and "You have not chosen anything in this deal yet." in out
    [recorded] = read_transcript(file, str(file))
    actions = [event["action"] for event in recorded.events if event["event"] == "action"]
    assert actions == ["two", "two", "two", "K"]


def test_a_person_continues_a_deal_of_a_transcript(monkeypatch, capsys, tmp_path):
    file = tmp_path / "match.jsonl"
    call = ["simulate", "trut", "--strategies", "caller", "--matches", "2", "--seed", "5"]
    assert run([*call, "--transcript", str(file)]) == 0
    capsys.readouterr()
    args = (str(file), "--match", "2", "--deal", "3", "--strategies", "caller")
    code, out, _ = play_with_answers(monkeypatch, capsys, ["quit"], *args)
    recorded = [*read_transcript(file, str(file))][1]
    hands = [e for e in recorded.events if e["event"] == "cards" and e["seat"] == 0]
    faces = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    own = {card[:-1] + faces[card[-1]] for card in hands[2]["cards"]}
    captured = re.search("Your hand: (.*)", out)[1].split(" ")
    assert code == 0 and "Deal 3." in out and "Deal 2." not in out and set(captured) == own
    code, _, err = play_with_answers(monkeypatch, capsys, [], str(file), "--deal", "999")
    assert code == 2 and "--deal 999 is not among them" in err
    for option in (("--players", "2"), ("--param", "longs_to_win=1")):
        code, _, err = play_with_answers(monkeypatch, capsys, [], str(file), *option)
        assert code == 2 and "leave --players and --param out" in err


SCENARIO = ("tests/scenarios/trut.yaml", "--scenario")


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_person_continues_where_a_scenario_ends(monkeypatch, capsys, engine):
    name = "no-duty-to-follow-and-suit-gives-no-advantage"
    answers = ["hint", "Qh", "undo", "9c", *["1"] * 400]
    args = (*SCENARIO, name, "--practice", "--engine", engine, "--seed", "2")
    code, out, err = play_with_answers(monkeypatch, capsys, answers, *args)
    assert (code, err) == (0, "")
    first = "  1 play 9♣   2 play Q♥   3 trut\nturn> hint\n  steady would choose: "
    assert out.count("turn> ") > 3 and first in out
    assert "  You: play 9♣\n" in out.split("turn> 9c\n")[1]
    assert re.search("wins? the match after", out, re.IGNORECASE)


def test_a_person_plays_a_finished_scenario_from_its_start(monkeypatch, capsys):
    args = (*SCENARIO, "refused-trut-after-a-trick-of-the-other-team")
    _, out, _ = play_with_answers(monkeypatch, capsys, [], *args)
    assert "Deal 1. Player 1 (steady) deals." in out and "  player 2 (you)\n" in out
    assert "  Your hand: 10♣ J♦ Q♥\n  1 pass   2 trut\n" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["no-such"], "has no scenario 'no-such'"),
        (["ten-over-nine", "--players", "2"], "--scenario goes with none of --players"),
        (["ten-over-nine", "--transcript", "x.jsonl"], "--scenario goes with none of --players"),
        (["ten-over-nine", "--deal", "2"], "--scenario goes with none of --players"),
        (["ten-over-nine", "--strategies", "monte-carlo"], "needs a match from its first deal"),
        (["ten-over-nine", "--hint", "monte-carlo"], "after a scenario hints come from a script"),
    ],
)
def test_bad_options_with_a_scenario_are_refused(monkeypatch, capsys, args, message):
    code, out, err = play_with_answers(monkeypatch, capsys, [], *SCENARIO, *args)
    assert code == 2 and out == "" and message in err


GIVING = """\
variant: giving
title: Giving
language: 3
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J, 10, 9, 8, 7, 6, 5]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 10 cards, seen by all
  rule match:
      deal:
          shuffle stock
          for p in seats:
              repeat 10 times: draw from stock to hand[p]
          let strongest = first c in hand[dealer] with highest strength(c)
          ask dealer "pass":
              give away from 3 cards of hand[dealer]:
                  for c in away: move c from hand[dealer] to stock
          if strongest in hand[dealer]: end match won by team(dealer)
          end match drawn
"""


def test_many_choices_of_several_cards_are_one_line(monkeypatch, capsys, tmp_path):
    (tmp_path / "giving.yaml").write_text(GIVING)
    answers = ["give Ah", "hint", "quit"]
    args = [f"{tmp_path}/giving.yaml", "--seat", "1", "--practice", "--seed", "1"]
    _, out, _ = play_with_answers(monkeypatch, capsys, answers, *args)
    (example,) = re.findall(r"^  (give .*), or other cards: 120 choices$", out, re.MULTILINE)
    assert f"'give Ah' cannot be done now; write the cards, as in '{example}'" in out
    shares = [float(share) for share in re.findall(r" wins +([\d.]+) of 100 matches", out)]
    assert shares == [100.0] * 12  # 36 of the 120 give the strongest card away
    assert "    and 108 others, which win no more" in out
