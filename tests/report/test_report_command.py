"""The command `report`, and the command that each page names."""

import json
import pickle
import shlex
from copy import deepcopy

import pytest
from jinja2 import TemplateSyntaxError
from pages import Page
from rendering import BOTH_KINDS

from trutdsl.cli.app import run as command
from trutdsl.files import canonical_json
from trutdsl.language import key_of, say, speaking
from trutdsl.report import page as stored
from trutdsl.report.best_play import command_of_best_play
from trutdsl.report.checks import command_of_comparison
from trutdsl.report.comparison import comparison_lines
from trutdsl.tournaments.merge import Verification
from trutdsl.tournaments.schedule import Chunk


def test_verify_repeats_some_sets_of_a_run(folders, tmp_path):
    pages = []
    for _ in range(2):
        out = tmp_path / "again.html"
        assert command(["report", str(folders["run"]), "-o", str(out), "--verify"]) == 0
        pages.append(out.read_text(encoding="utf-8"))
    assert "sets played again, picked by the seed: all the same" in Page(pages[0]).root.text
    assert pages[0] == pages[1]


def test_a_page_of_forged_sets_says_so_and_fails(folders, tmp_path, monkeypatch, capsys):
    forged = Verification((Chunk(2, 3),), (Chunk(2, 3),))
    monkeypatch.setattr("trutdsl.tournaments.merge.verify", lambda *_, **__: forged)
    out = tmp_path / "forged.html"
    assert command(["report", str(folders["run"]), "-o", str(out), "--verify"]) == 1
    assert (
        "these sets give another result when they are replayed: 2 to 4" in capsys.readouterr().err
    )
    assert "they give another result" in out.read_text(encoding="utf-8")


def test_sweeps_and_ambiguities_have_their_own_commands(results):
    found = deepcopy(results["comparison"])
    found["sweep"] = {"axes": [{"name": "goal", "values": ["3", "5"]}], "cells": []}
    assert command_of_comparison(found).startswith(
        "trutdsl sweep trut --param goal=3,5 --players 2"
    )
    found["sweep"]["axes"] = [{"name": "wild", "values": ["10s,Ah", "none"]}]
    assert " --param 'wild=10s,Ah;none' " in command_of_comparison(found)
    found["sweep"]["axes"] = [{"name": "wild", "values": ["10s", "Ah"]}]  # with a comma, one set
    assert " --param 'wild=10s;Ah' " in command_of_comparison(found)
    del found["sweep"]
    found["readings"] = []
    assert command_of_comparison(found).startswith("trutdsl ambiguities trut --players 2")


def test_the_points_of_a_deal_under_best_play_are_exact():
    asked = {"variants": ["trut"], "parameters": [], "deal": {"petits": 1.0, "longs": 3.0000001}}
    assert command_of_best_play({"given": asked}).endswith(" --deal petits=1,longs=3.0000001")


@BOTH_KINDS
def test_the_command_on_a_page_reproduces_the_results(english_pages, results, kind, tmp_path):
    code = next(Page(english_pages[kind]).root.all("code")).text
    program, *call = shlex.split(code)
    assert program == "trutdsl"
    assert command([*call, "--jobs", "1", "--out", str(tmp_path / "again")]) == 0
    name = {"comparison": "comparison.json", "run": "results.json"}[kind]
    repeated = json.loads((tmp_path / "again" / name).read_text())
    old = results[kind]
    assert {**repeated, "given": None} == {**old, "given": None}


def test_a_comparison_in_an_older_format_is_refused_with_the_command_for_a_new_one(
    results, tmp_path, capsys
):
    old = deepcopy(results["comparison"])
    old["comparison"]["format"] = 2
    (tmp_path / "comparison.json").write_text(json.dumps(old), encoding="utf-8")
    assert command(["report", str(tmp_path)]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert "comparison.json has format 2, and this version of trutdsl reads format 4;" in message
    assert f"make the comparison anew: {command_of_comparison(old)}" in message


def test_best_play_in_an_older_format_is_refused_with_the_command_for_a_new_one(tmp_path, capsys):
    request = {"variants": ["kuhn.yaml"], "parameters": [], "deal": None}
    old = {"best_play": {"format": 1}, "given": request, "variants": []}
    (tmp_path / "best-play.json").write_text(json.dumps(old), encoding="utf-8")
    assert command(["report", str(tmp_path)]) == 2
    message = " ".join(capsys.readouterr().err.split())
    assert "has format 1" in message and "trutdsl compare kuhn.yaml --strategies" in message


def test_the_reason_of_a_missing_point_is_in_the_language_of_the_reader(results):
    found = deepcopy(results["comparison"])
    point = found["differences"][0]["points"][0]
    with speaking("fr"):
        reason = pickle.loads(pickle.dumps(say("counter {name}", name=say("none"))))
        point["why_not"] = json.loads(json.dumps(key_of(reason)))
    key = {"key": "none", "values": {}}
    assert point["why_not"] == {"key": "counter {name}", "values": {"name": key}}
    for language, message in (("en", "counter none"), ("fr", "compteur aucun")):
        with speaking(language):
            text = " ".join(" ".join(comparison_lines(found)).split())
        assert message in text


def test_stored_comparisons_hold_keys_and_no_words(results):
    assert "words" not in json.dumps(results["comparison"])
    assert "deals a match" not in json.dumps(results["comparison"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (None, None, "holds neither comparison.json nor results.json"),
        ("comparison.json", "{", "is damaged: it is not JSON; make the comparison again"),
        ("comparison.json", "[]", "is damaged"),
        ("comparison.json", '{"comparison": NaN}', "found NaN, expected a number"),
        ("comparison.json", '{"comparison": 1e999}', "found 1e999, expected a number"),
        ("comparison.json", '{"comparison": {}}', "is damaged, or was written by another version"),
        ("results.json", "{}", "is damaged, or was written by another version"),
        ("results.json", "\x00", "held` writes it again"),
        ("comparison.json", "[" * 100_000, "is damaged"),
        ("comparison.json", None, "cannot be read"),
    ],
)
def test_a_folder_without_valid_results_is_refused(name, content, message, tmp_path, capsys):
    folder = tmp_path / "held"
    folder.mkdir()
    if name is not None and content is None:
        (folder / name).mkdir()
    elif name is not None:
        (folder / name).write_text(content)
    check_refusal(["report", str(folder)], capsys, message)
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    ("kind", "place", "problem"),
    [
        ("comparison", "render_page", KeyError("cells")),
        ("run", "render_page", TemplateSyntaxError("expected a name", 3)),
        ("run", "run_page", TypeError("no number")),
        ("comparison", "comparison_page", TypeError("no number")),
    ],
)
def test_an_error_of_the_program_is_not_told_as_a_damaged_file(
    folders, monkeypatch, capsys, kind, place, problem
):
    """The results have their form, so nobody is to make them again."""

    def fail(*_args, **_named):
        raise problem

    monkeypatch.setattr(stored, place, fail)
    assert command(["report", str(folders[kind])]) == 1
    errors = capsys.readouterr().err
    assert "this is an error of trutdsl; please report it" in errors and errors.count("\n") == 1
    assert "damaged" not in errors and "again" not in errors


@BOTH_KINDS
def test_results_that_lack_a_field_are_damaged(results, tmp_path, capsys, kind):
    content = deepcopy(results[kind])
    if kind == "run":
        del content["standings"][0]["score"]
    else:
        content["variants"][0]["names"] = 5
    name = {"run": "results.json", "comparison": "comparison.json"}[kind]
    (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    check_refusal(["report", str(tmp_path)], capsys, f"{name} is damaged")


@pytest.mark.parametrize("key", ["engine", "title"])
def test_results_whose_manifest_lacks_a_key_are_damaged(results, tmp_path, capsys, key):
    content = deepcopy(results["run"])
    (tmp_path / "manifest.json").write_text(json.dumps(content["manifest"]), encoding="utf-8")
    del content["manifest"][key]
    (tmp_path / "results.json").write_text(json.dumps(content), encoding="utf-8")
    check_refusal(["report", str(tmp_path)], capsys, "results.json is damaged")


def check_refusal(call, capsys, message):
    code = command(call)
    errors = capsys.readouterr().err
    assert (
        (code, errors.count("\n")) == (2, 1) and errors.startswith("error: ") and message in errors
    )


def test_bad_paths_and_languages_are_refused(folders, tmp_path, capsys, monkeypatch):
    folder = str(folders["run"])
    check_refusal(["report", folder, "-o", str(tmp_path)], capsys, "is a folder")
    missing = str(tmp_path / "no" / "page.html")
    check_refusal(["report", folder, "-o", missing], capsys, "there is no folder")
    check_refusal(["report", folder, "--lang", "de"], capsys, "choose en, fr")
    check_refusal(["report", str(tmp_path / "none")], capsys, "there is no folder ")
    monkeypatch.setattr(stored, "LARGEST", 1000)
    check_refusal(["report", folder], capsys, "at most 1,000 are written")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("journal.sqlite", "tournament; `trutdsl resume {folder}` plays the rest"),
        ("cells", "comparison; the command that began it plays the rest"),
    ],
)
def test_a_stopped_run_has_no_page_yet(name, what, tmp_path, capsys):
    (tmp_path / name).mkdir()
    message = f"{tmp_path} holds an unfinished {what.format(folder=tmp_path)}\n"
    check_refusal(["report", str(tmp_path)], capsys, message)


def test_characters_that_no_page_can_contain_are_refused(results, tmp_path, capsys):
    for bad in ("\\ud800", "\\u0001"):
        text = canonical_json(results["run"]).replace("steady", f"st{bad}")
        (tmp_path / "results.json").write_text(text)
        check_refusal(["report", str(tmp_path)], capsys, "is damaged")
