"""The words of hints: what best play does at a question, and what each choice costs."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.language import figure, say
from trutdsl.strategy.hints import ChoiceHint, Hint

UNKNOWN = (
    "this policy would never have come here: it takes a legal action at random, each equally likely"
)
UNEXPECTED = (
    "the other seat would never have come here: what it may have done counts as equally likely, "
    "and the exploitability says nothing about play here"
)
WEAK = 0.01  # matches that the policy loses at a question, from which a hint warns
NO_PRICE = "no deal of a match leads here, so the choices have no price"


def hint_lines(hint: Hint, name: str) -> Iterator[str]:
    """Yield the lines of a hint; name: of the policy."""
    if hint.wins is None:
        yield f"{name}:"
    else:
        yield say(
            "{name}: the best choice wins {what} of 100 matches",
            name=name,
            what=figure(100 * hint.wins, ".4f"),
        )
    width = max(len(_actions(one)) for one in hint.choices)
    for one in hint.choices:
        loses = (
            ""
            if one.price is None
            else say("   loses {what}", what=figure(100 * one.price, "8.4f"))
        )
        yield f"  {_actions(one):{width}}   {one.share:6.1%}{loses}"
    if not hint.known:
        yield f"  {UNKNOWN}"
    if not hint.expected:
        yield f"  {UNEXPECTED}"
    elif hint.known and hint.loss >= WEAK:
        loss, deals = f"{100 * hint.loss:.2g}", f"{1 / hint.reached:,.0f}"
        yield "  " + say(
            "the policy loses {loss} of 100 matches here: play as stored comes here in only one of "
            "{deals} deals, so the exploitability hardly counts it",
            loss=loss,
            deals=deals,
        )
    if hint.wins is None and len(hint.choices) > 1:
        yield f"  {NO_PRICE}"


def _actions(choice: ChoiceHint) -> str:
    return " or ".join(choice.texts)
