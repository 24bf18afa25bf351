"""Pages: blocks laid out as one HTML file, and the page of the results in a folder."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from jinja2 import TemplateError

from trutdsl.arguments import check_language
from trutdsl.diagnostics import BadUsage, explain_os_error
from trutdsl.files import open_plain
from trutdsl.language import NARROW, figure, say, speaking
from trutdsl.options import SECONDS
from trutdsl.report.best_play import best_play_page, command_of_best_play
from trutdsl.report.blocks import COOLEST, EVEN, Page, render_template
from trutdsl.report.checks import command_of_comparison
from trutdsl.report.comparison import comparison_page
from trutdsl.report.labels import BEST_PLAY, BEST_PLAY_FORMAT, FORMAT
from trutdsl.report.pictures import load_drawing
from trutdsl.report.tournament import run_page


def render_page(page: Page, language: str) -> str:
    """Return a page as one HTML file without external resources; names are shown as text."""
    failures = [check for check in page.checks if not check.holds]
    # The strength of each step's colour, of 100; the side of the middle decides the colour.
    steps = [
        (step, "warm" if step < EVEN else "cool", 7 * abs(step - EVEN))
        for step in range(COOLEST + 1)
    ]
    return render_template(
        "page.html",
        page=page,
        failed=failures,
        language=language,
        steps=steps,
        draw=lambda plot, wide: load_drawing()(plot, wide),
        csv=_csv,
    )


def page_as_html(make: Callable[[], Page], language: str) -> str:
    """Return a page of results that are at hand as one HTML file; raises `BadUsage`."""
    check_language(language)
    with speaking(language, NARROW):
        return render_page(make(), language)


def _csv(content: str) -> str:
    """Return a CSV file as a data address, which needs no network."""
    return f"data:text/csv;charset=utf-8;base64,{b64encode(content.encode()).decode()}"


Making = Callable[[Mapping[str, Any]], Page]

COMPARISON, BEST_PLAY_RESULTS, RUN = "comparison.json", "best-play.json", "results.json"
MOST_BYTES = 64 * 2**20
MOST_LETTERS = 80  # of Python's message about an error
LARGEST = 1_500_000  # bytes of a page
# The exceptions for content that this version does not write.
OTHERWISE = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    StopIteration,
    RuntimeError,  # StopIteration within a generator
    TemplateError,
    ParseError,
)


class UnfitResults(BadUsage):
    """Results of which no page could be made.

    content: what the file holds; reason: the exception in words.
    """

    def __init__(self, file: Path, content: Mapping[str, Any], reason: str) -> None:
        text = "{file} is damaged, or was written by another version of trutdsl ({what})"
        super().__init__(say(text, file=file, what=reason) + _cure(file))
        self.file, self.content, self.reason = file, content, reason


def write_up(
    folder: Path,
    language: str,
    same: bool | None = None,
    names: Mapping[str, Any] | None = None,
    seconds: float = SECONDS,
) -> str:
    """Return the page for a folder with a comparison or a run.

    same: whether repeated sets of a run gave the same results, None if none were repeated.
    names: the names of variant and strategies in a run, which its journal keeps.
    seconds: that a choice takes at a table.
    Raises `BadUsage` for a folder without either, or with damaged results.
    """
    ways = [partial(comparison_page, brief=brief, seconds=seconds) for brief in range(3)]
    known: dict[str, Sequence[Making]] = {
        COMPARISON: ways,
        BEST_PLAY_RESULTS: (best_play_page,),
        RUN: (partial(run_page, names=names, same=same, seconds=seconds),),
    }
    for name, makings in known.items():
        results = read_results(folder / name)
        if results is not None:
            return _page(folder / name, results, makings, language)
    text = (
        "{folder} holds neither {comparison} nor {run}; expected the folder of a "
        "comparison (trutdsl compare) or of a tournament"
    )
    raise BadUsage(say(text, folder=folder, comparison=COMPARISON, run=RUN))


def _page(file: Path, results: Mapping[str, Any], ways: Sequence[Making], language: str) -> str:
    load_drawing()  # the message without Matplotlib, before any of the content
    size = 0
    for page_of in ways:
        try:
            with speaking(language, NARROW):
                text = render_page(page_of(results), language)
            size = len(text.encode())
        except OTHERWISE as problem:
            what = f"{type(problem).__name__}: {problem}".partition("\n")[0][:MOST_LETTERS]
            raise UnfitResults(file, results, what) from problem
        if size <= LARGEST:
            return text
    text = (
        "{file}: its page would have {size} bytes, at most {largest} are written; "
        "put fewer variants or strategies into one"
    )
    raise BadUsage(say(text, file=file, size=figure(size, ","), largest=figure(LARGEST, ",")))


def read_results(file: Path) -> Mapping[str, Any] | None:
    """Return the results in a file, None if there is none; raises `BadUsage` for damaged ones."""
    content = _content(file)
    if content is None:
        return None
    result = _parse(file, content)
    _check_format(file, result)
    return result


def _check_format(file: Path, results: Mapping[str, Any]) -> None:
    for key, format, repeat in (
        ("comparison", FORMAT, command_of_comparison),
        (BEST_PLAY, BEST_PLAY_FORMAT, command_of_best_play),
    ):
        try:
            version, command = results[key]["format"], repeat(results)
        except (LookupError, TypeError, AttributeError):  # other results, or damaged ones
            continue
        if version != format:
            text = (
                "{file} has format {found}, and this version of trutdsl reads format "
                "{format}; make the comparison anew: {command}"
            )
            raise BadUsage(say(text, file=file, found=version, format=format, command=command))


def _content(file: Path) -> bytes | None:
    try:
        with open_plain(file) as handle:
            content = handle.read(MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError as problem:
        text = "{path} cannot be read: {strerror}"
        raise BadUsage(explain_os_error(problem, file, text)) from None
    if len(content) > MOST_BYTES:
        text = "{file} is larger than {most_bytes} bytes"
        raise BadUsage(say(text, file=file, most_bytes=figure(MOST_BYTES, ",")))
    return content


def _parse(file: Path, content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode("utf-8")
        result = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        text = say("{file} is damaged: it is not JSON", file=file)
        raise BadUsage(text + _cure(file)) from None
    except ValueError as problem:  # a number that is too long, or none
        text = say("{file} is damaged: {problem}", file=file, problem=problem)
        raise BadUsage(text + _cure(file)) from None
    if not isinstance(result, dict):
        raise BadUsage(say("{file} is damaged: found no results in it", file=file) + _cure(file))
    return result


def _cure(file: Path) -> str:
    """Return what to do about damaged results."""
    if file.name == RUN:
        return say("; `trutdsl resume {folder}` writes it again", folder=file.parent)
    return say("; make the comparison again")


def _finite(text: str) -> float:
    return number if isfinite(number := float(text)) else _refuse(text)


def _refuse(constant: str) -> float:
    raise ValueError(say("found {constant}, expected a number", constant=constant))
