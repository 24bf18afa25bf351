"""What commands on rules print as JSON: `check`, `list`, `show`, `migrate`, `scenario`, ..."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Message(TypedDict):
    """A mistake or a warning in a file; lines and columns count from 1.

    file:             as it was named.
    line, column:     where it begins.
    end_line, end_column: where it ends; the column is the one behind it.
    severity:         an error, or a warning.
    code:             the kind of message, as in `docs/messages.md`.
    message:          what was found, and what was expected.
    help:             what to write; null if there is nothing to advise.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: Literal["error", "warning"]
    code: str
    message: str
    help: str | None


Messages = list[Message]


class ListedVariant(TypedDict):
    """A shipped variant.

    name:    with which commands find it.
    title:   in English.
    titles:  in other languages.
    players: for how many it is.
    base:    the variant that it extends, if any.
    """

    name: str
    title: str
    titles: dict[str, str]
    players: list[int]
    base: str | None


class ListedStrategy(TypedDict):
    """A shipped strategy.

    name:    with which commands find it.
    summary: what it does.
    """

    name: str
    summary: str


class Shipped(TypedDict):
    """The shipped files.

    variants:   by name.
    strategies: by name.
    """

    variants: list[ListedVariant]
    strategies: list[ListedStrategy]


class MatrixRow(TypedDict):
    """A variant, and the strategies that can play it.

    name:    of the variant.
    players: for how many it is.
    fits:    whether each strategy answers every question; `-` if it is not for this variant.
    """

    name: str
    players: list[int]
    fits: dict[str, Literal["complete", "incomplete", "-"]]


class Matrix(TypedDict):
    """Which strategy can play which variant.

    strategies: by name.
    variants:   a row for each.
    """

    strategies: list[str]
    variants: list[MatrixRow]


Listed = Shipped | Matrix


class DescribedPack(TypedDict):
    """A pack of cards.

    cards:         how many.
    ranks:         the strongest first.
    suits:         the name of each, by its letter.
    special_cards: cards without a rank.
    values:        for each named value, that of each rank or card.
    """

    cards: int
    ranks: list[str]
    suits: dict[str, str]
    special_cards: list[str]
    values: dict[str, dict[str, int]]


class DescribedParameter(TypedDict):
    """A parameter of a variant.

    default: its value by default.
    value:   its value here.
    allowed: which values it takes.
    help:    what it decides.
    source:  of this rule.
    choice:  whether sources are silent or differ.
    """

    default: str
    value: str
    allowed: str
    help: str
    source: str | None
    choice: bool


class DescribedRule(TypedDict):
    """A rule, in its last replacement.

    name:   with `before` or `after` for a piece around a rule.
    help:   its text for readers.
    source: of this rule.
    from_:  the file that has it.
    """

    name: str
    help: str | None
    source: str | None
    from_: str


class ChangedParameter(TypedDict):
    """A parameter with another default than in the base.

    help:  what it decides.
    from_: the default there.
    to:    the default here.
    """

    help: str
    from_: str
    to: str


class PrintedPiece(TypedDict):
    """Statements before or after a rule, or options added to a question.

    piece: which of them.
    rule:  the rule or question.
    help:  its text for readers.
    """

    piece: str
    rule: str
    help: str | None


class PrintedDeclaration(TypedDict):
    """A zone or variable.

    text:    its declaration.
    comment: on the same line.
    """

    text: str
    comment: str


class UsedModule(TypedDict):
    """A module of rules.

    title:   its title.
    summary: what it is for.
    """

    title: str
    summary: str


class PrintedDifferences(TypedDict):
    """What the own file of a variant changes and adds.

    set:      parameters with another default.
    replaces: rules, defines and options, with their help.
    pieces:   statements before and after rules, and options added to questions.
    changed:  zones and variables that are replaced.
    new:      zones and variables of its own.
    adds:     rules, defines and options of its own, with their help.
    uses:     modules.
    declares: parameters and counters, with their help.
    pack:     what is different about the pack.
    seating:  what is different about players and teams.
    """

    set: dict[str, ChangedParameter]
    replaces: dict[str, str | None]
    pieces: list[PrintedPiece]
    changed: dict[str, PrintedDeclaration]
    new: dict[str, PrintedDeclaration]
    adds: dict[str, str | None]
    uses: dict[str, UsedModule]
    declares: dict[str, str]
    pack: list[str]
    seating: list[str]


class DescribedVariant(TypedDict):
    """A variant, in the current language.

    name, title, summary: its own.
    base:        the variant that it extends, if any.
    players:     the number of teams for each number of players.
    direction:   in which play goes round.
    packs:       by name; the usual pack has an empty one.
    counters:    what is counted, with its help.
    parameters:  by name.
    decisions:   questions in the order of the rules, with the forms of their answers.
    rules:       those that play can reach.
    sources:     of its rules, by number.
    differences: from its base.
    """

    name: str
    title: str
    summary: str
    base: str | None
    players: dict[str, int]
    direction: str
    packs: dict[str, DescribedPack]
    counters: dict[str, str]
    parameters: dict[str, DescribedParameter]
    decisions: dict[str, list[str]]
    rules: list[DescribedRule]
    sources: dict[str, str]
    differences: PrintedDifferences


class MigratedFile(TypedDict):
    """A file in the present edition of the language.

    file:    as it was named.
    edition: the present one.
    changed: whether its text is another one now.
    diff:    the change, as a unified diff.
    """

    file: str
    edition: int
    changed: bool
    diff: str


MigratedFiles = list[MigratedFile]
# By what differs, such as `rules`, or `rules_of_a` for those of only the first variant; by name.
DifferingVariants = dict[str, dict[str, str]]


class PlayedScenario(TypedDict):
    """A scenario that was played.

    file:        as it was named.
    scenario:    its name.
    rules:       what it shows.
    passed:      whether all is as expected.
    differences: from what is expected, a sentence each.
    refused:     why the last action was refused, where that is expected.
    unused:      given chance that nothing asked for.
    places:      of the differences, FILE:LINE:COLUMN.
    """

    file: str
    scenario: str
    rules: list[str]
    passed: bool
    differences: list[str]
    refused: str | None
    unused: list[str]
    places: list[str | None]


PlayedScenarios = list[PlayedScenario]


class CoveredShare(TypedDict):
    """The share of matches that reach a part.

    mean:      of the matches that were played.
    low, high: its 95 % interval.
    """

    mean: float
    low: float
    high: float


class CoveredPart(TypedDict):
    """A rule, option, branch, loop or clause, and how often it is reached.

    kind:      of part.
    what:      its words.
    in_:       the rule or strategy that has it.
    place:     FILE:LINE:COLUMN.
    times:     how often it is reached in matches.
    matches:   how many matches reach it; not of clauses.
    share:     of these matches.
    scenarios: how often scenarios reach it, if there are any.
    deal:      the file with a deal that reaches it, with --examples.
    """

    kind: str
    what: str
    in_: str
    place: str
    times: int
    matches: NotRequired[int]
    share: NotRequired[CoveredShare]
    scenarios: NotRequired[int]
    deal: NotRequired[str]


class PrintedCoverage(TypedDict):
    """How often each part of the rules is reached; parts that are never reached come first.

    variant, players, parameters: the table.
    strategies:     by seat.
    seed:           of the matches.
    matches, deals: how many were played.
    scenarios:      how many were played.
    clause_matches: the first matches, in which clauses of scripts were counted.
    parts:          each once.
    """

    variant: str
    players: int
    parameters: dict[str, str]
    strategies: list[str]
    seed: int
    matches: int
    deals: int
    scenarios: int
    clause_matches: int
    parts: list[CoveredPart]
