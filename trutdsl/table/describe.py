"""The state of a match in one line, for messages."""

from __future__ import annotations

from trutdsl.ir import Program
from trutdsl.table.match import Position
from trutdsl.table.setting import Setting

MOST_CARDS = 10


def describe_state(match: Position, program: Program, setting: Setting) -> str:
    """Return deal, dealer, counters and the zones that hold at most `MOST_CARDS` cards."""
    texts = setting.deck.texts
    parts = [f"deal {match.deals}", f"dealer {match.values('dealer')[0]}"]
    parts += [f"{name} {list(values)}" for name, values in match.counters().items()]
    for zone in program.zones.values():
        for i in range(setting.count(zone.index)):
            cards = match.cards(zone.name, i)
            if 0 < len(cards) <= MOST_CARDS:
                where = f"{zone.name}[{i}]" if zone.index is not None else zone.name
                parts.append(f"{where} " + " ".join(texts[c] for c in cards))
    return ", ".join(parts)
