"""French results: every text has a translation with the same placeholders."""

import ast
import re
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from tools.messages import all_texts, path_of, read_catalogue, text_of, texts_in
from trutdsl.cli.app import COMMANDS, list_commands, load_command
from trutdsl.cli.app import run as command
from trutdsl.cli.help import paragraphs
from trutdsl.language import figure, say, say_count, speaking, texts, translations
from trutdsl.report.answers import GROUPS, SENTENCES, UNLIKE_CHANGES
from trutdsl.report.best_play import COLUMNS, MEANS, OVERVIEW
from trutdsl.report.best_play import METHOD as SOLVED
from trutdsl.report.comparison_text import CLAIM, OTHER_PACK, PLAIN_CLAIM, PRIMARY_CLAIM, SIZE
from trutdsl.report.comparison_text import METHOD as COMPARED
from trutdsl.report.labels import METRICS, PIECES, VERDICTS, change
from trutdsl.report.rounding import limits, name_metric
from trutdsl.report.tournament_answers import MANY_DEALS, ONE_DEAL, PLAYED, plain_verdict
from trutdsl.report.tournament_text import (
    AT_ONCE,
    DEALS_AT_ONCE,
    DEALS_IN_ROUNDS,
    IN_ROUNDS,
    METHOD,
    OF_MATCHES,
    SAYS,
    forfeit_lines,
)
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.monte_carlo import NAME as MONTE_CARLO
from trutdsl.strategy.spec import DAMAGE, PROCESS_END, OutOfTime
from trutdsl.variant import list_variants, load_variant

JOINED = {  # from constants
    *(text for group in SENTENCES.values() for text in group),
    *UNLIKE_CHANGES.values(),
    *(CLAIM, PRIMARY_CLAIM, AT_ONCE, IN_ROUNDS, OF_MATCHES, OTHER_PACK, ONE_DEAL, MANY_DEALS),
}
SAME_IN_FRENCH = {"", "score", "gain", "place", "points"}


def placeholders(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_placeholders_are_the_same():
    for (_, english), french in translations("fr").items():
        for form in [french] if isinstance(french, str) else french:
            assert placeholders(form) == placeholders(english), english


def test_a_text_without_translation_is_found():
    source = 'text = "one"\nsay("two {n}", n=say_count(n, "rubber", "rubbers"))\nother("three")\n'
    assert {*texts_in(source)} - texts("fr").keys() == {"one", "two {n}", ("rubber", "rubbers")}


@pytest.fixture(scope="module")
def help_texts():
    """Return the help texts of all commands, without examples and values such as `N`."""
    found = set()
    for entry_point in (list_commands(), *map(load_command, COMMANDS)):
        found |= {text for text in paragraphs(entry_point.help) if not text.startswith("Example: ")}
        found |= {
            text for param in entry_point.params for text in (param.help, param.metavar) if text
        }
    return {text for text in found if not re.fullmatch(r"[A-Z](/N|,B.*)?", text)}


@pytest.fixture(scope="module")
def file_texts():
    """Return the sentences about shipped strategies and about counters."""
    specs = map(load_strategy, (*list_strategies(), MONTE_CARLO))
    variants = map(load_variant, list_variants())
    return {spec.summary for spec in specs} | {c.help for v in variants for c in v.counters}


def test_the_catalogue_is_read_as_babel_reads_it(root):
    with (root / "trutdsl" / "translations" / "fr.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    assert translations("fr") == {
        (entry.context, entry.id if isinstance(entry.id, str) else entry.id[0]): entry.string
        for entry in entries
    }


def test_the_catalogue_is_sorted():
    """`python tools/messages.py fr --write` sorts it."""
    assert path_of("fr").read_text("utf-8") == text_of("fr", read_catalogue("fr"))


def test_every_text_has_a_translation(help_texts, file_texts):
    found = {*JOINED, PLAIN_CLAIM, PLAYED, DEALS_AT_ONCE, DEALS_IN_ROUNDS, METHOD, *SAYS.values()}
    found |= {COMPARED, SIZE, *VERDICTS.values()}
    found |= {text for group in GROUPS for text in (group.title, group.about)}
    found |= {*METRICS.values(), *PIECES.values(), SOLVED, MEANS, *OVERVIEW, *COLUMNS}
    found |= {summary for _, summary in COMMANDS.values()}
    found |= {text if isinstance(text, str) else text[0] for text in all_texts()}
    assert len(found) > 200
    found |= help_texts | file_texts
    assert found - SAME_IN_FRENCH - texts("fr").keys() == set()


def test_every_count_has_both_forms_in_french():
    singulars = {text[0] for text in all_texts() if isinstance(text, tuple)}
    assert len(singulars) > 15
    assert {text for text in singulars if isinstance(texts("fr").get(text), str)} == set()


def test_no_translation_is_stale(root, help_texts, file_texts):
    used = {*JOINED, *help_texts, *file_texts}
    pages = "".join(file.read_text("utf-8") for file in (root / "trutdsl").rglob("*.html"))
    for file in (root / "trutdsl").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                used.add(node.value)
    known = {text for context, text in translations("fr") if context != "reason"}
    assert {text for text in known - used if text not in pages} == set()


def test_every_kind_of_fault_has_a_translation():
    """The kinds are those of the code that calls strategies."""
    kinds = {OutOfTime.kind, PROCESS_END, DAMAGE}
    kinds |= {"chose no legal action", "does not choose the same again"}
    for kind in (*kinds, "failed", "raised ValueError"):
        fault = {"strategy": "a", "kind": kind, "matches": 2}
        first = {"match": 3, "seat": 0, "strategies": ["a", "b"]}
        manifest = {"variant": {"name": "trut", "players": 2}, "seed": 1}
        manifest |= {"mode": "matches", "score": [], "move_timeout": 10.0}
        results = {"faults": [{**fault, "first": first}], "manifest": manifest}
        english, _ = forfeit_lines(results)
        assert f"it {kind}," in english
        with speaking("fr"):
            french, _ = forfeit_lines(results)
        assert kind not in french and "déclaré forfait dans 2 parties" in french


def test_numbers_have_a_decimal_comma_in_french():
    estimate = {"mean": 0.5, "low": 0.25, "high": 0.75}
    assert limits(estimate, ".2f") == "0.25 to 0.75" and figure(0.5, ".1f") == "0.5"
    with speaking("fr"):
        assert limits(estimate, ".2f") == "0,25 à 0,75" and figure(0.5, ".1f") == "0,5"
        assert say_count(20_000, "match", "matches") == "20\u00a0000 parties"
        assert say_count(3, "match", "matches") == "3 parties"
        assert (
            name_metric({"metric": "2 longs + petits", "mode": "matches"})
            == "points (2 longs + petits) pour 100 parties"
        )
    assert say("none") == "none"


@pytest.mark.parametrize("zero", [-0.0, -0.0004, -0.04])
def test_a_rounded_zero_has_no_sign(zero):
    for form, text in {".1f": "0.0", "+.1f": "0.0", ",.0f": "0", "+.0f": "0"}.items():
        assert figure(zero, form) == text
    assert figure(-0.0, ".3g") == "0" and figure(-0.0001, "+.0%") == "0%"
    assert figure(-1, "d") == "-1" and figure(-0.06, "+.1f") == "-0.1"
    row = {"kind": "share", "difference": {"mean": zero / 100, "low": -0.2, "high": 0.3}}
    assert change(row).startswith("0 in 100 (-20 to +30)")
    with speaking("fr"):
        assert figure(zero, "+.1f") == "0,0"


def results_of_two(separated, names, difference):
    """Return results of steady and caller, with `names` in the order of the standings."""
    contrast = {"first": "steady", "second": "caller", "difference": difference}
    return {
        "standings": [{"strategy": name} for name in names],
        "contrasts": [{**contrast, "separated": separated}],
        "stop": None,
        "manifest": {"meetings": {}, "metric": "petits", "mode": "deals"},
    }


def test_the_first_by_points_need_not_be_better():
    """In rounds, points decide the places, and lots break ties."""
    results = results_of_two(
        True, ("caller", "steady"), {"mean": 0.091, "low": 0.087, "high": 0.095}
    )
    assert [*plain_verdict(results)] == [
        "steady is better than caller: 9.1 petits per 100 deals more (8.7 to 9.5)."
    ]


@pytest.mark.parametrize("separated", [True, False])
def test_the_sentence_in_french(separated):
    difference = {"mean": 0.091, "low": 0.087, "high": 0.095}
    results = results_of_two(separated, ("steady", "caller"), difference)
    with speaking("fr"):
        (sentence,) = plain_verdict(results)
    amount = "9,1 petits pour 100 manches de plus (8,7 à 9,5)."
    if separated:
        assert sentence == f"steady est meilleure que caller\u00a0: {amount}"
    else:
        assert sentence == f"On ne peut départager steady et caller\u00a0: {amount}"


def test_a_metric_of_several_counters_is_called_points():
    assert name_metric({"metric": "petits", "mode": "deals"}) == "petits per 100 deals"
    several = {"metric": "3 longs + petits", "mode": "deals"}
    assert name_metric(several) == "points (3 longs + petits) per 100 deals"
    with speaking("fr"):
        double = {"metric": "2 petits", "mode": "matches"}
        assert name_metric(double) == "points (2 petits) pour 100 parties"


def test_planning_merging_and_verifying_are_in_french(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for part in ("1", "2"):
        call = f"tournament trut --strategies uniform,quiet --sets 4 --shard {part}/2 --out p{part}"
        assert command([*call.split(), "--jobs", "1"]) == 0
    capsys.readouterr()
    assert command(["merge", "p1", "--out", "half", "--lang", "fr"]) == 1
    assert "2 séries sont à jouer encore\u00a0; trutdsl resume half" in capsys.readouterr().err
    assert command(["merge", "p1", "p2", "--out", "whole", "--lang", "fr"]) == 0
    assert "tirage 1, variante" in capsys.readouterr().out
    assert command(["verify", "whole", "--jobs", "1", "--lang", "fr"]) == 0
    assert capsys.readouterr().out.startswith("whole\u00a0: bon, ")
    call = "plan trut --strategies uniform,quiet --detect 0.2 --pilot 8 --jobs 1 --lang fr"
    assert command(call.split()) == 0
    output = capsys.readouterr().out
    assert output.startswith("essai\u00a0: 8 séries, 16 parties, ") and "pour toutes" in output
    assert "sur 100 parties" in output and "sets" not in output


@pytest.mark.parametrize(
    ("word", "value", "elided"),
    [
        ("de", "actuary", "d'actuary"),
        ("De", "équipe 2", "D'équipe 2"),
        ("que", "elle", "qu'elle"),
        ("la", "option", "l'option"),
        ("de", "steady", "de steady"),
        ("de", "le donneur", "du donneur"),
        ("à", "les {deux}", "aux {deux}"),
        ("de", "oui", "de oui"),
        ("de", "A♥", "de A♥"),
        ("de", "11", "de 11"),
        ("avec", "actuary", "avec actuary"),
    ],
)
def test_a_word_is_elided_or_contracted_before_a_value(word, value, elided):
    text = f"x {word} {{value}} ({{other}})"
    with speaking("fr"):
        assert say(text, value=value, other=1) == f"x {elided} (1)"
        assert say_count(1, text, text, value=value, other=1) == f"1 x {elided} (1)"
    assert say(text, value=value, other=1) == f"x {word} {value} (1)"


# Calls with a message, and its position among their arguments.
TAKES_MESSAGE = {
    "error": 1, "reject": 1, "mistake": 1, "_error": 0, "Note": 0, "BadUsage": 0, "Failure": 0,
}  # fmt: skip
ENGLISH_ONLY = {
    "api",
    "learning",
    "native",
    "bench",
}  # for programs, or reported by the reference engine
PYTHON_MODULES = {
    "arguments.py", "counts.py", "frames.py", "objects.py", "opponents.py", "state.py", "view.py",
    "streams.py",
}  # fmt: skip


def find_untranslated(source):
    """Yield the literal texts of messages or help that do not go through `say`."""
    for node in ast.walk(ast.parse(source)):
        found = []
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in TAKES_MESSAGE:
                found += node.args[TAKES_MESSAGE[name] :][:1]
                found += [one.value for one in node.keywords if one.arg == "help"]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found += [node.value] if node.targets[0].id in ("message", "help_") else []
        for one in found:
            parts = one.values if isinstance(one, ast.JoinedStr) else [one]
            literals = (str(part.value) for part in parts if isinstance(part, ast.Constant))
            text = re.sub("`[^`]*(`|$)", "", "X".join(literals))
            if re.search("[a-z]{2,} [a-z]{2,}|^[a-z]+ ?$", text):
                yield text


def test_every_message_goes_through_the_catalogue(root):
    assert list(find_untranslated('x.error("type", f"{name} has one value", here)')) == [
        " has one value"
    ]
    files = [
        file
        for file in (root / "trutdsl").rglob("*.py")
        if ENGLISH_ONLY.isdisjoint(file.parts) and file.name not in PYTHON_MODULES
    ]
    found = {(f.name, text) for f in files for text in find_untranslated(f.read_text("utf-8"))}
    assert found == set()
