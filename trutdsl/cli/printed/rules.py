"""What commands on rules print as JSON: `check`, `list`, `show`, `migrate`, `scenario`, ..."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict


class Message(TypedDict):
    """A mistake or a warning in a file; lines and columns count from 1."""

    file: Annotated[str, "as it was named."]
    line: Annotated[int, "where it begins."]
    column: Annotated[int, "where it begins."]
    end_line: Annotated[int, "where it ends; the column is the one behind it."]
    end_column: Annotated[int, "where it ends; the column is the one behind it."]
    severity: Annotated[Literal["error", "warning"], "an error, or a warning."]
    code: Annotated[str, "the kind of message, as in `docs/messages.md`."]
    message: Annotated[str, "what was found, and what was expected."]
    help: Annotated[str | None, "what to write; null if there is nothing to advise."]


Messages = list[Message]


class ListedVariant(TypedDict):
    """A shipped variant."""

    name: Annotated[str, "with which commands find it."]
    title: Annotated[str, "in English."]
    titles: Annotated[dict[str, str], "in other languages."]
    players: Annotated[list[int], "for how many it is."]
    base: Annotated[str | None, "the variant that it extends, if any."]


class ListedStrategy(TypedDict):
    """A shipped strategy."""

    name: Annotated[str, "with which commands find it."]
    summary: Annotated[str, "what it does."]


class Shipped(TypedDict):
    """The shipped files."""

    variants: Annotated[list[ListedVariant], "by name."]
    strategies: Annotated[list[ListedStrategy], "by name."]


class MatrixRow(TypedDict):
    """A variant, and the strategies that can play it."""

    name: Annotated[str, "of the variant."]
    players: Annotated[list[int], "for how many it is."]
    fits: Annotated[
        dict[str, Literal["complete", "incomplete", "-"]],
        "whether each strategy answers every question; `-` if it is not for this variant.",
    ]


class Matrix(TypedDict):
    """Which strategy can play which variant."""

    strategies: Annotated[list[str], "by name."]
    variants: Annotated[list[MatrixRow], "a row for each."]


Listed = Shipped | Matrix


class DescribedPack(TypedDict):
    """A pack of cards."""

    cards: Annotated[int, "how many."]
    absent: Annotated[
        list[str], "those that lie nowhere when a match begins, if others lie somewhere."
    ]
    ranks: Annotated[list[str], "the strongest first."]
    suits: Annotated[dict[str, str], "the name of each, by its letter."]
    special_cards: Annotated[list[str], "cards without a rank."]
    values: Annotated[dict[str, dict[str, int]], "for each named value, that of each rank or card."]


class DescribedParameter(TypedDict):
    """A parameter of a variant."""

    default: Annotated[str, "its value by default."]
    value: Annotated[str, "its value here."]
    allowed: Annotated[str, "which values it takes."]
    help: Annotated[str, "what it decides."]
    source: Annotated[str | None, "of this rule."]
    choice: Annotated[bool, "whether sources are silent or differ."]


class DescribedRule(TypedDict):
    """A rule, in its last replacement."""

    name: Annotated[str, "with `before` or `after` for a piece around a rule."]
    help: Annotated[str | None, "its text for readers."]
    source: Annotated[str | None, "of this rule."]
    from_: Annotated[str, "the file that has it."]


class ChangedParameter(TypedDict):
    """A parameter with another default than in the base."""

    help: Annotated[str, "what it decides."]
    from_: Annotated[str, "the default there."]
    to: Annotated[str, "the default here."]


class PrintedPiece(TypedDict):
    """Statements before or after a rule, or options added to a question."""

    piece: Annotated[str, "which of them."]
    rule: Annotated[str, "the rule or question."]
    help: Annotated[str | None, "its text for readers."]


class PrintedDeclaration(TypedDict):
    """A zone or variable."""

    text: Annotated[str, "its declaration."]
    comment: Annotated[str, "on the same line."]


class UsedModule(TypedDict):
    """A module of rules."""

    title: Annotated[str, "its title."]
    summary: Annotated[str, "what it is for."]


class PrintedDifferences(TypedDict):
    """What the own file of a variant changes and adds."""

    set: Annotated[dict[str, ChangedParameter], "parameters with another default."]
    replaces: Annotated[dict[str, str | None], "rules, defines and options, with their help."]
    pieces: Annotated[
        list[PrintedPiece], "statements before and after rules, and options added to questions."
    ]
    changed: Annotated[dict[str, PrintedDeclaration], "zones and variables that are replaced."]
    new: Annotated[dict[str, PrintedDeclaration], "zones and variables of its own."]
    adds: Annotated[
        dict[str, str | None], "rules, defines and options of its own, with their help."
    ]
    uses: Annotated[dict[str, UsedModule], "modules."]
    declares: Annotated[dict[str, str], "parameters and counters, with their help."]
    pack: Annotated[list[str], "what is different about the pack."]
    seating: Annotated[list[str], "what is different about players and teams."]


class DescribedVariant(TypedDict):
    """A variant, in the current language."""

    name: Annotated[str, "its own."]
    title: Annotated[str, "its own."]
    summary: Annotated[str, "its own; empty if it could contradict the rules."]
    base: Annotated[str | None, "the variant that it extends, if any."]
    players: Annotated[dict[str, int], "the number of teams for each number of players."]
    direction: Annotated[str, "in which play goes round."]
    packs: Annotated[dict[str, DescribedPack], "by name; the usual pack has an empty one."]
    counters: Annotated[dict[str, str], "what is counted, with its help."]
    parameters: Annotated[dict[str, DescribedParameter], "by name."]
    decisions: Annotated[
        dict[str, list[str]],
        "questions in the order of the rules, with the forms of their answers.",
    ]
    rules: Annotated[list[DescribedRule], "those that play can reach."]
    sources: Annotated[dict[str, str], "of its rules, by number."]
    differences: Annotated[PrintedDifferences, "from its base."]


class FormattedFile(TypedDict):
    """A file of rules in the one layout."""

    file: Annotated[str, "as it was named."]
    changed: Annotated[bool, "whether its text is another one now."]
    diff: Annotated[str, "the change, as a unified diff."]


FormattedFiles = list[FormattedFile]


class MigratedFile(TypedDict):
    """A file in the present edition of the language."""

    file: Annotated[str, "as it was named."]
    edition: Annotated[int, "the present one."]
    changed: Annotated[bool, "whether its text is another one now."]
    diff: Annotated[str, "the change, as a unified diff."]


MigratedFiles = list[MigratedFile]
# By what differs, such as `rules`, or `rules_of_a` for those of only the first variant; by name.
DifferingVariants = dict[str, dict[str, str]]


class PlayedScenario(TypedDict):
    """A scenario that was played."""

    file: Annotated[str, "as it was named."]
    scenario: Annotated[str, "its name."]
    rules: Annotated[list[str], "what it shows."]
    passed: Annotated[bool, "whether all is as expected."]
    differences: Annotated[list[str], "from what is expected, a sentence each."]
    refused: Annotated[str | None, "why the last action was refused, where that is expected."]
    unused: Annotated[list[str], "given chance that nothing asked for."]
    places: Annotated[list[str | None], "of the differences, FILE:LINE:COLUMN."]


PlayedScenarios = list[PlayedScenario]


class CoveredShare(TypedDict):
    """The share of matches that reach a part."""

    mean: Annotated[float, "of the matches that were played."]
    low: Annotated[float, "its 95 % interval."]
    high: Annotated[float, "its 95 % interval."]


class CoveredPart(TypedDict):
    """A rule, option, branch, loop or clause, and how often it is reached."""

    kind: Annotated[str, "of part."]
    what: Annotated[str, "its words."]
    in_: Annotated[str, "the rule or strategy that has it."]
    place: Annotated[str, "FILE:LINE:COLUMN."]
    times: Annotated[int, "how often it is reached in matches."]
    matches: Annotated[NotRequired[int], "how many matches reach it; not of clauses."]
    share: Annotated[NotRequired[CoveredShare], "of these matches."]
    scenarios: Annotated[NotRequired[int], "how often scenarios reach it, if there are any."]
    deal: Annotated[
        NotRequired[str], "the file with a deal that reaches it, if examples are written."
    ]


class PrintedCoverage(TypedDict):
    """How often each part of the rules is reached; parts that are never reached come first."""

    variant: Annotated[str, "the table."]
    players: Annotated[int, "the table."]
    parameters: Annotated[dict[str, str], "the table."]
    strategies: Annotated[list[str], "by seat."]
    seed: Annotated[int, "of the matches."]
    matches: Annotated[int, "how many were played."]
    deals: Annotated[int, "how many were played."]
    scenarios: Annotated[int, "how many were played."]
    clause_matches: Annotated[int, "the first matches, in which clauses of scripts were counted."]
    parts: Annotated[list[CoveredPart], "each once."]
