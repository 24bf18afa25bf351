"""A parser of pages for tests."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Element:
    """An element of a page, with its text and its parent."""

    tag: str
    attributes: dict
    parent: "Element | None"
    children: list = field(default_factory=list)
    words: list = field(default_factory=list)

    def all(self, tag=None, **attributes):
        """Yield the elements below this one that have this tag and these attributes."""
        for child in self.children:
            if tag in (None, child.tag) and attributes.items() <= child.attributes.items():
                yield child
            yield from child.all(tag, **attributes)

    @property
    def text(self):
        """The text of this element and of all below it."""
        return "".join(word if isinstance(word, str) else word.text for word in self.words)


class Page(HTMLParser):
    """Builds elements; fails if one is not closed, or closed in the wrong order."""

    def __init__(self, text):
        super().__init__()
        self.root = self._open = Element("", {}, None)
        self.feed(text)
        self.close()
        assert self._open is self.root, f"<{self._open.tag}> is not closed"

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self._open)
        self._open.children.append(element)
        self._open.words.append(element)
        if tag not in VOID:
            self._open = element

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self._open.tag == tag, f"</{tag}> closes <{self._open.tag}>"
        self._open = self._open.parent

    def handle_data(self, data):
        self._open.words.append(data)


def marks(root, plot):
    """Yield the numbers and the x coordinates of each mark of a plot."""
    for svg in root.all("svg"):
        if svg.attributes.get("aria-labelledby", "").startswith(f"{plot}-title"):
            for group in svg.all("g"):
                data = {
                    name.removeprefix("data-"): value
                    for name, value in group.attributes.items()
                    if name.startswith("data-")
                }
                if data:
                    path = next(group.all("path")).attributes["d"]
                    yield data, [float(x) for x in re.findall(r"[ML] (\S+) \S+", path)]
