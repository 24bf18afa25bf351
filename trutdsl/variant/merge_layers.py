"""Merges the files of a variant into one `Variant`."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from trutdsl.diagnostics import Collector, Note, Rejected, Span, did_you_mean
from trutdsl.files import fingerprint_of
from trutdsl.language import say
from trutdsl.variant.book import check_book, merge_books
from trutdsl.variant.key_advice import example_of_teams
from trutdsl.variant.manifest import Counter, Manifest
from trutdsl.variant.merge_packs import merge_packs
from trutdsl.variant.model import Change, Differences, Layer, RulesText, Variant
from trutdsl.variant.pack import Pack
from trutdsl.variant.parameters import BadParameter, Parameter
from trutdsl.variant.read_parameters import with_default

MOST_LISTED = 16  # parameters in a message


@dataclass(frozen=True)
class LoadedFile:
    """One file: its manifest, its rules, its texts, and the layers below it.

    vocabulary: its definitions for strategies. words_text: the text of its words. Neither is in one
                of the texts.
    base:       the variant that it extends.
    """

    manifest: Manifest
    rules: RulesText | None
    vocabulary: RulesText | None
    texts: tuple[str, ...]
    words_text: str
    below: frozenset[str] = frozenset()
    base: str | None = None


def merge_layers(files: tuple[LoadedFile, ...], errors: Collector) -> Variant:
    """Return the variant whose own file is the last of `files`.

    Raises `Rejected` with every conflict, and with the mistakes in `errors`.
    """
    manifests = tuple(one.manifest for one in files)
    own = manifests[-1]
    counters, parameters, changes = _merge_names(manifests, errors)
    below = {counter.name for one in manifests[:-1] for counter in one.counters}
    players, teams = _merge_seating(manifests, errors)
    pack_by, packs = merge_packs(manifests, parameters, errors)
    parameters, changes = _settle_cards(parameters, changes, packs.values(), errors)
    sources = _merge_sources(manifests, errors)
    book = merge_books((one.span.source.name, one.rulebook) for one in manifests)
    check_book(book, parameters, own.span.source.name, errors)
    errors.raise_if_any()
    directions = [manifest.direction for manifest in manifests if manifest.direction]
    seating = ("players", "teams", "direction")
    return Variant(
        name=own.name,
        title=own.title or own.name,
        summary=_summary(manifests),
        sources=sources,
        direction=directions[-1] if directions else "clockwise",
        players=players,
        teams=teams,
        packs=packs,
        pack_by=pack_by,
        counters=counters,
        parameters=parameters,
        base=files[-1].base,
        layers=tuple(_layer(one, one is files[-1]) for one in files),
        differences=Differences(
            uses=tuple(ref.text for ref in own.uses),
            changes=tuple(changes),
            parameters=tuple(parameter.name for parameter in own.parameters),
            counters=tuple(one.name for one in own.counters if one.name not in below),
            restated=tuple(one.name for one in own.counters if one.name in below),
            pack=_pack_keys(own),
            seating=tuple(key for key in seating if getattr(own, key) is not None),
        ),
        fingerprint=fingerprint_of(text for one in files for text in one.texts),
        vocabulary_fingerprint=fingerprint_of(
            one.vocabulary.excerpt.text if one.vocabulary else "" for one in files
        ),
        words_fingerprint=fingerprint_of(one.words_text for one in files),
        span=own.span,
        book=book,
    )


def _summary(manifests: tuple[Manifest, ...]) -> str:
    """Return the variant's summary, or that of the nearest base that has one."""
    summaries = (m.summary for m in reversed(manifests) if m.kind == "variant" and m.summary)
    return next(summaries, "")


def _layer(one: LoadedFile, own: bool) -> Layer:
    name, kind, span = one.manifest.name, one.manifest.kind, one.manifest.span
    title, summary = one.manifest.title or "", one.manifest.summary or ""
    path = span.source.name
    words = one.manifest.words
    texts = one.rules, one.vocabulary, words
    return Layer(
        name, kind, title, summary, path, *texts, own, one.below, span, one.manifest.language
    )


def _merge_names(
    manifests: tuple[Manifest, ...], errors: Collector
) -> tuple[tuple[Counter, ...], dict[str, Parameter], list[Change]]:
    counters: dict[str, Counter] = {}
    parameters: dict[str, Parameter] = {}
    changes: list[Change] = []
    places: dict[str, tuple[str, Span]] = {}

    def is_new(what: str, name: str, span: Span) -> bool:
        if name not in places:
            places[name] = (what, span)
            return True
        old, where = places[name]
        message = (
            say("the {what} '{name}' is declared twice", what=what, name=name)
            if old == what
            else say("'{name}' is both a {before} and a {what}", name=name, before=old, what=what)
        )
        help_text = say("change its default with 'set:'") if old == what == "parameter" else None
        note = Note(say("it is here first"), where)
        errors.error("declared-twice", message, span, note, help=help_text)
        return False

    for manifest in manifests:
        changes = _apply_defaults(manifest, parameters, errors)
        for counter in manifest.counters:
            if manifest.extends and counter.name in counters:
                counters[counter.name] = counters[counter.name].restated(counter)
            elif is_new("counter", counter.name, counter.span):
                counters[counter.name] = counter
        for parameter in manifest.parameters:
            if is_new("parameter", parameter.name, parameter.span):
                parameters[parameter.name] = parameter
    return tuple(counters.values()), parameters, changes


def _apply_defaults(
    manifest: Manifest, parameters: dict[str, Parameter], errors: Collector
) -> list[Change]:
    """Change the defaults in `parameters` and return the changes."""
    changes = []
    own = {parameter.name for parameter in manifest.parameters}
    for entry in manifest.sets:
        name, value = entry.name, entry.value
        old = parameters.get(name.text)
        if old is None:
            message = say("there is no inherited parameter '{name}'", name=name.text)
            some = ", ".join(sorted(parameters)[:MOST_LISTED])
            listing = say("there are {names}", names=some) if some else None
            hint = did_you_mean(name.text, parameters) or listing
            if name.text in ("players", "teams", "pack", "title", "direction", "counters"):
                text = "`{found}:` is a key of the file: write it in the first column"
                hint = say(text, found=name.text)
            if name.text in own:
                hint = say("this file declares it: write the default there")
            errors.error("unknown-parameter", message, name.span, help=hint)
            continue
        new = with_default(old, value, errors)
        if entry.is_choice is not None:
            new = replace(new, is_choice=entry.is_choice)
        parameters[name.text] = new
        changes.append(Change(name.text, old.default, new.default, value.span))
    return changes


def _settle_cards(
    parameters: dict[str, Parameter],
    changes: list[Change],
    packs: Iterable[Pack],
    errors: Collector,
) -> tuple[dict[str, Parameter], list[Change]]:
    """Give parameters of type `cards` their choices from the complete pack."""
    special = dict.fromkeys(card.name for pack in packs for card in pack.special_cards)
    regular = dict.fromkeys(card for pack in packs for card in pack.cards if card not in special)
    result, by_name = dict(parameters), {change.parameter: change for change in changes}
    for name, parameter in parameters.items():
        if parameter.pool is None:
            continue
        cards = special if parameter.pool == "special_pack" else regular
        if not cards and parameter.pool == "pack_cards":
            continue  # `merge_packs` has reported the missing suits or ranks
        if not cards:
            message = say(
                "parameter '{name}' is a set of special cards, and the pack has none", name=name
            )
            errors.error("missing-key", message, parameter.span)
            continue
        known = replace(parameter, choices=tuple(cards))
        try:
            result[name] = replace(known, default=known.value_of(str(parameter.default)))
        except BadParameter as wrong:
            errors.error("bad-default", str(wrong), parameter.default_span)
        if name in by_name:
            change = replace(by_name[name], new=result[name].default)
            with suppress(BadParameter):  # the old cards need not be in the new pack
                change = replace(change, old=known.value_of(str(change.old)))
            by_name[name] = change
    return result, list(by_name.values())


def _merge_seating(
    manifests: tuple[Manifest, ...], errors: Collector
) -> tuple[tuple[int, ...], dict[int, int]]:
    own = manifests[-1]
    players = next((m.players for m in reversed(manifests) if m.players), None)
    teams = next((m.teams for m in reversed(manifests) if m.teams), None)
    if players is None and teams is None and not any(m.pack or m.rules for m in manifests):
        message = say(
            "variant '{own}' extends no variant, and has no pack and no rules", own=own.name
        )
        errors.error(
            "missing-key", message, own.span, help=say("add `{found}`", found="extends: trut")
        )
        raise Rejected(errors.diagnostics)
    of_teams = example_of_teams(players.counts if players else (2, 4))
    for key, value, example in (("players", players, "[2, 4]"), ("teams", teams, of_teams)):
        if value is None:
            text = "add '{key}: {example}', or 'extends:' a variant that has it"
            help_text = say(text, key=key, example=example)
            message = say("variant '{own}' has no '{key}'", own=own.name, key=key)
            errors.error("missing-key", message, own.span, help=help_text)
    if players is None or teams is None:
        return (), {}
    if not any(m.players is players and m.teams is teams for m in manifests):
        span = own.teams.span if own.teams else players.span
        for count in players.counts:
            if count not in teams.of:
                message = say(
                    "'teams' does not say how many teams {count} players make", count=count
                )
                other = players if own.teams else teams
                text = "'players' is here" if own.teams else "'teams' is here"
                one = f"teams: {example_of_teams(players.counts)}"
                cure = say("write `{found}`", found=one)
                errors.error("bad-teams", message, span, Note(say(text), other.span), help=cure)
        for count in teams.of if own.teams else ():
            if count not in players.counts:
                note = Note(say("'players' is here"), players.span)
                message = say("{count} is not in 'players'", count=count)
                errors.error("bad-teams", message, teams.spans[count], note)
    counts = tuple(sorted(players.counts))
    return counts, {count: teams.of[count] for count in counts if count in teams.of}


def _merge_sources(manifests: tuple[Manifest, ...], errors: Collector) -> dict[str, str]:
    sources: dict[str, tuple[str, Span]] = {}
    for manifest in manifests:
        for citation in manifest.sources:
            text, span = sources.setdefault(citation.id, (citation.text, citation.span))
            if text != citation.text:
                message = say("the source '{cited}' is described in two ways", cited=citation.id)
                note = Note(say("it is here first"), span)
                errors.error("declared-twice", message, citation.span, note)
    return {name: text for name, (text, _) in sources.items()}


def _pack_keys(own: Manifest) -> tuple[str, ...]:
    if own.pack is None:
        return ()
    parts = [own.pack.part, *(part for _, part in own.pack.of)]
    flags = {
        "suits": any(part.suits is not None for part in parts),
        "ranks": any(part.ranks is not None for part in parts),
        "values": any(part.worths or part.value_names for part in parts),
        "special_cards": any(part.special_cards for part in parts),
    }
    return tuple(key for key, flag in flags.items() if flag)
