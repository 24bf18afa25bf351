"""The language server: answers an editor over standard input and output, with pygls."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcServerNotInitialized
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path
from pygls.workspace import TextDocument

from trutdsl.api.rewrite import format_text
from trutdsl.diagnostics import BadUsage, Diagnostic, Rejected, Source, Span
from trutdsl.editor.colours import KINDS, colour_words
from trutdsl.editor.names import Names, find_mistakes, names_of, path_of
from trutdsl.files import own_version
from trutdsl.language import say
from trutdsl.syntax.parse import spellings
from trutdsl.variant.model import Definition
from trutdsl.variant.source import reading_unsaved

PAUSE = 0.3  # seconds without a change before a text is checked
WATCHED = "**/*.{yaml,yml,rules,strategy,csv}"
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
Opened = types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
Result = TypeVar("Result")


class RulesServer(LanguageServer):
    """What one editor has open.

    Checks run in one thread, all other work on rules in another, so a long check delays no answer.

    names: by URI, of the last text that could be read. checks: by URI, the last one of a file.
    """

    def __init__(self) -> None:
        super().__init__("trutdsl", own_version(), types.TextDocumentSyncKind.Full)
        self.names: dict[str, Names] = {}
        self.checks: dict[str, asyncio.Task[None]] = {}
        self.checking, self.answering = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self.is_shut_down = False
        for name, answer in (
            (types.INITIALIZED, watch_files),
            (types.SHUTDOWN, note_shutdown),
            (types.TEXT_DOCUMENT_DID_OPEN, check_after_change),
            (types.TEXT_DOCUMENT_DID_CHANGE, check_after_change),
            (types.TEXT_DOCUMENT_DID_SAVE, check_all),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, check_all),
            (types.TEXT_DOCUMENT_DID_CLOSE, forget),
            (types.TEXT_DOCUMENT_HOVER, of_open_file(explain_name)),
            (types.TEXT_DOCUMENT_DEFINITION, of_open_file(find_definitions)),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, of_open_file(list_symbols)),
            (types.TEXT_DOCUMENT_COMPLETION, of_open_file(complete)),
            (types.TEXT_DOCUMENT_FORMATTING, of_open_file(format_document)),
        ):
            self.feature(name)(answer)
        legend = types.SemanticTokensLegend(token_types=KINDS, token_modifiers=())
        self.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(of_open_file(colour))

    def files(self) -> list[TextDocument]:
        """Return the open files; other documents have no path."""
        try:
            documents = self.workspace.text_documents.values()
        except RuntimeError:  # there is no workspace yet
            raise JsonRpcServerNotInitialized from None
        return [one for one in documents if one.uri.startswith("file:")]

    def open_file(self, uri: str) -> TextDocument | None:
        """Return a file that the editor has open, or None."""
        return next((one for one in self.files() if one.uri == uri), None)

    async def work(
        self, thread: ThreadPoolExecutor, function: Callable[[str], Result], path: str
    ) -> Result:
        """Call a function of a file's path, where open files have the texts of the editor."""
        texts = {Path(one.path): one.source for one in self.files()}

        def call() -> Result:
            with reading_unsaved(texts):
                return function(path)

        return await asyncio.get_running_loop().run_in_executor(thread, call)

    async def read_names(self, document: TextDocument) -> Names:
        """Return the names of a file, those of an older text if the present one has mistakes."""
        with suppress(Rejected):
            self.names[document.uri] = await self.work(self.answering, names_of, document.path)
        return self.names.get(document.uri, [])

    def check_later(self, document: TextDocument, pause: float = 0) -> None:
        """Check an open file after a pause, in place of an older check that has not ended."""
        self.drop_check(document.uri)
        self.checks[document.uri] = asyncio.create_task(self.check(document, pause))

    def drop_check(self, uri: str) -> None:
        """Forget the last check of a file; it shows nothing any more."""
        if (check := self.checks.pop(uri, None)) is not None:
            check.cancel()

    async def check(self, document: TextDocument, pause: float) -> None:
        """Find the mistakes of an open file and show them."""
        await asyncio.sleep(pause)
        is_old = Event()
        find = partial(find_mistakes, is_old=is_old.is_set)
        try:
            mistakes = await self.work(self.checking, find, document.path)
        finally:
            is_old.set()
        shown = [_message_of(one, document) for one in mistakes]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, shown, document.version)
        )


def of_open_file(answer: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return the handler of a request, which answers nothing for a file that is not open."""

    async def handle(server: RulesServer, params: Any) -> Any:
        document = server.open_file(params.text_document.uri)
        return None if document is None else await answer(server, document, params)

    return handle


def serve() -> None:
    """Answer the editor at standard input and output until it ends; raises `BadUsage` if closed."""
    try:
        input_, output = sys.stdin.fileno(), sys.stdout.fileno()
    except (AttributeError, OSError):
        text = "standard input or output is closed; an editor starts this command with both open"
        raise BadUsage(say(text)) from None
    server, editor = (
        RulesServer(),
        (os.fdopen(os.dup(input_), "rb"), os.fdopen(os.dup(output), "wb")),
    )
    # Nothing else, such as a child process, reads from the editor or writes to it.
    os.dup2(os.open(os.devnull, os.O_RDONLY), input_)
    os.dup2(sys.stderr.fileno(), output)
    server.start_io(*editor)
    os._exit(0 if server.is_shut_down else 1)  # a check that still runs is not waited for


def note_shutdown(server: RulesServer, _: None) -> None:
    """Note that the editor ends in good order."""
    server.is_shut_down = True


def watch_files(server: RulesServer, _: types.InitializedParams) -> None:
    """Ask the editor to tell of changes to files that open ones may build on, if it can."""
    workspace = server.client_capabilities.workspace
    watching = workspace and workspace.did_change_watched_files
    if not (watching and watching.dynamic_registration):
        return
    watcher = types.FileSystemWatcher(WATCHED)
    options = types.DidChangeWatchedFilesRegistrationOptions([watcher])
    method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    registration = types.Registration("files", method, options)
    server.client_register_capability(types.RegistrationParams([registration]))


def check_after_change(server: RulesServer, params: Opened) -> None:
    """Check a file when nothing has changed for a moment."""
    if (document := server.open_file(params.text_document.uri)) is not None:
        server.check_later(document, PAUSE)


def check_all(server: RulesServer, _: object) -> None:
    """Check all open files, since some may build on one that changed."""
    for document in server.files():
        server.check_later(document)


def forget(server: RulesServer, params: types.DidCloseTextDocumentParams) -> None:
    """Show no more mistakes of a file that was closed."""
    uri = params.text_document.uri
    server.drop_check(uri)
    server.names.pop(uri, None)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
    check_all(server, params)


async def explain_name(
    server: RulesServer, document: TextDocument, params: types.HoverParams
) -> types.Hover | None:
    """Return what the name under the pointer means."""
    found = await _definitions_at(server, document, params.position)
    if not found:
        return None
    text = "\n\n---\n\n".join(_explain(one) for one in found[:MOST_SHOWN])
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


async def find_definitions(
    server: RulesServer, document: TextDocument, params: types.DefinitionParams
) -> list[types.Location]:
    """Return where the name under the pointer is defined, changed or extended."""
    found = await _definitions_at(server, document, params.position)
    return [_location_of(one.span, document) for one in found]


async def list_symbols(
    server: RulesServer, document: TextDocument, _: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Return the definitions of a file in its order."""
    names = await server.read_names(document)
    own = [one for one in names if path_of(one.span) == Path(document.path)]
    result = []
    for one in sorted(own, key=lambda name: (name.span.line, name.span.col)):
        range_ = _range_of(one.span, document)
        kind = SYMBOLS.get(one.kind, types.SymbolKind.Variable)
        first = types.Range(range_.start, range_.start)
        result.append(types.DocumentSymbol(one.name, kind, range_, first, one.help))
    return result


async def complete(
    server: RulesServer, document: TextDocument, _: types.CompletionParams
) -> list[types.CompletionItem]:
    """Return the names that a file can use, and the words of the language."""
    names = {one.name.split()[-1]: one for one in await server.read_names(document)}
    items = [
        types.CompletionItem(
            name, kind=COMPLETIONS.get(one.kind, types.CompletionItemKind.Variable), detail=one.help
        )
        for name, one in names.items()
    ]
    words = {word for word in spellings().values() if word.isalpha()} - names.keys()
    keyword = types.CompletionItemKind.Keyword
    return items + [types.CompletionItem(word, kind=keyword) for word in sorted(words)]


async def format_document(
    server: RulesServer, document: TextDocument, _: types.DocumentFormattingParams
) -> list[types.TextEdit]:
    """Return the change that brings a file into the one layout; none for one with mistakes."""
    source = _source_of(document)
    try:
        text = await server.work(server.answering, lambda _: format_text(source), document.path)
    except Rejected:
        return []
    last = types.Position(len(source.lines), 0)
    whole = types.Range(types.Position(0, 0), last)
    end = "\r\n" if "\r\n" in document.source else "\n"
    return [] if text == source.text else [types.TextEdit(whole, text.replace("\n", end))]


def _source_of(document: TextDocument) -> Source:
    """Return the text of an open file with line ends `\\n`, as `Source` has them."""
    return Source(document.path, document.source.replace("\r\n", "\n").replace("\r", "\n"))


async def colour(
    server: RulesServer, document: TextDocument, _: types.SemanticTokensParams
) -> types.SemanticTokens:
    """Return the kinds of words, each with its distance from the word before it."""
    source = _source_of(document)
    words = await server.work(server.answering, lambda _: colour_words(source), document.path)
    data: list[int] = []
    line = col = 0
    for word in words:
        start, end = types.Position(word.line, word.col), types.Position(word.line, word.end)
        range_ = document.position_codec.range_to_client_units(
            source.lines, types.Range(start, end)
        )
        first, length = range_.start.character, range_.end.character - range_.start.character
        data += (word.line - line, first - (col if word.line == line else 0), length)
        data += (KINDS.index(word.kind), 0)
        line, col = word.line, first
    return types.SemanticTokens(data)


async def _definitions_at(
    server: RulesServer, document: TextDocument, position: types.Position
) -> list[Definition]:
    """Return the definitions of the name at a position, that of the file itself first."""
    lines = _source_of(document).lines
    place = document.position_codec.position_from_client_units(lines, position)
    line = lines[place.line]
    hit = next((w for w in WORD.finditer(line) if w.start() <= place.character <= w.end()), None)
    if hit is None:
        return []
    names = await server.read_names(document)
    named = [one for one in reversed(names) if hit[0] in one.name.split()]
    return sorted(named, key=lambda one: one.name != hit[0])


def _explain(one: Definition) -> str:
    cites = f" [{' '.join(one.cites)}]" if one.cites else ""
    help_ = f"{one.help}{cites}\n\n" if one.help else ""
    return f"**{one.kind} {one.name}** · {one.layer}\n\n{help_}```\n{one.text}\n```"


def _message_of(one: Diagnostic, document: TextDocument) -> types.Diagnostic:
    """Return a message as an editor shows it; one of another file stands in the first line."""
    text = one.message + (
        "\n" + say("  help: {cure}", cure=say(one.help)).strip() if one.help else ""
    )
    span = one.span
    if path_of(span) != Path(document.path):
        text, range_ = f"{span}: {text}", types.Range(types.Position(0, 0), types.Position(1, 0))
    else:
        range_ = _range_of(span, document)
    severity = types.DiagnosticSeverity
    return types.Diagnostic(
        range_,
        text,
        severity=severity.Warning if one.kind == "warning" else severity.Error,
        code=one.code,
        source="trutdsl",
        related_information=list(_related(one, document)),
    )


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
