"""Names that words and rulebooks use, although the variant does not have them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from trutdsl.diagnostics import Collector, did_you_mean
from trutdsl.language import say
from trutdsl.syntax import ast
from trutdsl.variant.book import Book
from trutdsl.variant.file_words import Word
from trutdsl.variant.model import Definition, Layer, Variant, definitions
from trutdsl.variant.pack import STRENGTH
from trutdsl.variant.words import LEFT, LOOK, NONE, OVER

MOST_LISTED = 12  # names in a message
OF_PACK = ("suits", "ranks", "cards")


def check_names(variant: Variant, errors: Collector) -> None:
    """Report words for names that the variant does not have, and such names in its rulebook."""
    if not variant.book and not any(layer.words for layer in variant.layers):
        return
    known, versions = names_in(variant), definitions(variant)
    _check_book(variant.book, variant.layers[-1].path, known, errors)
    for layer in variant.layers:
        if layer.kind == "variant" and not layer.own:
            continue  # it was checked by itself, and this variant may have replaced its pack
        for file_words in layer.words.values():
            for kind, names in file_words.names.items():
                for name, word in names.items():
                    if name not in known[kind]:
                        if kind in OF_PACK and not layer.own:
                            continue  # a later file has another pack
                        _unknown(kind, name, known[kind], word, errors)
                    elif len(word.texts) > (most := _most_texts(kind, name, layer, versions)):
                        text = say(
                            "found {number} texts for '{name}', expected at most {most}",
                            number=len(word.texts),
                            name=name,
                            most=most,
                        )
                        errors.error("wrong-type", text, word.span)
            for parameter, (span, names) in file_words.choices.items():
                declaration = variant.parameters.get(parameter)
                if declaration is None:
                    text = say("there is no parameter '{name}'", name=parameter)
                    hint = did_you_mean(parameter, variant.parameters)
                    errors.error("unknown-word", text, span, help=hint)
                    continue
                is_boolean = declaration.type == "boolean"
                choices = ("true", "false") if is_boolean else declaration.choices
                for value, word in names.items():
                    if value not in choices:
                        _unknown("choices", value, choices, word, errors)


def _check_book(
    book: Book, own: str, known: Mapping[str, Collection[str]], errors: Collector
) -> None:
    """Report rules and cards that the own file's statements name, and the variant does not have.

    own: the path of its own file. known: the names of each kind.
    """
    rules = {name.rpartition(" ")[2] for name in known["rules"]}.union(
        *(known[kind] for kind in ("zones", "state", "ends"))
    )
    for case in (case for one in book if one.path == own for case in one.cases):
        drawn = [] if not case.draw or case.draw in known["card values"] else case.draw.split()
        for what, name, names, span in (
            *((say("rule"), one.text, rules, one.span) for one in case.tells),
            *((say("special card"), one, known["special cards"], case.span) for one in [case.card]),
            *((say("card"), one, known["cards"], case.span) for one in drawn),
        ):
            if name is not None and name not in names:
                message = say("there is no {what} '{name}'", what=what, name=name)
                errors.error("unknown-word", message, span, help=did_you_mean(name, names))


def _most_texts(
    kind: str, name: str, layer: Layer, versions: Mapping[str, list[Definition]]
) -> int:
    if kind == "rules":
        return sum(layer.holds(one.span) for one in versions[name]) or 1
    return 2 if kind == "counters" else 1


def _unknown(kind: str, name: str, known: Iterable[str], word: Word, errors: Collector) -> None:
    text = say("'words' has a word for '{name}', but there is no such name", name=name)
    hint = did_you_mean(name, known)
    listing = say("known names in '{kind}': {names}", kind=kind, names=_some(known))
    errors.error("unknown-word", text, word.span, help=hint or listing)


def _some(known: Iterable[str]) -> str:
    names = sorted(known)
    return ", ".join(names[:MOST_LISTED] or [say("none")]) + (
        ", ..." if len(names) > MOST_LISTED else ""
    )


def names_in(variant: Variant) -> dict[str, set[str]]:
    """Return all names of each kind in a variant."""
    packs = list(variant.packs.values())
    by_kind: dict[str, list[str]] = {}
    for name, versions in definitions(variant).items():
        for one in versions:
            by_kind.setdefault(one.kind, []).append(name)
    rules = {name for kind in ("rule", "define", "options") for name in by_kind.get(kind, ())}
    return {
        "counters": {one.name for one in variant.counters},
        "parameters": set(variant.parameters),
        "suits": {one.name for pack in packs for one in pack.suits},
        "ranks": {one.text for pack in packs for one in pack.ranks},
        "cards": {card for pack in packs for card in pack.cards},
        "special cards": {card.name for pack in packs for card in pack.special_cards},
        "card values": {STRENGTH}.union(*(pack.values for pack in packs)),
        "sources": set(variant.sources),
        "rules": rules,
        "zones": set(by_kind.get("zone", ())),
        "state": set(by_kind.get("state", ())),
        **_names_in_rules(variant),
    }


def _names_in_rules(variant: Variant) -> dict[str, set[str]]:
    """Return the names of questions, options, reasons, announcements and named values."""
    kinds = ("decisions", "options", "ends", "announcements", "values")
    result: dict[str, set[str]] = {kind: set() for kind in kinds}
    for layer in variant.layers:
        for node in ast.walk(tuple(vars(layer.rules).values())) if layer.rules else ():
            match node:
                case ast.Ask(seat=seat):
                    result["decisions"].add(node.decision.text)
                    if isinstance(seat, ast.Quantifier) and seat.kind == "any":
                        result["options"].add(LEFT)
                case ast.Addition():
                    result["decisions"].add(node.decision.text)
                case ast.Option():
                    result["options"].add(" ".join(word.text for word in node.words))
                case ast.TypeEnum():
                    result["values"] |= {word.text for word in node.values} - {NONE}
                case ast.EndMatch(reason=None):
                    result["ends"].add(OVER)
                case ast.EndDeal() | ast.EndMatch():
                    result["ends"] |= {node.reason.text} if node.reason else set()
                case ast.Look():
                    result["announcements"].add(LOOK)
                case ast.Announce(words=str(words)):
                    result["announcements"].add(words)
                case ast.Announce(value=ast.Text(value=words)):
                    result["announcements"].add(words)
                case ast.Announce(value=ast.Name(name=name)):
                    result["announcements"].add(name)
                case ast.Announce(value=ast.Call(name=word) | ast.Index(name=word)):
                    result["announcements"].add(word.text)
    result["options"].discard("")  # those that are called by their cards or numbers alone
    return result
