"""The table that a person sees in play: numbered actions and pictures of cards."""

import io
import re
from contextlib import suppress
from pathlib import Path

import pytest
from person import sit

from trutdsl.cli.hand import action_for
from trutdsl.cli.screen import Screen
from trutdsl.game import Action, load_game
from trutdsl.ir.nodes import questions_of
from trutdsl.ir.types import Hands, Kind
from trutdsl.language import speaking
from trutdsl.report.people import People
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.spec import person
from trutdsl.table.match import kind_of

NOBODY = People((0, 1), ("a", "b"))
SEVERAL_CARDS = Path(__file__).parent.parent / "good" / "several-cards.yaml"


def action_lines(actions):
    return list(Screen(NOBODY, None, None).actions(actions))


def test_an_unambiguous_ending_selects_an_action():
    actions = [Action(text, (), (), (), 0) for text in ("play 7h", "play 7d", "fold", "7h")]
    assert action_for("7d", actions, NOBODY).text == "play 7d"
    assert action_for("7H", actions, NOBODY).text == "7h"  # a whole text goes before an ending
    assert action_for("2", actions, NOBODY).text == "play 7d"
    assert (
        action_for("d", actions, NOBODY)
        == "'d' cannot be done now; write a number from 1 to 4, or help"
    )
    two = [Action(text, (), (), (), 0) for text in ("keep 7h", "play 7h")]
    assert action_for("7h", two, NOBODY) == "'7h' may be keep 7h or play 7h; write it whole"


def test_several_cards_select_an_action_in_any_order():
    (kind,) = {
        kind
        for ask in questions_of(load_game(SEVERAL_CARDS, 2).program)
        for option in ask.options
        for kind in map(kind_of, option.binders)
        if isinstance(kind, Hands)
    }
    texts = ["show 7h 9s Kh", "show 8h 9s Kh", "show 7h 9s"]
    actions = [Action(text, ("show",), (0,), (kind,), 0) for text in texts]
    for answer in ("show Kh 7h 9s", "kh, 7h, 9s", "9s kh 7h"):
        assert action_for(answer, actions, NOBODY).text == "show 7h 9s Kh"
    assert "cannot be done now" in action_for("kh 7h", actions, NOBODY)


def test_an_amount_is_not_the_number_of_an_action():
    texts = ["pass", *(f"raise {n}" for n in range(2, 7)), "all in", "show 2", "show 4", "show 5"]
    actions = [Action(text, (), (), (), 0) for text in texts]
    assert list(action_lines(actions)) == [
        "  pass   raise 2 to 6   all in   show 2   show 4   show 5"
    ]
    assert action_for("3", actions, NOBODY).text == "raise 3"
    assert action_for("2", actions, NOBODY) == "'2' may be raise 2 or show 2; write it whole"
    assert action_for("9", actions, NOBODY) == "'9' cannot be done now; write one of these, or help"


def test_the_number_of_a_seat_is_no_answer():
    people = People((0, 1), ("a", "b"), forms=["to SEAT"])
    actions = [Action(f"to {seat}", ("to",), (seat,), (Kind.SEAT,), 0) for seat in (1, 0)]
    lines = list(Screen(people, None, None).actions(actions))
    assert lines == ["  1 to player 2 (b)   2 to player 1 (a)"]
    assert action_for("1", actions, people).text == "to 1"
    assert action_for("to player 1 (a)", actions, people).text == "to 0"
    assert isinstance(action_for("to 0", actions, people), str)


def test_a_long_list_of_actions_is_cut():
    actions = [Action(f"discard {number}x", (), (), (), 0) for number in range(2000)]
    *_, last = lines = list(action_lines(actions))
    assert all(len(line) <= 78 for line in lines) and "60 discard 59x" in lines[-2]
    assert last == "  and 1,940 more, up to discard 1999x"


def test_a_long_list_with_a_range_counts_the_actions_left_out():
    texts = [*(f"raise {n}" for n in range(30)), *(f"bet {n}" for n in range(0, 120, 2))]
    actions = [Action(text, (), (), (), 0) for text in texts]
    assert action_lines(actions)[-1] == "  and 1 more, up to bet 118"
    assert "more" not in action_lines(actions[:-1])[-1]


def render_match(name, players, answers, seed=7, others="uniform", language="fr"):
    """Return the lines of a match that the first seat sees, in a language."""
    with speaking(language):
        game, output = load_game(name, players, engine="reference"), io.StringIO()
        hand = sit(game, 0, io.StringIO("".join(f"{line}\n" for line in answers)), output)
        seating = [person("you", hand), *[load_strategy(others)] * (players - 1)]
        with suppress(KeyboardInterrupt):
            play_match(game, seating, seed, 0, hand.follower, None, hand.watch(0))
    return output.getvalue().replace("\N{NO-BREAK SPACE}", " ").splitlines()


@pytest.mark.parametrize("name", ["trut", "tute", "trut-deluxe"])
def test_the_table_fits_80_columns_and_is_french(name):
    lines = render_match(name, 4, ["1"] * 12)
    assert max(map(len, lines)) <= 80
    assert " Votre main" in [line.split(" ·")[0] for line in lines]
    assert any("╭────╮" in line for line in lines) or name == "tute"
    assert not re.search(r"\b(hand|player|your|wins|deals|espases|oros)\b", "\n".join(lines))


def test_the_table_shows_who_deals_leads_and_called():
    lines = render_match("trut", 4, ["1"] * 6, seed=4, others="bluffer")
    first = lines[: lines.index("  1 joue !   2 je me couche")]
    assert "   Joueur 4 (other) · « je trute »  ▒▒▒" in first
    assert "   Joueur 3 (other) · votre partenaire · donneur · entame  ▒▒▒" in first
    assert " ▶ Votre équipe : vous, joueur 3           longs 0   petits 0" in first
    assert "   L'équipe adverse : joueur 2, joueur 4   longs 0   petits 0" in first
    assert " Votre main · vous entamez · « joue ! »" in lines


def test_before_the_first_deal_nobody_leads_and_nothing_has_changed():
    lines = render_match("trut-deluxe", 4, ["?"], seed=4, language="en")
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


ANNOUNCING_VARIANT = """
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


def test_announcements_of_others_stay_on_the_table(tmp_path):
    file = tmp_path / "look.yaml"
    file.write_text(ANNOUNCING_VARIANT)
    lines = render_match(str(file), 2, ["1", "1"], others="quiet")
    texts = ["plus forte carte, 7", "qui donne, vous", "écoutez-moi"]
    announcements = [f"Joueur 2 (other), annonce : {what}" for what in texts]
    assert [line for line in lines if line.startswith("  Joueur 2 (other), annonce")] == [
        f"  {line}" for line in announcements
    ]
    assert lines.count(f"   {announcements[1]}") == sum("─" * 70 in line for line in lines) / 2 == 3
    assert not any(line.startswith("   Vous, annonce") for line in lines)
