"""Pages taken apart again, for the tests of pages."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}


@dataclass
class Element:
    """An element with all its text, and where it stands."""

    tag: str
    attributes: dict
    parent: "Element | None"
    children: list = field(default_factory=list)
    words: list = field(default_factory=list)

    def all(self, tag=None, **wanted):
        """Yield elements below this one by tag and attributes."""
        for child in self.children:
            if tag in (None, child.tag) and wanted.items() <= child.attributes.items():
                yield child
            yield from child.all(tag, **wanted)

    @property
    def text(self):
        """All the text in it."""
        return "".join(word if isinstance(word, str) else word.text for word in self.words)


class Page(HTMLParser):
    """Builds elements; fails for what is closed in another order than opened, or not at all."""

    def __init__(self, text):
        super().__init__()
        self.root = self._here = Element("", {}, None)
        self.feed(text)
        self.close()
        assert self._here is self.root, f"<{self._here.tag}> is not closed"

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"<{tag}> has an attribute twice"
        element = Element(tag, dict(attrs), self._here)
        self._here.children.append(element)
        self._here.words.append(element)
        if tag not in VOID:
            self._here = element

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self._here.tag == tag, f"</{tag}> closes <{self._here.tag}>"
        self._here = self._here.parent

    def handle_data(self, data):
        self._here.words.append(data)


def marks(root, plot):
    """Yield the marks of a plot: their numbers, and the horizontal ends of what is drawn."""
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
