"""The language server answers a client that speaks the protocol as editors do."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections import defaultdict
from queue import Queue

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcServerNotInitialized
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter

from trutdsl.editor.colours import KINDS

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


@pytest.fixture(scope="module")
def client():
    """A client of a server that all tests share."""
    result = Client()
    result.start()
    answer = result.initialize()
    assert answer.server_info.name == "trutdsl"
    yield result
    result.shut_down()
    assert result.exit() == 0


@pytest.fixture
def own_client():
    """A client of a server that no other test uses; it is not yet initialized."""
    result = Client()
    result.start()
    yield result
    result.exit()


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
    client.close(uri)
    assert client.mistakes(uri) == []


def test_a_saved_base_is_checked_with_the_files_that_build_on_it(client, tmp_path):
    base, house = tmp_path / "ours.yaml", tmp_path / "house.yaml"
    base.write_text(RIGHT)
    uri = client.open(house, "variant: house\ntitle: House\nextends: ours.yaml\n")
    assert client.mistakes(uri) == []
    base_uri = client.open(base, WRONG)
    assert len(client.mistakes(base_uri)) == 1
    client.save(base_uri)
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
    assert client.symbols(uri) == [("strong", 1), ("respond", 3), ("otherwise", 6)]


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
    loose = SCRIPT.replace("    ", "  ").replace("when strong", "when   strong")
    uri = client.open(tmp_path / "mine.strategy", loose)
    client.mistakes(uri)
    [edit] = client.format(uri)
    assert edit.new_text == SCRIPT
    assert edit.range.end.line >= loose.count("\n")
    for text in (SCRIPT, "strategy mine for trut"):
        client.change(uri, text, 2)
        assert client.format(uri) == []


def test_a_text_with_carriage_returns_is_formatted_once(client, tmp_path):
    text = RIGHT.replace("caller ==", "caller   ==").replace("\n", "\r\n")
    uri = client.open(tmp_path / "ours.yaml", text)
    assert client.mistakes(uri) == []
    [edit] = client.format(uri)
    assert edit.new_text == RIGHT.replace("\n", "\r\n")
    client.change(uri, edit.new_text, 2)
    assert client.format(uri) == []


@pytest.mark.parametrize("uri", ["untitled:one", "file:///not/there.yaml", ""])
def test_a_file_that_is_not_open_has_no_answer(client, uri):
    assert not ask(client, "hover", uri, "x", "x")
    assert not ask(client, "definition", uri, "x", "x")
    assert not ask(client, "completion", uri, "x", "x")


def test_words_have_colours(client, tmp_path):
    text = BASE.format(condition="(")  # up to the mistake
    uri = client.open(tmp_path / "ours.yaml", text)
    data = client.colours(uri)
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


def scenarios(root, number: int) -> str:
    """Return so many scenarios, each of which takes half a second."""
    head = f"variant: {root}/tests/hostile/slow.yaml\nplayers: 2\nactions: []\nexpect: {{}}\n"
    return "---\n".join(f"scenario: number {at}\n{head}" for at in range(number))


def test_a_long_check_delays_no_answer(own_client, tmp_path, root):
    own_client.initialize()
    slow = own_client.open(tmp_path / "slow-scenarios.yaml", scenarios(root, 400))
    uri = own_client.open(tmp_path / "ours.yaml", RIGHT)
    own_client.save(slow)  # both are checked at once, the slow file first
    assert ask(own_client, "hover", uri, RIGHT, "can_call") is not None
    assert ask(own_client, "definition", uri, RIGHT, "can_call")
    assert ask(own_client, "completion", uri, RIGHT, "can_call")
    assert own_client.symbols(uri) == [("can_call", 6)]
    assert own_client.messages[slow].empty()


def test_a_newer_text_ends_a_long_check(own_client, tmp_path, root):
    own_client.initialize()
    uri = own_client.open(tmp_path / "slow-scenarios.yaml", scenarios(root, 400))
    own_client.save(uri)
    own_client.symbols(uri)  # the check has begun
    own_client.change(uri, "scenario: one\n", 2)
    assert {one.code for one in own_client.mistakes(uri)} == {"missing-key"}


def test_each_scenario_shows_its_own_mistakes(client, tmp_path):
    scenario = "variant: trut\nplayers: 2\nactions:\n  - 0: trut\n  - 1: fold\nexpect:\n"
    text = (
        f"scenario: one\n{scenario}  deal_winner: 5\n"
        f"---\nscenario: two\n{scenario}  deal_winner: 1\n"
    )
    wrong = client.mistakes(client.open(tmp_path / "ours-scenarios.yaml", text))
    assert [(one.code, one.range.start.line) for one in wrong] == [
        ("bad-scenario", 7),
        ("scenario", 16),
    ]


def test_a_base_need_not_be_saved(client, tmp_path):
    base = client.open(tmp_path / "ours.yaml", RIGHT)
    uri = client.open(tmp_path / "house.yaml", "variant: house\ntitle: House\nextends: ours.yaml\n")
    assert client.mistakes(uri) == []
    script = SCRIPT.replace("mine for trut", 'mine for "house.yaml"')
    script_uri = client.open(tmp_path / "mine.strategy", script)
    assert client.mistakes(script_uri) == []
    text = 'strategy more extends "mine.strategy" for "house.yaml":\n    on respond: accept\n'
    more = client.open(tmp_path / "more.strategy", text)
    assert client.mistakes(more) == []
    client.close(base)
    assert [one.code for one in client.mistakes(uri)] == ["missing-file"]
    assert [one.code for one in client.mistakes(script_uri)] == ["missing-file"]


def test_files_on_the_disk_are_watched(own_client, tmp_path):
    registrations = Queue()

    @own_client.client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        registrations.put(params.registrations)

    watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
    workspace = types.WorkspaceClientCapabilities(did_change_watched_files=watching)
    own_client.initialize(types.ClientCapabilities(workspace))
    [registration] = registrations.get(timeout=TIMEOUT)
    assert registration.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
    base, other = tmp_path / "ours.yaml", tmp_path / "theirs.yaml"
    base.write_text(RIGHT)
    text = "variant: house\ntitle: House\nextends: ours.yaml\n"
    uri = own_client.open(tmp_path / "house.yaml", text)
    assert own_client.mistakes(uri) == []
    base.rename(other)
    kinds = types.FileChangeType
    changes = [(base, kinds.Deleted), (other, kinds.Created)]
    events = [types.FileEvent(path.as_uri(), kind) for path, kind in changes]
    own_client.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(events))
    assert [one.code for one in own_client.mistakes(uri)] == ["missing-file"]


@pytest.mark.parametrize("name", ["a:b/mine.strategy", "evil.py:X/mine.strategy"])
def test_the_path_of_a_script_has_no_parameters(client, tmp_path, name):
    uri = client.open(tmp_path / name, SCRIPT)
    assert client.mistakes(uri) == []
    assert client.symbols(uri) == [("strong", 1), ("respond", 3), ("otherwise", 6)]


def test_a_script_with_a_colon_in_its_name_is_misnamed(client, tmp_path):
    uri = client.open(tmp_path / "mine:too.strategy", SCRIPT)
    assert [one.code for one in client.mistakes(uri)] == ["wrong-name"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pieces.yaml", "module: pieces\ntitle: Pieces\nrules: |\n  define one: {}\n"),
        ("pieces.rules", "define one: {}\n"),
    ],
)
def test_parts_of_variants_have_mistakes_and_an_outline(client, tmp_path, name, text):
    uri = client.open(tmp_path / name, text.format("1 +"))
    assert [one.code for one in client.mistakes(uri)] == ["syntax"]
    client.change(uri, text.format("1"), 2)
    assert client.mistakes(uri) == []
    assert client.symbols(uri) == [("one", text[: text.index("define")].count("\n"))]


@pytest.mark.parametrize("name", ["README.md", "ours.txt", "ours"])
def test_files_of_other_kinds_are_left_alone(client, tmp_path, name):
    uri = client.open(tmp_path / name, WRONG)
    assert client.mistakes(uri) == []
    assert client.symbols(uri) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (RIGHT + "  # long\n" * 100_000, "too-large"),
        (RIGHT + "  # \ud800\n", "not-utf8"),
        (RIGHT + "  # \x00\n", "control-character"),
    ],
)
def test_an_unsaved_text_has_the_bounds_of_a_file(client, tmp_path, text, code):
    uri = client.open(tmp_path / "ours.yaml", text)
    assert [one.code for one in client.mistakes(uri)] == [code]
    assert client.symbols(uri) == []
    assert client.format(uri) == []
    assert not client.colours(uri)


@pytest.mark.parametrize("sign", ["\u2028", "\u0085", "\x0b", "\x1c", "🂡"])
def test_lines_and_columns_are_those_of_the_protocol(client, tmp_path, sign):
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    ask(client, "hover", uri, RIGHT, "can_call")
    text = RIGHT.replace("  # N", f"  # {sign} N").replace('"After', f'"{sign}After')
    client.change(uri, text, 2)
    for word in ("can_call", "caller =="):
        assert ask(client, "hover", uri, text, word) is not None
    assert ask(client, "hover", uri, text, "After") is None


def test_each_change_has_the_whole_text(own_client):
    """Servers and editors count the lines of a part of it differently."""
    capabilities = own_client.initialize().capabilities
    assert capabilities.text_document_sync.change == types.TextDocumentSyncKind.Full


def test_an_exit_without_shutdown_is_a_failure():
    client = Client()
    client.start()
    client.initialize()
    assert client.exit() == 1


def test_a_request_before_initialize_is_refused(own_client):
    with pytest.raises(JsonRpcException) as refusal:
        ask(own_client, "hover", "file:///ours.yaml", "x", "x")
    assert refusal.value.code == JsonRpcServerNotInitialized.CODE
    assert own_client.initialize().server_info.name == "trutdsl"


@pytest.fixture
def altered_client():
    """Returns a client of a server whose checks are another function, given as a program."""
    clients = []

    def start(check: str) -> Client:
        client = Client()
        clients.append(client)
        program = (
            "from subprocess import run\nfrom trutdsl.editor import server\n"
            f"server.find_mistakes = lambda path, _is_old: {check}\nserver.serve()"
        )
        client.start((sys.executable, "-c", program))
        client.initialize()
        return client

    yield start
    for client in clients:
        client.exit()


def test_a_child_process_has_no_part_in_the_protocol(altered_client, tmp_path):
    client = altered_client("run('echo spoilt; cat', shell=True) and []")
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    assert client.mistakes(uri) == []
    assert client.symbols(uri) == [("can_call", 6)]


def test_a_fault_of_the_program_is_told(altered_client, tmp_path):
    client, told = altered_client("1 / 0"), Queue()
    client.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: told.put(params))
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    assert told.get(timeout=TIMEOUT).message == "Error in server: division by zero"
    assert client.symbols(uri) == [("can_call", 6)]


def test_the_server_ends_with_its_editor(tmp_path, root):
    path = tmp_path / "slow-scenarios.yaml"
    document = types.TextDocumentItem(path.as_uri(), "yaml", 1, scenarios(root, 400))
    open_ = types.DidOpenTextDocumentNotification(types.DidOpenTextDocumentParams(document))
    save = types.DidSaveTextDocumentNotification(
        types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(path.as_uri()))
    )
    start = types.InitializeRequest(1, types.InitializeParams(NO_CAPABILITIES))
    bodies = [json.dumps(default_converter().unstructure(one)) for one in (start, open_, save)]
    messages = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    done = subprocess.run(SERVER, input=messages.encode(), capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 1
    assert done.stdout.startswith(b"Content-Length: ")


def test_answers_import_nothing(tmp_path):
    """Two threads that import packages at once can find half of one."""
    files = {"ours.yaml": RIGHT, "mine.strategy": SCRIPT, "pieces.rules": "define one: 1\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    program = (
        "import sys\nimport trutdsl.editor.server\nfrom trutdsl.editor.answers import *\n"
        "before = {*sys.modules}\n"
        "for path in sys.argv[1:]:\n"
        "    names_of(path), format_text(read_source(Path(path), path)), colour_words(path)\n"
        "spellings()\nprint(*{*sys.modules} - before)\n"
    )
    paths = [str(tmp_path / name) for name in files]
    done = subprocess.run([sys.executable, "-c", program, *paths], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")
