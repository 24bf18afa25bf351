"""The declarations of one variant or module file, without its bases and modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeAlias

from trutdsl.diagnostics import Collector, Excerpt, Span, write_instead
from trutdsl.language import mark, say
from trutdsl.variant.book import Book, read_book
from trutdsl.variant.file_words import FileWords, read_file_words
from trutdsl.variant.key_advice import example_of_teams
from trutdsl.variant.pack import ADDED_KEYS, PACK_KEYS, PackDeclaration, read_pack
from trutdsl.variant.parameters import Parameter
from trutdsl.variant.read_parameters import (
    PARAMETER_KEYS,
    NewDefault,
    read_defaults,
    read_parameters,
)
from trutdsl.variant.read_values import (
    HYPHENATED,
    LONGEST_NAME,
    describe,
    keep_node,
    read_distinct,
    read_entries,
    read_fields,
    read_integer,
    read_known,
    read_line,
    read_mapping,
    read_name,
    read_text,
    refuse,
    refuse_other_kind,
    refuse_without_kind,
)
from trutdsl.variant.shapes import (
    BLOCK,
    PLAIN,
    YamlKey,
    array,
    integer,
    mapping,
    name_of,
    shaped,
    table,
)
from trutdsl.variant.source import VARIANT
from trutdsl.variant.yaml_nodes import Node, Scalar, Sequence, YamlMapping, refuse_rules_without_bar

IMPLICIT_EDITION, LATEST = 2, 3  # of a file without `language`, and of this program
Kind: TypeAlias = Literal["variant", "module"]
Direction: TypeAlias = Literal["clockwise", "counter-clockwise"]
Best: TypeAlias = Literal["highest", "lowest"]


@dataclass(frozen=True)
class Counter:
    """A number that every team has, never below `least`, which is 0 or less.

    best: the value that puts a team ahead, the highest or the lowest.
    keys: those that its file states.
    """

    name: str
    help: str
    span: Span
    least: int = 0
    best: Best = "highest"
    keys: frozenset[str] = frozenset()

    def restated(self, other: Counter) -> Counter:
        """Return this counter as a file that builds on its own one states it again."""
        least = other.least if "min" in other.keys else self.least
        return replace(other, least=least, best=other.best if "best" in other.keys else self.best)


@dataclass(frozen=True)
class Players:
    """The numbers of players that the game can have, as written."""

    counts: tuple[int, ...]
    span: Span


@dataclass(frozen=True)
class Teams:
    """How many teams there are for each number of players; seat i is in team i modulo that.

    spans: the position of each number of players.
    """

    of: Mapping[int, int]
    spans: Mapping[int, Span]
    span: Span


@dataclass(frozen=True)
class Citation:
    """A source: its id and one line about it."""

    id: str
    text: str
    span: Span


@dataclass(frozen=True)
class Manifest:
    """The declarations of one file; None or empty if it does not have them.

    language:   the edition of the language; its steps bring an older one up.
    name:       the text after `variant:` or `module:`; span: its position.
    sets:       the entries of `set`.
    rules:      the block after `rules: |`, or the name of their file.
    vocabulary: the block after `vocabulary: |`, `define`s for strategies.
    words:      what it calls its things, by language.
    rulebook:   what its rulebook tells.
    """

    kind: Kind
    name: str
    span: Span
    title: str | None
    summary: str | None
    sources: tuple[Citation, ...]
    uses: tuple[Scalar, ...]
    pack: PackDeclaration | None
    counters: tuple[Counter, ...]
    parameters: tuple[Parameter, ...]
    sets: tuple[NewDefault, ...]
    rules: Excerpt | Scalar | None
    vocabulary: Excerpt | None
    words: Mapping[str, FileWords]
    rulebook: Book
    extends: Scalar | None = None
    players: Players | None = None
    teams: Teams | None = None
    direction: Direction | None = None
    language: int = IMPLICIT_EDITION


# A `Manifest` from the nodes of its file.

FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
COUNT = integer(FEWEST_PLAYERS, MOST_PLAYERS)
MOST_COUNTED = 10**6  # by a counter, and as far below 0 where it may be


@shaped(table(PLAIN))
def _read_sources(node: Node, what: str, errors: Collector) -> tuple[Citation, ...]:
    citations = []
    for key, value in read_entries(node, what, errors) or ():
        text = read_line(value, say("the source '{key}'", key=key.text), errors)
        if read_line(key, say("the id of a source"), errors) and text:
            citations.append(Citation(key.text, text, key.span))
    return tuple(citations)


@shaped(PLAIN)
def _read_ref(node: Node, what: str, errors: Collector) -> Scalar | None:
    if isinstance(node, Sequence) and what == "'extends'":
        cure = say("name one variant; name modules in `uses: [MODULE, ...]`")
        refuse(node, what, say("a text"), errors, cure)
        return None
    line = read_line(node, what, errors)
    return node if line is not None and isinstance(node, Scalar) else None


@shaped(array(PLAIN, 1, unique=True))
def _read_uses(node: Node, what: str, errors: Collector) -> tuple[Scalar, ...]:
    entry = say("an entry of {what}", what=what)
    return read_distinct(node, what, errors, lambda item: _read_ref(item, entry, errors))


@shaped(lambda: array(COUNT, 1, unique=True))
def _read_players(node: Node, what: str, errors: Collector) -> Players | None:
    read = partial(read_integer, least=FEWEST_PLAYERS, most=MOST_PLAYERS)
    one = say("a number of players")
    counts = read_distinct(node, what, errors, lambda item: read(item, one, errors))
    return Players(counts, node.span) if counts else None


def _read_teams(node: Node, players: Players | None, errors: Collector) -> Teams | None:
    of: dict[int, int] = {}
    spans: dict[int, Span] = {}
    wrong = not isinstance(node, YamlMapping)
    if wrong and players:
        one = f"teams: {example_of_teams(players.counts)}"
        refuse(node, "'teams'", say("a mapping"), errors, say("write `{found}`", found=one))
        return None
    for key, value in read_entries(node, "'teams'", errors) or ():
        seats = read_integer(key, say("a number of players"), errors, FEWEST_PLAYERS, MOST_PLAYERS)
        teams = read_integer(value, say("a number of teams"), errors, FEWEST_PLAYERS, MOST_PLAYERS)
        if seats is None or teams is None:
            wrong = True
            continue
        of[seats], spans[seats] = teams, key.span
        if seats % teams:
            text = "{seats} players cannot make {teams} teams of the same size"
            message = say(text, seats=seats, teams=teams)
            errors.error("bad-teams", message, value.span)
        if players and seats not in players.counts:
            one = f"teams: {example_of_teams(players.counts)}"
            message = say("{seats} is not in 'players'", seats=seats)
            errors.error("bad-teams", message, key.span, help=say("write `{found}`", found=one))
    if players and not wrong:
        for count in players.counts:
            if count not in of:
                message = say(
                    "'teams' does not say how many teams {count} players make", count=count
                )
                entry = example_of_teams([count])[1:-1]
                cure = say("add `{found}`", found=entry)
                errors.error("bad-teams", message, node.span, help=cure)
    return None if wrong else Teams(of, spans, node.span)


def _one_of(
    words: str, spoken: Mapping[str, str] = MappingProxyType({})
) -> Callable[[Node, str, Collector], str | None]:
    """Return a reader of one of two words.

    words:  both, with `or` between them.
    spoken: what people write -> which of them they mean.
    """
    choices = words.split(" or ")

    @shaped({"enum": choices})
    def read(node: Node, what: str, errors: Collector) -> str | None:
        if isinstance(node, Scalar) and node.text in choices:
            return node.text
        meant = spoken.get(node.text.lower()) if isinstance(node, Scalar) else None
        refuse(node, what, say(words), errors, write_instead(meant) if meant else None)
        return None

    return read


# What people call a direction of play; `left`: to the player on the left.
DIRECTIONS = {
    **dict.fromkeys(("left", "gauche", "horaire"), "clockwise"),
    **dict.fromkeys(("right", "droite", "antihoraire", "anticlockwise"), "counter-clockwise"),
    **dict.fromkeys(("anti-clockwise", "counterclockwise"), "counter-clockwise"),
}
COUNTER_KEYS = {
    "help": YamlKey("what it counts", read_line, "", required=True),
    "min": YamlKey("its least value", partial(read_integer, least=-MOST_COUNTED, most=0), 0),
    "best": YamlKey(
        "the value that puts a team ahead", _one_of(mark("highest or lowest")), "highest"
    ),
}


@shaped(lambda: table(mapping(COUNTER_KEYS)))
def _read_counters(node: Node, what: str, errors: Collector) -> tuple[Counter, ...]:
    counters = []
    for name, value in read_entries(node, what, errors) or ():
        known = read_name(name, say("the name of a counter"), errors)
        one = say("the counter '{name}'", name=name.text)
        found = read_fields(value, one, errors, tuple(COUNTER_KEYS), ("help",), name.span) or {}
        fields = read_known(found, errors, COUNTER_KEYS, of=say(" of {one}", one=one))
        if known:
            values = fields["min"], fields["best"], frozenset(found)
            counters.append(Counter(name.text, fields["help"], name.span, *values))
    return tuple(counters)


@shaped(integer(IMPLICIT_EDITION, LATEST))
def _read_language(node: Node, what: str, errors: Collector) -> int | None:
    if isinstance(node, Scalar) and node.text.isalpha():
        text = "the number of an edition, such as 3"
        help_text = say(
            "leave it out; to read messages in French, write `--lang fr` in the command"
        )
        refuse(node, what, say(text), errors, help_text)
        return None
    edition = read_integer(node, what, errors)
    if edition is not None and not IMPLICIT_EDITION <= edition <= LATEST:
        message = say(
            "this program knows editions {first} to {last} of the language, not {edition}",
            first=IMPLICIT_EDITION, last=LATEST, edition=edition,
        )  # fmt: skip
        help_text = say("write 'language: {edition}', or use a newer program", edition=LATEST)
        errors.error("wrong-type", message, node.span, help=help_text)
        return None
    return edition


@shaped(BLOCK)
def _read_rules(node: Node, what: str, errors: Collector) -> Excerpt | Scalar | None:
    help_text = say("write 'rules: |' and the rules on the lines below it, two spaces to the right")
    if not isinstance(node, Scalar) and refuse_rules_without_bar(node.span, errors):
        return None
    if not isinstance(node, Scalar) or not node.text.strip():
        refuse(node, what, say("a block of text"), errors, help_text)
    elif node.style == "literal":
        return excerpt_of(node)
    elif node.style == "folded":
        message = say("{what} is a folded block ('>'), which loses its lines", what=what)
        errors.error("wrong-type", message, node.span, help=help_text)
    elif node.span.line != node.span.end_line or not node.text.endswith(".rules"):
        text = "{what} must be a block or the name of a .rules file, found {found}"
        message = say(text, what=what, found=describe(node))
        errors.error("wrong-type", message, node.span, help=help_text)
    elif "/" in node.text or "\\" in node.text or node.text == ".rules":
        message = say("a file of rules lies beside its YAML file and is named without a folder")
        errors.error("bad-reference", message, node.span)
    else:
        return node
    return None


@shaped(BLOCK)
def _read_vocabulary(node: Node, what: str, errors: Collector) -> Excerpt | None:
    if isinstance(node, Scalar) and node.style == "literal" and node.text.strip():
        return excerpt_of(node)
    help_text = say("write 'vocabulary: |' and its defines on the lines below it")
    refuse(node, what, say("a block of text"), errors, help_text)
    return None


def excerpt_of(block: Scalar) -> Excerpt:
    """Return the text of a literal block, with the positions of its lines in the YAML file."""
    first = block.span.line + 1
    indent = 0
    for offset, text in enumerate(block.text.split("\n")):
        if text.strip(" "):
            indent = len(block.span.source.line(first + offset)) - len(text)
            break
    return Excerpt(block.span.source, block.text, first, indent)


SHARED_KEYS = {
    "language": YamlKey("the edition of the language in it", _read_language, IMPLICIT_EDITION),
    "title": YamlKey("what it is called", read_line),
    "summary": YamlKey("what it is about", read_text),
    "sources": YamlKey("where its rules come from: an id and one line for each", _read_sources, ()),
    "uses": YamlKey("the modules that it uses", _read_uses, ()),
    "pack": YamlKey("its cards", keep_node, shape=lambda: mapping(PACK_KEYS)),
    "counters": YamlKey("the numbers that every team has", _read_counters, ()),
    "parameters": YamlKey(
        "what can be set", keep_node, (), shape=lambda: table(mapping(PARAMETER_KEYS))
    ),
    "rules": YamlKey("its rules, or the name of their file", _read_rules),
    "vocabulary": YamlKey("defines for the scripts of strategies", _read_vocabulary),
    "words": YamlKey("what its things are called, by language", read_file_words, {}),
    "rulebook": YamlKey("what it tells readers", read_book, ()),
}
VARIANT_KEYS = {
    "variant": YamlKey(
        "its name, which is that of the file",
        keep_node,
        required=True,
        shape=name_of(HYPHENATED.pattern, LONGEST_NAME),
    ),
    "extends": YamlKey("the variant that it builds on", _read_ref),
    "players": YamlKey("the numbers of players that it can have", _read_players),
    "teams": YamlKey(
        "how many teams each number of players makes", keep_node, shape=table(COUNT, "[2-8]")
    ),
    "direction": YamlKey(
        "the direction of play", _one_of(mark("clockwise or counter-clockwise"), DIRECTIONS)
    ),
    "set": YamlKey("new defaults of inherited parameters", read_defaults, ()),
    **SHARED_KEYS,
    "title": replace(SHARED_KEYS["title"], required=True),
}
MODULE_KEYS = {
    "module": VARIANT_KEYS["variant"],
    **SHARED_KEYS,
    "pack": replace(SHARED_KEYS["pack"], shape=lambda: mapping(ADDED_KEYS)),
}


def read_manifest(node: Node, stem: str, errors: Collector) -> Manifest | None:
    """Return the readable declarations of a file, or None if its kind or name is unreadable.

    stem: the file's name without `.yaml`, which the name in it must equal.
    """
    if not isinstance(node, YamlMapping):
        refuse(
            node, say("a variant file"), say("a mapping"), errors, say("begin with 'variant: NAME'")
        )
        return None
    if refuse_other_kind(node, VARIANT, errors):
        return None
    kinds = [key for key, _ in node.entries if key.text in ("variant", "module")]
    if len(kinds) != 1:
        if kinds:
            message = say("the file says both 'variant' and 'module'")
            errors.error("wrong-kind", message, kinds[1].span, help=say("a file is one of the two"))
        else:
            refuse_without_kind(node, errors)
        return None
    kind: Kind = "variant" if kinds[0].text == "variant" else "module"
    keys = VARIANT_KEYS if kind == "variant" else MODULE_KEYS
    result = read_mapping(node, say("a {kind} file", kind=kind), errors, keys, kinds[0].span)
    name = read_name(result.pop(kind), say("the name of a {kind}", kind=kind), errors, HYPHENATED)
    if name is None:
        return None
    if name.text != stem:
        text = "the {kind} is called '{name}', but its file is called '{stem}'"
        message = say(text, kind=kind, name=name.text, stem=stem)
        errors.error("wrong-name", message, name.span, help=say("give both the same name"))
    result["sets"] = result.pop("set", ())
    if result.get("teams"):
        result["teams"] = _read_teams(result["teams"], result["players"], errors)
    if result["pack"]:
        result["pack"] = read_pack(result["pack"], kind == "module", errors)
    if result["parameters"]:
        result["parameters"] = read_parameters(result["parameters"], errors)
    return Manifest(kind=kind, name=name.text, span=name.span, **result)
