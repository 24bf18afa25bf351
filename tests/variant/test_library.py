"""The library of shipped files."""

from __future__ import annotations

from pathlib import Path

import pytest

import trutdsl
from trutdsl.files import shipped_folder
from trutdsl.variant import Library, list_variants, shipped_library
from trutdsl.variant.read_file import LocatedFile


def test_variants_are_in_the_folder_and_modules_in_subfolders(library):
    assert list_variants(library) == ("base", "decks")
    assert library.modules() == ("lib/birds", "lib/owl")


def test_a_name_is_found(library):
    expected = LocatedFile(library.folder / "lib/owl.yaml", "library/lib/owl.yaml")
    assert library.find("lib/owl") == expected
    assert library.find("owl") is None


def test_a_bare_name_suggests_the_file_in_a_subfolder(library):
    names = library.variants()
    assert library.did_you_mean("owl", names) == "did you mean 'lib/owl'?"
    assert library.did_you_mean("basse", names) == "did you mean 'base'?"
    assert library.did_you_mean("wholly-else", names) is None
    assert library.did_you_mean("two packs", names) == "did you mean 'decks'?"  # its title
    shipped = shipped_library()
    for meant in ("Truc as played in Catalonia", "Catalan"):
        assert shipped.did_you_mean(meant, shipped.variants()) == "did you mean 'truc-catalan'?"


@pytest.mark.parametrize(
    "ref",
    ["", ".", "..", "../library/base", "lib/../base", "/etc/passwd", "lib//owl", "Base", "base\0"],
)
def test_no_name_leads_out_of_the_folder(ref, library):
    assert library.find(ref) is None


def test_a_file_that_is_no_text_hides_no_other_one(tmp_path):
    (tmp_path / "house.yaml").write_bytes(b"title: caf\xe9\n")
    (tmp_path / "folder.yaml").mkdir()
    library = Library(tmp_path)
    assert library.did_you_mean("hose", library.variants()) == "did you mean 'house'?"
    assert library.variants() == ("house",)


def test_a_missing_folder_is_an_empty_library(tmp_path):
    empty = Library(tmp_path / "none")
    assert (empty.variants(), empty.modules(), empty.find("base")) == ((), (), None)


def test_shipped_files_are_inside_the_package_or_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(trutdsl, "__file__", str(tmp_path / "trutdsl" / "__init__.py"))
    assert shipped_folder("variants") == tmp_path / "variants"
    inside = tmp_path / "trutdsl" / "shipped" / "variants"
    inside.mkdir(parents=True)
    assert shipped_folder("variants") == inside
    assert shipped_folder("strategies") == tmp_path / "strategies"
    assert shipped_library() == Library(inside, "variants")


def test_the_shipped_folders_exist():
    assert shipped_folder("variants").is_dir()
    assert shipped_folder("strategies").is_dir()
    assert Path(shipped_folder("variants")).name == "variants"
