"""The process of the language server: its threads, its streams, and its end."""

from __future__ import annotations

import json
import subprocess
import sys
from queue import Queue
from subprocess import PIPE

import pytest
from extent import extent
from language_client import NO_CAPABILITIES, RIGHT, SCRIPT, SERVER, TIMEOUT, WRONG, Client, ask
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcServerNotInitialized
from pygls.protocol import default_converter


@pytest.mark.parametrize("closed", ["<&-", ">&- </dev/null"])
def test_a_closed_stream_is_a_mistake(closed):
    command = f'"{sys.executable}" -m trutdsl lsp {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=TIMEOUT)
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard input or output is closed")


@pytest.mark.parametrize(
    "written",
    [
        "\0" * 2_000,
        "y\n" * 2_000,
        "y",
        "Content-Length: 9999999999\r\n\r\n",
        "Content-Length: x\r\n",
    ][:: extent(2, 1)],
)
def test_input_of_no_editor_is_a_mistake(written):
    """At its first line, before the end of the input: a device has none."""
    command = [sys.executable, "-m", "trutdsl", "lsp"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, text=True) as server:
        server.stdin.write(written)
        server.stdin.flush()
        if written == "y":
            server.stdin.close()
        assert server.wait(TIMEOUT) == 2
        assert server.stdout.read() == ""
        message = "error: standard input has a line that no editor writes; an editor starts this"
        assert server.stderr.read() == f"{message} command\n"


def scenarios(root, number: int) -> str:
    """Return so many scenarios, each of which takes half a second."""
    head = f"variant: {root}/tests/hostile/slow.yaml\nplayers: 2\nactions: []\nexpect: {{}}\n"
    return "---\n".join(f"scenario: number {at}\n{head}" for at in range(number))


@pytest.mark.thorough
def test_a_long_check_delays_nothing(own_client, tmp_path, root):
    """Answers and other checks come while it runs, and a newer text ends it."""
    own_client.initialize()
    slow = own_client.open(tmp_path / "slow-scenarios.yaml", scenarios(root, 400))
    uri = own_client.open(tmp_path / "ours.yaml", RIGHT)
    own_client.save(slow)  # both are checked at once, the slow file first
    assert ask(own_client, "hover", uri, RIGHT, "can_call") is not None
    assert ask(own_client, "definition", uri, RIGHT, "can_call")
    assert ask(own_client, "completion", uri, RIGHT, "can_call")
    assert own_client.symbols(uri) == [("can_call", 6)]
    assert own_client.mistakes(uri) == []
    own_client.change(uri, WRONG, 2)
    assert [one.code for one in own_client.mistakes(uri)] == ["unknown-name"]
    assert own_client.messages[slow].empty()
    own_client.change(slow, "scenario: one\n", 2)
    assert {one.code for one in own_client.mistakes(slow)} == {"missing-key"}


def test_a_server_waits_for_initialize_and_shutdown():
    client = Client()
    client.start()
    with pytest.raises(JsonRpcException) as refusal:
        ask(client, "hover", "file:///ours.yaml", "x", "x")
    assert refusal.value.code == JsonRpcServerNotInitialized.CODE
    capabilities = client.initialize().capabilities
    # Each change has the whole text: servers and editors count lines of a part differently.
    assert capabilities.text_document_sync.change == types.TextDocumentSyncKind.Full
    assert client.exit() == 1


@pytest.fixture
def altered_client():
    """Returns a client of a server whose checks are another function, given as a program."""
    clients = []

    def start(check: str) -> Client:
        client = Client()
        clients.append(client)
        program = (
            "from subprocess import run\nfrom trutdsl.editor import server\n"
            f"def find(path):\n    yield\n    return {check}\n"
            "server.find_mistakes = find\nserver.serve()"
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
    client, messages = altered_client("1 / 0"), Queue()
    client.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: messages.put(params))
    uri = client.open(tmp_path / "ours.yaml", RIGHT)
    assert messages.get(timeout=TIMEOUT).message == "Error in server: division by zero"
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
