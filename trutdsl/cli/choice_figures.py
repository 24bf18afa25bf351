"""Explained choices as JSON: `trutdsl explain-choice --json`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from trutdsl.game import HIDDEN
from trutdsl.strategy.explain import Explanation
from trutdsl.strategy.monte_carlo import SearchResult

if TYPE_CHECKING:
    from trutdsl.game import State
    from trutdsl.strategy.hints import Hint
    from trutdsl.strategy.luck import AnswerShares

NORMAL = 1.96  # standard errors on each side of a mean


def choice_figures(
    where: str,
    strategy: str,
    state: State,
    choice: Explanation | Hint | SearchResult,
    done: str | None = None,
) -> dict[str, Any]:
    """Return the choice at the open question, as `ExplainedChoices` of `printed.play` says."""
    view = state.view()
    hand = view.zones.get("hand", ())
    cards = hand[view.seat] if len(hand) > view.seat else HIDDEN
    asked = {
        "where": where,
        "strategy": strategy,
        "seat": view.seat,
        "decision": view.decision,
        "hand": [] if cards is HIDDEN else list(cards),
        "done": done,
    }
    texts = view.texts
    if isinstance(choice, Explanation):
        clauses = [
            {
                "place": f"{one.span.source.name}:{one.span.line}",
                "text": one.text,
                "taken": one.taken,
                "why": [reason.strip() for reason in one.why],
            }
            for one in choice.looked
        ]
        shares = None if choice.shares is None else list(share_figures(choice.shares, texts))
        return {**asked, "chosen": texts[choice.index], "clauses": clauses, "shares": shares}
    if isinstance(choice, SearchResult):
        actions = [
            {"action": text, "wins": wins, "low": low, "high": high}
            for text, (wins, low, high) in zip(texts, wins_of(choice), strict=False)
        ]
        worlds = len(choice.weights)
        return {**asked, "chosen": texts[choice.index], "actions": actions, "worlds": worlds}
    return {
        **asked,
        "wins": choice.wins,
        "known": choice.known,
        "expected": choice.expected,
        "choices": [
            {"actions": list(one.texts), "share": one.share, "loses": one.price}
            for one in choice.choices
        ],
    }


def wins_of(found: SearchResult) -> Iterator[tuple[float, float, float]]:
    """Yield for each action the share of matches that it wins, with its 95 % interval."""
    for mean, error in found.means():
        yield mean, max(0.0, mean - NORMAL * error), min(1.0, mean + NORMAL * error)


def share_figures(shares: AnswerShares, texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield how often luck gives each answer, with its 95 % interval where it was sampled."""
    from trutdsl.stats.estimate import estimate_share  # it loads NumPy

    for index, share in sorted(shares.shares.items()):
        low = high = None
        if shares.repeats:
            found = estimate_share(round(share * shares.repeats), shares.repeats)
            low, high = found.low, found.high
        yield {"action": texts[index], "share": float(share), "low": low, "high": high}
