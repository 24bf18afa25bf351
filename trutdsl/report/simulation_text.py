"""Text of simulated matches: an organiser's answers, figures in groups, and how they were made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.ir.intervals import MOST_DEALS
from trutdsl.language import figure, mark, one_by_one, say, with_title
from trutdsl.options import SECONDS
from trutdsl.report.answers import MINUTE, Group, by_group
from trutdsl.report.blocks import Block, Details, Items, Paragraph
from trutdsl.report.labels import CHOICE_WORDS, SILENT, Row
from trutdsl.report.rounding import counted_matches, format_estimate
from trutdsl.report.simulation import BEHIND, DEALER
from trutdsl.variant import Words


def simulation_blocks(figures: Mapping[str, Any], words: Words, every: bool = False) -> list[Block]:
    """Return the headline figure of each group, in the words of the variant; every: all figures.

    Draws are told, too, if matches came to no end.
    """
    groups = [(say(group.title), rows) for group, rows in grouped_rows(figures, words)]
    if every:
        return [
            Details(title, [Items([(row["title"], row["text"]) for row in rows])])
            for title, rows in groups
        ]
    lines = [
        (title, with_title(row["title"], row["text"]))
        for title, rows in groups
        for row in rows
        if (row is rows[0] and not _is_single(row))
        or (row["metric"] == "draws" and figures["unfinished"])
    ]
    return [Paragraph(say("One figure of each kind:")), Items(lines)] if lines else []


def _is_single(row: Row) -> bool:
    """Return whether a row tells the answers to a question with only one kind of answer."""
    return row["metric"].startswith("answer.") and len(row["parts"]) < 2


def grouped_rows(figures: Mapping[str, Any], words: Words) -> Iterator[tuple[Group, list[Row]]]:
    """Yield each group with its figures: a title, its text, and the parts of a whole by name."""
    return by_group(list(_rows(figures, words)))


def _rows(figures: Mapping[str, Any], words: Words) -> Iterator[Row]:
    """Yield the figures; the first part of a metric names the family, and so the group."""
    if figures["score"] is None:
        yield _row(
            "length.deals", say("deals a match"), format_estimate(figures["deals_per_match"])
        )
    if figures["decisions_per_deal"] is not None:
        decisions, forced = figures["decisions_per_deal"], figures["forced_per_deal"]
        yield _row("length.decisions", say("decisions a deal"), format_estimate(decisions))
        if forced["mean"]:
            yield _row("length.forced", say("forced answers a deal"), format_estimate(forced))
    yield from _wins(figures)
    if figures["draws"]["mean"] and figures["score"] is None:
        text = format_estimate(figures["draws"], "%") + _endless(figures)
        yield _row("draws", say("draws"), text)
    yield from _shares("dealer", say("deals by winner"), figures["deal_winners"], words)
    yield from _answers(figures, words)
    yield from _shares("ends", say("deals end"), figures["deal_ends"], words)


def _answers(figures: Mapping[str, Any], words: Words) -> Iterator[Row]:
    """Yield the answers to the bold question, then those to the others, by strategy if they differ.

    The first row is of the whole table, as the sentence on boldness.
    """
    bold, by_strategy = bold_question(figures), figures["answers_by_strategy"]
    tables = [("", figures["answers"])]
    if by_strategy:
        first = {name: of for name, of in figures["answers"].items() if name == bold}
        tables = [("", first), *by_strategy.items()]
    for strategy, answers in tables:
        single = {name: len(of) < 2 for name, of in answers.items()}
        for decision in sorted(answers, key=lambda name: (name != bold, single[name])):
            name = words.decision(decision)
            title = with_title(strategy, name) if strategy else name
            yield from _shares(f"answer.{decision}", title, answers[decision], words)


def _wins(figures: Mapping[str, Any]) -> Iterator[Row]:
    """Yield what each team wins: the part of the seats, or of the strategies if they differ."""
    family = "first_seat" if len(set(figures["strategies"])) == 1 else "skill"
    for team, share in enumerate(figures["wins"]):
        seats = zip(figures["strategies"], figures["teams"], strict=True)
        names = ", ".join(strategy for strategy, of_team in seats if of_team == team)
        text = "team {team} wins" if figures["score"] is None else "match to team {team}"
        value = format_estimate(share, "%")
        yield _row(family, say(text, team=team + 1), f"{value}, {names}", [(names, value)])


def _shares(metric: str, title: str, counts: Mapping[str, Any], words: Words) -> Iterator[Row]:
    """Yield the shares of what was counted, if anything was."""
    if counts:
        parts = [
            (result_words(what, words), format_estimate(of["share"], "%"))
            for what, of in counts.items()
        ]
        text = ", ".join(" ".join(part) for part in parts)
        yield _row(metric, f"{title} ({figure(_whole(counts), ',')})", text, parts)


def _row(metric: str, title: str, text: str, parts: Sequence[tuple[str, str]] = ()) -> Row:
    return {"metric": metric, "title": title, "text": text, "parts": parts}


def played_blocks(figures: Mapping[str, Any], words: Words) -> list[Block]:
    """Return what was played, how the intervals were made, and which answers were guesses."""
    score = figures["score"]
    result: list[Block] = [
        Paragraph(
            say(
                "{variant}, {players} players, {matches}, seed {seed}, rules {rules}",
                variant=figures["variant"],
                players=figures["players"],
                matches=counted_matches(figures["matches"], score is not None),
                seed=figures["seed"],
                rules=figures["fingerprint"][:12],
            )
        )
    ]
    if score is not None:
        scores = (f"{name} {', '.join(map(str, values))}" for name, values in score.items())
        result.append(Paragraph(say("Each deal starts from {names}.", names=one_by_one(scores))))
    lengths = [figures["deals_per_match"]] if score is None else []
    lengths += [figures["decisions_per_deal"]] if figures["decisions_per_deal"] else []
    text = "Intervals: 95 %, over independent matches; shares by Clopper and Pearson"
    if score is not None:
        text = (
            "Intervals: 95 %, over independent deals; that of a match to a team by Clopper and "
            "Pearson"
        )
    by_t = any(length["method"] == "t" for length in lengths)
    result.append(Paragraph(say(text) + (say(", the others by Student's t.") if by_t else ".")))
    within = any(figures[name] for name in ("deal_ends", "deal_winners", "answers"))
    if within and figures["matches"] > 1 and score is not None:
        text = (
            "Answers of one deal are not independent; the intervals of their shares use clusters "
            "of deals."
        )
        result.append(Paragraph(say(text)))
    elif within and figures["matches"] > 1:
        text = (
            "Deals and answers of one match are not independent; the intervals of their "
            "shares use clusters of matches."
        )
        result.append(Paragraph(say(text)))
    if figures["at_random"]:
        names = one_by_one(_guess_lines(figures, words))
        result.append(Paragraph(say("Random answers: {names}", names=names)))
    return result


def _guess_lines(figures: Mapping[str, Any], words: Words) -> Iterator[str]:
    for name, guesses in figures["at_random"].items():
        answers = figures["answers_by_strategy"].get(name, figures["answers"])
        totals = {decision: _whole(of) for decision, of in answers.items()}
        if guesses == totals:
            yield say("all answers of {name}", name=name)
        else:
            questions = (
                say("{decision} (all {many})", decision=words.decision(decision), many=many)
                if many == totals[decision]
                else say(
                    "{decision} ({many} of {given})",
                    decision=words.decision(decision),
                    many=many,
                    given=totals[decision],
                )
                for decision, many in guesses.items()
            )
            yield say("{name} at {names}", name=name, names=", ".join(questions))


def _endless(figures: Mapping[str, Any]) -> str:
    if not figures["unfinished"]:
        return ""
    text = "; {figures} of them as nobody had won after {most_deals} deals"
    return say(text, figures=figures["unfinished"], most_deals=figure(MOST_DEALS, ","))


def result_words(name: str, words: Words) -> str:
    """Return a form of answers, such as `play CARD`, an end of a deal or its winner."""
    if name == DEALER:
        return say("dealer's side")
    if (hit := BEHIND.fullmatch(name)) is not None:
        seats = int(hit[1])
        return say("next side") if seats == 1 else say("side {seats} seats on", seats=seats)
    if (end := words.end(name)) != name:
        return end
    parts = words.action(say(name)).split(" ")
    return " ".join(say(part) if part.isupper() else part for part in parts)


def _whole(counts: Mapping[str, Mapping[str, int]]) -> int:
    return sum(of["count"] for of in counts.values())


MOST_ENDS = 2
ONE_MATCH = mark("This is one match only: lengths and shares within it have no interval.")
ONE_DEAL = mark("This is one deal only: lengths and shares within it have no interval.")


def simulation_answers(
    figures: Mapping[str, Any], words: Words, seconds: float = SECONDS
) -> Iterator[str]:
    """Yield at most five sentences on simulated matches; seconds: that a choice takes."""
    if figures["matches"] == 1:
        yield say(ONE_MATCH if figures["score"] is None else ONE_DEAL)
    yield from _length(figures, seconds)
    yield from _fairness(figures)
    if figures["matches"] > 1:
        yield from _winner(figures)
    yield from _ends(figures, words)
    yield from _boldness(figures, words)


def _length(figures: Mapping[str, Any], seconds: float) -> Iterator[str]:
    if figures["decisions_per_deal"] is None:
        return
    single = figures["score"] is not None
    choices = figures["decisions_per_deal" if single else "decisions_per_match"]
    if not choices["mean"]:
        text = "Nobody has a choice in these deals."
        yield say(text if single else "Nobody has a choice in these matches.")
        return
    text = (
        "Between these strategies a match has {deals} deals. At {seconds} s a choice it lasts "
        "{minutes} minutes."
    )
    deals = format_estimate(figures["deals_per_match"])
    if deals == "1":
        text = (
            "Between these strategies a match has 1 deal. At {seconds} s a choice it lasts "
            "{minutes} minutes."
        )
    if single:
        text = "Between these strategies a deal lasts {minutes} minutes at {seconds} s a choice."
    minutes = format_estimate(choices, scale=seconds / MINUTE)
    yield say(text, deals=deals, seconds=figure(seconds, "g"), minutes=minutes)


def _fairness(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the dealer's side wins; a verdict only between equals.

    A strategy that deals more often would look like an advantage of the dealer, as would players
    who are out of the match, never deal and never win.
    """
    winners = {name: of["share"] for name, of in figures["deal_winners"].items()}
    share = winners.pop("dealer", None)
    winners.pop("nobody", None)
    if share is None or not winners:
        return
    text = "The dealer's side wins {share} of the deals, the next side {other}."
    alike = len(set(figures["strategies"])) == 1 and not figures["deals_to_some"]
    if alike and share["low"] is not None:
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
    yield say(
        text,
        share=format_estimate(share, "%"),
        other=format_estimate(next(iter(winners.values())), "%"),
    )


def _winner(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield whether a team wins more than each other one, if not all play alike.

    As for the dealer, its interval must lie above those of all others.
    """
    if figures["score"] is not None or len(set(figures["strategies"])) == 1:
        return
    wins = figures["wins"]
    team = max(range(len(wins)), key=lambda one: wins[one]["mean"])
    seats = zip(figures["strategies"], figures["teams"], strict=True)
    names = dict.fromkeys(name for name, of in seats if of == team)
    text = "No team is clearly ahead: team {team} ({names}) wins {share} of the matches."
    if all(wins[team]["low"] > other["high"] for other in wins if other is not wins[team]):
        text = "Team {team} ({names}) is ahead: it wins {share} of the matches."
    yield say(text, team=team + 1, names=", ".join(names), share=format_estimate(wins[team], "%"))


def _ends(figures: Mapping[str, Any], words: Words) -> Iterator[str]:
    ends = sorted(figures["deal_ends"].items(), key=lambda end: -end[1]["count"])
    texts = [
        f"{words.end(reason)} {format_estimate(of['share'], '%')}"
        for reason, of in ends[:MOST_ENDS]
    ]
    if texts:
        yield say("How deals end: {ends}.", ends=", ".join(texts))


def bold_question(figures: Mapping[str, Any]) -> str | None:
    """Return the most frequent question with at least two different answers.

    Its answers are words alone, without cards or numbers.
    """
    answers = figures["answers"]
    questions = [
        name for name, of in answers.items() if len(_options_taken(of)) > 1 and _in_words(of)
    ]
    return max(
        questions, key=lambda name: sum(n["count"] for n in answers[name].values()), default=None
    )


def _options_taken(answers: Mapping[str, Any]) -> dict[str, Any]:
    return {option: of for option, of in answers.items() if of["count"]}


def _in_words(answers: Mapping[str, Any]) -> bool:
    return not any(set(CHOICE_WORDS) & set(option.split()) for option in _options_taken(answers))


def _boldness(figures: Mapping[str, Any], words: Words) -> Iterator[str]:
    """Yield the most frequent answer to the bold question, apart from silence."""
    decision = bold_question(figures)
    if decision is None:
        return
    options = _options_taken(figures["answers"][decision])
    spoken = [option for option in options if option not in SILENT]
    option = max(spoken or options, key=lambda name: options[name]["count"])
    text = "Boldness: where '{decision}' is asked, {share} of the answers are '{option}'."
    values = {"decision": words.decision(decision), "option": words.action(option)}
    yield say(text, share=format_estimate(options[option]["share"], "%"), **values)
