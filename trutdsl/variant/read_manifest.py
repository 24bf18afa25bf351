"""A `Manifest` from the nodes of its file."""

from __future__ import annotations

from trutdsl.diagnostics import Collector, Excerpt, Span
from trutdsl.variant.manifest import Citation, Counter, Direction, Kind, Manifest, Players, Teams
from trutdsl.variant.pack import read_pack
from trutdsl.variant.parameters import read_parameters
from trutdsl.variant.read_values import (
    HYPHENATED,
    describe,
    read_entries,
    read_fields,
    read_integer,
    read_items,
    read_line,
    read_name,
    read_text,
    read_value,
    refuse,
)
from trutdsl.variant.yaml_nodes import Node, Scalar, YamlMapping, refuse_rules_without_bar

SHARED_KEYS = (
    "title", "summary", "sources", "uses", "pack", "counters", "parameters", "rules", "vocabulary",
)  # fmt: skip
VARIANT_KEYS = ("variant", "extends", "players", "teams", "direction", "set", *SHARED_KEYS)
MODULE_KEYS = ("module", *SHARED_KEYS)
FEWEST_PLAYERS, MOST_PLAYERS = 2, 8
MOST_COUNTED = 10**6  # by a counter, and as far below 0 where it may be


def read_manifest(node: Node, stem: str, errors: Collector) -> Manifest | None:
    """Return what a file declares, as far as it can be read, or None if its kind or name cannot.

    stem: the file's name without `.yaml`, which the name in it must equal.
    """
    if not isinstance(node, YamlMapping):
        refuse(node, "a variant file", "a mapping", errors, "begin with 'variant: NAME'")
        return None
    kinds = [key for key, _ in node.entries if key.text in ("variant", "module")]
    if len(kinds) != 1:
        if kinds:
            message = "the file says both 'variant' and 'module'"
            errors.error("wrong-kind", message, kinds[1].span, help="a file is one of the two")
        else:
            message = "the file says neither 'variant: NAME' nor 'module: NAME'"
            errors.error("missing-key", message, node.span, help="begin with 'variant: NAME'")
        return None
    kind: Kind = "variant" if kinds[0].text == "variant" else "module"
    known = VARIANT_KEYS if kind == "variant" else MODULE_KEYS
    required = ("title",) if kind == "variant" else ()
    fields = read_fields(node, f"a {kind} file", errors, known, required, kinds[0].span) or {}
    name = read_name(fields[kind], f"the name of a {kind}", errors, HYPHENATED)
    if name is not None and name.text != stem:
        message = f"the {kind} is called '{name.text}', but its file is called '{stem}'"
        errors.error("wrong-name", message, name.span, help="give both the same name")
    return _read_rest(kind, name, fields, errors) if name is not None else None


def _read_rest(kind: Kind, name: Scalar, fields: dict[str, Node], errors: Collector) -> Manifest:
    def line(key: str) -> str | None:
        return read_line(fields[key], f"'{key}'", errors) if key in fields else None

    players = _read_players(fields["players"], errors) if "players" in fields else None
    teams = _read_teams(fields["teams"], players, errors) if "teams" in fields else None
    rules, rules_file = _read_rules(fields["rules"], errors) if "rules" in fields else (None, None)
    pack = read_pack(fields["pack"], kind == "module", errors) if "pack" in fields else None
    return Manifest(
        kind=kind,
        name=name.text,
        span=name.span,
        title=line("title"),
        summary=read_text(fields["summary"], "'summary'", errors) if "summary" in fields else None,
        sources=_read_sources(fields["sources"], errors) if "sources" in fields else (),
        extends=_read_ref(fields["extends"], "'extends'", errors) if "extends" in fields else None,
        uses=_read_uses(fields["uses"], errors) if "uses" in fields else (),
        players=players,
        teams=teams,
        direction=_read_direction(fields["direction"], errors) if "direction" in fields else None,
        pack=pack,
        counters=_read_counters(fields["counters"], errors) if "counters" in fields else (),
        parameters=read_parameters(fields["parameters"], name.text, errors)
        if "parameters" in fields
        else (),
        sets=_read_sets(fields["set"], errors) if "set" in fields else (),
        rules=rules,
        rules_file=rules_file,
        vocabulary=_read_vocabulary(fields["vocabulary"], errors)
        if "vocabulary" in fields
        else None,
    )


def _read_sources(node: Node, errors: Collector) -> tuple[Citation, ...]:
    cited = []
    for key, value in read_entries(node, "'sources'", errors) or ():
        text = read_line(value, f"the source '{key.text}'", errors)
        if read_line(key, "the id of a source", errors) and text:
            cited.append(Citation(key.text, text, key.span))
    return tuple(cited)


def _read_ref(node: Node, what: str, errors: Collector) -> Scalar | None:
    line = read_line(node, what, errors)
    return node if line is not None and isinstance(node, Scalar) else None


def _read_uses(node: Node, errors: Collector) -> tuple[Scalar, ...]:
    refs: dict[str, Scalar] = {}
    for item in read_items(node, "'uses'", errors) or ():
        ref = _read_ref(item, "an entry of 'uses'", errors)
        if ref is not None and ref.text in refs:
            message = f"'{ref.text}' stands twice in 'uses'"
            errors.error("declared-twice", message, ref.span)
        elif ref is not None:
            refs[ref.text] = ref
    return tuple(refs.values())


def _read_players(node: Node, errors: Collector) -> Players | None:
    counts: list[int] = []
    for item in read_items(node, "'players'", errors) or ():
        count = read_integer(item, "a number of players", errors, FEWEST_PLAYERS, MOST_PLAYERS)
        if count is not None and count in counts:
            errors.error("declared-twice", f"{count} stands twice in 'players'", item.span)
        elif count is not None:
            counts.append(count)
    return Players(tuple(counts), node.span) if counts else None


def _read_teams(node: Node, players: Players | None, errors: Collector) -> Teams | None:
    of: dict[int, int] = {}
    spans: dict[int, Span] = {}
    wrong = False
    for key, value in read_entries(node, "'teams'", errors) or ():
        seats = read_integer(key, "a number of players", errors, FEWEST_PLAYERS, MOST_PLAYERS)
        teams = read_integer(value, "a number of teams", errors, FEWEST_PLAYERS, MOST_PLAYERS)
        if seats is None or teams is None:
            wrong = True
            continue
        of[seats], spans[seats] = teams, key.span
        if seats % teams:
            message = f"{seats} players cannot make {teams} teams of the same size"
            errors.error("bad-teams", message, value.span)
        if players and seats not in players.counts:
            errors.error("bad-teams", f"{seats} is not in 'players'", key.span)
    if players and not wrong:
        for count in players.counts:
            if count not in of:
                message = f"'teams' does not say how many teams {count} players make"
                errors.error("bad-teams", message, node.span, help=f"add {count}: 2")
    return None if wrong else Teams(of, spans, node.span)


def _read_direction(node: Node, errors: Collector) -> Direction | None:
    if isinstance(node, Scalar):
        if node.text == "clockwise":
            return "clockwise"
        if node.text == "counter-clockwise":
            return "counter-clockwise"
    refuse(node, "'direction'", "clockwise or counter-clockwise", errors)
    return None


def _read_counters(node: Node, errors: Collector) -> tuple[Counter, ...]:
    counters = []
    for name, value in read_entries(node, "'counters'", errors) or ():
        known = read_name(name, "the name of a counter", errors)
        what = f"the counter '{name.text}'"
        fields = read_fields(value, what, errors, ("help", "min"), ("help",), name.span)
        if known and fields and "help" in fields:
            text = read_line(fields["help"], f"'help' of {what}", errors)
            least: int | None = 0
            if "min" in fields:
                least = read_integer(fields["min"], f"'min' of {what}", errors, -MOST_COUNTED, 0)
            counters.append(Counter(name.text, text or "", name.span, least or 0))
    return tuple(counters)


def _read_sets(node: Node, errors: Collector) -> tuple[tuple[Scalar, Scalar], ...]:
    sets = []
    for name, value in read_entries(node, "'set'", errors) or ():
        one = read_value(value, f"'{name.text}'", errors)
        if one is not None:
            sets.append((name, one))
    return tuple(sets)


def _read_rules(node: Node, errors: Collector) -> tuple[Excerpt | None, Scalar | None]:
    help_text = "write 'rules: |' and the rules on the lines below it, two spaces to the right"
    if not isinstance(node, Scalar) and refuse_rules_without_bar(node.span, errors):
        return None, None
    if not isinstance(node, Scalar) or not node.text.strip():
        refuse(node, "'rules'", "a block of text", errors, help_text)
    elif node.style == "literal":
        return excerpt_of(node), None
    elif node.style == "folded":
        message = "'rules' is a folded block ('>'), which loses its lines"
        errors.error("wrong-type", message, node.span, help=help_text)
    elif node.span.line != node.span.end_line or not node.text.endswith(".rules"):
        message = f"'rules' must be a block or the name of a .rules file, found {describe(node)}"
        errors.error("wrong-type", message, node.span, help=help_text)
    elif "/" in node.text or "\\" in node.text or node.text == ".rules":
        message = "a file of rules lies beside its YAML file and is named without a folder"
        errors.error("bad-reference", message, node.span)
    else:
        return None, node
    return None, None


def _read_vocabulary(node: Node, errors: Collector) -> Excerpt | None:
    if isinstance(node, Scalar) and node.style == "literal" and node.text.strip():
        return excerpt_of(node)
    help_text = "write 'vocabulary: |' and its defines on the lines below it"
    refuse(node, "'vocabulary'", "a block of text", errors, help_text)
    return None


def excerpt_of(block: Scalar) -> Excerpt:
    """Return the text of a literal block with how its lines lie in the YAML file."""
    first = block.span.line + 1
    indent = 0
    for offset, text in enumerate(block.text.split("\n")):
        if text.strip(" "):
            indent = len(block.span.source.line(first + offset)) - len(text)
            break
    return Excerpt(block.span.source, block.text, first, indent)
