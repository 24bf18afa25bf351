"""Steady in Python: reads its view like other strategies, or arrays, to measure the speed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.game import View

CALL = 0.8  # share of all hands that must be weaker before it calls
ACCEPT = 0.55  # and before it accepts


class Steady:
    """Calls and accepts on strong hands, folds weak ones, wins each trick as cheaply as it can."""

    reads = ("hand", "table", "tricks")

    def __init__(self) -> None:
        """Begin without knowledge of the cards."""
        self.strengths: dict[str, int] = {}  # of each card, from the first question on
        self.plays: dict[str, int] = {}  # of the card that each action plays
        self.most = 0  # the greatest sum of two cards
        self.counts = False  # whether it sees the number of won tricks

    def choose(self, view: View) -> str:
        """Return an action by the strength of the hand."""
        if not self.strengths:
            self.strengths = dict(view.strengths.items())
            self.plays = {f"play {card}": worth for card, worth in self.strengths.items()}
            self.most = 2 * max(self.strengths.values())
            self.counts = "tricks" in view.variables
        texts = view.texts
        if "accept" in texts:
            return "accept" if self.strength(view) >= ACCEPT else "fold"
        if "trut" in texts:
            enough = ACCEPT if view.decision == "fortial" else CALL
            if self.strength(view) >= enough:
                return "trut"
        if "pass" in texts:
            return "pass"
        plays = [text for text in texts if text in self.plays]
        return self.play(view, plays) if plays else texts[0]

    def play(self, view: View, plays: list[str]) -> str:
        """Return the weakest card that wins, else the weakest; the strongest to lead."""
        best, ours, team, teams, worth = 0, False, view.team, view.teams, self.plays
        for seat, card in view.lying("table"):
            mine, strength = teams[seat] == team, self.strengths[card]
            ours = mine if strength > best else ours and (mine or strength < best)
            best = max(best, strength)
        if not best:
            return max(plays, key=worth.__getitem__)
        winning = [] if ours else [play for play in plays if worth[play] > best]
        return min(winning or plays, key=worth.__getitem__)

    def strength(self, view: View) -> float:
        """Return the strength from 0 to 1 by the two best cards and the won tricks."""
        cards = view.cards("hand") + view.cards("table")
        strengths = sorted(map(self.strengths.__getitem__, cards))
        best = sum(strengths[-2:]) / self.most if strengths else 0.5
        if not self.counts:
            return best
        tricks = view.variables["tricks"]
        won: float = tricks[view.team] - sum(tricks) / 2
        return best + won

    def choose_batch(self, seen: Any, names: Any) -> NDArray[np.int64]:
        """Return the same for many matches, one a row."""
        answers = np.zeros(len(seen.seat), np.int64)
        for question in np.unique(seen.decision).tolist():
            which = seen.decision == question
            answers[which] = self.answer(seen.take(which), names, question)
        return answers

    def answer(self, seen: Any, names: Any, question: int) -> NDArray[np.int64]:
        """Return the answers to one question."""
        rows, actions, decision = (
            np.arange(len(seen.seat)),
            names.actions[question],
            names.decisions,
        )
        table, team = seen.zones["table"], seen.seat % seen.variables["tricks"].shape[1]
        hands = seen.zones["hand"][rows, seen.seat] | table[rows, seen.seat]
        best = np.sort(_worth(hands, names.strengths), axis=-1)[:, -2:].sum(axis=-1)
        tricks = seen.variables["tricks"]
        won = 2 * tricks[rows, team] - tricks.sum(axis=1)
        most = 2 * int(names.strengths.max())
        strength = np.where(hands > 0, best / most, 0.5) + won / 2
        if "accept" in actions:
            accepts: NDArray[np.int64] = np.where(
                strength >= ACCEPT, actions["accept"], actions["fold"]
            )
            return accepts
        plays = [(n, text[5:]) for text, n in actions.items() if text.startswith("play ")]
        result = np.full(len(rows), actions.get("pass", -1))
        if plays:
            numbers = np.array([number for number, _ in plays])
            legal = _contains(seen.legal, numbers)
            worth = names.strengths[: len(numbers)]
            on_table = _worth(table, names.strengths).max(axis=-1)
            top = on_table.max(axis=1)
            theirs = np.arange(table.shape[1]) % tricks.shape[1] != team[:, None]
            ours = ~(theirs & (on_table == top[:, None])).any(axis=1)
            winning = legal & (worth > top[:, None])
            some = winning.any(axis=1) & ~ours
            usable = np.where(some[:, None], winning, legal)
            weakest = np.where(usable, worth, 99).argmin(axis=1)
            strongest = np.where(legal, worth, -1).argmax(axis=1)
            result = numbers[np.where(top > 0, weakest, strongest)]
        if "trut" in actions:
            enough = ACCEPT if decision[question] == "fortial" else CALL
            calls = _contains(seen.legal, np.array([actions["trut"]]))[:, 0] & (strength >= enough)
            result = np.where(calls, actions["trut"], result)
        return result


def _worth(cards: NDArray[np.uint64], strengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the strength of each card of these masks, 0 for others, along a last axis."""
    bits = cards[..., None] >> np.arange(len(strengths), dtype=np.uint64) & np.uint64(1)
    return bits.astype(np.int64) * strengths


def _contains(masks: NDArray[np.uint64], numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which numbers the masks of each row contain, (rows, numbers)."""
    bits = (numbers % 64).astype(np.uint64)
    return (masks[:, numbers // 64] >> bits & np.uint64(1)).astype(np.bool_)
