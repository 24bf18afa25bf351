"""Figures as SVG within a page: its colours and letters, told to those who cannot see them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from trutdsl.report.figures.drawing import INCH, VARIABLES, Drawn, own_style

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
DROPPED = ("metadata", "style")
LONG = re.compile(r"-?\d+\.\d{3,}")
FONT, FAMILY = re.compile(r"font: ([\d.]+px) [^;]*"), re.compile(r"font-family: [^;]*")
UNTURNED = re.compile(r"rotate\(-?0 [^)]*\)")
PIXELS = 96 / INCH
# What is so in every page's style sheet, or by itself, need not be said at each mark.
SAID = ("stroke-linejoin: miter", "stroke-linecap: butt", "stroke-linejoin: round")


def to_svg(drawn: Drawn, key: str, title: str, about: str) -> str:
    """Return a figure as an element of a page.

    key: begins every id in it, so that no two figures of a page have one in common. title, about:
    what it is and what it shows, for those who have it read to them.
    """
    out = StringIO()
    with own_style():
        drawn.figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    root = ElementTree.fromstring(text[text.index("<svg") :])
    _drop(root)
    used = {f"#{name}" for name in _referred(root)}
    for element in root.iter():
        _rewrite(element, drawn, key, used)
    width = float(root.attrib["viewBox"].split()[2]) * PIXELS
    names = (f"{key}-title", f"{key}-about")
    box = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib |= {
        "viewBox": box,
        "role": "img",
        "aria-labelledby": " ".join(names),
        "style": f"max-width: {width:.0f}px",
    }
    for place, (tag, name, text) in enumerate(
        zip(("title", "desc"), names, (title, about), strict=True)
    ):
        told = Element(tag, {"id": name})
        told.text = text
        root.insert(place, told)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _drop(element: Element) -> None:
    """Leave out what is no drawing, and the space between elements."""
    for child in list(element):
        if child.tag.removeprefix(SVG) in DROPPED:
            element.remove(child)
        else:
            _drop(child)
    for part in (element, *element):
        part.tail = None
    if len(element):
        element.text = None


def _referred(root: Element) -> Iterator[str]:
    """Yield the ids that are referred to."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == LINK:
                yield value.removeprefix("#")
            yield from re.findall(r"url\(#([^)]+)\)", value)


def _rewrite(element: Element, drawn: Drawn, key: str, used: set[str]) -> None:
    """Give an element the names, numbers and colours that it has within a page."""
    element.tag = element.tag.removeprefix(SVG)
    own, found = element.attrib.pop("id", None), dict[str, str]()
    mark = drawn.marks.get(own or "")
    if own is not None and f"#{own}" in used:
        found["id"] = f"{key}-{own}"
    for name, value in element.attrib.items():
        if name == LINK:
            name, value = "href", f"#{key}-{value.removeprefix('#')}"
        value = value.replace("url(#", f"url(#{key}-")
        if name == "style":
            value = _style(value)
        elif name not in ("href", "id"):
            value = LONG.sub(lambda number: f"{float(number[0]):.2f}", UNTURNED.sub("", value))
        if value:
            found[name] = value
    element.attrib.clear()
    element.attrib |= found
    if mark is not None:
        element.attrib |= {f"data-{name}": str(value) for name, value in mark.data.items()}
        title = Element("title")
        title.text = mark.title
        element.insert(0, title)


def _style(value: str) -> str:
    value = FONT.sub(r"font-size: \1", value)
    for stand_in, variable in VARIABLES.items():
        value = value.replace(stand_in, f"var({variable})")
    parts = [part.strip() for part in value.split(";")]
    return "; ".join(p for p in parts if p and p not in SAID and not FAMILY.fullmatch(p))
