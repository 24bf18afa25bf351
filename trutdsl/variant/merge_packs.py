"""Merges the pack declarations of a variant's layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from trutdsl.diagnostics import Collector, Note, Span, did_you_mean, write_instead
from trutdsl.language import say
from trutdsl.variant.manifest import Manifest
from trutdsl.variant.pack import (
    HIGHEST,
    MOST_CARDS,
    RANK_WORDS,
    STRENGTH,
    Pack,
    PackDeclaration,
    PackPart,
    Rank,
    SpecialCard,
    Suit,
    Worth,
    card_meant_by,
    suit_meant_by,
)
from trutdsl.variant.parameters import Parameter


@dataclass(frozen=True)
class _Draft:
    """An incomplete pack.

    `module_names` holds the names and (value, key) pairs that modules added: they stay when a
    variant declares its pack again.
    """

    suits: tuple[Suit, ...] = ()
    ranks: tuple[Rank, ...] = ()
    stated: int = -1  # the layer that stated suits or ranks last
    special: Mapping[str, SpecialCard] = field(default_factory=dict)
    value_names: Mapping[str, bool] = field(default_factory=dict)  # True: from a module
    worths: Mapping[tuple[str, str], tuple[Worth, int]] = field(default_factory=dict)  # and layer
    module_names: frozenset[str | tuple[str, str]] = frozenset()

    def without_variants(self) -> _Draft:
        """Return the additions of modules only."""
        return _Draft(
            special={
                name: card for name, card in self.special.items() if name in self.module_names
            },
            value_names={name: True for name, module in self.value_names.items() if module},
            worths={
                pair: worth for pair, worth in self.worths.items() if pair in self.module_names
            },
            module_names=self.module_names,
        )


def merge_packs(
    manifests: tuple[Manifest, ...], parameters: Mapping[str, Parameter], errors: Collector
) -> tuple[str | None, dict[str | None, Pack]]:
    """Return the parameter that picks the pack, or None, and the packs.

    A later file replaces suits and ranks, and adds values and special cards. A file with both suits
    and ranks drops the values and special cards of the variants before it.
    """
    drafts: dict[str | None, _Draft] = {None: _Draft()}
    by: PackDeclaration | None = None
    for number, manifest in enumerate(manifests):
        pack = manifest.pack
        if pack is None:
            continue
        module = manifest.kind == "module"
        if pack.by is not None:
            same = by is not None and by.by is not None and by.by.text == pack.by.text
            fresh = next(iter(drafts.values())).without_variants()
            old = drafts if same else {}
            start = fresh if by is not None else drafts[None]
            drafts = {
                **old,
                **{
                    choice.text: _apply(
                        (pack.part, part), old.get(choice.text, start), number, module, errors
                    )
                    for choice, part in pack.of
                },
            }
            by = pack
            continue
        if pack.part.suits is not None and pack.part.ranks is not None:
            drafts, by = {None: next(iter(drafts.values()))}, None
        drafts = {
            choice: _apply((pack.part,), draft, number, module, errors)
            for choice, draft in drafts.items()
        }
    own = manifests[-1]
    if not any(manifest.pack for manifest in manifests if manifest.kind == "variant"):
        message = say("variant '{own}' has no pack", own=own.name)
        help_text = say("add 'pack:' with suits and ranks, or 'extends:' a variant that has one")
        errors.error("missing-key", message, own.span, help=help_text)
        return None, {}
    span = own.pack.span if own.pack else own.span
    if by is not None:
        _check_choices(by, drafts, parameters, errors)
    _check_worths(drafts, manifests, errors)
    spans = {key.text: key.span for key, _ in own.pack.of} if own.pack else {}
    packs = {
        choice: _finish(draft, choice, spans.get(choice or "", span), errors)
        for choice, draft in drafts.items()
    }
    return (by.by.text if by is not None and by.by else None), packs


def _apply(
    parts: tuple[PackPart, ...], draft: _Draft, number: int, module: bool, errors: Collector
) -> _Draft:
    """Return the draft with the declarations of one layer."""
    if all(any(getattr(part, key) is not None for part in parts) for key in ("suits", "ranks")):
        draft = draft.without_variants()
    special, names = dict(draft.special), dict(draft.value_names)
    worths, module_keys = dict(draft.worths), set(draft.module_names)
    for part in parts:
        if part.suits is not None:
            draft = replace(draft, suits=part.suits, stated=number)
        if part.ranks is not None:
            draft = replace(draft, ranks=part.ranks, stated=number)
        for card in part.special_cards:
            if card.name in special:
                first = Note(say("it is here first"), special[card.name].span)
                message = say("the special card '{card}' is declared twice", card=card.name)
                errors.error("declared-twice", message, card.span, first)
                continue
            special[card.name] = card
            module_keys |= {card.name} if module else set()
        for name in part.value_names:
            names[name] = names.get(name, False) or module
        for worth in part.worths:
            pair = (worth.value, worth.key)
            if pair in worths:
                first = Note(say("it is here first"), worths[pair][0].span)
                message = say(
                    "'{worth}' of '{key}' is declared twice", worth=worth.value, key=worth.key
                )
                errors.error("declared-twice", message, worth.span, first)
                continue
            worths[pair] = (worth, number)
            module_keys |= {pair} if module else set()
    return replace(
        draft,
        special=special,
        value_names=names,
        worths=worths,
        module_names=frozenset(module_keys),
    )


def _check_choices(
    pack: PackDeclaration,
    drafts: Mapping[str | None, _Draft],
    parameters: Mapping[str, Parameter],
    errors: Collector,
) -> None:
    assert pack.by is not None
    parameter = parameters.get(pack.by.text)
    if parameter is None:
        message = say("there is no parameter '{by}'", by=pack.by.text)
        hint = did_you_mean(pack.by.text, parameters)
        errors.error("unknown-parameter", message, pack.by.span, help=hint)
        return
    note = Note(say("the parameter is declared here"), parameter.span)
    if parameter.type != "choice":
        text = "parameter '{parameter}' is of type {type}, expected a choice"
        message = say(text, parameter=parameter.name, type=parameter.type)
        errors.error("wrong-type", message, pack.by.span, note)
        return
    for choice in parameter.choices:
        if choice not in drafts:
            text = "no pack is given for the choice '{choice}' of '{parameter}'"
            message = say(text, choice=choice, parameter=parameter.name)
            errors.error("missing-key", message, pack.span, note)
    for key, _ in pack.of:
        if key.text not in parameter.choices:
            message = say(
                "'{key}' is not a choice of '{parameter}'", key=key.text, parameter=parameter.name
            )
            hint = did_you_mean(key.text, parameter.choices)
            errors.error("unknown-key", message, key.span, note, help=hint)


def _check_worths(
    drafts: Mapping[str | None, _Draft], manifests: tuple[Manifest, ...], errors: Collector
) -> None:
    """Report values of keys that no pack has, unless a later file replaces suits or ranks."""
    known = {text for draft in drafts.values() for text in _texts(draft)}
    suits = {suit.name: suit.letter for draft in drafts.values() for suit in draft.suits}
    for draft in drafts.values():
        if not draft.ranks:
            continue
        for worth, number in draft.worths.values():
            replaced = number < draft.stated and manifests[number].kind == "variant"
            if worth.key not in known and not replaced:
                message = say("the pack has no rank, suit or card '{key}'", key=worth.key)
                meant = suit_meant_by(worth.key, suits) or card_meant_by(worth.key, known, suits)
                meant = meant or RANK_WORDS.get(worth.key.lower())
                hint = write_instead(meant) if meant in known else did_you_mean(worth.key, known)
                example = draft.ranks[0].text + min(suits.values(), default="")
                text = "write a rank, the letter of a suit, or both, as in `{example}`"
                hint = hint or say(text, example=example)
                errors.error("unknown-card", message, worth.span, help=hint)


def _texts(draft: _Draft) -> set[str]:
    """Return everything that can have a value: ranks, suits and cards."""
    ranks = {rank.text for rank in draft.ranks}
    suits = {suit.letter for suit in draft.suits}
    return {*ranks, *suits, *draft.special, *(rank + suit for rank in ranks for suit in suits)}


def _finish(draft: _Draft, choice: str | None, span: Span, errors: Collector) -> Pack:
    which = say("the pack") if choice is None else say("the pack '{choice}'", choice=choice)
    for key in ("suits", "ranks"):
        if not getattr(draft, key):
            errors.error("missing-key", say("{which} has no '{key}'", which=which, key=key), span)
    number = len(draft.suits) * len(draft.ranks) + len(draft.special)
    if number > MOST_CARDS:
        text = "{which} has {number} cards, expected at most {most}"
        message = say(text, which=which, number=number, most=MOST_CARDS)
        errors.error("too-many-cards", message, span)
    else:
        _check_confusion(draft, errors)
    texts = _texts(draft)
    values = {
        name: {
            worth.key: worth.amount
            for worth, _ in draft.worths.values()
            if worth.value == name and worth.key in texts
        }
        for name in draft.value_names
    }
    for name in draft.value_names:
        _check_ambiguous(draft, name, errors)
    _place_special(draft, values, errors)
    return Pack(draft.suits, draft.ranks, tuple(draft.special.values()), values, span)


def _place_special(draft: _Draft, values: dict[str, dict[str, int]], errors: Collector) -> None:
    """Give special cards the strengths that they state by another card.

    A card just above a rank makes every stronger rank one stronger.
    """
    cards = [card for card in draft.special.values() if card.above is not None]
    if not cards:
        return
    amounts = values.setdefault(STRENGTH, {})
    weakest_first = [rank.text for rank in reversed(draft.ranks)]
    beaten_cards = {card.above.text for card in cards if card.above} - {HIGHEST}
    for card in cards:
        assert card.above is not None
        if card.above.text not in (HIGHEST, *weakest_first):
            message = say("the pack has no rank '{rank}'", rank=card.above.text)
            letter = RANK_WORDS.get(card.above.text.lower(), "")
            hint = did_you_mean(card.above.text, weakest_first) or say(
                "it has {names}", names=", ".join(rank.text for rank in draft.ranks)
            )
            if letter in weakest_first:
                hint = say("write `{found}`", found=f"above {letter}")
            errors.error("unknown-card", message, card.above.span, help=hint)
        elif card.above.text != HIGHEST and set(amounts) - set(draft.special):
            message = say("the pack gives its own strengths, so ranks do not decide them")
            help_text = say("write a number, or `strength: highest`")
            errors.error("ambiguous-card", message, card.above.span, help=help_text)
    number = 0
    strengths = dict[str, int]()
    for rank in weakest_first:
        number += 1
        strengths[rank] = number
        if rank in beaten_cards:
            number += 1
            amounts |= {c.name: number for c in cards if c.above and c.above.text == rank}
    if beaten_cards:
        amounts |= strengths
    most = max(0, *strengths.values(), *amounts.values()) + 1
    amounts |= {c.name: most for c in cards if c.above and c.above.text == HIGHEST}


def _check_confusion(draft: _Draft, errors: Collector) -> None:
    meanings: dict[str, tuple[str, Span]] = {}
    for suit in draft.suits:
        meanings[suit.letter] = (say("the letter of a suit"), suit.span)
        meanings[suit.name] = (say("the name of a suit"), suit.span)
    for rank in draft.ranks:
        meanings[rank.text] = (say("a rank"), rank.span)
        for suit in draft.suits:
            meanings[rank.text + suit.letter] = (say("the text of a card"), rank.span)
    for card in draft.special.values():
        if card.name in meanings:
            what, where = meanings[card.name]
            text = "the special card '{card}' can be confused: this is also {what}"
            message = say(text, card=card.name, what=what)
            errors.error(
                "ambiguous-card", message, card.span, Note(say("that comes from here"), where)
            )


def _check_ambiguous(draft: _Draft, value: str, errors: Collector) -> None:
    """Report a value that a card has both by its rank and by its suit."""
    ranks = {rank.text for rank in draft.ranks}
    suits = {suit.letter for suit in draft.suits}
    cards = {rank + suit for rank in ranks for suit in suits}
    worths = {worth.key: worth for worth, _ in draft.worths.values() if worth.value == value}
    for key, worth in worths.items():
        kinds = [
            what for what, of in (("rank", ranks), ("suit", suits), ("card", cards)) if key in of
        ]
        if len(kinds) > 1:
            text = "'{key}' is both a {first} and a {second} of this pack"
            message = say(text, key=key, first=kinds[0], second=kinds[1])
            help_text = say(
                "give '{value}' card by card, or rename the {kinds}", value=value, kinds=kinds[0]
            )
            errors.error("ambiguous-card", message, worth.span, help=help_text)
            return
    for suit in draft.suits:
        for rank in draft.ranks:
            card = rank.text + suit.letter
            if suit.letter in worths and rank.text in worths and card not in worths:
                first, second = worths[suit.letter], worths[rank.text]
                text = "'{value}' of '{card}' could be that of its rank or that of its suit"
                message = say(text, value=value, card=card)
                note = Note(say("and the other is here"), first.span)
                help_text = say(
                    "say it of the card: `{card}: {amount}`", card=card, amount=second.amount
                )
                errors.error("ambiguous-card", message, second.span, note, help=help_text)
                return
