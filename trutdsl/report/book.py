"""The content of a rulebook: what a variant tells a newcomer, at one setting of its parameters."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trutdsl.game import Game
from trutdsl.ir.check.dealing import cards_in_play
from trutdsl.language import ENGLISH, current_language, figure, say, typeset
from trutdsl.report.citations import BookSentence
from trutdsl.report.in_play import InPlay
from trutdsl.report.rulebook import describe_variant, forms_of, module_of
from trutdsl.report.worked_example import WorkedExample, work_example
from trutdsl.variant import Pack, Value, Variant
from trutdsl.variant.book import PLACE, PLAYERS, Case, Statement, holds, parameters_in, places_in
from trutdsl.variant.model import Definition, definitions
from trutdsl.variant.words import Words, words_of

CHANGES = re.compile(r"\bbase\b")  # a replacement that builds on the original


@dataclass(frozen=True)
class Chapter:
    """A part of the book with its heading; each row of a table is one statement."""

    key: str
    title: str
    sentences: tuple[BookSentence, ...]


@dataclass(frozen=True)
class SettledParameter:
    """A parameter: what it decides, its value, and whether this table has changed it."""

    help: str
    value: str
    changed: bool
    cites: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """All that a rulebook tells, in one language.

    summary:     empty if it could contradict the parameters: of a base, or with other values.
    differences: sentences on what the variant plays otherwise than its base, `base`.
    strip:       the special cards and ranks drawn by strength, the strongest first.
    absent:      the cards that lie nowhere when a match begins.
    questions:   what a player may be asked, and the answers.
    """

    title: str
    summary: str
    language: str
    seats: str
    base: str
    differences: tuple[str, ...]
    pack: Pack
    strip: tuple[str, ...]
    absent: tuple[str, ...]
    sections: tuple[Chapter, ...]
    settings: tuple[SettledParameter, ...]
    questions: tuple[tuple[str, str], ...]
    example: WorkedExample | None
    sources: tuple[str, ...]
    words: Words


def titles() -> dict[str, str]:
    """Return the heading of each section."""
    return {
        "aim": say("Aim of the game"),
        "players": say("Players"),
        "cards": say("The cards"),
        "deal": say("The deal"),
        "tricks": say("The tricks"),
        "turn": say("On your turn"),
        "score": say("Scoring"),
        "special": say("Special cases"),
        "powers": say("The special cards"),
    }


def write_book(game: Game, players: int | None, example: bool = True) -> Rulebook:
    """Return the rulebook of a game, in the current language.

    players: the number that it is for, None for every number that the variant can have.
    """
    variant, telling = game.variant, _Telling(game, players)
    words = telling.words
    description = describe_variant(game)
    pack = variant.pack_for(game.parameters)
    present = cards_in_play(game.program, pack)
    absent = tuple(card for card in pack.cards if card not in present)
    in_play = InPlay(
        game.program,
        [replace(game.setting, players=n, teams=variant.teams[n]) for n in telling.players],
    )
    sections = {key: tuple(telling.section(key)) for key in titles()}
    if not any(sections.values()):
        sections["tricks"] = tuple(
            BookSentence(rule["help"]) for rule in description["rules"] if rule["help"]
        )
    if not variant.base and telling.own.path not in telling.tellers:
        told = {one.text for section in sections.values() for one in section}
        untold = [text for text in telling.own_texts() if text not in told]
        sections["tricks"] += tuple(BookSentence(text) for text in dict.fromkeys(untold))
    cards = {case.card for one in variant.book for case in one.cases}
    statements = [one for section in sections.values() for one in section]
    return Rulebook(
        title=words.title,
        summary=words.summary if variant.layers[-1].summary and not telling.non_default else "",
        language=telling.language,
        seats=_seats(variant, players),
        base=_base_title(variant, telling.language),
        differences=tuple(telling.differences()) if variant.base else (),
        pack=pack,
        strip=_strip(pack, cards, absent),
        absent=absent,
        sections=tuple(
            Chapter(key, title, sections[key])
            for key, title in titles().items()
            if sections[key] or (key == "cards" and present)
        ),
        settings=tuple(_settings(game, words, in_play.unused_parameters() | telling.overridden())),
        questions=tuple(_questions(description["decisions"], in_play, words)),
        example=work_example(game, statements) if example else None,
        sources=tuple(map(words.source, variant.sources)),
        words=words,
    )


def _base_title(variant: Variant, language: str) -> str:
    below = (one for one in reversed(variant.layers[:-1]) if one.kind == "variant")
    base = next(below, None)
    if base is None:
        return ""
    return (base.words[language].title if language in base.words else None) or base.title


def _seats(variant: Variant, players: int | None) -> str:
    """Return the numbers of players in words."""
    return say("{many} players", many=_alternatives((players,) if players else variant.players))


def _alternatives(numbers: Sequence[int]) -> str:
    """Return numbers of which one is the case, as in `2, 3 or 4`."""
    *few, last = (figure(n, "d") for n in numbers)
    return say("{few} or {many}", few=", ".join(few), many=last) if few else last


def _strip(pack: Pack, cards: set[str | None], absent: Iterable[str]) -> tuple[str, ...]:
    """Return a card of each rank and strength and the untold special cards, strongest first."""
    highest = len(pack.ranks)
    strengths: dict[str, int] = {}
    for place, rank in enumerate(pack.ranks):
        each: dict[int, str] = {}
        for suit in pack.suits:
            if (card := rank.text + suit.letter) not in absent:
                strength = pack.declared_amount("strength", card)
                each.setdefault(highest - place if strength is None else strength, card)
        strengths |= {card: strength for strength, card in each.items()}
    for special in pack.special_cards:
        if special.name not in {*cards, *absent}:
            strengths[special.name] = pack.value("strength", special.name)
    return tuple(sorted(strengths, key=lambda card: -strengths[card]))


def _questions(order: Iterable[str], in_play: InPlay, words: Words) -> Iterator[tuple[str, str]]:
    """Yield the name of each question and its answers; dots stand for what is chosen."""
    for name in (name for name in order if name in in_play.questions):
        answers = []
        for form in forms_of(in_play.questions[name]):
            parts = form.split()
            literals = [part for part in parts if not part.isupper()]
            if not literals:
                answers.append(say("a number") if form == "NUMBER" else "…")
                continue
            answers.append(words.action(" ".join(literals)) + (" …" if literals != parts else ""))
        yield words.decision(name), ", ".join(answers)


def _settings(game: Game, words: Words, exclusions: Container[str]) -> Iterator[SettledParameter]:
    """Yield each parameter but the unread and overridden ones."""
    changes = game.variant.differences.changes if game.variant.base else ()
    own = {change.parameter for change in changes}
    for name, one in game.variant.parameters.items():
        if name in exclusions:
            continue
        value = game.parameters[name]
        changed = name in own or value != one.default
        cites = tuple((one.source or "").split())
        yield SettledParameter(words.parameter(name), words.value(one, value), changed, cites)


class _Telling:
    """Tells the statements of a variant with the values of a game."""

    def __init__(self, game: Game, players: int | None) -> None:
        self.variant, self.values = game.variant, game.parameters
        self.language = current_language()
        self.words = words_of(game.variant, values=game.parameters)
        self.players = {players} if players else set(game.variant.players)
        self.player_count = players
        self.own = game.variant.layers[-1]
        self.definitions = definitions(game.variant)
        self.tellers = {one.path for one in game.variant.book}
        changes = {change.parameter for change in game.variant.differences.changes}
        known = game.variant.parameters.items()
        self.non_default = {name for name, one in known if self.values[name] != one.default}
        self.changed_parameters = self.non_default | (changes if game.variant.base else set())

    def section(self, key: str) -> Iterator[BookSentence]:
        """Yield the sentences of a section, with the sentences of house rules in their places."""
        for one in self.variant.book:
            case = self.choose_case(one)
            if one.section == key and case is not None:
                yield from self.with_house_rules(one, self.tell(one, case))

    def choose_case(
        self, statement: Statement, other: Mapping[str, Value] | None = None
    ) -> Case | None:
        """Return the first case that holds, None if none does or its card is not in play.

        other: values in the place of those of the game.
        """
        values = {**self.values, **(other or {})}
        known = {card.name for card in self.variant.pack_for(values).special_cards}
        for case in statement.cases:
            if case.card is not None and case.card not in known:
                continue
            if holds(case, values, self.variant.parameters, self.players):
                return case
        return None

    def overridden(self) -> set[str]:
        """Return parameters that statements depend on, but whose other values change none of them.

        Another parameter decides instead.
        """
        result = set()
        for name, parameter in self.variant.parameters.items():
            texts = parameter.choices if parameter.type == "choice" else ()
            texts = ("true", "false") if parameter.type == "boolean" else texts
            statements = [
                one
                for one in self.variant.book
                if any(name in parameters_in(case) for case in one.cases)
            ]
            others = [{name: parameter.value_of(text)} for text in texts or ()]
            if (
                statements
                and others
                and all(self._tells_same(statements, other) for other in others)
            ):
                result.add(name)
        return result

    def _tells_same(self, statements: Iterable[Statement], other: Mapping[str, Value]) -> bool:
        """Tell whether statements use the same cases with other values, and no value in a text."""
        usual = [self.choose_case(one) for one in statements]
        if any(other.keys() & {*places_in(case)} for case in usual if case):
            return False
        return usual == [self.choose_case(one, other) for one in statements]

    def tell(self, one: Statement, case: Case) -> BookSentence:
        text = case.texts.get(self.language) or next(iter(case.texts.values()))
        changes = {
            name
            for other in one.cases
            for name in parameters_in(other)
            if name in self.changed_parameters
        }
        marked = bool(changes) or (one.path == self.own.path and self.variant.base is not None)
        tells = tuple(name.text for name in case.tells)
        return BookSentence(
            typeset(PLACE.sub(self.value, text)), case.cites, tells, case.draw, case.card, marked
        )

    def value(self, hit: re.Match[str]) -> str:
        """Return a parameter's value, or the word for it, in the place of its name."""
        name, sign, amount, one, many = hit.groups()
        parameter = self.variant.parameters.get(name)
        if parameter is not None and parameter.type != "integer":
            return self.words.value(parameter, self.values[name])
        values = sorted(self.players) if name == PLAYERS else [self.values[name]]
        numbers = [int(value) + (int(f"{sign}{amount}") if sign else 0) for value in values]
        if one is None:
            return _alternatives(numbers)
        single = {1} if self.language == ENGLISH else {0, 1}
        return one if single.issuperset(numbers) else many

    def with_house_rules(self, one: Statement, sentence: BookSentence) -> Iterator[BookSentence]:
        """Yield a statement, and what files above it say about the rules that it tells.

        A rule that is replaced without its `base` takes the statement's place. A file with a
        rulebook tells its own changes.
        """
        layers = self.variant.layers
        first = [layer.path for layer in layers].index(one.path) + 1
        silent = [layer for layer in layers[first:] if layer.path not in self.tellers]
        rules = [
            (piece, rule)
            for name in sentence.tells
            for piece in ("before ", "", "after ", "options ")
            for rule in self.definitions.get(f"{piece}{name}", ())
            if any(layer.holds(rule.span) for layer in silent)
        ]
        if not any(not piece and not CHANGES.search(_body(rule)) for piece, rule in rules):
            yield replace(sentence, marked=sentence.marked or bool(rules))
        for _, rule in rules:
            text = self.words.text_of(rule) or say("This table plays it otherwise.")
            yield BookSentence(text, sentence.cites, sentence.tells, marked=True)

    def differences(self) -> Iterator[str]:
        """Yield a sentence for each change of the own file."""
        differences = self.variant.differences
        for change in differences.changes:
            one = self.variant.parameters[change.parameter]
            new, old = (self.words.value(one, value) for value in (change.new, change.old))
            help_text = self.words.parameter(one.name)
            if one.type == "boolean":
                yield say("{help} Here: {new}.", help=help_text, new=new)
            else:
                yield say("{help} Here: {new}, not {old}.", help=help_text, new=new, old=old)
        if differences.seating:
            yield say("For {seats}.", seats=_seats(self.variant, self.player_count))
        if differences.pack == ("values",):
            yield say("The cards have other values.")
        elif differences.pack:
            pack = self.variant.pack_for(self.values)
            special = len(pack.special_cards) if "special_cards" in differences.pack else 0
            cards = len(pack.suits) * len(pack.ranks) + special
            yield say("Another pack: {many} cards.", many=figure(cards, "d"))
        for ref in differences.uses:
            module = module_of(self.variant, ref)
            if module.summary:
                file_words = module.words.get(self.language)
                title = file_words and file_words.title
                summary = file_words and file_words.summary
                yield f"**{title or module.title}.** {summary or module.summary}"
        yield from self.own_texts()
        for name in differences.parameters:
            value = self.words.value(self.variant.parameters[name], self.values[name])
            yield say("{help} Here: {new}.", help=self.words.parameter(name), new=value)

    def own_texts(self) -> Iterator[str]:
        """Yield the text of each rule of the own file that its statements do not tell."""
        book = self.variant.book
        own = [case for one in book if one.path == self.own.path for case in one.cases]
        names = {name.text for case in own for name in case.tells}
        ids = {id for case in own for id in case.cites}
        for rule in (rule for versions in self.definitions.values() for rule in versions):
            bare = rule.name.rpartition(" ")[2]
            if not self.own.holds(rule.span) or bare in names or ids & {*rule.cites}:
                continue
            if rule.help:
                yield self.words.text_of(rule)


def _body(rule: Definition) -> str:
    """Return the text of a rule without its help."""
    return rule.text.replace(rule.help or "", "", 1)
