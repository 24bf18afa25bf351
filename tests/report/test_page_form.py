"""The form of pages: well-formed, self-contained and deterministic."""

import csv
import json
import os
import re
import subprocess
import sys
from base64 import b64decode
from html import unescape
from io import StringIO
from itertools import pairwise

from pages import Page
from rendering import BOTH_KINDS, render

from trutdsl.report import page as stored

HOSTILE = """</title><script src="http://x.invalid">$x^2$ 'é' & <b>"""


@BOTH_KINDS
def test_a_page_is_well_formed_and_accessible(english_pages, kind):
    root = Page(english_pages[kind]).root
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
        if svg.attributes.get("aria-hidden") == "true":
            continue  # its text stands beside it
        assert svg.attributes["role"] == "img"
        if "aria-label" not in svg.attributes:
            assert next(svg.all("title")).text.strip() and next(svg.all("desc")).text.strip()
    levels = [int(e.tag[1]) for e in root.all() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@BOTH_KINDS
def test_a_page_needs_no_network(english_pages, kind):
    page = english_pages[kind]
    assert "http:" not in page and "https:" not in page and "<script" not in page
    assert "url(//" not in page and "@import" not in page
    for element in Page(page).root.all():
        for name in ("href", "src", "action", "data", "poster", "srcset"):
            found = element.attributes.get(name, "#")
            assert found.startswith(("#", "data:")), found
    assert len(page.encode()) < stored.LARGEST / 3


@BOTH_KINDS
def test_a_page_contains_its_tables_as_csv(english_pages, folders, kind):
    names = {"comparison": ["metrics.csv", "ledger.csv"], "run": ["standings.csv", "pairs.csv"]}[
        kind
    ]
    links = {
        e.attributes["download"]: e
        for e in Page(english_pages[kind]).root.all("a")
        if "download" in e.attributes
    }
    for name in names:
        head, _, content = links[name].attributes["href"].partition(",")
        assert head == "data:text/csv;charset=utf-8;base64"
        assert b64decode(content).decode() == (folders[kind] / name).read_text()


WRITE_PAGES = """
import sys
from trutdsl.cli.app import run
for kind, folder in zip(("comparison", "run"), sys.argv[1:]):
    assert run(["report", folder, "-o", f"{kind}.html"]) == 0
"""


def test_the_same_results_give_the_same_bytes_anywhere(english_pages, folders, tmp_path):
    """Another process and folder, another hash seed and a strange matplotlibrc change nothing."""
    (tmp_path / "matplotlibrc").write_text("font.size: 30\nlines.linewidth: 9\n")
    subprocess.run(
        [sys.executable, "-c", WRITE_PAGES, *map(str, folders.values())],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    )
    for kind, page in english_pages.items():
        assert (tmp_path / f"{kind}.html").read_text(encoding="utf-8") == page


@BOTH_KINDS
def test_hostile_names_are_shown_and_do_nothing(results, kind):
    text = json.dumps(results[kind])
    old = {
        "comparison": ["trut-gatinaise", "steady", "longs", "respond"],
        "run": ["steady", "goal"],
    }
    for name in old[kind]:
        text = text.replace(name, json.dumps(f"{name}{HOSTILE}")[1:-1])
    page = render(json.loads(text))
    root = Page(page).root
    assert not list(root.all("script")) and not list(root.all("b"))
    assert len(list(root.all("title"))) > 1 and HOSTILE in root.text
    assert unescape(page).count("<script") > page.count("<script") == 0


def test_a_page_that_is_too_large_leaves_out_points_and_tables(english_pages, folders, monkeypatch):
    monkeypatch.setattr(stored, "LARGEST", len(english_pages["comparison"].encode()) - 1)
    brief = stored.write_up(folders["comparison"], "en")
    assert "There is no room here for the points of variants" in brief
    points = [
        {row["point"] for row in csv.DictReader(StringIO(read_table(page)))}
        for page in (english_pages["comparison"], brief)
    ]
    assert len(points[0]) > 2 and points[1] == {""}
    monkeypatch.setattr(stored, "LARGEST", len(brief.encode()) - 1)
    briefer = stored.write_up(folders["comparison"], "en")
    assert 'download="ledger.csv"' in brief and 'download="ledger.csv"' not in briefer
    assert "There is no room here for ledger.csv" in briefer


def read_table(page):
    """Return `metrics.csv` from a page."""
    link = next(Page(page).root.all("a", download="metrics.csv")).attributes["href"]
    return b64decode(link.partition(",")[2]).decode()
