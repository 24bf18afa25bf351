"""The language server answers a client that speaks the protocol as editors do."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections import defaultdict
from queue import Queue

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

from trutdsl.editor.colours import KINDS

TIMEOUT = 60  # seconds; a loaded machine is slow
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

    def start(self, *command: str) -> types.InitializeResult:
        self.wait(self.client.start_io(*command))
        root = types.InitializeParams(types.ClientCapabilities())
        return self.wait(self.client.initialize_async(root))

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

    def stop(self) -> int | None:
        self.wait(self.client.shutdown_async(None))
        self.client.exit(None)
        self.wait(self.client._server.wait())
        code = self.client._server.returncode
        self.wait(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        return code


@pytest.fixture(scope="module")
def client():
    result = Client()
    answer = result.start(sys.executable, "-m", "trutdsl", "lsp", "--stdio")
    assert answer.server_info.name == "trutdsl"
    yield result
    assert result.stop() == 0


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


def test_mistakes_follow_the_unsaved_text(client, tmp_path):
    path = tmp_path / "ours.yaml"
    path.write_text(WRONG)
    uri = client.open(path)
    [wrong] = client.mistakes(uri)
    assert wrong.severity == types.DiagnosticSeverity.Error
    assert wrong.code == "unknown-name"
    assert wrong.message.startswith("there is no name 'seets'\nhelp: did you mean 'seats'?")
    start = place(WRONG, "seets")
    assert wrong.range.start == types.Position(start.line, start.character - 1)
    assert wrong.range.end == types.Position(start.line, start.character + 4)
    client.change(uri, RIGHT, 2)
    assert client.mistakes(uri) == []
    assert path.read_text() == WRONG
    client.client.text_document_did_close(types.DidCloseTextDocumentParams(document(uri)))
    assert client.mistakes(uri) == []


def test_a_saved_base_is_checked_with_the_files_that_build_on_it(client, tmp_path):
    base, house = tmp_path / "ours.yaml", tmp_path / "house.yaml"
    base.write_text(RIGHT)
    uri = client.open(house, "variant: house\ntitle: House\nextends: ours.yaml\n")
    assert client.mistakes(uri) == []
    base_uri = client.open(base, WRONG)
    assert len(client.mistakes(base_uri)) == 1
    client.client.text_document_did_save(types.DidSaveTextDocumentParams(document(base_uri)))
    [wrong] = client.mistakes(uri)
    assert wrong.message.startswith(f"{base}:7:")
    assert wrong.range.start == types.Position(0, 0)


def test_a_name_is_explained_and_found(client, tmp_path, root):
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    assert client.mistakes(uri) == []
    answer = ask(client, "hover", uri, RIGHT, "caller ==")
    assert answer.contents.value.startswith("**state caller** · trut\n\n```\ncaller")
    answer = ask(client, "hover", uri, RIGHT, "can_call")
    assert answer.contents.value.startswith("**define can_call** · ours\n\nAfter a card. [T11]\n")
    assert "Trut is called once a deal." in answer.contents.value
    own, base = ask(client, "definition", uri, RIGHT, "can_call")
    assert own.uri == uri
    assert own.range.start == types.Position(6, 2)
    assert base.uri == (root / "variants/trut.yaml").as_uri()
    assert ask(client, "hover", uri, RIGHT, "title") is None
    assert not ask(client, "definition", uri, RIGHT, "title")


def test_names_outlive_a_mistake(client, tmp_path):
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    assert client.mistakes(uri) == []
    ask(client, "hover", uri, RIGHT, "can_call")
    unfinished = RIGHT + "  define other: can_\n  rule ("
    client.change(uri, unfinished, 2)
    assert len(client.mistakes(uri)) == 1
    items = {one.label: one for one in ask(client, "completion", uri, unfinished, "can_\n")}
    assert items["can_call"].detail == "After a card."
    assert items["can_call"].kind == types.CompletionItemKind.Constant
    assert items["every"].kind == types.CompletionItemKind.Keyword
    assert items["longs"].detail == "Goal longs win the match."


def test_a_script_has_names_of_its_variant_and_an_outline(client, tmp_path):
    uri = client.open(tmp_path / "mine.strategy", SCRIPT)
    assert client.mistakes(uri) == []
    labels = {one.label for one in ask(client, "completion", uri, SCRIPT, "strong\n")}
    assert {"strong", "hands_beaten", "goal", "when"} <= labels
    symbols = client.wait(
        client.client.text_document_document_symbol_async(types.DocumentSymbolParams(document(uri)))
    )
    assert [(one.name, one.range.start.line) for one in symbols] == [
        ("strong", 1), ("respond", 3), ("otherwise", 6),
    ]  # fmt: skip


def test_a_scenario_shows_what_play_does_not_meet(client, tmp_path):
    scenario = (
        "scenario: one\nvariant: trut\nplayers: 2\n"
        "actions:\n  - 0: trut\n  - 1: fold\nexpect:\n  deal_winner: 1\n"
    )
    uri = client.open(tmp_path / "ours-scenarios.yaml", scenario)
    [wrong] = client.mistakes(uri)
    assert wrong.code == "scenario"
    assert wrong.range.start.line == 7
    client.change(uri, scenario.replace("winner: 1", "winner: 0"), 2)
    assert client.mistakes(uri) == []


@pytest.mark.parametrize(
    "text", ["name: value\n", "experiment: one\nvariant: trut\n", "", "- one\n- two\n"]
)
def test_other_yaml_is_left_alone(client, tmp_path, text):
    uri = client.open(tmp_path / "other.yaml", text)
    assert client.mistakes(uri) == []
    assert not ask(client, "definition", uri, text + "x", "x")


def test_a_file_is_formatted(client, tmp_path):
    options = types.FormattingOptions(4, insert_spaces=True)
    loose = SCRIPT.replace("    ", "  ").replace("when strong", "when   strong")
    uri = client.open(tmp_path / "mine.strategy", loose)
    client.mistakes(uri)
    params = types.DocumentFormattingParams(document(uri), options)
    [edit] = client.wait(client.client.text_document_formatting_async(params))
    assert edit.new_text == SCRIPT
    assert edit.range.end.line >= loose.count("\n")
    for text in (SCRIPT, "strategy mine for trut"):
        client.change(uri, text, 2)
        assert not client.wait(client.client.text_document_formatting_async(params))


def test_a_text_with_carriage_returns_is_formatted_once(client, tmp_path):
    text = RIGHT.replace("caller ==", "caller   ==").replace("\n", "\r\n")
    uri = client.open(tmp_path / "ours.yaml", text)
    assert client.mistakes(uri) == []
    options = types.FormattingOptions(4, insert_spaces=True)
    params = types.DocumentFormattingParams(document(uri), options)
    [edit] = client.wait(client.client.text_document_formatting_async(params))
    assert edit.new_text == RIGHT.replace("\n", "\r\n")
    client.change(uri, edit.new_text, 2)
    assert not client.wait(client.client.text_document_formatting_async(params))


@pytest.mark.parametrize("uri", ["untitled:one", "file:///not/there.yaml", ""])
def test_a_file_that_is_not_open_has_no_answer(client, uri):
    assert not ask(client, "hover", uri, "x", "x")
    assert not ask(client, "definition", uri, "x", "x")
    assert not ask(client, "completion", uri, "x", "x")


def test_words_have_colours(client, tmp_path):
    text = BASE.format(condition="(")  # up to the mistake
    uri = client.open(tmp_path / "ours.yaml", text)
    params = types.SemanticTokensParams(document(uri))
    data = client.wait(client.client.text_document_semantic_tokens_full_async(params)).data
    lines, line, col, words = text.splitlines(), 0, 0, []
    for down, right, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, col = line + down, right + (0 if down else col)
        units = lines[line].encode("utf-16-le")[2 * col : 2 * (col + length)]
        words.append((units.decode("utf-16-le"), KINDS[kind]))
    assert words == [
        ('# Nobody calls "trut" 🂡 before the first card.', "comment"),
        ("replace", "keyword"),
        ("define", "keyword"),
        ("can_call", "variable"),
        ('"After a card."', "string"),
        ("[T11]", "comment"),
        ("caller", "variable"),
        ("none", "keyword"),
        ("and", "keyword"),
    ]


@pytest.mark.parametrize("closed", ["<&-", ">&- </dev/null"])
def test_a_closed_stream_is_a_mistake(closed):
    command = f'"{sys.executable}" -m trutdsl lsp {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard input or output is closed")
