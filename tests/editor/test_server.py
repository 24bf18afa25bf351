"""The language server answers a client that speaks the protocol as editors do."""

from __future__ import annotations

from queue import Queue

import pytest
from language_client import BASE, RIGHT, SCRIPT, TIMEOUT, WRONG, ask, place
from lsprotocol import types

from trutdsl.editor.answers import KINDS


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


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("variant: ours\ntitle: A\nextends: trut\nset: {gaol: 5}\n", "goal"),
        ("variant: ours\ntitre: A\nextends: trut\n", "title"),
        (
            'variant: ours\ntitle: A\nextends: trut-deluxe\nset: {special_cards: "owl,eagel"}\n',
            None,
        ),
        (WRONG, "seats"),
        ("variant: ours\ntitle: A\nextends: trut\nset: {goal: 500}\n", None),
    ],
)
def test_a_fix_writes_the_word_that_was_meant(client, tmp_path, wrong, right):
    uri = client.open(tmp_path / "ours.yaml", wrong)
    fixes = client.fixes(uri)
    assert [fix.title for fix in fixes] == ([f"write `{right}`"] if right else [])
    for fix in fixes:
        [edit] = fix.edit.changes[uri]
        lines, start, end = wrong.splitlines(), edit.range.start, edit.range.end
        line = lines[start.line]
        lines[start.line] = line[: start.character] + edit.new_text + line[end.character :]
        client.change(uri, "\n".join(lines) + "\n", 2)
        assert client.mistakes(uri) == []


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
        ("pieces.yaml", "'module' : pieces\ntitle: Pieces\nrules: |\n  define one: {}\n"),
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
