"""Words for compared variants and for the keys of stored comparisons: metrics, points, verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any

from trutdsl.game import Game
from trutdsl.language import (
    ENGLISH,
    current_language,
    figure,
    mark,
    say,
    say_reason,
    speaking,
    typeset,
)
from trutdsl.report.blocks import Block, Heading, Items, TableBlock, text_rows
from trutdsl.report.rounding import format_estimate, format_of, limits
from trutdsl.variant import list_variants, load_variant, words_of

FORMAT = 4  # of `comparison.json`
BEST_PLAY_FORMAT = 2  # of `best-play.json`
BEST_PLAY = "best_play"  # the results of a comparison under best play

DIFFERS, LITTLE, SAME, OPEN = "differs", "differs a little", "the same", "not told apart"
IDENTICAL, ABSENT, UNSEEN = "identical", "only there", "never came up"
UNKNOWN = mark("no interval")
# The words of verdicts that differ from their stored names.
VERDICTS = {OPEN: "undecided", UNSEEN: "no figure in one of both"}
CORRECTED = "skill"  # the metric whose estimate is corrected for bias
NOWHERE = 5e-6  # a share too small for a line
COMEBACK = 2  # the least deficit of a comeback
SILENT = ("pass", "none", "leave it")
METRICS = {  # by name; a family has the first part of its names, and the rest fills in the text
    "length.deals": "deals a match",
    "length.decisions": "decisions a match",
    "length.per_deal": "decisions a deal",
    "length.forced": "forced answers a deal",
    "spread.deals": "standard deviation of deals a match",
    "spread.decisions": "standard deviation of decisions a match",
    "draws": "matches that are drawn",
    "first_dealer": "decided matches won by the side that deals first",
    "first_seat": "decided matches won by the side of the first seat",
    "dealer": "decided deals won by the dealer's side",
    "leader": "decided deals won by the side that leads first",
    "ends": "deals that end because {reason}",
    "tied_tricks": "tricks that nobody wins",
    "stake": "largest gain of a side in {counter}, a deal",
    "answer": "answers '{option}' where '{decision}' is asked",
    "weak": "answers '{option}' where '{decision}' is asked, with a weak hand",
    "weak_wins": "deals won after '{option}' where '{decision}' is asked, with a weak hand",
    "lead_changes": "changes of the lead in {counter}, a match",
    "comebacks": "decided matches won after {many} or more {counter} behind",
    "held": "deals begun ahead in {counter} whose leader wins the match",
    "deficit": "largest deficit of the winner in {counter}, a decided match",
    "skill": "share of the results due to the strategies",
    "deal_luck": "share of the results due to the deal, at least",
}
OF_ANSWERS = ("answer", "weak", "weak_wins")
ANSWER = "'{option}' where '{decision}' is asked"
AND = " + "  # between the pieces of one point
PACK, PARAMETER, BASE = "pack", "parameter", "base"
PIECES = {
    PACK: "the pack",
    "before rule": "before rule {rule}",
    "after rule": "after rule {rule}",
    "when": "when {rule}",
    "replace rule": "replace rule {rule}",
    "replace define": "replace define {rule}",
    "replace options": "replace options {rule}",
    "add to ask": "add to ask {rule}",
}

Row = Mapping[str, Any]


def metric_words(name: str) -> str:
    """Return the words for a metric such as `ends.folded`, for use in a sentence."""
    family = name.partition(".")[0]
    text = METRICS[name] if name in METRICS else METRICS[family]
    return say(text, **_values(name))


def metric_subject(name: str) -> str:
    """Return the subject of a metric in the rules: a counter, an answer, or the metric itself."""
    values = _values(name)
    if "counter" in values:
        return values["counter"]
    return say(ANSWER, **values) if "option" in values else metric_words(name)


def _values(name: str) -> dict[str, str]:
    family, _, rest = name.partition(".")
    if name in METRICS:
        return {}
    if family == "ends":
        word = word_for("ends", rest)
        return {"reason": say_reason(rest.replace("_", " ")) if word == rest else word}
    if family in OF_ANSWERS:
        decision, _, option = rest.partition(".")
        return {"decision": word_for("decisions", decision), "option": word_for("options", option)}
    return {"counter": word_for("counters", rest), "many": str(COMEBACK)}


def words(row: Row) -> str:
    """Return the words for the metric of a row, for use in a sentence."""
    return metric_words(row["metric"])


def verdict_words(row: Row) -> str:
    verdict: str = row["verdict"]
    return say(VERDICTS.get(verdict, verdict))


def point_name(pieces: Sequence[Mapping[str, str]]) -> str:
    return AND.join(
        f"{piece['name']} = {piece['value']}"
        if piece["how"] == PARAMETER
        else say(PIECES[piece["how"]], rule=piece.get("name", ""))
        for piece in pieces
    )


def point_title(point: Mapping[str, Any]) -> str:
    """Return a point of a variant in words; without words, its name in the rules."""
    pieces, texts = point["pieces"], list[str]()
    for piece in pieces:
        name = piece.get("name", "")
        if piece["how"] == PARAMETER:
            text, value = setting_words(name, piece["value"], point["says"] or name)
            return say("{told} ({name})", told=text, name=value)
        texts.append(word_for("rules", f"{piece['how']} {name}", ""))
    text = " ".join(filter(None, texts)) or point["says"] or ""
    return text.rstrip(".") or point_name(pieces)


def setting_words(name: str, value: str, default: str | None = None) -> tuple[str, str]:
    """Return the words for a parameter and for its value.

    default: those for a parameter that has none.
    """
    text = word_for("parameters", name, default)
    return text.rstrip("."), word_for("values", f"{name}={value}", value)


def clear_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that differ by more than the margin, the largest first."""
    return sorted((r for r in rows if r["verdict"] == DIFFERS), key=weight, reverse=True)


def weight(row: Row) -> float:
    """Return the size of a difference in margins."""
    return abs(row["difference"]["mean"]) / row["margin"] if row["margin"] else float("inf")


def is_nowhere(row: Row) -> bool:
    """Return whether a share is nearly 0 in both variants, or nearly 1 in both."""
    values = [row[side]["mean"] for side in ("base", "other") if row[side]]
    ends = (values, [1 - value for value in values])
    return row["kind"] == "share" and any(max(end, default=0.0) < NOWHERE for end in ends)


def both_values(row: Row) -> str:
    return " → ".join(two_values(row))


def two_values(row: Row, apart: bool = False) -> list[str]:
    """Return the values of base and variant, rounded alike; apart: they must not read the same."""
    unit = _unit_of(row["kind"])
    forms = [format_of([row["base"], row["other"]], unit)]
    if apart:  # the difference of both is known better than each
        forms.append(format_of([row["difference"]], unit))
    means = [_in_range(row.get("metric", ""), row[side], 0.0)["mean"] for side in ("base", "other")]
    for form in forms:
        values = [figure(mean, form) for mean in means]
        if values[0] != values[1]:
            break
    return values


def estimate_text(kind: str, estimate: Mapping[str, Any] | None, metric: str = "") -> str:
    """Return a metric's value with its interval; an empty text for None."""
    if estimate is None:
        return ""
    return format_estimate(_in_range(metric, estimate, 0.0), _unit_of(kind))


def _in_range(metric: str, estimate: Mapping[str, Any], least: float) -> Mapping[str, Any]:
    """Return an estimate for reading: a share that is corrected for bias can leave its range."""
    if metric != CORRECTED:
        return estimate
    ends = ((end, estimate[end]) for end in ("mean", "low", "high"))
    return {**estimate, **{e: x if x is None else min(max(x, least), 1.0) for e, x in ends}}


def _unit_of(kind: str) -> str:
    return "%" if kind == "share" else "f"


def change(row: Row) -> str:
    """Return a difference with its interval."""
    difference = _in_range(row.get("metric", ""), row["difference"], -1.0)
    scale, unit = (100, say(" in 100")) if row["kind"] == "share" else (1, "")
    form = format_of([difference], "+f", scale)
    mean = figure(scale * difference["mean"], form) + unit
    if difference["low"] is None:
        return mean
    return f"{mean} ({limits(difference, form, scale)})"


def changes_table(rows: Sequence[Row], caption: str) -> TableBlock:
    """Return a table with the values of both variants and their difference for each metric."""
    columns = ("what", "base → variant", "difference, with its interval")
    cells = text_rows((words(row), both_values(row), change(row)) for row in rows)
    return TableBlock(caption, [say(name) for name in columns], cells, titled=True, stacked=True)


def who_played(names: Iterable[str]) -> list[Block]:
    """Return each shipped script among these strategies, with a sentence on it and a heading."""
    from trutdsl.strategy.load import list_strategies, load_strategy
    from trutdsl.strategy.script import ScriptSpec

    scripts = list_strategies()
    specs = [load_strategy(name) for name in names if name in scripts]
    items = [(one.name, say(one.summary)) for one in specs if isinstance(one, ScriptSpec)]
    return [Heading(say("Who played")), Items(items)] if items else []


def variant_title(name: str, title: str) -> str:
    """Return the title of a shipped variant in the current language, else that in its file."""
    if name not in list_variants():
        return title
    return words_of(load_variant(name, known=lambda _shipped: True)).title  # parses no rules


NamesOfKinds = Mapping[str, dict[str, str]]

# What options choose, in their forms.
CHOICE_WORDS = (
    mark("CARD"),
    mark("CARDS"),
    mark("NUMBER"),
    mark("SEAT"),
    mark("SUIT"),
    mark("RANK"),
    mark("TEAM"),
)
# By how a piece changes the base: the prefix of its name among the definitions.
BEFORE_NAME = {
    "replace rule": "",
    "replace define": "",
    "replace options": "options ",
    "before rule": "before ",
    "after rule": "after ",
    "when": "when ",
    "add to ask": "add to ask ",
}


def words_by_language(
    game: Game, pieces: Iterable[Mapping[str, str]], cards: bool = False
) -> dict[str, dict[str, dict[str, str]]]:
    """Return the words of a variant in English and in every language of its files, as JSON.

    pieces: its changes of the base, whose texts are kept, too. cards: with those of all cards.
    """
    own, result = {lang for layer in game.variant.layers for lang in layer.words}, {}
    for language in sorted({ENGLISH, *own}):
        with speaking(language):
            result[language] = _words(game, list(pieces), language)
            if cards:
                own_words = words_of(game.variant, language, game.parameters)
                pack = game.variant.pack_for(game.parameters)
                ranks = {one.text: own_words.rank(one.text) for one in pack.ranks}
                each = {card: own_words.card(card) for card in game.deck.texts}
                result[language]["cards"] = ranks | each
    return result


def _words(
    game: Game, pieces: Iterable[Mapping[str, str]], language: str
) -> dict[str, dict[str, str]]:
    own, plan = words_of(game.variant, language, game.parameters), game.count_plan
    options = dict.fromkeys(option for _, options in plan.decisions for option in options)
    values = [(one, game.parameters[name]) for name, one in game.variant.parameters.items()]
    rules = {
        f"{piece['how']} {piece['name']}": own.texts(BEFORE_NAME[piece["how"]] + piece["name"])
        for piece in pieces
        if piece["how"] in BEFORE_NAME
    }
    return {
        "titles": {game.name: own.title},
        "counters": {name: own.counter(name) for name in plan.counters},
        "decisions": {name: own.decision(name) for name, _ in plan.decisions},
        "options": {option: own.action(option) for option in options},
        "ends": {reason: own.end(reason) for reason in plan.reasons},
        "parameters": {one.name: own.parameter(one.name) for one, _ in values},
        "values": {f"{p.name}={p.text_of(value)}": own.value(p, value) for p, value in values},
        "rules": {name: texts[-1] for name, texts in rules.items() if texts and texts[-1]},
    }


_names: ContextVar[Mapping[str, NamesOfKinds]] = ContextVar("names", default=MappingProxyType({}))


@contextmanager
def in_words_of(results: Mapping[str, Any]) -> Iterator[None]:
    """Use the words that these results keep, for all texts of the block; the base comes first."""
    vocabulary: dict[str, dict[str, dict[str, str]]] = {}
    for variant in reversed(results["variants"]):
        for language, kinds in variant.get("names", {}).items():
            for kind, names in kinds.items():
                vocabulary.setdefault(language, {}).setdefault(kind, {}).update(names)
    token = _names.set(vocabulary)
    try:
        yield
    finally:
        _names.reset(token)


def word_for(kind: str, name: str, default: str | None = None) -> str:
    """Return the word for a thing in the current language, or else the default (its name)."""
    names = _names.get().get(current_language(), {}).get(kind, {})
    word = names.get(name, name if default is None else default)
    parts = (say(part) if part in CHOICE_WORDS else part for part in word.split(" "))
    return typeset(" ".join(parts))
