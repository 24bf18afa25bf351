"""The events of a YAML text, by PyYAML, and its errors in the words of this project."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from trutdsl.diagnostics import (
    QUOTES,
    WIDE_SIGN,
    Collector,
    Note,
    Rejected,
    Source,
    Span,
    instead_of,
    meant_by,
)
from trutdsl.language import quote_name, say
from trutdsl.variant.source import CONFLICT, MERGED
from trutdsl.variant.yaml_nodes import AT_MARGIN, CODE, refuse_rules_without_bar

QUOTE = "put a text with such signs in quotes"

LONGEST_HELPED = 400  # characters before a mistake that the help for a comma reads
INNER_QUOTE = re.compile(r"([^'\"#]*: +(?:'[^']*'|\"[^\"]*\"))\w.*['\"]")

QUOTED_OR_SAID = re.compile(r"#.*|\"[^\"]*\"|'[^']*'")  # comments and quoted texts
WIDE_KEY = re.compile(r"[\w-]+ *(?=\uff1a)")  # in the first column
CURLY = re.compile(f"(?:^ *|[:,\\[{{-] *)[{QUOTES}]")

UNSEEN = "\u200b\u2060"
ODD = f"\u00a0\u2000-\u200a\u202f\u205f\u3000{UNSEEN}"  # no space, but it looks like one
BETWEEN = re.compile(rf" *(?:- +)*(?:-|[\w-]+ *(?:: *|(?=[{ODD} ]*:)))?[{ODD}]")

TOKENS = {
    "<stream end>": "the end of the file",
    "<block end>": "the end of the block",
    "<block sequence start>": "a list",
    "<block mapping start>": "a mapping",
    "?": "a key",
    "<scalar>": "a text",
    "<alias>": "an alias ('*')",
    "<anchor>": "an anchor ('&')",
    "<tag>": "a tag ('!')",
    "<document start>": "'---'",
    "<document end>": "'...'",
    "<directive>": "a directive ('%')",
}


def explain(wrong: Exception, position: Span, errors: Collector) -> None:
    """Add the one diagnostic for an exception of PyYAML's scanner or parser.

    position: the scanner's position, for an exception without one.
    """
    if not isinstance(wrong, yaml.MarkedYAMLError) or wrong.problem_mark is None:
        errors.error(CODE, say("found a number or character code that does not exist"), position)
        return
    place = _point(position.source, wrong.problem_mark)
    if (
        refuse_odd_blank_above(place, errors)
        or refuse_rules_without_bar(place, errors)
        or _refuse_paste(place, errors)
    ):
        return
    begin = _point(position.source, wrong.context_mark) if wrong.context_mark else None
    places = [place, begin] if begin else [place]
    if _refuse_wide_key_above(place, errors) or any(_refuse_sign(one, errors) for one in places):
        return
    problem, context = wrong.problem or "", wrong.context or ""
    finding = _found_words(problem)
    if problem.startswith("found character") and finding == "a tab":
        at_end = not place.source.line(place.line)[place.col - 1 :].strip()
        cure = say("remove it; nobody sees it") if at_end else say("write spaces")
        errors.error("tab", say("found a tab, expected spaces"), place, help=cure)
    elif problem.startswith("found character"):
        errors.error(
            CODE, say("found {found}, which cannot begin a text", found=finding), place, help=QUOTE
        )
    elif "could not find expected ':'" in problem:
        message = say("found a line without ':', expected 'key: value'")
        help_text = say("each line is a key and its value, such as `title: TEXT`")
        errors.error(CODE, message, begin or place, help=help_text)
    elif "are not allowed here" in problem:
        _explain_misplaced(problem, place, errors)
    elif "expected <block end>" in problem:
        kind = "list" if "collection" in context else "mapping"
        finding = finding.replace("a mapping", "a line that begins further to the right")
        column = (
            say(", expected the next line of the {kind} in column {col}", kind=kind, col=begin.col)
            if begin
            else ""
        )
        notes = [Note(say("the {kind} begins here", kind=kind), begin)] if begin else []
        errors.error(
            CODE, say("found {found}{column}", found=finding, column=column), place, *notes
        )
    elif "expected ',' or" in problem:
        close, kind = ("]", "list") if "']'" in problem else ("}", "mapping")
        notes = [Note(say("the {kind} begins here", kind=kind), begin)] if begin else []
        message = say("found {found}, expected ',' or '{close}'", found=finding, close=close)
        errors.error(CODE, message, place, *notes, help=_comma_before(place))
    elif "expected the node content" in problem:
        errors.error(CODE, say("found {found}, expected a value", found=finding), place, help=QUOTE)
    elif "<document start>" in problem:
        directive = _directive_before(place)
        if directive:
            refuse_directive(directive, errors)
        else:
            errors.error(
                CODE, say("found {found}, expected the end of the file", found=finding), place
            )
    elif "quoted scalar" in context:
        _explain_quoted(problem, finding, begin or place, place, errors)
    elif "block scalar" in context:
        errors.error(
            CODE, say("found {found}, expected a line end after '|'", found=finding), place
        )
    elif "directive" in context or "directive" in problem:
        refuse_directive(begin or place, errors)
    elif "anchor" in context or "alias" in context:
        message = say(
            "found {found}, expected a name of letters and digits after '&' or '*'", found=finding
        )
        errors.error(CODE, message, place, help=QUOTE)
    elif "tag" in context or "tag" in problem:
        refuse_tag(begin or place, errors)
    else:
        errors.error(CODE, say("this is not YAML"), place, help=QUOTE)


def refuse_odd_blank_above(place: Span, errors: Collector) -> bool:
    """Add the diagnostic for the first odd blank between key and value, up to the line of a place.

    Returns whether there is one.
    """
    for number in range(1, place.line + 1):
        hit = BETWEEN.match(place.source.line(number))
        if hit:
            refuse_odd_blank(place.source.point(number, hit.end()), errors)
            return True
    return False


def refuse_odd_blank(place: Span, errors: Collector) -> None:
    """Add the diagnostic for a character that looks like a space, or like nothing."""
    message = say("found the character U+{ord}, expected a space", ord=f"{ord(place.text):04X}")
    unseen = say("remove it; nobody sees it")
    cure = unseen if place.text in UNSEEN else say("write a plain space; this only looks like one")
    errors.error(CODE, message, place, help=cure)


def _refuse_paste(place: Span, errors: Collector) -> bool:
    """Add the diagnostic for a line that is right elsewhere: a fence, rules at the margin, a quote.

    Returns whether it is one of these.
    """
    source, line = place.source, place.source.line(place.line)
    whole = Span(source, place.line, 1, place.line, len(line.rstrip()) + 1)
    if line.startswith(("```", "~~~")):
        message = say("found the fence around a file in a text, expected only the file")
        errors.error(CODE, message, whole, help=say("delete this line"))
        return True
    first = source.line(1)
    if re.match(r"[$>] \S", first):
        message = say("found a command of the terminal, expected only the file")
        whole = Span(source, 1, 1, 1, len(first.rstrip()) + 1)
        errors.error(CODE, message, whole, help=say("delete this line"))
        return True
    if AT_MARGIN.match(line):
        message = say("found a rule in the first column, where keys stand")
        help_ = say("write `rules: |`, and indent all that belongs to it by two spaces")
        errors.error(CODE, message, whole, help=help_)
        return True
    inner = INNER_QUOTE.match(line)
    if inner and place.col == inner.end(1) + 1:
        message = say("found the end of a quoted text in the middle of it")
        help_text = say("put a text that holds a single quote in double quotes")
        if inner[1].endswith('"'):
            help_text = say("put a text that holds a double quote in single quotes")
        errors.error(CODE, message, source.point(place.line, place.col - 1), help=help_text)
        return True
    return False


def _refuse_sign(place: Span, errors: Collector) -> bool:
    """Add the diagnostic for a sign in the line of a place that does not belong into YAML.

    It is a mark of a merge conflict, a full-width sign, or a curly quote where a value begins.
    Returns whether there is one.
    """
    line = place.source.line(place.line)
    if CONFLICT.match(line):  # the last mark that is left; see `read_source`
        whole = Span(place.source, place.line, 1, place.line, len(line) + 1)
        errors.error(CODE, say("found a mark of a merge conflict"), whole, help=say(MERGED))
        return True
    bare = QUOTED_OR_SAID.sub(lambda hit: " " * len(hit[0]), line)
    hit = WIDE_SIGN.search(bare) or CURLY.search(bare)
    if hit is not None:
        refuse_lookalike(place.source.point(place.line, hit.end()), errors)
    return hit is not None


def refuse_lookalike(place: Span, errors: Collector) -> None:
    """Add the diagnostic for a full-width sign or a curly quote."""
    meant = quote_name(meant_by(place.text))
    message = say(
        "found the sign {sign}, expected {meant}", sign=quote_name(place.text), meant=meant
    )
    errors.error(CODE, message, place, help=instead_of(place.text))


def _refuse_wide_key_above(place: Span, errors: Collector) -> bool:
    """Add the diagnostic for the first full-width colon behind a key in the first column."""
    for number in range(1, place.line + 1):
        if hit := WIDE_KEY.match(place.source.line(number)):
            refuse_lookalike(place.source.point(number, hit.end() + 1), errors)
            return True
    return False


def refuse_directive(place: Span, errors: Collector) -> None:
    """Add the diagnostic for a line that begins with `%`."""
    help_text = say("remove it; ") + QUOTE
    message = say("found a YAML directive ('%'), expected 'key: value'")
    errors.error("yaml-directive", message, place, help=help_text)


def refuse_tag(place: Span, errors: Collector) -> None:
    """Add the diagnostic for a tag."""
    help_text = say("remove it; ") + QUOTE
    message = say("found a tag ('!'), expected a value without one")
    errors.error("yaml-tag", message, place, help=help_text)


def _directive_before(place: Span) -> Span | None:
    """Return the last directive before the parser stopped at `place`."""
    for number in range(place.line, 0, -1):
        line = place.source.line(number)
        if line.startswith("%"):
            return place.source.point(number, 1)
        if number < place.line and line.strip() and not line.startswith("#"):
            break
    return None


def _first_without_colon(place: Span) -> re.Match[str] | None:
    """Return the line above if it is a key and its value without a colon."""
    above = place.source.line(place.line - 1) if place.line > 1 else ""
    key = "variant|module|scenario|title|extends|players"
    return re.fullmatch(rf"({key})\s+([^\s:#]+)\s*", above)


def _explain_misplaced(problem: str, place: Span, errors: Collector) -> None:
    if problem.startswith("mapping values"):
        help_text = say(
            "put a text that holds ': ' in quotes; the keys of one mapping begin in the same column"
        )
        line = place.source.line(place.line)
        if hit := re.match(r"\s*(set|teams|players|start|expect|parameters): (\w+: .*\S)", line):
            help_text = say("write `{found}`", found=f"{hit[1]}: {{{hit[2]}}}")
        elif hit := _first_without_colon(place):
            message = say("found a line without ':', expected 'key: value'")
            key, value = hit.group(1, 2)
            help_text = say("write `{found}`", found=f"{key}: {value}")
            errors.error(CODE, message, place.source.point(place.line - 1, 1), help=help_text)
            return
        elif hit := re.match(r"\s*(- \d+: [^,:]+), *(\d+: .*\S)", line):
            text = "write `{first}` and `- {second}`, each on a line of its own"
            help_text = say(text, first=hit[1], second=hit[2])
        errors.error(CODE, say("found ':', expected no second value here"), place, help=help_text)
    elif problem.startswith("sequence entries"):
        help_text = say("write the list on the lines below, or as [a, b]")
        errors.error(CODE, say("found '-', expected no list to begin here"), place, help=help_text)
    else:
        errors.error(CODE, say("found '?', expected a key"), place, help=QUOTE)


def _explain_quoted(
    problem: str, finding: str, begin: Span, place: Span, errors: Collector
) -> None:
    if "end of stream" in problem or "document separator" in problem:
        quote = begin.source.line(begin.line)[begin.col - 1 : begin.col]
        message = say("found no end of the quoted text, expected a second {quote}", quote=quote)
        errors.error(CODE, message, begin)
    elif "unknown escape" in problem:
        help_text = say("between single quotes a backslash is only a backslash")
        errors.error(
            CODE, say("found {found} after a backslash", found=finding), place, help=help_text
        )
    else:
        errors.error(CODE, say("found {found}, expected hexadecimal digits", found=finding), place)


def _found_words(problem: str) -> str:
    """Return PyYAML's finding in words: a token's id, or a character's repr."""
    hit = re.search(r"(?:found|got)(?: unknown escape)?(?: character)? (.+)$", problem, re.DOTALL)
    text = re.sub(r"^(['\"])(.*?)\1.*$", r"\2", hit[1]) if hit else say("something else")
    text = re.sub(r" that cannot start any token$", "", text)
    if text in TOKENS:
        return TOKENS[text]
    labels = {r"\t": say("a tab"), r"\n": say("a line end"), r"\x00": say("the end of the file")}
    return labels.get(text, quote_name(text))


def _comma_before(place: Span) -> str | None:
    """Return the help for two entries of a list or mapping in one line without a comma between."""
    head = place.source.line(place.line)[: place.col - 1][-LONGEST_HELPED:]
    hit = re.search(r"([^\s{\[,:;]+)(?:\s*;\s*|\s+)([\w-]+)$", head)
    if hit is None:
        return None
    return say("write a comma between: `{found}`", found=f"{hit[1]}, {hit[2]}")


def _point(source: Source, mark: yaml.Mark) -> Span:
    return source.point(mark.line + 1, mark.column + 1)


# The events of a YAML text, by PyYAML's scanner and parser only.

INDENTED_WITH_TAB = re.compile(r"^ *\t", re.MULTILINE)


class _Events(Reader, Scanner, Parser):
    """PyYAML without its composer, resolver and constructor."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        self.scalar: yaml.ScalarToken | None = None  # the last one

    def get_token(self) -> yaml.Token:
        token: yaml.Token = super().get_token()  # type: ignore[no-untyped-call]
        if isinstance(token, yaml.ScalarToken):
            self.scalar = token
        return token


def read_events(source: Source, errors: Collector) -> Iterator[yaml.Event]:
    """Yield the events; a syntax error raises `Rejected` with it and the mistakes in `errors`."""
    tab = INDENTED_WITH_TAB.search(source.text)
    if tab:
        span = source.span_at(tab.end() - 1)
        errors.error(
            "tab", say("found a tab, expected spaces"), span, help=say("indent with spaces")
        )
        raise Rejected(errors.diagnostics)
    events = _Events(source.text)
    while True:
        try:
            if not events.check_event():
                return
            event = events.get_event()  # type: ignore[no-untyped-call]
        except (yaml.YAMLError, ValueError, OverflowError) as wrong:
            mark = events.get_mark()
            explain(wrong, source.point(mark.line + 1, mark.column + 1), errors)
            raise Rejected(errors.diagnostics) from None
        if isinstance(event, yaml.ScalarEvent) and event.style in ("|", ">") and events.scalar:
            event.start_mark = events.scalar.start_mark  # not at its anchor, lines above
        yield event
