"""Hooks at each kind of end, with winner and reason, and looks at a card."""

import pytest

from trutdsl.diagnostics import Rejected
from trutdsl.game import ENGINES, load_game
from trutdsl.ir import build_program
from trutdsl.strategy.play import play_match
from trutdsl.table.match import Question
from trutdsl.variant import load_variant

GAME = """\
variant: game
language: 3
title: One question a deal, and a trail of all that is over
players: [2]
teams: {2: 2}
counters: {points: {help: Points.}}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q]}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 2 cards, seen by owner

  rule match:
      repeat at most 2 times:
          deal:
              do play_deal
          if points[team(dealer)] >= 3: do reach(team(dealer))
      end match drawn because enough

  rule play_deal:
      gather hand into stock
      shuffle stock
      for p in seats:
          repeat 2 times: draw from stock to hand[p]
      ask dealer "how":
          fold: end deal won by team(next_seat(dealer)) because folded
          void: end deal because void
          out: do finish(team(dealer))
          goal: do reach(team(dealer))
          play: end deal won by team(dealer) because played
          quit: end match won by team(next_seat(dealer)) because out

  rule finish(side: team) "Only in a deal.": end match won by side because out

  rule reach(side: team) "In a deal and behind it.": end match won by side because goal

"""
NOTE = """\
  match state:
      trail: 0 to 999999

  rule note(digit: number): trail = 10 * trail + digit

"""
TRAIL = f"""\
{NOTE}  when a deal is over:
      if reason == folded: do note(1)
      if reason == void: do note(2)
      if reason == played: do note(3)
      if reason == out: do note(4)
      if reason == goal: do note(5)
      if let side = winner: points[side] += 1

  when the match is over:
      if reason == enough: do note(7)
      if reason == goal: do note(8)
      if reason == out: do note(9)
      if let side = winner: points[side] += 10
"""
# name: pieces, answers, points at the start, trail, points at the end, winner
CASES = {
    "each reason has its word, and a void deal no winner": (
        TRAIL, "fold void", [0, 0], 127, [0, 1], "draw",
    ),
    "the match ends in a deal, whose piece is the first to run": (
        TRAIL, "out", [0, 0], 49, [11, 0], 0,
    ),
    "the same rule ends the match in a deal": (TRAIL, "void goal", [0, 0], 258, [11, 0], 0),
    "and behind a deal, which is over only once": (TRAIL, "play", [2, 0], 38, [13, 0], 0),
    "a piece of the deal ends the match, by a rule that is used elsewhere": (
        TRAIL + "\n  when a deal is over:\n      if reason == folded: do reach(team(dealer))\n",
        "fold", [0, 0], 18, [10, 1], 0,
    ),
}  # fmt: skip
SCENARIO = """\
scenario: ends
variant: game.yaml
players: 2
start: {{dealer: 0, counters: {{points: {start}}}}}
actions: {actions}
expect:
  counters: {{points: {points}}}
  variables: {{trail: {trail}}}
  match_winner: {winner}
"""


def write(folder, pieces, name="game", head=GAME):
    path = folder / f"{name}.yaml"
    path.write_text(head.replace("variant: game", f"variant: {name}") + pieces, encoding="utf-8")
    return path


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", CASES)
def test_the_pieces_run_once_at_each_end(name, engine, play, tmp_path):
    pieces, answers, start, trail, points, winner = CASES[name]
    write(tmp_path, pieces)
    seats = [0] * len(answers.split())
    if "dealer = next_seat" in pieces:
        seats = range(len(seats))
    actions = (
        "[" + ", ".join(f"{s}: {a}" for s, a in zip(seats, answers.split(), strict=True)) + "]"
    )
    scenario = SCENARIO.format(
        start=start, actions=actions, points=points, trail=trail, winner=winner
    )
    code, out, err = play(scenario, "--engine", engine)
    assert (code, err) == (0, ""), out


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("answer", "over"), [("play", "deal_winner: 0"), ("quit", "deal_winner: 1, match_winner: 1")]
)
def test_pieces_do_not_change_the_winner(answer, over, engine, play, tmp_path):
    write(
        tmp_path,
        "  when a deal is over: dealer = next_seat(dealer)\n"
        "  when the match is over: dealer = next_seat(dealer)\n",
    )
    start = "players: 2\nstart: {dealer: 0}"
    scenario = f"scenario: winner\nvariant: game.yaml\n{start}\nactions: [0: {answer}]\n"
    assert play(f"{scenario}expect: {{{over}}}\n", "--engine", engine)[0] == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_the_pieces_of_bases_run_first(engine, play, tmp_path):
    write(tmp_path, NOTE + "  when a deal is over: do note(1)\n", "base")
    head = "variant: game\nlanguage: 3\ntitle: On top\nextends: base.yaml\nrules: |\n"
    write(tmp_path, "  when a deal is over: do note(2)\n", "game", head)
    scenario = SCENARIO.format(start=[0, 0], actions="[0: out]", points=[0, 0], trail=12, winner=0)
    assert play(scenario, "--engine", engine)[0] == 0


@pytest.mark.parametrize(
    ("hook", "end"),
    [
        ("a deal is over", "end deal because void"),
        ("the match is over", "end match drawn because enough"),
    ],
)
def test_a_piece_must_not_end_a_finished_deal_or_match(hook, end, tmp_path):
    path = write(tmp_path, f"  rule close: {end}\n\n  when {hook}: do close\n")
    with pytest.raises(Rejected) as refused:
        build_program(load_variant(path))
    assert {d.code for d in refused.value.diagnostics} == {"misplaced"}


LOOK = """\
  when a deal is over:
      let looker = next_seat(dealer)
      look at random from hand[dealer] by looker as c
      ask looker "guess" seen by owner:
          strong when strength(c) > 1 openly: points[team(looker)] += 1
          weak when strength(c) == 1 openly
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("card", "answer", "points"), [("Ah", "strong", 1), ("Qs", "weak", 0)])
def test_a_look_shows_the_card_to_one_seat_only(card, answer, points, engine, play, tmp_path):
    write(tmp_path, LOOK)
    scenario = f"""\
scenario: look
variant: game.yaml
players: 2
start: {{dealer: 0, hands: {{0: [Ah, Qs]}}, random: [{card}]}}
actions:
  - 0: play
  - expect: {{views: {{1: {{told: [{{nobody: look {card}}}]}}, 0: {{told: []}}}}}}
  - 1: {answer}
expect: {{counters: {{points: [0, {points}]}}}}
"""
    code, out, err = play(scenario, "--engine", engine)
    assert (code, err) == (0, ""), out


@pytest.mark.parametrize("engine", ENGINES)
def test_a_transcript_has_the_card_and_the_seat_of_each_look(engine, tmp_path):
    game, events = load_game(write(tmp_path, LOOK), 2, engine=engine), []
    for match in range(20):
        play_match(game, "uniform", 1, match, events.append)
    looks = [event for event in events if event.get("what") == "look"]
    guesses = [event for event in events if event.get("decision") == "guess"]
    assert len(looks) == len(guesses) >= 20
    for look, guess in zip(looks, guesses, strict=True):
        assert (look["event"], look["seat"], look["to"]) == ("announced", None, [guess["seat"]])
        assert guess["action"] == ("weak" if look["value"][0] == "Q" else "strong")
    assert {guess["action"] for guess in guesses} == {"weak", "strong"}


BONUS = f"""{GAME}
  rule bonus:
      ask dealer "bonus":
          more: points[team(dealer)] += 1
          none: points[team(dealer)] += 0
      if points[team(dealer)] >= 3: end match won by team(dealer) because goal

  when a deal is over: do bonus
"""
CALLED_TWICE = BONUS.replace("void: end deal because void", "void: do bonus")


@pytest.mark.parametrize(("text", "questions"), [(BONUS, 2), (CALLED_TWICE, 3)])
def test_a_hook_calls_a_rule_that_asks_and_may_end_the_match(text, questions, tmp_path):
    """If others call the rule, too, the hook calls a copy, whose question has its own number."""
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    shown = []
    for engine in ENGINES:
        game = load_game(path, players=2, engine=engine)
        assert [plan.number for plan in game.plans] == list(range(questions))
        state, asked = game.start(1, 0), []
        while (pending := state.pending) is not None:
            if isinstance(pending, Question):
                asked.append((pending.decision, pending.number, state.legal))
                state.apply(0)
            else:
                state.next_deal()
        shown.append(asked)
    assert shown[0] == shown[1]
    assert {decision for decision, *_ in shown[0]} == {"how", "bonus"}
