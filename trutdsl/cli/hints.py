"""The words of hints: what best play, a search or a script does at a question, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trutdsl.api.explained_choices import wins_of
from trutdsl.language import figure, mark, say, with_title
from trutdsl.strategy.explain import Explanation
from trutdsl.strategy.monte_carlo import SearchResult
from trutdsl.variant import Words

if TYPE_CHECKING:
    from trutdsl.strategy.hints import ChoiceHint, Hint  # it loads SciPy

UNKNOWN = mark(
    "this policy never plays to this point: it takes a legal action at random, each equally likely"
)
OTHER_UNLIKELY = mark(
    "the other seat's stored play never leads here: all its possible actions count as "
    "equally likely, and the exploitability says nothing about play here"
)
WEAK = 0.01  # matches that the policy loses at a question, from which a hint warns
MOST_BEFORE, MOST_REASONS = 2, 4  # clauses of a script, and reasons against each
NO_PRICE = mark("no deal of a match leads here, so the choices have no price")


def script_lines(name: str, explanation: Explanation, texts: Sequence[str]) -> Iterator[str]:
    """Yield what a script would choose, its clause, and why those just before do not hold."""
    *others, clause = explanation.looked
    yield say("{name} would choose: {action}", name=name, action=texts[explanation.index])
    yield say("because its script says: {clause}", clause=clause.text)
    yield from (f"  {why.strip()}" for why in clause.why)
    for one in others[-MOST_BEFORE:]:
        yield say("and not: {clause}", clause=one.text)
        yield from (f"  {why.strip()}" for why in one.why[:MOST_REASONS])


def search_lines(
    name: str, result: SearchResult, texts: Sequence[str], script: str
) -> Iterator[str]:
    """Yield what a search would choose, and what each action wins; script: plays in its worlds."""
    yield say("{name} would choose: {action}", name=name, action=texts[result.index])
    if not result.weights:
        yield say("by chance: it found no cards that fit what was said and played")
        return
    yield from win_lines(result, texts)
    yield say(
        "counted in {worlds} ways to deal the hidden cards, where all play on as {script} does; "
        "95 % intervals",
        worlds=figure(len(result.weights), ","),
        script=script,
    )


def win_lines(result: SearchResult, texts: Sequence[str]) -> Iterator[str]:
    """Yield for each action how many matches it wins."""
    width = max(len(text) for text in texts)
    for text, (mean, low, high) in zip(texts, wins_of(result), strict=False):
        yield "  " + say(
            "{action} wins {mean} of 100 matches ({low} to {high})",
            action=f"{text:{width}}",
            mean=figure(100 * mean, ".1f"),
            low=figure(100 * low, ".1f"),
            high=figure(100 * high, ".1f"),
        )


def hint_lines(hint: Hint, name: str, words: Words) -> Iterator[str]:
    """Yield the lines of a hint; name: of the policy. words: those of the variant."""
    if hint.wins is None:
        yield with_title(name)
    else:
        text = "{name}: the best choice wins {what} of 100 matches"
        yield say(text, name=name, what=figure(100 * hint.wins, ".4f"))
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
        yield f"  {say(OTHER_UNLIKELY)}"
    elif hint.known and hint.loss >= WEAK:
        loss, deals = figure(100 * hint.loss, ".2g"), figure(1 / hint.reach, ",.0f")
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
