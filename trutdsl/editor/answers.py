"""What the server answers to an editor, in the forms of the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from lark import Token
from lark.exceptions import LarkError
from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import TextDocument

from trutdsl.api.rules import excerpts_of, format_text
from trutdsl.diagnostics import Diagnostic, Excerpt, Rejected, Replacement, Span
from trutdsl.editor.names import Names, names_of, path_of
from trutdsl.language import say
from trutdsl.syntax.formatter import LAYOUT, Start
from trutdsl.syntax.parse import LayoutError, check_size, grammar, spellings
from trutdsl.variant.model import Definition
from trutdsl.variant.source import read_source

SOURCE = "trutdsl"  # of our messages, as an editor names it
MOST_SHOWN = 3  # definitions of one name
WORD = re.compile(r"[^\W\d]\w*")
SYMBOLS = {
    "rule": types.SymbolKind.Function,
    "define": types.SymbolKind.Constant,
    "options": types.SymbolKind.Enum,
    "answers": types.SymbolKind.Event,
}
COMPLETIONS = {
    "rule": types.CompletionItemKind.Function,
    "define": types.CompletionItemKind.Constant,
    "options": types.CompletionItemKind.Enum,
}
KINDS = ("keyword", "variable", "string", "number", "comment")
KIND_OF = {
    "NAME": "variable", "REF": "variable", "ACCENTED": "variable", "STRING": "string",
    "INT": "number", "DECIMAL": "number", "CITES": "comment",
}  # fmt: skip
Known = dict[str, Names]  # by URI, of the last text of a file that could be read


def explain_name(
    document: TextDocument, known: Known, params: types.HoverParams
) -> types.Hover | None:
    """Return what the name under the pointer means."""
    definitions = _definitions_at(document, known, params.position)
    if not definitions:
        return None
    text = "\n\n---\n\n".join(_explain(one) for one in definitions[:MOST_SHOWN])
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


def find_definitions(
    document: TextDocument, known: Known, params: types.DefinitionParams
) -> list[types.Location]:
    """Return where the name under the pointer is defined, changed or extended."""
    definitions = _definitions_at(document, known, params.position)
    return [_location_of(one.span, document) for one in definitions]


def list_symbols(
    document: TextDocument, known: Known, _: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Return the definitions of a file in its order."""
    names = _read_names(document, known)
    own = [one for one in names if path_of(one.span) == Path(document.path)]
    result = []
    for one in sorted(own, key=lambda name: (name.span.line, name.span.col)):
        range_ = _range_of(one.span, document)
        kind = SYMBOLS.get(one.kind, types.SymbolKind.Variable)
        first = types.Range(range_.start, range_.start)
        result.append(types.DocumentSymbol(one.name, kind, range_, first, one.help))
    return result


def complete(
    document: TextDocument, known: Known, _: types.CompletionParams
) -> list[types.CompletionItem]:
    """Return the names that a file can use, and the words of the language."""
    names = {one.name.split()[-1]: one for one in _read_names(document, known)}
    items = [
        types.CompletionItem(
            name, kind=COMPLETIONS.get(one.kind, types.CompletionItemKind.Variable), detail=one.help
        )
        for name, one in names.items()
    ]
    words = {word for word in spellings().values() if word.isalpha()} - names.keys()
    keyword = types.CompletionItemKind.Keyword
    return items + [types.CompletionItem(word, kind=keyword) for word in sorted(words)]


def format_document(
    document: TextDocument, _known: Known, _: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    """Return the change that brings a file into the one layout; none for one with mistakes."""
    lines, end = _lines_of(document), "\r\n" if "\r\n" in document.source else "\n"
    try:
        text = format_text(read_source(Path(document.path), document.path))
    except Rejected:
        return []
    whole = types.Range(types.Position(0, 0), types.Position(len(lines), 0))
    edits = [types.TextEdit(whole, text.replace("\n", end))]
    return edits if text != "\n".join(lines) else []


def colour(
    document: TextDocument, _known: Known, _: types.SemanticTokensParams
) -> types.SemanticTokens:
    """Return the kinds of words, each with its distance from the word before it."""
    lines = _lines_of(document)
    data: list[int] = []
    line = col = 0
    for word in colour_words(document.path):
        start, end = types.Position(word.line, word.col), types.Position(word.line, word.end)
        range_ = document.position_codec.range_to_client_units(lines, types.Range(start, end))
        first, length = range_.start.character, range_.end.character - range_.start.character
        data += (word.line - line, first - (col if word.line == line else 0), length)
        data += (KINDS.index(word.kind), 0)
        line, col = word.line, first
    return types.SemanticTokens(data)


def _read_names(document: TextDocument, known: Known) -> Names:
    """Return the names of a file, those of an older text if the present one has mistakes."""
    with suppress(Rejected):
        known[document.uri] = names_of(document.path)
    return known.get(document.uri, [])


def _definitions_at(
    document: TextDocument, known: Known, position: types.Position
) -> list[Definition]:
    """Return the definitions of the name at a position, that of the file itself first."""
    lines = _lines_of(document)
    place = document.position_codec.position_from_client_units(lines, position)
    line = lines[place.line]
    hit = next((w for w in WORD.finditer(line) if w.start() <= place.character <= w.end()), None)
    if hit is None:
        return []
    names = _read_names(document, known)
    named = [one for one in reversed(names) if hit[0] in one.name.split()]
    return sorted(named, key=lambda one: one.name != hit[0])


def _explain(one: Definition) -> str:
    cites = f" [{' '.join(one.cites)}]" if one.cites else ""
    help_ = f"{one.help}{cites}\n\n" if one.help else ""
    return f"**{one.kind} {one.name}** · {one.layer}\n\n{help_}```\n{one.text}\n```"


def message_of(one: Diagnostic, document: TextDocument) -> types.Diagnostic:
    """Return a message as an editor shows it; one of another file stands in the first line."""
    text = one.message + (
        "\n" + say("  help: {cure}", cure=say(one.help)).strip() if one.help else ""
    )
    span, replacement = one.span, None
    if path_of(span) != Path(document.path):
        text, range_ = f"{span}: {text}", types.Range(types.Position(0, 0), types.Position(1, 0))
    else:
        range_, replacement = _range_of(span, document), _replacement_of(one)
    severity = types.DiagnosticSeverity
    return types.Diagnostic(
        range_,
        text,
        severity=severity.Warning if one.kind == "warning" else severity.Error,
        code=one.code,
        source=SOURCE,
        data=replacement,
        related_information=list(_related(one, document)),
    )


def _replacement_of(one: Diagnostic) -> str | None:
    """Return what to write in place of a marked word, if the help says so."""
    is_word = re.fullmatch(r"[\w-]+", one.span.text)
    return one.help.text if is_word and isinstance(one.help, Replacement) else None


def suggest_fixes(
    document: TextDocument, _known: Known, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Return the changes that the messages of a place suggest."""
    fixes = []
    for one in params.context.diagnostics:
        if one.source == SOURCE and isinstance(one.data, str):
            edit = types.WorkspaceEdit({document.uri: [types.TextEdit(one.range, one.data)]})
            title, kind = say("write `{found}`", found=one.data), types.CodeActionKind.QuickFix
            fixes.append(types.CodeAction(title, kind, [one], is_preferred=True, edit=edit))
    return fixes


def _related(
    one: Diagnostic, document: TextDocument
) -> Iterable[types.DiagnosticRelatedInformation]:
    for note in one.notes:
        if note.span is not None:
            place = _location_of(note.span, document)
            yield types.DiagnosticRelatedInformation(place, say(note.message))


def _location_of(span: Span, document: TextDocument) -> types.Location:
    return types.Location(str(from_fs_path(str(path_of(span)))), _range_of(span, document))


def _range_of(span: Span, document: TextDocument) -> types.Range:
    """Return a range in the units of the editor, which counts from 0."""
    start = types.Position(span.line - 1, span.col - 1)
    end = types.Position(span.end_line - 1, span.end_col - 1)
    codec = document.position_codec
    return codec.range_to_client_units(span.source.lines, types.Range(start, end))


def _lines_of(document: TextDocument) -> list[str]:
    """Return the lines of an open file, which end where the protocol says."""
    return document.source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


# The kind of each word of a file's rules, by which an editor colours it.


class ColouredWord(NamedTuple):
    """A word from one column of a line to another, all from 0; kind: one of `KINDS`."""

    line: int
    col: int
    end: int
    kind: str


def colour_words(path: str) -> list[ColouredWord]:
    """Return the words of the rules of a file in their order, as far as they can be read."""
    try:
        excerpts = sorted(excerpts_of(read_source(Path(path), path)), key=lambda part: part[0].line)
        for excerpt, _ in excerpts:
            check_size(excerpt)
    except Rejected:
        return []
    return [word for excerpt, start in excerpts for word in _words_of(excerpt, start)]


def _words_of(excerpt: Excerpt, start: Start) -> Iterator[ColouredWord]:
    lines = excerpt.text.split("\n")
    ends = [0] * len(lines)  # of the last word on each line
    words = []
    for token in _tokens_of(excerpt, start):
        line, col = (token.line or 1) - 1, (token.column or 1) - 1
        ends[line] = col + len(token)
        kind = _kind_of(token)
        if kind is not None:
            words.append(ColouredWord(line, col, col + len(token), kind))
    for number, text in enumerate(lines):
        at = text.find("#", ends[number])
        if at >= 0 and not text[ends[number] : at].strip():
            words.append(ColouredWord(number, at, len(text), "comment"))
    down, right = excerpt.line - 1, excerpt.indent
    for line, col, end, kind in sorted(words):
        yield ColouredWord(line + down, col + right, end + right, kind)


def _tokens_of(excerpt: Excerpt, start: Start) -> Iterable[Token]:
    """Yield the words of a text up to its first mistake."""
    parser = grammar().parse_interactive(excerpt.text.rstrip() + "\n", start)
    try:
        for token in parser.iter_parse():
            if token.type not in LAYOUT:
                yield token
    except (LarkError, LayoutError):
        return


def _kind_of(token: Token) -> str | None:
    """Return the kind of a word, None for brackets and operators."""
    return KIND_OF.get(token.type) or ("keyword" if token[:1].isalpha() else None)
