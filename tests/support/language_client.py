"""A client of the language server that speaks the protocol as editors do, and texts to open."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import defaultdict
from queue import Queue

from lsprotocol import types
from pygls.lsp.client import LanguageClient

TIMEOUT = 60  # seconds; a loaded machine is slow
SERVER = sys.executable, "-m", "trutdsl", "lsp", "--stdio"
NO_CAPABILITIES = types.ClientCapabilities()
BASE = """variant: ours
title: Ours
extends: trut

rules: |
  # Nobody calls "trut" 🂡 before the first card.
  replace define can_call "After a card." [T11]: caller == none and {condition}
"""
RIGHT = BASE.format(condition="size(seats) > 1")
WRONG = BASE.format(condition="size(seets) > 1")
PARAMS = {
    "hover": types.HoverParams,
    "definition": types.DefinitionParams,
    "completion": types.CompletionParams,
}
SCRIPT = """strategy mine for trut:
    define strong "A good card.": any card in hand[me] has rank(card) == "7"

    on respond:
        accept when strong
        fold
    otherwise: any
"""


class Client:
    """A client in a thread of its own; its methods wait for the answer."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.messages: dict[str, Queue[types.PublishDiagnosticsParams]] = defaultdict(Queue)
        self.client = LanguageClient("tests", "1")

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def receive(params: types.PublishDiagnosticsParams) -> None:
            self.messages[params.uri].put(params)

    def wait(self, answer):
        return asyncio.run_coroutine_threadsafe(answer, self.loop).result(TIMEOUT)

    def start(self, command=SERVER) -> None:
        self.wait(self.client.start_io(*command))

    def initialize(self, capabilities=NO_CAPABILITIES) -> types.InitializeResult:
        answer = self.wait(self.client.initialize_async(types.InitializeParams(capabilities)))
        self.client.initialized(types.InitializedParams())
        return answer

    def open(self, path, text: str | None = None) -> str:
        """Open a file with a text, which need not be saved."""
        uri = path.as_uri()
        text = path.read_text() if text is None else text
        document = types.TextDocumentItem(uri, "trutdsl", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        document = types.VersionedTextDocumentIdentifier(version, uri)
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def mistakes(self, uri: str) -> list[types.Diagnostic]:
        """Return the next mistakes that the server shows for a file."""
        return list(self.messages[uri].get(timeout=TIMEOUT).diagnostics)

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document(uri)))

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document(uri)))

    def symbols(self, uri: str) -> list[tuple[str, int]]:
        """Return the names in the outline of a file, with their lines."""
        params = types.DocumentSymbolParams(document(uri))
        answer = self.wait(self.client.text_document_document_symbol_async(params))
        return [(one.name, one.range.start.line) for one in answer]

    def format(self, uri: str) -> list[types.TextEdit]:
        options = types.FormattingOptions(4, insert_spaces=True)
        params = types.DocumentFormattingParams(document(uri), options)
        return list(self.wait(self.client.text_document_formatting_async(params)))

    def fixes(self, uri: str) -> list[types.CodeAction]:
        """Return what the server offers for the next mistakes of a file."""
        found = self.mistakes(uri)
        context, place = types.CodeActionContext(found), types.Range(*[types.Position(0, 0)] * 2)
        params = types.CodeActionParams(document(uri), place, context)
        return list(self.wait(self.client.text_document_code_action_async(params)))

    def colours(self, uri: str) -> list[int]:
        params = types.SemanticTokensParams(document(uri))
        return self.wait(self.client.text_document_semantic_tokens_full_async(params)).data

    def shut_down(self) -> None:
        self.wait(self.client.shutdown_async(None))

    def exit(self) -> int | None:
        """Let the server end, and return its exit code."""
        self.client.exit(None)
        self.wait(self.client._server.wait())
        code = self.client._server.returncode
        self.wait(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        return code


def document(uri):
    return types.TextDocumentIdentifier(uri)


def place(text: str, word: str) -> types.Position:
    """Return the position within a word of a text, in units of UTF-16."""
    head = text[: text.index(word) + 1]
    line = head.rpartition("\n")[2]
    return types.Position(head.count("\n"), len(line.encode("utf-16-le")) // 2)


def ask(client, request, uri, text, word):
    """Return the answer to a request about a word of a text."""
    params = PARAMS[request](document(uri), place(text, word))
    return client.wait(getattr(client.client, f"text_document_{request}_async")(params))
