"""The events of a YAML text, from PyYAML's scanner and parser only."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from trutdsl.diagnostics import Collector, Rejected
from trutdsl.source import Source
from trutdsl.variant.read_source import point, span_at
from trutdsl.variant.yaml_errors import explain

INDENTED_WITH_TAB = re.compile(r"^ *\t", re.MULTILINE)


class _Events(Reader, Scanner, Parser):
    """PyYAML without its composer, resolver and constructor."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def read_events(source: Source, errors: Collector) -> Iterator[yaml.Event]:
    """Yield the events; at a mistake of syntax raise `Rejected` with it and what `errors` holds."""
    tab = INDENTED_WITH_TAB.search(source.text)
    if tab:
        span = span_at(source, tab.end() - 1)
        errors.error("tab", "found a tab, expected spaces", span, help="indent with spaces")
        raise Rejected(errors.diagnostics)
    events = _Events(source.text)
    while True:
        try:
            if not events.check_event():
                return
            event = events.get_event()  # type: ignore[no-untyped-call]
        except (yaml.YAMLError, ValueError, OverflowError) as wrong:
            mark = events.get_mark()
            explain(wrong, point(source, mark.line + 1, mark.column + 1), errors)
            raise Rejected(errors.diagnostics) from None
        yield event
