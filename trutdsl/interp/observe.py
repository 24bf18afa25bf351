"""What a seat sees of a match, asked place by place: it is shown to the seat, or it is hidden."""

from __future__ import annotations

from trutdsl.ir import Program, nodes
from trutdsl.table.match import Match
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, Seen, number_of, sees, variables_of


def observe(match: Match, program: Program, setting: Setting, seat: int) -> Seen:
    """Return what a seat sees, see `Sight`, asked of the match place by place."""

    def may_see(declared: nodes.Zone | nodes.Variable, at: int) -> bool:
        return sees(declared, at, seat, setting) or seat in match.may_see(declared.name, at)

    seen: list[object] = [match.deals - 1, match.values("dealer")[0], match.values("on_lead")[0]]
    for zone in program.zones.values():
        for at in range(setting.count(zone.index)):
            lying = match.cards(zone.name, at)
            cards = bytes(lying) if zone.ordered else sum(1 << card for card in lying)
            seen.append(cards if may_see(zone, at) else ~len(lying))
    for variable in variables_of(program):
        held = match.values(variable.name)
        seen += [number_of(v) if may_see(variable, at) else HIDDEN for at, v in enumerate(held)]
    return tuple(seen)
