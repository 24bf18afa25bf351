"""What an organiser asks of a simulation: length, fairness, who wins, how deals end, boldness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trutdsl.language import figure, say
from trutdsl.options import SECONDS
from trutdsl.report.answers import MINUTE
from trutdsl.report.rounding import shown
from trutdsl.report.variant_words import CHOSEN
from trutdsl.variant import Words

MOST_ENDS = 2


def simulation_answers(
    figures: Mapping[str, Any], words: Words, seconds: float = SECONDS
) -> Iterator[str]:
    """Yield at most five sentences on simulated matches; seconds: that a choice takes."""
    yield from _length(figures, seconds)
    yield from _fairness(figures)
    yield from _winner(figures)
    yield from _ends(figures, words)
    yield from _boldness(figures, words)


def _length(figures: Mapping[str, Any], seconds: float) -> Iterator[str]:
    if figures["decisions_per_deal"] is None:
        return
    single = figures["score"] is not None
    choices = figures["decisions_per_deal" if single else "decisions_per_match"]
    text = (
        "Between these strategies a match has {deals} deals. At {seconds} s a choice it lasts "
        "{minutes} minutes."
    )
    if single:
        text = "Between these strategies a deal lasts {minutes} minutes at {seconds} s a choice."
    minutes = shown(choices, scale=seconds / MINUTE)
    deals = shown(figures["deals_per_match"])
    yield say(text, deals=deals, seconds=figure(seconds, "g"), minutes=minutes)


def _fairness(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the dealer's side wins; a verdict only if all play alike.

    Otherwise a strategy that deals more often would look like an advantage of the dealer.
    """
    winners = {name: of["share"] for name, of in figures["deal_winners"].items()}
    share = winners.pop("dealer", None)
    winners.pop("nobody", None)
    if share is None or not winners:
        return
    text = "The dealer's side wins {share} of the deals, the next side {other}."
    if len(set(figures["strategies"])) == 1 and share["low"] is not None:
        text = (
            "No clear advantage of dealing: the dealer's side wins {share} "
            "of the deals, the next side {other}."
        )
        if all(share["low"] > other["high"] for other in winners.values()):
            text = (
                "Dealing is an advantage: the dealer's side wins {share} "
                "of the deals, the next side {other}."
            )
        elif all(share["high"] < other["low"] for other in winners.values()):
            text = (
                "Dealing is a disadvantage: the dealer's side wins {share} "
                "of the deals, the next side {other}."
            )
    yield say(text, share=shown(share, "%"), other=shown(next(iter(winners.values())), "%"))


def _winner(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield whether a team wins more than its share, if not all play alike."""
    if figures["score"] is not None or len(set(figures["strategies"])) == 1:
        return
    wins = figures["wins"]
    team = max(range(len(wins)), key=lambda one: wins[one]["mean"])
    seats = zip(figures["strategies"], figures["teams"], strict=True)
    names = dict.fromkeys(name for name, of in seats if of == team)
    text = "No team is clearly ahead: team {team} ({names}) wins {share} of the matches."
    if wins[team]["low"] > 1 / len(wins):
        text = "Team {team} ({names}) is ahead: it wins {share} of the matches."
    yield say(text, team=team + 1, names=", ".join(names), share=shown(wins[team], "%"))


def _ends(figures: Mapping[str, Any], words: Words) -> Iterator[str]:
    found = sorted(figures["deal_ends"].items(), key=lambda end: -end[1]["count"])
    told = [f"{words.end(reason)} {shown(of['share'], '%')}" for reason, of in found[:MOST_ENDS]]
    if told:
        yield say("How deals end: {ends}.", ends=", ".join(told))


def bold_question(figures: Mapping[str, Any]) -> str | None:
    """Return the most frequent question with at least two different answers.

    Its answers are words alone, without cards or numbers.
    """
    answers = figures["answers"]
    asked = [name for name, of in answers.items() if len(_options_taken(of)) > 1 and _in_words(of)]
    return max(
        asked, key=lambda name: sum(n["count"] for n in answers[name].values()), default=None
    )


def _options_taken(answers: Mapping[str, Any]) -> dict[str, Any]:
    return {option: of for option, of in answers.items() if of["count"]}


def _in_words(answers: Mapping[str, Any]) -> bool:
    return not any(set(CHOSEN) & set(option.split()) for option in _options_taken(answers))


def _boldness(figures: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield the rarer answer to the bold question."""
    decision = bold_question(figures)
    if decision is None:
        return
    given = _options_taken(figures["answers"][decision])
    option = min(given, key=lambda name: given[name]["count"])
    text = "Boldness: where '{decision}' is asked, {share} of the answers are '{option}'."
    told = {"decision": words.decision(decision), "option": words.action(option)}
    yield say(text, share=shown(given[option]["share"], "%"), **told)
