"""Machine code that is kept: used again when whole, made anew when anything about it is wrong."""

import pytest

from trutdsl.game import load_game
from trutdsl.native import engine
from trutdsl.native.cache import key_of, read_object, write_object


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_kept_code_is_used_again(folder, root, monkeypatch):
    game = load_game(root / "tests/good/words-as-options.yaml")
    first = list(engine.RunCode(game.program, game.setting).run(["uniform"] * 2, 1, 0, 20))
    (entry,) = folder.iterdir()
    monkeypatch.setattr(engine, "optimize", lambda _module: pytest.fail("compiled again"))
    second = list(engine.RunCode(game.program, game.setting).run(["uniform"] * 2, 1, 0, 20))
    assert first == second
    assert entry.suffix == ".o"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda _data: b"",
        lambda data: data[:-1] + bytes([data[-1] ^ 1]),
        lambda data: b"x" + data[1:],
        lambda data: data + b"more",
    ],
)
def test_a_damaged_entry_is_not_used(damage, folder):
    write_object(key_of("text"), b"machine code")
    (entry,) = folder.iterdir()
    assert read_object(key_of("text")) == b"machine code"
    entry.write_bytes(damage(entry.read_bytes()))
    assert read_object(key_of("text")) is None


def test_the_entry_of_another_key_is_not_used(folder):
    write_object(key_of("text"), b"machine code")
    (entry,) = folder.iterdir()
    entry.rename(folder / f"{key_of('other')}.o")
    assert read_object(key_of("other")) is None


def test_without_a_folder_nothing_is_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("TRUTDSL_CACHE", "")
    write_object(key_of("text"), b"machine code")
    assert read_object(key_of("text")) is None
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path / "file"))
    (tmp_path / "file").write_text("no folder")
    write_object(key_of("text"), b"machine code")
    assert read_object(key_of("text")) is None
