"""The language server: answers an editor over standard input and output, with pygls."""

from __future__ import annotations

import asyncio
import io
import os
import re
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureNotificationError, JsonRpcServerNotInitialized
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from trutdsl.diagnostics import BadUsage, Diagnostic
from trutdsl.editor.answers import (
    KINDS,
    Known,
    colour,
    complete,
    explain_name,
    find_definitions,
    format_document,
    list_symbols,
    message_of,
    suggest_fixes,
)
from trutdsl.editor.names import Steps, find_mistakes
from trutdsl.files import own_version
from trutdsl.language import say
from trutdsl.variant.source import reading_unsaved

PAUSE = 0.3  # seconds without a change before a text is checked
LONGEST_HEADER = 1_000  # characters of a line
HEADER = re.compile(rb"\r\n|Content-Length: \d{1,9}\r\n|(?!Content-Length)[\w-]+: .*\r\n")
WATCHED = "**/*.{yaml,yml,rules,strategy,csv}"
Opened = types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
Handler = Callable[["RulesServer", Any], Awaitable[Any]]
Result = TypeVar("Result")


class RulesServer(LanguageServer):
    """What one editor has open.

    Checks run in one thread, all other work on rules in another, so a long check delays no answer.
    It delays no other check either: the thread takes a step of each in turn.

    known: names of files. checks: by URI, the last one of each open file.
    """

    def __init__(self) -> None:
        super().__init__("trutdsl", own_version(), types.TextDocumentSyncKind.Full)
        self.known: Known = {}
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
        fixes = types.CodeActionOptions([types.CodeActionKind.QuickFix])
        self.feature(types.TEXT_DOCUMENT_CODE_ACTION, fixes)(of_open_file(suggest_fixes))
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

    def with_open_files(self, function: Callable[[], Result]) -> Callable[[], Result]:
        """Return a function that reads the present texts of the editor in place of the files."""
        texts = {Path(one.path): one.source for one in self.files()}

        def call() -> Result:
            with reading_unsaved(texts):
                return function()

        return call

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
        step = self.with_open_files(partial(take_step, find_mistakes(document.path)))
        try:
            while (mistakes := await run_in(self.checking, step)) is None:
                pass
        except Exception as fault:
            self.report_server_error(fault, FeatureNotificationError)
            raise
        shown = [message_of(one, document) for one in mistakes]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(document.uri, shown, document.version)
        )


def take_step(steps: Steps) -> list[Diagnostic] | None:
    """Go on with a check up to its next pause; return the mistakes at its end."""
    try:
        next(steps)
    except StopIteration as end:
        return list(end.value)
    return None


async def run_in(thread: ThreadPoolExecutor, function: Callable[[], Result]) -> Result:
    """Call a function in a thread, after the calls that wait there."""
    return await asyncio.get_running_loop().run_in_executor(thread, function)


def of_open_file(answer: Callable[[TextDocument, Known, Any], Any]) -> Handler:
    """Return the handler of a request, which answers nothing for a file that is not open."""

    async def handle(server: RulesServer, params: Any) -> Any:
        document = server.open_file(params.text_document.uri)
        if document is None:
            return None
        present = copy(document)  # the editor may change it meanwhile
        call = server.with_open_files(partial(answer, present, server.known, params))
        return await run_in(server.answering, call)

    return handle


class EditorInput(io.BufferedReader):
    """Messages of an editor. Other input, such as a device, may have no end of line."""

    def readline(self, size: int | None = LONGEST_HEADER) -> bytes:
        """Return the next line of a header; raises `BadUsage` if it is none."""
        line = super().readline(size)
        if line and not HEADER.fullmatch(line):
            text = "standard input has a line that no editor writes; an editor starts this command"
            raise BadUsage(say(text))
        return line


def serve() -> None:
    """Answer the editor at standard input and output until it ends.

    Raises `BadUsage` if one of them is closed, or if no editor writes to the input.
    """
    try:
        input_, output = sys.stdin.fileno(), sys.stdout.fileno()
    except (AttributeError, OSError):
        text = "standard input or output is closed; an editor starts this command with both open"
        raise BadUsage(say(text)) from None
    server = RulesServer()
    editor = EditorInput(io.FileIO(os.dup(input_))), os.fdopen(os.dup(output), "wb")
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
    server.known.pop(uri, None)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
    check_all(server, params)
