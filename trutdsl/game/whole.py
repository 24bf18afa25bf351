"""The whole of a match as plain values: for people, tests and programs, never for a strategy."""

from __future__ import annotations

from typing import Any

from trutdsl.ir import Program
from trutdsl.table import ChanceNode, DealStart, Match, Pending, Question, Setting
from trutdsl.table.questions import plain_said
from trutdsl.table.reading import reading_of
from trutdsl.table.sight import number_of


def whole_of(match: Match, program: Program, setting: Setting) -> dict[str, Any]:
    """Return everything in a match, as `State.to_dict` describes it."""
    texts = setting.deck.texts
    zones, shown = {}, {}
    for zone in program.zones.values():
        places = range(setting.count(zone.index))
        zones[zone.name] = [[texts[card] for card in match.cards(zone.name, i)] for i in places]
        shown[zone.name] = [sorted(match.may_see(zone.name, i)) for i in places]
    variables = {}
    for variable in program.variables.values():
        if not variable.counter and ":" not in variable.name:
            values = match.values(variable.name)
            reading = reading_of(variable.type, setting)
            variables[variable.name] = [reading.plain(number_of(v)) for v in values]
            seen = [sorted(match.may_see(variable.name, i)) for i in range(len(values))]
            shown[variable.name] = seen
    return {
        "deals": match.deals,
        "decisions": match.decisions,
        "deal_open": match.deal_open,
        "dealer": match.values("dealer")[0],
        "leader": match.values("on_lead")[0],
        "winner": match.winner,
        "deal_winner": match.deal_winner,
        "tricks": list(match.tricks),
        "counters": {name: list(values) for name, values in match.counters().items()},
        "variables": variables,
        "zones": zones,
        "shown": {name: seats for name, seats in shown.items() if any(seats)},
        "history": [plain_said(said) for said, _ in match.history],
        "pending": _pending(match.pending),
    }


def _pending(pending: Pending) -> dict[str, Any] | None:
    match pending:
        case Question():
            actions = list(pending.texts)
            return {"seat": pending.seat, "decision": pending.decision, "actions": actions}
        case DealStart(deal):
            return {"deal": deal}
        case ChanceNode():
            node: dict[str, Any] = {"chance": pending.what}
            if pending.zone is not None:
                node |= {"zone": pending.zone, "index": pending.index, "face_up": pending.face_up}
            return node | {"outcomes": list(pending.texts), "weights": list(pending.weights)}
    return None
