"""Pages by themselves: well formed, alone, whole, and the same anywhere."""

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
from rendering import BOTH, rendered

from trutdsl.report import page as stored

HOSTILE = """</title><script src="http://x.invalid">$x^2$ 'é' & <b>"""


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
        if svg.attributes.get("aria-hidden") == "true":
            continue  # its text stands beside it
        assert svg.attributes["role"] == "img"
        if "aria-label" not in svg.attributes:
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
