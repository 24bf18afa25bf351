"""Pages of results in a browser: no errors, no requests, all content visible and accessible."""

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from trutdsl.cli.app import run

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "reports" / "browser"
COMPARE = "compare trut trut-gatinaise truc-french --players 2 --sets 40 --seed 1 --out"
TOURNAMENT = "tournament trut --strategies steady,caller,quiet,uniform --sets 40 --seed 1 --out"
WIDTHS = {"desk": (1000, 1400), "telephone": (360, 740)}
SWEEP = "sweep trut --param goal=3..5 --strategies steady,quiet --sets 20 --out"
MAP = "sweep trut --param goal=3,4 --param leader=dealer,left_of_dealer --sets 20 --out"
READINGS = "ambiguities trut --players 3 --strategies uniform --sets 40 --out"
STOPPED = "tournament trut --strategies steady,quiet --precision 0.1 --out"
KINDS = ("comparison", "run")
OTHER_PAGES = {"sweep": SWEEP, "map": MAP, "readings": READINGS, "stopped": STOPPED}
SIMULATION = "simulate trut --players 4 --strategies bluffer,steady --matches 200 --seed 1 -o"
# One worker makes the pages of `KINDS`, and another the other pages.
pytestmark = pytest.mark.xdist_group("kinds")


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Return the folder of the pages of a comparison and of a tournament, and their results."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for kind, call, file in (
        ("comparison", COMPARE, "comparison.json"),
        ("run", TOURNAMENT, "results.json"),
    ):
        assert run([*call.split(), str(folder / kind)]) == 0
        for spoken in ("en", "fr"):
            page = folder / f"{kind}-{spoken}.html"
            assert run(["report", str(folder / kind), "-o", str(page), "--lang", spoken]) == 0
        found[kind] = folder, json.loads((folder / kind / file).read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="session")
def other_pages(tmp_path_factory):
    """Return the folder with a page of each other kind."""
    folder = tmp_path_factory.mktemp("others")
    for kind, call in OTHER_PAGES.items():
        assert run([*call.split(), str(folder / kind)]) == 0
        assert run(["report", str(folder / kind), "-o", str(folder / f"{kind}.html")]) == 0
    assert run([*SIMULATION.split(), str(folder / "simulation.html")]) == 0
    return folder


def find_problems(browser):
    """Return the errors in the browser, and the requests after that of the page itself."""
    messages = browser.messages_of(
        "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"
    )
    requests = [r["request"]["url"] for r in browser.messages_of("Network.requestWillBeSent")]
    return messages, [url for url in requests[1:] if not url.startswith("data:")]


def test_problems_of_a_page_are_detected(browser, tmp_path):
    """The checks below can fail: they detect a page with an error and a request."""
    page = tmp_path / "bad.html"
    page.write_text("<img src='http://127.0.0.1:9/x.png'><script>console.error('no')</script>")
    browser.open(page, 800, 600)
    messages, requests = find_problems(browser)
    assert messages and requests == ["http://127.0.0.1:9/x.png"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("spoken", ["en", "fr"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_without_a_network_and_fits(browser, pages, kind, spoken, width, scheme):
    folder, _ = pages[kind]
    check_page(browser, folder / f"{kind}-{spoken}.html", width, scheme)
    if spoken == "en":
        save_screenshot(browser, f"{kind}-{width}-{scheme}")


@pytest.mark.xdist_group("others")
@pytest.mark.parametrize(("width", "scheme"), [("desk", "light"), ("telephone", "dark")])
@pytest.mark.parametrize("kind", [*OTHER_PAGES, "simulation"])
def test_pages_of_other_kinds_open_and_fit(browser, other_pages, kind, width, scheme):
    check_page(browser, other_pages / f"{kind}.html", width, scheme)
    save_screenshot(browser, f"{kind}-{width}-{scheme}")


def check_page(browser, page, width, scheme):
    """Check that a page has no errors, fits the window, and has enough contrast."""
    browser.open(page, *WIDTHS[width], scheme)
    assert browser.run("document.querySelectorAll('main section').length") > 3
    assert find_problems(browser) == ([], [])
    assert browser.run("document.documentElement.scrollWidth") <= WIDTHS[width][0]
    assert browser.run(LOW_CONTRAST) == []


def save_screenshot(browser, name):
    """Save a screenshot of the whole page, for people."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / f"{name}.png").write_bytes(browser.take_screenshot(whole=True))


# Texts whose contrast to their background is less than 4.5 to 1.
LOW_CONTRAST = """(() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, below) => {
    const a = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map(i => a * top[i] + (1 - a) * below[i]);
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) {
      layers.push(parse(getComputedStyle(e).backgroundColor));
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const linear = x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  const light = rgb => {
    const [r, g, b] = rgb.map(x => linear(x / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = 'h1,h2,h3,p,li,a,td,th,caption span,figcaption,code,text,summary';
  const found = [];
  for (const e of document.querySelectorAll(texts)) {
    if (!e.textContent.trim() || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), ground = behind(e);
    const own = over(parse(e.tagName === 'text' ? style.fill : style.color), ground);
    const [a, b] = [light(own), light(ground)].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push(e.tagName + ': ' + e.textContent.slice(0, 40));
  }
  return found;
})()"""

VISIBLE_MARKS = """[...document.querySelectorAll('[data-mean]')]
  .filter(e => e.getBoundingClientRect().height > 0 || e.getBoundingClientRect().width > 0)
  .map(e => ({...e.dataset, left: e.getBoundingClientRect().left,
              right: e.getBoundingClientRect().right, top: e.getBoundingClientRect().top,
              bottom: e.getBoundingClientRect().bottom}))"""


@pytest.mark.parametrize("width", WIDTHS)
def test_intervals_are_drawn_at_their_values(browser, pages, width):
    folder, results = pages["run"]
    browser.open(folder / "run-en.html", *WIDTHS[width])
    seen = [mark for mark in browser.run(VISIBLE_MARKS) if "strategy" in mark]
    scores = {row["strategy"]: row["score"] for row in results["standings"]}
    assert [mark["strategy"] for mark in seen] == list(scores)
    for mark in seen:
        assert all(float(mark[x]) == scores[mark["strategy"]][x] for x in ("mean", "low", "high"))
    ends = [(float(m["low"]), m["left"]) for m in seen] + [
        (float(m["high"]), m["right"]) for m in seen
    ]
    (low, left), (high, right) = min(ends), max(ends)
    for value, x in ends:
        assert x == pytest.approx(left + (right - left) * (value - low) / (high - low), abs=1)


@pytest.mark.xdist_group("others")
def test_a_curve_is_drawn_at_its_values(browser, other_pages):
    """A higher goal is further to the right, and longer matches are higher up."""
    results = json.loads((other_pages / "sweep" / "comparison.json").read_text(encoding="utf-8"))
    browser.open(other_pages / "sweep.html", *WIDTHS["desk"])
    seen = [mark for mark in browser.run(VISIBLE_MARKS) if mark.get("metric") == "length.deals"]
    means = {v["name"]: v["metrics"][0]["mean"] for v in results["variants"]}
    names = [cell["name"] for cell in results["sweep"]["cells"]]
    assert [float(mark["mean"]) for mark in seen] == [means[name] for name in names]
    assert [m["left"] for m in seen] == sorted(m["left"] for m in seen)
    heights = [(m["bottom"] + m["top"]) / 2 for m in seen]
    assert heights == sorted(heights, reverse=True) and heights[0] > heights[-1] + 20


@pytest.mark.parametrize("width", WIDTHS)
def test_every_difference_is_drawn_once(browser, pages, width):
    folder, results = pages["comparison"]
    browser.open(folder / "comparison-en.html", *WIDTHS[width])
    seen = [mark for mark in browser.run(VISIBLE_MARKS) if "metric" in mark]
    rows = [r for d in results["differences"] for r in d["metrics"] if r["difference"]]
    drawn = {(m["metric"], float(m["mean"])) for m in seen}
    assert len(seen) == len(drawn)
    assert drawn <= {(r["metric"], r["difference"]["mean"]) for r in rows}
    clear = {(r["metric"], r["difference"]["mean"]) for r in rows if r["verdict"] == "differs"}
    assert clear <= drawn and len(clear) > 10


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_names_for_screen_readers(browser, pages, kind, width):
    folder, _ = pages[kind]
    browser.open(folder / f"{kind}-en.html", *WIDTHS[width])
    nodes = browser.ask("Accessibility.getFullAXTree")["nodes"]
    named = {}
    for node in nodes:
        if not node.get("ignored"):
            name = node.get("name", {}).get("value", "")
            named.setdefault(node["role"]["value"], []).append(name)
    pictures = [
        name
        for role in ("image", "img", "graphics-document", "SvgRoot")
        for name in named.get(role, ())
    ]
    assert len(pictures) > 1 and all(pictures)
    tables = browser.run(
        "[...document.querySelectorAll('table')].filter(t => t.checkVisibility()).length"
    )
    assert len(named["table"]) == tables and all(named["table"])
    assert named["columnheader"] and named["rowheader"]
    assert "main" in named and "navigation" in named


def test_a_page_is_navigable_by_keyboard(browser, pages):
    folder, _ = pages["comparison"]
    browser.open(folder / "comparison-en.html", *WIDTHS["desk"])
    browser.press("Tab")
    assert browser.run("document.activeElement.className") == "skip"
    assert browser.run("document.activeElement.getBoundingClientRect().left") >= 0
    visited = set()
    for _ in range(60):
        browser.press("Tab")
        visited.add(browser.run("document.activeElement.tagName"))
    assert {"A", "SUMMARY", "DIV"} <= visited  # links, asides, tables that scroll sideways


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_printed(browser, pages, kind):
    folder, _ = pages[kind]
    browser.open(folder / f"{kind}-en.html", *WIDTHS["desk"], "dark")
    printed = browser.print_to_pdf()
    assert printed.startswith(b"%PDF") and printed.count(b"/Type /Page\n") in range(2, 16)
    (PICTURES / f"{kind}.pdf").write_bytes(printed)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", KINDS)
def test_figures_look_like_the_golden_pictures(browser, pages, kind, width, scheme, request):
    """Compare shrunk pictures, in which letters of any font are the same grey.

    Only the first figure is compared: its position on the page depends on the width of the letters
    above it, and so on the version of Chromium. `--update` writes new golden pictures.
    """
    folder, _ = pages[kind]
    browser.open(folder / f"{kind}-en.html", *WIDTHS[width], scheme)
    found = shrink_picture(browser.take_screenshot(clip=browser.run(FIGURE)))
    file = Path(__file__).parent / "pictures" / f"{kind}-{width}-{scheme}.png"
    if request.config.getoption("--update"):
        file.parent.mkdir(exist_ok=True)
        found.save(file)
    expected = Image.open(file)
    assert found.size == expected.size
    differences = np.abs(np.asarray(found, np.int16) - np.asarray(expected, np.int16))
    assert differences.mean() < 3  # of 255


FIGURE = """(() => {
  const svgs = [...document.querySelectorAll('figure svg')].filter(e => e.checkVisibility());
  const {x, y, width, height} = svgs[0].getBoundingClientRect();
  return {x: x + scrollX, y: y + scrollY, width, height};
})()"""


def shrink_picture(picture):
    """Return a picture at a width of 100 pixels."""
    whole = Image.open(BytesIO(picture)).convert("RGB")
    height = round(100 * whole.height / whole.width)
    return whole.resize((100, height), Image.Resampling.BOX)
