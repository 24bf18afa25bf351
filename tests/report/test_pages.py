"""Pages of comparisons and tournaments: whole, alone, with the right numbers, in two languages."""

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from base64 import b64decode
from copy import deepcopy
from html import unescape
from io import StringIO
from itertools import pairwise
from math import log10

import pytest
from pages import Page, marks

from trutdsl.arena.folder import canonical_json
from trutdsl.cli.app import run as command
from trutdsl.report import language
from trutdsl.report.comparison import comparison_lines
from trutdsl.report.conclusion import conclusion
from trutdsl.report.html import stored
from trutdsl.report.html.again import again_comparison
from trutdsl.report.html.check_comparison import check_comparison
from trutdsl.report.html.check_run import check_run
from trutdsl.report.html.comparison import comparison_page
from trutdsl.report.html.page import render_page
from trutdsl.report.html.run import run_page
from trutdsl.report.standings import told_lines

COMPARE = "compare trut trut-gatinaise --players 2 --sets 8 --jobs 1"
TOURNAMENT = "tournament trut --strategies steady,caller,quiet --sets 8 --jobs 1"
HOSTILE = """</title><script src="http://x.invalid">$x^2$ 'é' & <b>"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Return the folders of a comparison and of a tournament."""
    root = tmp_path_factory.mktemp("held")
    assert command([*COMPARE.split(), "--out", str(root / "compared")]) == 0
    assert command([*TOURNAMENT.split(), "--out", str(root / "run")]) == 0
    return {"comparison": root / "compared", "run": root / "run"}


@pytest.fixture(scope="module")
def results(folders):
    """Return what the two came to."""
    files = {"comparison": "comparison.json", "run": "results.json"}
    return {kind: json.loads((folders[kind] / name).read_text()) for kind, name in files.items()}


@pytest.fixture(scope="module")
def written(folders):
    """Return the pages of the two, in English."""
    return {kind: stored.write_up(folder, "en") for kind, folder in folders.items()}


def rendered(results, spoken="en"):
    with language.speaking(spoken, language.NARROW):
        page = comparison_page(results) if "comparison" in results else run_page(results, None)
        return render_page(page, spoken)


BOTH = pytest.mark.parametrize("kind", ["comparison", "run"])


@BOTH
def test_a_page_is_well_formed_and_can_be_read_aloud(written, kind):
    root = Page(written[kind]).root
    (html,) = root.all("html")
    assert html.attributes["lang"] == "en"
    ids = [e.attributes["id"] for e in root.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    for element in root.all():
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(element.attributes.get(name, "").split()) <= set(ids)
        if element.attributes.get("href", "").startswith("#"):
            assert element.attributes["href"][1:] in ids
    for table in root.all("table"):
        assert next(table.all("caption")).text.strip()
        assert all(cell.attributes["scope"] in ("col", "row") for cell in table.all("th"))
        widths = {len(row.children) for row in table.all("tr")}
        assert len(widths) == 1
    for svg in root.all("svg"):
        assert svg.attributes["role"] == "img"
        assert next(svg.all("title")).text.strip() and next(svg.all("desc")).text.strip()
    levels = [int(e.tag[1]) for e in root.all() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@BOTH
def test_nothing_is_asked_of_the_network(written, kind):
    page = written[kind]
    assert "http:" not in page and "https:" not in page and "<script" not in page
    assert "url(//" not in page and "@import" not in page
    for element in Page(page).root.all():
        for name in ("href", "src", "action", "data", "poster", "srcset"):
            found = element.attributes.get(name, "#")
            assert found.startswith(("#", "data:")), found
    assert len(page.encode()) < stored.LARGEST / 3


def test_what_is_drawn_of_a_comparison_is_what_it_came_to(written, results):
    root = Page(written["comparison"]).root
    for number, difference in enumerate(results["comparison"]["differences"]):
        rows = {row["metric"]: row for row in difference["metrics"]}
        for width in ("wide", "narrow"):
            found = list(marks(root, f"difference{number}-{width}"))
            assert len(found) > 10
            places = []
            for data, ends in found:
                row = rows[data["metric"]]
                assert float(data["margin"]) == row["margin"]
                for name in ("mean", "low", "high"):
                    assert float(data[name]) == row["difference"][name]
                places += [
                    (scaled(row["difference"][end] / row["margin"]), x)
                    for end, x in zip(("low", "high"), ends, strict=True)
                ]
            assert_on_one_scale(places)


def scaled(value):
    """Return where a value stands on a scale that is logarithmic beyond 2."""
    if abs(value) <= 2:
        return value / 2 / 0.9
    return (1 / 0.9 + log10(abs(value) / 2)) * (1 if value > 0 else -1)


def assert_on_one_scale(places):
    """Fail unless all places x lie on one line over their values, to a tenth of a point."""
    (least, left), (most, right) = min(places), max(places)
    for value, x in places:
        expected = left + (right - left) * (value - least) / (most - least)
        assert x == pytest.approx(expected, abs=0.1)


def test_what_is_drawn_of_lengths_is_what_was_counted(written, results):
    root = Page(written["comparison"]).root
    variants = results["comparison"]["variants"]
    for what in ("deals", "decisions"):
        found = list(marks(root, f"lengths-{what}-wide"))
        assert [data["counts"].split() for data, _ in found] == [
            list(map(str, variant["lengths"][what]["matches"])) for variant in variants
        ]
    link = next(root.all("a", download="lengths.csv")).attributes["href"]
    rows = list(csv.DictReader(StringIO(b64decode(link.partition(",")[2]).decode())))
    for variant in variants:
        for what in ("deals", "decisions"):
            of = [r for r in rows if (r["variant"], r["what"]) == (variant["name"], what)]
            assert sum(int(r["matches"]) for r in of) == variant["matches"]
            assert all(float(r["low"]) <= float(r["share"]) <= float(r["high"]) for r in of)


def test_quantiles_stand_beside_their_intervals(written, results):
    root = Page(written["comparison"]).root
    variant = results["comparison"]["variants"][1]
    for what, caption in (("deals", "Deals a match"), ("decisions", "Decisions a match")):
        table = next(t for t in root.all("table") if next(t.all("caption")).text == caption)
        row = [cell.text for cell in list(table.all("tr"))[2].children]
        assert row[0] == variant["name"]
        for cell, one in zip(row[2:5], variant["lengths"][what]["quantiles"], strict=True):
            assert cell == f"{one['value']} ({one['low']} to {one['high']})"


def test_what_is_drawn_of_a_tournament_is_what_it_came_to(written, results):
    root, known = Page(written["run"]).root, results["run"]
    scores = {row["strategy"]: row["score"] for row in known["standings"]}
    found = list(marks(root, "scores-wide"))
    assert {data["strategy"] for data, _ in found} == set(scores)
    for data, _ in found:
        assert all(float(data[x]) == scores[data["strategy"]][x] for x in ("mean", "low", "high"))
    assert_on_one_scale(
        [(float(d[end]), x) for d, e in found for end, x in zip(("low", "high"), e, strict=True)]
    )
    pairs = {(c["first"], c["second"]): c["difference"] for c in known["contrasts"]}
    turned = {
        (b, a): {"mean": -d["mean"], "low": -d["high"], "high": -d["low"]}
        for (a, b), d in pairs.items()
    }
    found = list(marks(root, "contrasts-narrow"))
    assert len(found) == len(pairs)
    for data, _ in found:
        expected = (pairs | turned)[data["first"], data["second"]]
        assert all(float(data[name]) == expected[name] for name in ("mean", "low", "high"))
    assert_on_one_scale(
        [(float(d[end]), x) for d, e in found for end, x in zip(("low", "high"), e, strict=True)]
    )


@BOTH
def test_tables_stand_in_the_page_as_csv(written, folders, kind):
    names = {"comparison": ["metrics.csv", "ledger.csv"], "run": ["standings.csv", "pairs.csv"]}[
        kind
    ]
    links = {
        e.attributes["download"]: e
        for e in Page(written[kind]).root.all("a")
        if "download" in e.attributes
    }
    for name in names:
        head, _, content = links[name].attributes["href"].partition(",")
        assert head == "data:text/csv;charset=utf-8;base64"
        assert b64decode(content).decode() == (folders[kind] / name).read_text()


def test_shares_won_from_scores_stand_in_cells_and_csv(written, results):
    root = Page(written["comparison"]).root
    variant = results["comparison"]["variants"][0]
    won = variant["scores"]["longs"]["won"]
    table = next(t for t in root.all("table") if next(t.all("caption")).text == "trut: longs")
    cells = [[cell.text for cell in row.all("td")] for row in next(table.all("tbody")).all("tr")]
    size = len(cells)
    assert cells == [
        ["" if won[i][j] is None else f"{100 * won[i][j]:.0f}" for j in range(size)]
        for i in range(size)
    ]
    link = next(root.all("a", download="scores.csv")).attributes["href"]
    rows = list(csv.DictReader(StringIO(b64decode(link.partition(",")[2]).decode())))
    deals = sum(int(r["deals"]) for r in rows if (r["variant"], r["counter"]) == ("trut", "longs"))
    assert deals == variant["deals"]


def test_what_is_drawn_of_a_sweep_is_what_it_came_to(results):
    swept = deepcopy(results["comparison"])
    cells = {"3": swept["variants"][0], "5": swept["variants"][1]}
    swept["sweep"] = {
        "axes": [{"name": "goal", "values": list(cells)}],
        "cells": [{"name": v["name"], "values": {"goal": x}} for x, v in cells.items()],
    }
    root = Page(rendered(swept)).root
    assert next(root.all("h1")).text == "trut by goal"
    found = list(marks(root, "sweep0-wide"))
    expected = [metric({"variants": [v]}, "length.deals") for v in cells.values()]
    for (data, _), one in zip(found, expected, strict=True):
        assert all(float(data[name]) == one[name] for name in ("mean", "low", "high"))
    french = Page(rendered(swept, "fr")).root
    assert next(french.all("h1")).text == "trut selon goal"
    assert "cells" not in french.text


def test_a_sweep_over_two_parameters_is_a_map_with_intervals(results):
    swept = deepcopy(results["comparison"])
    names = [variant["name"] for variant in swept["variants"][:2]]
    swept["sweep"] = {
        "axes": [{"name": "goal", "values": ["3", "5"]}, {"name": "late", "values": ["off"]}],
        "cells": [
            {"name": name, "values": {"goal": goal, "late": "off"}}
            for name, goal in zip(names, ("3", "5"), strict=True)
        ],
    }
    root = Page(rendered(swept)).root
    table = next(t for t in root.all("table") if "deals a match" in next(t.all("caption")).text)
    rows = [[cell.text for cell in row.children] for row in next(table.all("tbody")).all("tr")]
    assert [row[0] for row in rows] == ["goal = 3", "goal = 5"]
    for row, variant in zip(rows, swept["variants"], strict=False):
        mean, low, high = map(float, re.fullmatch(r"(\S+) \((\S+) to (\S+)\)", row[1]).groups())
        one = metric({"variants": [variant]}, "length.deals")
        expected = [one[x] for x in ("mean", "low", "high")]
        assert [mean, low, high] == pytest.approx(expected, abs=0.5)


def test_each_reading_of_unclear_rules_is_told(results):
    found = deepcopy(results["comparison"])
    found["readings"] = [
        {"parameter": f"p{n}", "value": "on", "default": "off", "help": f"Help {n}.",
         "name": difference["variant"]}
        for n, difference in enumerate(found["differences"])
    ]  # fmt: skip
    row = next(r for r in found["differences"][0]["metrics"] if r["margin"])
    row["verdict"] = "differs"
    root = Page(rendered(found)).root
    assert next(root.all("h1")).text == "What is unclear in trut"
    summary = next(root.all("section", id="summary"))
    assert "p0 = on instead of off: it matters" in summary.text
    assert row["words"] in summary.text and "Help 0." in summary.text
    french = Page(rendered(found, "fr")).root.text
    assert "au lieu de" in french and "it matters" not in french


@pytest.mark.parametrize("rule", ["test", "precision"])
def test_the_path_of_a_run_is_drawn(results, rule):
    found = deepcopy(results["run"])
    path = [[64, 0.5], [128, 1.25], [192, None]]
    names = [row["strategy"] for row in found["standings"][:2]]
    found["stop"] = {
        "test": {
            "test": names,
            "margin": 0.1,
            "bounds": [-2.9, 2.9],
            "ratio": 1.25,
            "says": "open",
        },
        "precision": {"precision": 0.1, "reached": 1.25},
    }[rule] | {"path": path}
    root = Page(rendered(found)).root
    ((data, _),) = marks(root, "path-wide")
    assert (data["sets"], data["seen"]) == ("64 128", "0.5 1.25")
    (link,) = [a for a in root.all("a") if a.attributes.get("download") == "path.csv"]
    content = link.attributes["href"].partition(",")[2]
    assert b64decode(content).decode() == "sets,seen\n64,0.5\n128,1.25\n"
    assert "Quand cela" in Page(rendered(found, "fr")).root.text


def test_what_was_played_again_otherwise_stands_in_red(results):
    told = [c for c in check_run(results["run"], True) if "again" in c.text]
    assert [c.holds for c in told] == [True]
    wrong = [c for c in check_run(results["run"], False) if not c.holds]
    assert ["again" in c.text for c in wrong] == [True]


def test_some_of_a_run_is_played_again_if_it_is_asked_for(folders, tmp_path):
    pages = []
    for _ in range(2):
        out = tmp_path / "again.html"
        assert command(["report", str(folders["run"]), "-o", str(out), "--verify"]) == 0
        pages.append(out.read_text(encoding="utf-8"))
    assert "sets played again, picked by the seed: all the same" in Page(pages[0]).root.text
    assert pages[0] == pages[1]


def test_sweeps_and_ambiguities_have_commands_of_their_own(results):
    found = deepcopy(results["comparison"])
    found["sweep"] = {"axes": [{"name": "goal", "values": ["3", "5"]}], "cells": []}
    assert again_comparison(found).startswith("trutdsl sweep trut --param goal=3,5 --players 2")
    del found["sweep"]
    found["readings"] = []
    assert again_comparison(found).startswith("trutdsl ambiguities trut --players 2")


def test_what_is_said_stands_in_cells(written, results):
    root = Page(written["comparison"]).root
    variant = results["comparison"]["variants"][0]
    captions = {"rate": "of 100 such hands", "wins": "of 100 deals in which it is said"}
    for name, caption in captions.items():
        table = next(
            t for t in root.all("table") if f"trut: {caption}" in next(t.all("caption")).text
        )
        cells = [cell.text for cell in next(table.all("tbody")).all("td")]
        found = [row[name] for row in variant["ledger"]]
        assert cells == ["" if x is None else f"{100 * x['mean']:.0f}" for x in found]
        assert len(set(cells)) > 5


def test_points_that_do_more_together_are_told_on_the_page(results):
    found = deepcopy(results["comparison"])
    of = found["differences"][0]
    row = next(r for r in of["metrics"] if r["metric"] == "length.deals")
    one = {**row, "added": row["difference"], "whole": row["difference"], "p": 0.0}
    of["together"] = [{**one, "clear": True}]
    said = Page(rendered(found)).root.text
    assert "Together they do more, or less, than one after the other:" in said
    assert "where the points add up to" in said
    of["together"] = [{**one, "clear": False}]
    assert "Together they do what they do alone" in Page(rendered(found)).root.text


def test_what_is_open_beside_an_interval_without_0_is_explained(results):
    found = deepcopy(results["comparison"])
    row = next(r for r in found["differences"][0]["metrics"] if r["margin"])
    row["verdict"] = "not told apart"
    row["difference"].update(mean=2.0, low=1.0, high=3.0)
    says = "not told apart: by itself it differs, among so many that may be chance"
    beside = Page(rendered(found)).root.text.count(says)
    row["difference"].update(low=-1.0)
    assert Page(rendered(found)).root.text.count(says) == beside - 1


def test_a_page_says_what_the_terminal_says(written, results):
    said = " ".join(Page(written["comparison"]).root.text.split())
    for line in comparison_lines(results["comparison"]):
        if line.endswith(("from trut", "ranked alike", "reversed")):
            assert line.strip() in said
    (difference,) = results["comparison"]["differences"]
    assert conclusion(difference, list(results["comparison"]["comparison"]["strategies"])) in said
    assert all(variant["title"] in said for variant in results["comparison"]["variants"])
    said = Page(written["run"]).root.text
    assert all(line in said for line in told_lines(results["run"], True))


AGAIN = """
import sys
from trutdsl.cli.app import run
for kind, folder in zip(("comparison", "run"), sys.argv[1:]):
    assert run(["report", folder, "-o", f"{kind}.html"]) == 0
"""


def test_the_same_results_give_the_same_bytes_anywhere(written, folders, tmp_path):
    """In a process of its own, with other hashes, in another folder, with a wild matplotlibrc."""
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nlines.linewidth: 9\n")
    subprocess.run(
        [sys.executable, "-c", AGAIN, *map(str, folders.values())],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    for kind, page in written.items():
        assert (tmp_path / f"{kind}.html").read_text(encoding="utf-8") == page


@BOTH
def test_names_are_shown_and_do_nothing(results, kind):
    text = json.dumps(results[kind])
    old = {
        "comparison": ["trut-gatinaise", "steady", "longs", "respond"],
        "run": ["steady", "goal"],
    }
    for name in old[kind]:
        text = text.replace(name, json.dumps(f"{name}{HOSTILE}")[1:-1])
    page = rendered(json.loads(text))
    root = Page(page).root
    assert not list(root.all("script")) and not list(root.all("b"))
    assert (
        len(
            list(
                root.all(
                    "title",
                )
            )
        )
        > 1
        and HOSTILE in root.text
    )
    assert unescape(page).count("<script") > page.count("<script") == 0


@BOTH
def test_every_text_is_known_in_french(results, kind, monkeypatch):
    missing = set()

    class Noting(dict):
        def get(self, text, default=None):
            if text not in self:
                missing.add(text)
            return super().get(text, default)

    monkeypatch.setattr(language, "IN_FRENCH", Noting(language.IN_FRENCH))
    found = deepcopy(results[kind])
    for variant in found.get("variants", ()):
        variant["same_pack"] = False
    page = rendered(found, "fr")
    assert missing - {"", "score", "gain", "place", "points"} == set()
    root = Page(page).root
    assert next(root.all("html")).attributes["lang"] == "fr"
    assert "intervalle" in root.text and "deals a match" not in root.text
    assert "the question" not in root.text
    prose = root.text
    for code in root.all("code"):
        prose = prose.replace(code.text, "")
    assert re.findall(r".{9} [:;?!»%].{9}|« ", prose) == [] and "\u202f:" in prose


def test_metrics_of_every_shipped_variant_are_known_in_french(root):
    from trutdsl.comparison.metrics import metrics_of
    from trutdsl.game import load_game
    from trutdsl.stats.design import round_robin

    for file in sorted((root / "variants").glob("*.yaml")):
        game = load_game(file.stem).measuring()
        for metric in metrics_of(game.count_plan, round_robin(2, 2)).values():
            for text in (metric.words, metric.about):
                with language.speaking("fr"):
                    known = language.tell_again(text)
                assert known != text or text in game.count_plan.counters, text


def lengths(results, what):
    return results["variants"][0]["lengths"][what]["matches"]


DAMAGED = {
    "sets played again": lambda r: r["variants"][1]["again"].update(same=False),
    "matches by their deals": lambda r: lengths(r, "deals").__setitem__(2, 10**6),
    "matches by their decisions": lambda r: lengths(r, "decisions").__setitem__(2, 10**6),
    "decisions by the length": lambda r: r["variants"][0].update(decisions=10**9),
    "deals by the length": lambda r: r["variants"][0].update(deals=10**9),
    "shares of how deals end": lambda r: metric(r, "ends.played").update(mean=0.99, high=1),
    "shares of answers": lambda r: r["variants"][0]["metrics"].append(
        {**metric(r, "answer.respond."), "metric": "answer.respond.other"}
    ),
    "shares from 0 to 1": lambda r: metric(r, "tied_tricks").update(mean=1.5, high=2),
    "the first seat wins": lambda r: metric(r, "first_seat").update(mean=0.9, high=1, se=0.01),
    "shares won from each score": lambda r: won(r).__setitem__(0, 1.2),
    "deals by score": lambda r: deals(r).__setitem__(0, 10**9),
    "what one strategy has more": lambda r: r["variants"][0]["payoffs"][0].__setitem__(1, 0.9),
    "differences are those": lambda r: r["differences"][0]["metrics"][0]["difference"].update(
        mean=99.0, high=100.0
    ),
}


def metric(results, name):
    found = results["variants"][0]["metrics"]
    return next(m for m in found if m["metric"].startswith(name))


def won(results):
    return results["variants"][0]["scores"]["longs"]["won"][0]


def deals(results):
    return results["variants"][0]["scores"]["longs"]["deals"][0]


@pytest.mark.parametrize("check", DAMAGED)
def test_a_comparison_that_contradicts_itself_is_told_of(results, check):
    damaged = deepcopy(results["comparison"])
    assert broken(check_comparison(damaged)) == []
    DAMAGED[check](damaged)
    assert any(check in text for text in broken(check_comparison(damaged)))


def broken(checks):
    return [check.text for check in checks if not check.holds]


RUN_DAMAGED = {
    "all matches of a strategy": lambda r: r["standings"][0].update(won=0),
    "all matches of a pair": lambda r: r["pairs"][0].update(lost=0, won=0),
    "come to all deals": lambda r: r["run"].update(deals=7),
    "come to all decisions": lambda r: r["run"].update(decisions=7),
    "scores from 0 to 1": lambda r: r["standings"][0]["score"].update(mean=1.2),
    "scores of all seats": lambda r: r["run"]["team_scores"][1].update(mean=0.7),
    "what one of a pair": lambda r: r["pairs"][0]["score"].update(mean=0.99),
    "the team of seat 0": lambda r: r["run"]["team_scores"][0].update(mean=0.9, se=0.01),
}


@pytest.mark.parametrize("check", RUN_DAMAGED)
def test_a_run_that_contradicts_itself_is_told_of(results, check):
    damaged = deepcopy(results["run"])
    assert broken(check_run(damaged)) == []
    RUN_DAMAGED[check](damaged)
    assert any(check in text for text in broken(check_run(damaged)))


@BOTH
def test_what_contradicts_itself_stands_above_all_else(results, kind):
    assert failed(results[kind]) == []
    damaged = deepcopy(results[kind])
    one = {"comparison": DAMAGED["deals by the length"], "run": RUN_DAMAGED["come to all deals"]}
    one[kind](damaged)
    (told,) = failed(damaged)
    assert "come to all deals" in told


def failed(results):
    """Return what stands in red above all else."""
    body = next(Page(rendered(results)).root.all("body"))
    above = []
    for element in body.children:
        if element.tag == "nav":
            return above
        if element.attributes.get("class") == "failed":
            above += [item.text for item in element.all("li")]
    raise AssertionError("no contents")


@BOTH
def test_the_command_in_a_page_makes_the_results_again(written, results, kind, tmp_path):
    code = next(Page(written[kind]).root.all("code")).text
    program, *call = shlex.split(code)
    assert program == "trutdsl"
    assert command([*call, "--jobs", "1", "--out", str(tmp_path / "again")]) == 0
    name = {"comparison": "comparison.json", "run": "results.json"}[kind]
    again = json.loads((tmp_path / "again" / name).read_text())
    old = results[kind]
    assert {**again, "given": None} == {**old, "given": None}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (None, None, "holds neither comparison.json nor results.json"),
        ("comparison.json", "{", "is damaged"),
        ("comparison.json", "[]", "is damaged"),
        ("comparison.json", '{"comparison": NaN}', "found NaN, expected a number"),
        ("comparison.json", '{"comparison": {}}', "is damaged, or was written by another version"),
        ("results.json", "{}", "is damaged, or was written by another version"),
        ("results.json", "\x00", "is damaged"),
        ("comparison.json", "[" * 100_000, "is damaged"),
        ("comparison.json", None, "cannot be read"),
    ],
)
def test_what_is_no_result_is_refused(name, content, told, tmp_path, capsys):
    folder = tmp_path / "held"
    folder.mkdir()
    if name is not None and content is None:
        (folder / name).mkdir()
    elif name is not None:
        (folder / name).write_text(content)
    assert refused(["report", str(folder)], capsys, told)
    assert not (folder / "report.html").exists()


def refused(call, capsys, told):
    code = command(call)
    said = capsys.readouterr().err
    assert (code, said.count("\n")) == (2, 1) and said.startswith("error: ") and told in said
    return True


def test_places_and_languages_that_are_none_are_refused(folders, tmp_path, capsys, monkeypatch):
    folder = str(folders["run"])
    assert refused(["report", folder, "-o", str(tmp_path)], capsys, "is a folder")
    missing = str(tmp_path / "no" / "page.html")
    assert refused(["report", folder, "-o", missing], capsys, "lies in no folder")
    assert refused(["report", folder, "--lang", "de"], capsys, "choose en or fr")
    assert refused(["report", str(tmp_path / "none")], capsys, "holds neither")
    monkeypatch.setattr(stored, "LARGEST", 1000)
    assert refused(["report", folder], capsys, "at most 1,000 are written")


def test_where_there_is_no_room_the_table_leaves_out_points(written, folders, monkeypatch):
    monkeypatch.setattr(stored, "LARGEST", len(written["comparison"].encode()) - 1)
    brief = stored.write_up(folders["comparison"], "en")
    assert "There is no room here for the points of variants" in brief
    points = [
        {row["point"] for row in csv.DictReader(StringIO(table_in(page)))}
        for page in (written["comparison"], brief)
    ]
    assert len(points[0]) > 2 and points[1] == {""}
    monkeypatch.setattr(stored, "LARGEST", len(brief.encode()) - 1)
    briefer = stored.write_up(folders["comparison"], "en")
    assert 'download="ledger.csv"' in brief and 'download="ledger.csv"' not in briefer
    assert "There is no room here for ledger.csv" in briefer


def table_in(page):
    """Return `metrics.csv` as it stands in a page."""
    link = next(Page(page).root.all("a", download="metrics.csv")).attributes["href"]
    return b64decode(link.partition(",")[2]).decode()


def test_letters_that_no_page_can_hold_are_refused(results, tmp_path, capsys):
    for bad in ("\\ud800", "\\u0001"):
        text = canonical_json(results["run"]).replace("steady", f"st{bad}")
        (tmp_path / "results.json").write_text(text)
        assert refused(["report", str(tmp_path)], capsys, "is damaged")
