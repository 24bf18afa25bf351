"""The words of hints: what best play does at a question, and what each choice costs."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.language import figure, mark, say, titled
from trutdsl.strategy.hints import ChoiceHint, Hint
from trutdsl.variant import Words

UNKNOWN = mark(
    "this policy would never have come here: it takes a legal action at random, each equally likely"
)
UNEXPECTED = mark(
    "the other seat would never have come here: what it may have done counts as equally likely, "
    "and the exploitability says nothing about play here"
)
WEAK = 0.01  # matches that the policy loses at a question, from which a hint warns
NO_PRICE = mark("no deal of a match leads here, so the choices have no price")


def hint_lines(hint: Hint, name: str, words: Words) -> Iterator[str]:
    """Yield the lines of a hint; name: of the policy. words: those of the variant."""
    if hint.wins is None:
        yield titled(name)
    else:
        yield say(
            "{name}: the best choice wins {what} of 100 matches",
            name=name,
            what=figure(100 * hint.wins, ".4f"),
        )
    width = max(len(_actions(one, words)) for one in hint.choices)
    for one in hint.choices:
        loses = (
            ""
            if one.price is None
            else say("   loses {what}", what=figure(100 * one.price, "8.4f"))
        )
        share = figure(one.share, ".1%")
        yield f"  {_actions(one, words):{width}}   {share:>7}{loses}"
    if not hint.known:
        yield f"  {say(UNKNOWN)}"
    if not hint.expected:
        yield f"  {say(UNEXPECTED)}"
    elif hint.known and hint.loss >= WEAK:
        loss, deals = figure(100 * hint.loss, ".2g"), figure(1 / hint.reached, ",.0f")
        yield "  " + say(
            "the policy loses {loss} of 100 matches here: play as stored comes here in only one of "
            "{deals} deals, so the exploitability hardly counts it",
            loss=loss,
            deals=deals,
        )
    if hint.wins is None and len(hint.choices) > 1:
        yield f"  {say(NO_PRICE)}"


def _actions(choice: ChoiceHint, words: Words) -> str:
    return say(" or ").join(map(words.action, choice.texts))
