"""Fixtures of the tests of the reference engine: they play a few statements and read the state."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import pytest

from trutdsl.game import DealStart, load_game
from trutdsl.table.faults import RuleError

# The cards are 8h (index 0) to 1h (index 7), so the strength of a card is its rank. Seats have the
# numbers 1 to 4 in the order of their index, teams 1 and 2. `note` appends a digit to the log.
PROBE = """\
module: probe
title: Numbers for seats and a log of digits
rules: |
  zone stock: pile, starts with pack_cards, seen by all
  zone played: pile, seen by all
  zone table[seat]: pile, seen by all

  match state:
      log: number
      id[seat]: 0 to 4
      side_id[team]: 0 to 2

  rule note(n: number):
      log = log * 10 + n

  rule note_cards(cards: cards):
      for card in cards: do note(strength(card))

  rule number_seats:
      let n = 1
      for player in seats:
          id[player] = n
          n += 1
      n = 1
      for side in teams:
          side_id[side] = n
          n += 1
"""
GAME = """\
variant: snippet
title: A few sentences
players: [2, 4]
teams: {2: 2, 4: 2}
uses: [probe.yaml]
pack: {suits: {h: hearts}, ranks: [8, 7, 6, 5, 4, 3, 2, 1]}
"""
MATCH = """
rule match:
    do number_seats
    do game
    end match drawn

rule game:
"""


@dataclass
class Outcome:
    """The outcome of a match. log: digits; asked: seat, decision and legal actions each time."""

    log: str
    asked: list[tuple[int, str, list[str]]]
    events: list[dict]
    deals: int
    winner: int | None


class Sentences:
    """Plays statements as the body of a rule that `match` calls once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "probe.yaml").write_text(PROBE, encoding="utf-8")

    def game(self, body, declared="", *, head="", players=4, param=()):
        rules = dedent(declared).strip("\n") + MATCH + indent(dedent(body).strip("\n"), "    ")
        path = self.folder / "snippet.yaml"
        text = GAME + dedent(head) + "rules: |\n" + indent(rules, "  ") + "\n"
        path.write_text(text, encoding="utf-8")
        return load_game(path, players, param, engine="reference")

    def __call__(self, body, declared="", *, answers=(), seed=1, match=0, **table) -> Outcome:
        events: list[dict] = []
        asked: list[tuple[int, str, list[str]]] = []
        left = list(answers)
        state = self.game(body, declared, **table).start(seed, match, events.append)
        while state.pending is not None:
            if isinstance(state.pending, DealStart):
                state.next_deal()
                continue
            question = state.pending
            texts = [action.text for action in question.actions]
            asked.append((question.seat, question.decision, texts))
            state.apply(texts.index(left.pop(0)))
        assert not left, "more answers than questions"
        log = str(state._machine.variables["log"][0])
        return Outcome("" if log == "0" else log, asked, events, state.deals, state.winner)

    def error(self, body, declared="", **more) -> tuple[str, str]:
        """Return the code and the message of the error that the statements cause."""
        with pytest.raises(RuleError) as caught:
            self(body, declared, **more)
        return caught.value.diagnostic.code, caught.value.diagnostic.message


@pytest.fixture
def play(tmp_path):
    return Sentences(tmp_path)
