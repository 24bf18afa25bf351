"""Hostile files and files without text: each gets a diagnostic, soon and within bounds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from trutdsl.diagnostics import Rejected, Source, did_you_mean
from trutdsl.ir import build_program
from trutdsl.variant import load_variant, read_source
from trutdsl.variant.compose_yaml import read_document, read_documents

LARGE_TEXTS = {
    "flow lists": ("[" * 10_000, "x:1:41", "too-deep"),
    "flow mappings": ("{a: " * 10_000, "x:1:161", "too-deep"),
    "lists on one line": ("- " * 10_000, "x:1:81", "too-deep"),
    "block lists": ("".join(" " * i + "-\n" for i in range(1_000)), "x:41:41", "too-deep"),
    "block mappings": ("".join(" " * i + "a:\n" for i in range(1_000)), "x:41:41", "too-deep"),
    "a million brackets": ("[\n" * 500_000, "x:41:1", "too-deep"),
    "many values": ("[" + "a," * 100_001 + "]", "x:1:200000", "too-large"),
    "one key over and over": ("a: 1\n" * 100_000, "x:2:1", "duplicate-key"),
    "a long key": ("a" * 2_000 + ": 1", "x:1:2001", "yaml-syntax"),
    "a long name in a mapping": ("{" + "a" * 1_000_000 + ": 1}", "x:1:1000002", "yaml-syntax"),
    "a huge version": ("%YAML " + "9" * 5_000 + ".1\n---\na: 1", "x:1:7", "yaml-syntax"),
    "tags": ("- !a b\n" * 100_000, "x:1:3", "yaml-tag"),
    "aliases of nothing": ("*a " * 100_000, "x:1:1", "unknown-alias"),
    "an open quote": ('"' + "a\n" * 100_000, "x:1:1", "yaml-syntax"),
    "spaces": (" " * 1_000_000, "x:1:1", "empty-file"),
}


@pytest.mark.parametrize("name", LARGE_TEXTS)
def test_a_large_text_is_refused_at_the_position_of_the_bound(name):
    text, place, code = LARGE_TEXTS[name]
    with pytest.raises(Rejected) as caught:
        read_document(Source("x", text))
    first = caught.value.diagnostics[0]
    assert (str(first.span), first.code) == (place, code)
    assert len(caught.value.diagnostics) <= 100


def test_forty_levels_are_allowed_and_forty_one_are_not(refusal):
    read_document(Source("x", "[" * 40 + "a" + "]" * 40))
    shown = refusal(read_document, Source("x", "[" * 41 + "a" + "]" * 41))
    assert shown.startswith(
        "x:1:41: error: found more than 40 lists and mappings one inside another [too-deep]\n"
    )


def test_an_alias_bomb_is_refused_before_it_is_expanded(refusal):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 20)]
    shown = refusal(read_document, Source("x", "\n".join(lines)))
    assert shown.split("\n")[0] == (
        "x:5:45: error: the file has more than 100,000 values [alias-bomb]"
    )


def test_nesting_through_aliases_is_bounded(refusal):
    lines = ["- &a0 [x]"] + [f"- &a{i} [*a{i - 1}]" for i in range(1, 60)]
    shown = refusal(read_document, Source("x", "\n".join(lines)))
    assert shown.split("\n")[0].endswith("one inside another [too-deep]")
    assert shown.startswith("x:40:9: ")


def test_a_thousand_aliases_are_allowed_and_one_more_is_not(refusal):
    read_document(Source("x", "- &a x\n" + "- *a\n" * 1_000))
    shown = refusal(read_document, Source("x", "- &a x\n" + "- *a\n" * 1_001))
    assert shown.startswith("x:1002:3: error: the file has more than 1,000 aliases [alias-bomb]\n")


def test_a_hundred_thousand_values_with_aliases_are_allowed_and_one_more_is_not(refusal):
    # A list, 101 values in its first item, 989 aliases of this item, then single values.
    text = "- &a [" + "x, " * 100 + "]\n" + "- *a\n" * 989
    rest = 100_000 - 1 - 101 * 990
    assert rest == 9
    read_document(Source("x", text + "- y\n" * rest))
    shown = refusal(read_document, Source("x", text + "- y\n" * (rest + 1)))
    assert shown.startswith("x:1000:3: error: the file has more than 100,000 values [alias-bomb]\n")


def test_too_many_documents_are_refused(refusal):
    shown = refusal(read_documents, Source("x", "--- a\n" * 10_001))
    assert shown.startswith(
        "x:10001:1: error: the file has more than 10,000 documents [too-large]\n"
    )


def test_ten_megabytes_are_refused_before_they_are_read(tmp_path, refusal, monkeypatch):
    path = tmp_path / "big.yaml"
    with path.open("wb") as file:
        file.truncate(10_000_000)
    monkeypatch.setattr(Path, "open", None)
    assert refusal(read_source, path, "big.yaml") == (
        "big.yaml:1:1: error: the file has 10,000,000 bytes, expected at most 1,000,000 [too-large]"
    )


def test_a_megabyte_is_allowed_and_one_byte_more_is_not(tmp_path, refusal):
    path = tmp_path / "big.yaml"
    path.write_bytes(b"#" * 1_000_000)
    assert len(read_source(path, "big.yaml").text) == 1_000_000
    path.write_bytes(b"#" * 1_000_001)
    assert "the file has 1,000,001 bytes" in refusal(read_source, path, "big.yaml")


BYTES = {
    "latin 1": (
        b"title: A\r\nsummary: caf\xe9\r\n",
        "x:2:13: error: found the byte 0xE9, expected text in UTF-8 [not-utf8]\n"
        "    2 | summary: caf\ufffd\n"
        "      |             ^\n"
        "  help: save the file as UTF-8",
    ),
    "after letters of two bytes": (
        "title: éé".encode() + b"\xff",
        "x:1:10: error: found the byte 0xFF, expected text in UTF-8 [not-utf8]\n"
        "    1 | title: éé\ufffd\n"
        "      |          ^\n"
        "  help: save the file as UTF-8",
    ),
    "UTF-16": (
        "title: A".encode("utf-16"),
        "x:1:1: error: found the byte 0xFF, expected text in UTF-8 [not-utf8]\n"
        "    1 | \ufffd\ufffdt·i·t·l·e·:· ·A·\n"
        "      | ^\n"
        "  help: the file is in UTF-16: save it as UTF-8",
    ),
    "UTF-16 without a mark": (
        "title: A".encode("utf-16-le"),
        "x:1:2: error: found the character U+0000, expected text [control-character]\n"
        "    1 | t·i·t·l·e·:· ·A·\n"
        "      |  ^\n"
        "  help: the file is in UTF-16: save it as UTF-8",
    ),
    "UTF-16 without a mark and with accents": (
        "title: é".encode("utf-16-le"),
        "x:1:15: error: found the byte 0xE9, expected text in UTF-8 [not-utf8]\n"
        "    1 | t·i·t·l·e·:· ·\ufffd·\n"
        "      |               ^\n"
        "  help: the file is in UTF-16: save it as UTF-8",
    ),
    "a document": (
        b"PK\x03\x04" + bytes(range(256)),
        "x:1:1: error: found a zip archive, or a document of a word processor, expected plain text "
        "[not-text]\n"
        "  help: save it as plain text in UTF-8, or write it with a text editor",
    ),
    "a document in letters": (
        b"{\\rtf1\\ansi variant: house}",
        "x:1:1: error: found a document of a word processor, expected plain text [not-text]\n"
        "  help: save it as plain text in UTF-8, or write it with a text editor",
    ),
    "a NUL": (
        b"title: A\nsum\0mary: B\n",
        "x:2:4: error: found the character U+0000, expected text [control-character]\n"
        "    2 | sum·mary: B\n"
        "      |    ^\n"
        "  help: remove it; the file must be plain text in UTF-8",
    ),
    "an escape sequence": (
        b"title: \x1b[31mred\n",
        "x:1:8: error: found the character U+001B, expected text [control-character]\n"
        "    1 | title: ·[31mred\n"
        "      |        ^\n"
        "  help: remove it; the file must be plain text in UTF-8",
    ),
    "reversed writing": (
        "title: a\u202eb\n".encode(),
        "x:1:9: error: found the character U+202E, expected text [control-character]\n"
        "    1 | title: a·b\n"
        "      |         ^\n"
        "  help: remove it; the file must be plain text in UTF-8",
    ),
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_not_plain_text_are_refused_at_the_first(name, tmp_path, refusal):
    data, expected = BYTES[name]
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    assert refusal(read_source, path, "x") == expected


def test_a_program_is_refused(tmp_path, refusal):
    path = tmp_path / "own.yaml"
    path.write_bytes(Path(sys.executable).resolve().read_bytes()[:4_096])
    assert (
        refusal(load_variant, path).split("\n")[0].endswith(("[not-utf8]", "[control-character]"))
    )


@pytest.mark.parametrize("separator", ["\x85", "\u2028", "\u2029"])
def test_line_ends_that_only_yaml_knows_are_refused(separator, tmp_path, refusal):
    path = tmp_path / "x.yaml"
    path.write_text(f"title: a{separator}b: c", encoding="utf-8", newline="")
    assert refusal(read_source, path, "x").startswith("x:1:9: ")


def test_line_ends_of_other_systems_and_a_byte_order_mark_are_allowed(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3\n")
    assert read_source(path, "x").text == "a: 1\nb: 2\nc: 3\n"


def test_a_path_that_is_no_readable_file_is_refused(tmp_path, refusal, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder.yaml").mkdir()
    os.mkfifo("pipe.yaml")
    Path("loop.yaml").symlink_to("loop.yaml")
    expected = {
        "gone.yaml": "there is no such file [missing-file]\n  help: this folder has no .yaml files",
        "folder.yaml": "found a folder, expected a file [not-a-file]",
        "pipe.yaml": "found a device or pipe, expected a file [not-a-file]",
        "loop.yaml": "the file cannot be read: Too many levels of symbolic links [unreadable]",
        "x" * 300 + ".yaml": "the file cannot be read: File name too long [unreadable]",
        "a\0b.yaml": "the file cannot be read: its name is not a file name [unreadable]",
    }
    for name, message in expected.items():
        assert refusal(load_variant, name) == f"{name}:1:1: error: {message}"


def test_a_name_without_an_ending_is_that_of_a_yaml_file(tmp_path, refusal, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "{0}:1:1: error: there is no such file [missing-file]\n  help: {1}"
    none = text.format("deals", "this folder has no .yaml files")
    assert refusal(read_source, Path("deals"), "deals") == none
    Path("deals.yaml").touch()
    for name in ("deals", "deal"):
        near = text.format(name, "did you mean 'deals.yaml'?")
        assert refusal(read_source, Path(name), name) == near


def test_a_file_without_permission_is_refused(tmp_path, refusal, monkeypatch):
    path = tmp_path / "x.yaml"
    path.write_text("a: 1")

    def forbid(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("trutdsl.files.os.open", forbid)
    message = "the file cannot be read: Permission denied"
    assert refusal(read_source, path, "x") == f"x:1:1: error: {message} [unreadable]"


def test_twenty_files_may_extend_one_another_and_no_more(load, refusal):
    def chain(length):
        files = {
            f"v{i}": f"variant: v{i}\ntitle: T\nextends: v{i + 1}.yaml\n" for i in range(length)
        }
        files[f"v{length}"] = f"variant: v{length}\ntitle: T\nextends: base\n"
        return load("variant: own\ntitle: T\nextends: v0.yaml\n", **files)

    assert len(chain(17).layers) == 20
    assert refusal(chain, 18) == (
        "v18.yaml:3:10: error: more than 20 files build on one another [too-deep]\n"
        "    3 | extends: base\n"
        "      |          ^^^^"
    )


def test_a_variant_may_have_a_hundred_files_and_no_more(load, refusal):
    def wide(count):
        names = [f"m{i}" for i in range(count)]
        files = {name: f"module: {name}\ntitle: T\n" for name in names}
        uses = "".join(f"  - {name}.yaml\n" for name in names)
        return load(f"variant: own\ntitle: T\nextends: base\nuses:\n{uses}", **files)

    assert len(wide(98).layers) == 100
    assert refusal(wide, 200) == (
        "own.yaml:103:5: error: with this file the variant has 101 files [too-large]\n"
        "  103 |   - m98.yaml\n"
        "      |     ^^^^^^^^\n"
        "  help: at most 100 are allowed"
    )


@pytest.mark.parametrize(
    ("indent", "most", "what"), [("", 1_000_000, "characters"), ("  ", 300_000, "rules")]
)
def test_the_total_size_of_all_files_of_a_variant_is_bounded(indent, most, what, load, refusal):
    comments = f"{indent}# {'x' * 97}\n" * (most // 200 - 20)

    def wide(count):
        files = {f"m{i}": f"module: m{i}\ntitle: T\nrules: |\n" for i in range(count)}
        for i, name in enumerate(files):
            rules = f"  define d{i}: yes\n"
            files[name] += rules + comments if indent else rules
            files[name] = files[name] if indent else comments + files[name]
        uses = ", ".join(f"{name}.yaml" for name in files)
        return load(f"variant: own\ntitle: T\nextends: base\nuses: [{uses}]\n", **files)

    assert len(wide(2).layers) == 4
    message = refusal(wide, 3)
    assert message.startswith("own.yaml:4:26: error: with this file the variant has ")
    assert f" characters{' of rules' if what == 'rules' else ''} [too-large]\n" in message
    assert message.endswith(f"help: at most {most:,} are allowed")


def test_a_message_stays_on_one_line_of_bounded_length(load):
    with pytest.raises(Rejected) as caught:
        load(f'variant: own\ntitle: T\nextends: base\n"a\\nb": 1\n? {"k" * 5_000}\n: 1\n')
    for found in caught.value.diagnostics:
        assert "\n" not in found.message
        assert len(found.message) <= 300


@pytest.mark.parametrize(
    "mistakes",
    ["".join(f"  type t{i} = t{i + 1}\n" for i in range(300)), "  type t = 0 to 3\n" * 300],
    ids=["unknown names", "names declared twice"],
)
def test_mistakes_of_rules_are_bounded(mistakes, load):
    rules = f"{mistakes}  rule match:\n      end match drawn\n"
    variant = load(
        f"variant: own\ntitle: T\nplayers: [2]\nteams: {{2: 2}}\n"
        f"pack: {{suits: {{h: hearts}}, ranks: [A]}}\nrules: |\n{rules}"
    )
    with pytest.raises(Rejected) as caught:
        build_program(variant)
    assert len(caught.value.diagnostics) == 100


@pytest.mark.parametrize(("blanks", "helps"), [(300, True), (1_500, False)])
def test_only_short_lines_of_rules_have_a_help(blanks, helps, load):
    """The patterns of helps take seconds for long lines."""
    rules = f"  rule own:\n      if 1{' ' * blanks}= 1: end match drawn\n"
    with pytest.raises(Rejected) as caught:
        load(f"variant: own\ntitle: T\nextends: base\nrules: |\n{rules}")
    (first,) = caught.value.diagnostics
    assert first.code == "syntax" and (first.help is not None) == helps


def test_an_unknown_name_is_compared_with_a_bounded_number_of_names():
    """A thousand unknown names in a file of ten thousand would take minutes."""
    names = [f"name_{number:05}" for number in range(10_000)]
    assert did_you_mean("name_00999x", names) == "did you mean 'name_00999'?"
    assert did_you_mean("name_01000x", names) != "did you mean 'name_01000'?"
