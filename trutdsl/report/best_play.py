"""Variants under best play as blocks: for a terminal, and as a page."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum, isclose
from typing import Any

from trutdsl.language import figure, mark, one_by_one, say, say_key, with_title
from trutdsl.report.answers import titles_of
from trutdsl.report.blocks import (
    Block,
    Details,
    Heading,
    Items,
    Page,
    Paragraph,
    Section,
    SelfCheck,
    ShellCommand,
    TableBlock,
    text_rows,
)
from trutdsl.report.checks import each_flag
from trutdsl.report.labels import BEST_PLAY, in_words_of, word_for
from trutdsl.report.rounding import lower_bound, upper_bound
from trutdsl.report.terminal import text_lines

Results = Mapping[str, Any]
EXTREMES = 5  # hands that are shown at each end
NEVER = 5e-6  # a smaller share is not shown
CLOSE = 1e-6  # of sums that must be 1

METHOD = (
    "Nothing was sampled: each match was solved, and all its deals under this play were "
    "summed. The play is not perfect; the exploitability says how much a perfect opponent "
    "would gain. An interval of the matches won also holds for perfect play on both "
    "sides; a drawn match counts as half a win. Other perfect play can mix its answers "
    "differently."
)
METHOD_OF_DEAL = mark(
    "Nothing was sampled: one deal was solved for points, and all its courses under this play "
    "were summed. The play is not perfect; the exploitability says how much a perfect opponent "
    "would gain. An interval of the points also holds for perfect play on both sides. Other "
    "perfect play can mix its answers differently."
)
MEANS = (
    "A fold ends the deal for the other side, with any hand. A bet is an answer after "
    "which the other seat may fold at once. A bluff is a bet that loses more deals than it "
    "wins, of those in which the other seat does not fold at once. Hands are ordered by their "
    "gain; weak, middle and strong ones are a third each. A hand counts in the deals in which its "
    "side has a choice."
)


def best_play_lines(results: Results) -> Iterator[str]:
    with in_words_of(results):
        return text_lines(list(_sections(_use_titles(results))))


def _sections(results: Results) -> Iterator[Section]:
    sections = [Section("", _title(results), list(_overview(results)))]
    for one in _solved_variants(results):
        title = say("{variant} under best play", variant=one["name"])
        sections.append(Section("", title, [*_figures(one), *_tables(one, EXTREMES)]))
    method = _method(results)
    for section in sections:
        yield Section("", section.title, list(_with_titles(section.blocks)))
    yield Section("", "", method)


def _use_titles(results: Results) -> Results:
    """Return the results with titles as names of variants."""
    titles = titles_of(results)
    return {**results, "variants": [{**v, "name": titles[v["name"]]} for v in results["variants"]]}


def _with_titles(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks whose tables begin with their captions and the titles of their columns."""
    for block in blocks:
        if isinstance(block, TableBlock):
            yield Paragraph(with_title(block.caption))
            yield replace(block, rows=[*text_rows([block.columns]), *block.rows])
        else:
            yield block


def best_play_page(results: Results) -> Page:
    """Return the page of a comparison under best play, from `best-play.json`."""
    with in_words_of(results):
        return _page(_use_titles(results))


def _page(results: Results) -> Page:
    sections = [Section("summary", say("In short"), list(_overview(results)))]
    for number, one in enumerate(_solved_variants(results)):
        title = say("{variant} under best play", variant=one["name"])
        every = list(_hand_tables(one, one["hands"]))
        details = Details(say("All hands of {variant}", variant=one["name"]), every)
        blocks = [*_figures(one), *_tables(one, EXTREMES), details]
        sections.append(Section(f"variant{number}", title, blocks))
    method = _method(results)
    method += [
        Paragraph(say("The command that makes it again:")),
        ShellCommand(command_of_best_play(results)),
    ]
    facts = {
        one["name"]: say(
            "{scores} scores; {proved}; fingerprint {fingerprint}",
            scores=figure(one["scores"], ",d"),
            proved=say_key(one["proved"]),
            fingerprint=one["fingerprint"],
        )
        for one in _solved_variants(results)
    }
    method.append(Items([("trutdsl", results[BEST_PLAY]["trutdsl"]), *facts.items()]))
    sections.append(Section("made", say("How this was made"), method))
    whole = _of_matches(results)
    mode = say("best play of whole matches") if whole else say("best play of one deal")
    subtitle = say("2 players, {told}", told=mode)
    return Page(_title(results), subtitle, sections, list(_checks(results)))


def _method(results: Results) -> list[Block]:
    """Return the words of bets and hands, and how the figures were computed."""
    method = METHOD if _of_matches(results) else METHOD_OF_DEAL
    return [Paragraph(say(MEANS)), Paragraph(say(method))]


def _of_matches(results: Results) -> bool:
    """Tell whether whole matches were solved, and not one deal."""
    return results["given"]["deal"] is None


def command_of_best_play(results: Results) -> str:
    """Return the command that repeats a comparison under best play."""
    request = results["given"]
    parts = ["trutdsl", "compare", *request["variants"], "--strategies", "best-play"]
    parts += each_flag("--param", request["parameters"])
    each = ((name, str(points)) for name, points in (request["deal"] or {}).items())
    deal = ",".join(f"{name}={points.removesuffix('.0')}" for name, points in each)
    parts += ["--deal", deal] if deal else []
    return shlex.join(parts)


def _checks(results: Results) -> Iterator[SelfCheck]:
    for one in _solved_variants(results):
        total = fsum(hand["chance"] for hand in one["hands"])
        text = say("{variant}: the chances of all hands add up to 1", variant=one["name"])
        yield SelfCheck(text, isclose(total, 1, abs_tol=CLOSE), f"{total:.9f}")
        low, mean, high = (one["value"][end] for end in ("low", "mean", "high"))
        text = say("{variant}: the value lies within its bounds", variant=one["name"])
        holds = low - CLOSE <= mean <= high + CLOSE
        yield SelfCheck(text, holds, f"{low:.9f} <= {mean:.9f} <= {high:.9f}")


def _solved_variants(results: Results) -> list[Results]:
    return [one for one in results["variants"] if not one["why_not"]]


def _title(results: Results) -> str:
    names = one_by_one(one["name"] for one in results["variants"])
    return say("Best play: {variants}", variants=names)


# ------------------------------------------------------------ all variants


def _overview(results: Results) -> Iterator[Block]:
    variants = _solved_variants(results)
    rows = text_rows(
        [say(title), *(tell(one) for one in variants)] for title, tell in OVERVIEW.items()
    )
    caption = say("The variants side by side")
    yield TableBlock(caption, [say("what"), *(one["name"] for one in variants)], rows)
    failures = [one for one in results["variants"] if one["why_not"]]
    if failures:
        yield Heading(say("Not solved"))
        yield Items([(one["name"], say_key(one["why_not"])) for one in failures])


def _percent(share: float | None) -> str:
    return "-" if share is None else figure(share, ".1%")


def _gain(
    one: Results,
    value: float | None,
    sign: str = "+",
    rounded: Callable[[float, str], str] = figure,
) -> str:
    """Return a gain in matches of 100, or in points."""
    if value is None:
        return "-"
    return rounded(value, f"{sign}.4f") if _in_deal(one) else rounded(100 * value, f"{sign}.2f")


def _range(one: Results, estimate: Mapping[str, float], sign: str = "+") -> str:
    """Return a gain with its bounds, which are rounded outward."""
    mean = _gain(one, estimate["mean" if "mean" in estimate else "value"], sign)
    low = _gain(one, estimate["low"], sign, lower_bound)
    high = _gain(one, estimate["high"], sign, upper_bound)
    return say("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def _in_deal(one: Results) -> bool:
    """Tell whether one deal is played for points, instead of a match."""
    return bool(one["unit"] == "points")


def _unit(one: Results) -> str:
    return say("points") if _in_deal(one) else say("of 100 matches")


def _bets(one: Results) -> Results:
    """Return the figures on bets and bluffs of both seats together."""
    result: Results = one["bluffs"]["bets"]["both"]
    return result


OVERVIEW: dict[str, Callable[[Results], str]] = {
    "what the side that deals first wins": lambda one: (
        f"{_range(one, one['value'], '+' if _in_deal(one) else '')} {_unit(one)}"
    ),
    "what a perfect opponent gains": lambda one: (
        f"{_gain(one, one['exploitability'], '', upper_bound)} {_unit(one)}"
    ),
    "deals a match": lambda one: "-" if _in_deal(one) else figure(one["deals"]["mean"], ".2f"),
    "decided deals won by the dealer's side": lambda one: _percent(one["dealer"]),
    "decided deals won by the side that leads first": lambda one: _percent(one["leader"]),
    "deals that nobody wins": lambda one: _percent(one["nobody"]),
    "bets a deal": lambda one: figure(_bets(one)["bets"], ".3f"),
    "bets that are folded to": lambda one: _percent(_bets(one)["bets_folded"]),
    "bets that are bluffs": lambda one: _percent(_bets(one)["share"]),
    "bluffs that are folded to": lambda one: _percent(_bets(one)["folded"]),
    "deals won after a bluff": lambda one: _percent(_bets(one)["won"]),
}


# ------------------------------------------------------------ one variant

COLUMNS = (
    "answer", "asked a deal", "how often", "weak hands", "middle ones", "strong ones",
    "deals won", "folded to", "bluffs",
)  # fmt: skip


def _figures(one: Results) -> Iterator[Block]:
    yield Items([("", text) for text in _sentences(one)])


def _sentences(one: Results) -> Iterator[str]:
    text = "The side that deals first wins {share} {unit}."
    share = _range(one, one["value"], "+" if _in_deal(one) else "")
    yield say(text, share=share, unit=_unit(one))
    gains = ", ".join(
        f"{figure(gain, '+.3f')} {word_for('counters', name)}"
        for name, gain in one["dealer_gains"].items()
    )
    text = (
        "The dealer's side wins {share} of the deals with a winner; {nobody} of all deals "
        "have no winner. On average, a deal changes its lead by {gains}."
    )
    if not gains:
        text = (
            "The dealer's side wins {share} of the deals with a winner; {nobody} of all deals "
            "have no winner."
        )
    yield say(text, share=_percent(one["dealer"]), nobody=_percent(one["nobody"]), gains=gains)
    if one["leader"] is not None:
        yield say(
            "The side that leads first wins {share} of the deals with a winner.",
            share=_percent(one["leader"]),
        )
    least, middle, most = one["deals"]["quantiles"]
    if not _in_deal(one):
        yield say(
            "A match has {mean} deals on average; at least 10 of 100 matches have at most {least}, "
            "at least 50 at most {middle}, and at least 90 at most {most}.",
            mean=figure(one["deals"]["mean"], ".2f"),
            least=least,
            middle=middle,
            most=most,
        )
    bets, worth = _bets(one), one["bluffs"]["worth"]
    if bets["share"] is None:
        return
    if not bets["bluffs"]:
        yield say("No bet is a bluff.")
        return
    yield say(
        "Of the bets, {share} are bluffs: {many} a deal. The other side folds to {folded} "
        "of them at once. Of all bluffs, {won} are in deals that their side wins.",
        share=_percent(bets["share"]),
        many=figure(bets["bluffs"], ".3f"),
        folded=_percent(bets["folded"]),
        won=_percent(bets["won"]),
    )
    yield say(
        "A side that may not bluff in the first deal, and whose opponent knows this, "
        "loses: the dealer's side {dealer}, the other side {other}, {unit}.",
        dealer=_range(one, worth["dealer"], ""),
        other=_range(one, worth["other"], ""),
        unit=_unit(one),
    )


def _tables(one: Results, extremes: int) -> Iterator[Block]:
    yield _answers(one)
    hands, caption = one["hands"], EVERY_HAND
    if len(hands) > 2 * extremes:
        hands, caption = [*hands[:extremes], *hands[-extremes:]], BEST_AND_WORST
    yield from _hand_tables(one, hands, caption, extremes)
    yield _cards(one)


def _answers(one: Results) -> TableBlock:
    rows = []
    for row in one["answers"]:
        both = row["both"]
        cells = [_answer_words(row), figure(both["offered"], ".3f")]
        cells += [_percent(both["rate"]), *map(_percent, both["by_third"])]
        cells += [_percent(both[name]) for name in ("won", "folded", "bluffs")]
        rows.append(cells)
    caption = say("How often each answer is given in {variant}", variant=one["name"])
    return TableBlock(caption, [say(name) for name in COLUMNS], text_rows(rows))


def _answer_words(row: Results) -> str:
    """Return an answer and its question, as people call them."""
    return f"{word_for('options', row['option'])} ({word_for('decisions', row['question'])})"


EVERY_HAND = mark("What each hand does in {variant}, the best one first")
BEST_AND_WORST = mark("What the {many} best and the {many} worst hands do in {variant}")


def _hand_tables(
    one: Results, hands: Sequence[Results], caption: str = EVERY_HAND, many: int = 0
) -> Iterator[Block]:
    names = [
        name
        for name in one["hands"][0]["answers"]
        if any((hand["answers"][name] or 0) > NEVER for hand in one["hands"])
    ]
    columns = [say("hand"), say("chance"), say("gain, {unit}", unit=_unit(one)), say("deals won")]
    rows = [
        [
            " ".join(word_for("cards", card) for card in hand["hand"].split(" ")),
            figure(hand["chance"], ".2%"),
            _gain(one, hand["gain"]),
            _percent(hand["won"]),
            *(_percent(hand["answers"][name]) for name in names),
            figure(hand["bluffs"], ".3f"),
        ]
        for hand in hands
    ]
    title = say(caption, variant=one["name"], many=many)
    labels = {f"{row['question']} {row['option']}": _answer_words(row) for row in one["answers"]}
    answers = [labels.get(name, name) for name in names]
    yield TableBlock(title, [*columns, *answers, say("bluffs a deal")], text_rows(rows))


def _cards(one: Results) -> TableBlock:
    rows = [
        (word_for("cards", c["card"]), _gain(one, c["gain"]), figure(100 * c["won"], "+.1f"))
        for c in one["cards"]
    ]
    columns = [say("card"), say("gain, {unit}", unit=_unit(one)), say("deals won of 100")]
    caption = say(
        "Which cards matter in {variant}: a hand with the card, against the mean hand",
        variant=one["name"],
    )
    return TableBlock(caption, columns, text_rows(rows))
