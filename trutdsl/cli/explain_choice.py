"""`trutdsl explain-choice`, and hints in play: what a strategy does at a question, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import NoCache, PrintJson
from trutdsl.diagnostics import BadUsage
from trutdsl.language import figure, mark, say, with_title

if TYPE_CHECKING:
    from trutdsl.game import State
    from trutdsl.strategy.explain import AnswerShares, Explanation
    from trutdsl.strategy.hints import ChoiceHint, Hint
    from trutdsl.strategy.monte_carlo import SearchResult
    from trutdsl.variant import Words

WIDTH = 80
UNKNOWN = mark(
    "this policy never plays to this point: it takes a legal action at random, each equally likely"
)
OTHER_UNLIKELY = mark(
    "the other seat's stored play never leads here: all its possible actions count as "
    "equally likely, and the exploitability says nothing about play here"
)
WEAK = 0.01  # matches that the policy loses at a question, from which a hint warns
FAINT = 0.001  # matches that a question adds to the exploitability, which hardly count
MOST_COMPARED = 12  # actions of a search
MOST_BEFORE, MOST_REASONS = 2, 4  # clauses of a script, and reasons against each
NO_PRICE = mark("no deal of a match leads here, so the choices have no price")


def explain_choice(
    strategy: Annotated[str, typer.Argument(help="A script, policy or monte-carlo.")],
    file: Annotated[str, typer.Argument(help="A scenario file, or a transcript (.jsonl).")],
    scenario: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The scenario; else all that end at a question.",
            show_default=False,
        ),
    ] = None,
    match: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The match; from 1. Default: the first in the file.",
            show_default=False,
            min=1,
        ),
    ] = None,
    deal: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The deal; from 1. Default: the first of the match.",
            show_default=False,
            min=1,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seat; from 1. Default: where it sat, or 1.",
            show_default=False,
            min=1,
        ),
    ] = None,
    as_json: PrintJson = False,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Say which clause of a script chooses, with its values, and why those before it do not.

    Also show how often its luck gives each answer. For monte-carlo, show how many of 100 matches
    each action wins, with an interval. For a policy, show the probability of each action, and how
    many of 100 matches it loses. In a scenario, explain the choice at its end; in a transcript,
    each choice of one seat in one deal. The explanation uses only what that seat may see.

    Example: trutdsl explain-choice honest tests/strategy/choices/trut.yaml
    """
    from trutdsl.api.explained_choices import choice_figures, explained_choices
    from trutdsl.variant.source import SCENARIOS, STRATEGY, TRANSCRIPT, kind_of

    if kind_of(file) == STRATEGY and kind_of(strategy) in (SCENARIOS, TRANSCRIPT):
        text = "the strategy stands first: write `trutdsl explain-choice {file} {strategy}`"
        raise BadUsage(say(text, file=file, strategy=strategy))
    match, deal, seat = (None if one is None else one - 1 for one in (match, deal, seat))
    choices = explained_choices(strategy, file, scenario, match, deal, seat)
    if as_json:
        typer.echo(json.dumps([choice_figures(*one) for one in choices], indent=2))
        return
    for number, one in enumerate(choices):
        typer.echo("\n".join([*([""] if number else []), *_lines(*one)]))


def _lines(
    where: str,
    strategy: str,
    state: State,
    choice: Explanation | Hint | SearchResult,
    actual: str | None,
) -> Iterator[str]:
    """Yield the choice at the open question, and the result of each clause."""
    from trutdsl.api.explained_choices import hand_of
    from trutdsl.strategy.explain import Explanation
    from trutdsl.strategy.monte_carlo import SearchResult
    from trutdsl.variant import words_of

    view = state.view()
    words, names = words_of(state.game.variant, values=view.parameters), hand_of(view)
    holds = say(" with {names}", names=" ".join(map(words.card, names))) if names else ""
    yield from _line(
        say(
            "{where}: player {player} is asked '{decision}'{holds}",
            where=where,
            player=view.seat + 1,
            decision=words.decision(view.decision),
            holds=holds,
        ),
        "",
    )
    texts, actual = [*map(words.action, view.texts)], actual and words.action(actual)
    if not isinstance(choice, Explanation | SearchResult):
        for line in hint_lines(choice, strategy, words):
            yield from _line(line.lstrip(), " " * (len(line) - len(line.lstrip())))
        if actual is not None:
            yield say("the actual answer: {done}", done=actual)
        return
    action = texts[choice.index]
    other = say(" (the actual answer: {done})", done=actual) if actual not in (None, action) else ""
    text = "{strategy} chooses: {chosen}{other}"
    yield from _line(say(text, strategy=strategy, chosen=action, other=other), "")
    if isinstance(choice, SearchResult):
        yield from _search_lines(choice, texts)
        return
    for one in choice.looked:
        place = f"{one.span.source.name}:{one.span.line}"
        yield from _line(f"{place}: {one.text}", "  ")
        if one.taken:
            yield "      " + say("taken")
        for reason in one.why:
            deeper = len(reason) - len(reason.lstrip()) + 2 * one.taken
            yield from _line(reason.lstrip(), " " * (6 + deeper))
    if choice.shares is not None and len(choice.shares.shares) > 1:
        yield from _line(_shares(choice.shares, texts), "  ")


def _search_lines(result: SearchResult, texts: Sequence[str]) -> Iterator[str]:
    """Yield what each action of a search is worth."""
    yield from win_lines(result, texts)
    if result.weights:
        text = "in {worlds} worlds, the same for all actions; 95 % intervals; a draw counts half"
        yield "  " + say(text, worlds=figure(len(result.weights), ","))


def _shares(shares: AnswerShares, texts: Sequence[str]) -> str:
    """Return how often luck gives each answer, in a sentence."""
    from trutdsl.api.explained_choices import share_figures

    each, source = [], say("exact, summed over its luck")
    for one in share_figures(shares, texts):
        if shares.repeats:
            low, high = (figure(one[end] or 0.0, ".1%") for end in ("low", "high"))
            each.append(say("{answer} {low} to {high}", answer=one["action"], low=low, high=high))
        else:
            each.append(f"{one['action']} {figure(one['share'], '.1%')}")
    if shares.repeats:
        source = say("95 % intervals from {number} repetitions", number=figure(shares.repeats, ","))
    return say("by its luck: {answers} ({source})", answers=", ".join(each), source=source)


def _line(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")


# Hints: what best play, a search or a script does at a question, and why.


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
        "95 % intervals; a draw counts half",
        worlds=figure(len(result.weights), ","),
        script=script,
    )


def win_lines(result: SearchResult, texts: Sequence[str]) -> Iterator[str]:
    """Yield for each action how many matches it wins; of many, for the best ones."""
    from trutdsl.api.explained_choices import wins_of

    each = [*zip(texts, wins_of(result), strict=False)]
    rest = len(each) - MOST_COMPARED
    if rest > 0:
        each = sorted(each, key=lambda one: -one[1][0])[:MOST_COMPARED]
    width = max((len(text) for text, _ in each), default=0)
    for text, (mean, low, high) in each:
        yield "  " + say(
            "{action} wins {mean} of 100 matches ({low} to {high})",
            action=f"{text:{width}}",
            mean=figure(100 * mean, ".1f"),
            low=figure(100 * low, ".1f"),
            high=figure(100 * high, ".1f"),
        )
    if rest > 0:
        yield "  " + say("and {number} others, which win no more", number=figure(rest, ","))


def hint_lines(hint: Hint, name: str, words: Words) -> Iterator[str]:
    """Yield the lines of a hint; name: of the policy. words: those of the variant."""
    if hint.wins is None:
        yield with_title(name)
    else:
        text = "{name}: the best choice wins {what} of 100 matches, where a draw counts half"
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
        text = (
            "the policy loses {loss} of 100 matches here; play as stored comes here in one of "
            "{deals} deals"
        )
        if hint.loss * hint.reach < FAINT:
            text = (
                "the policy loses {loss} of 100 matches here: play as stored comes here in only "
                "one of {deals} deals, so the exploitability hardly counts it"
            )
        yield "  " + say(text, loss=loss, deals=deals)
    if hint.wins is None and len(hint.choices) > 1:
        yield f"  {say(NO_PRICE)}"


def _actions(choice: ChoiceHint, words: Words) -> str:
    return say(" or ").join(map(words.action, choice.texts))
