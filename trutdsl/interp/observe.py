"""What a seat sees of a match, asked place by place: it is shown to the seat, or it is hidden."""

from __future__ import annotations

from trutdsl.ir import Program, nodes
from trutdsl.table.match import Match
from trutdsl.table.setting import Setting
from trutdsl.table.sight import HIDDEN, Hidden, Sight, notices, number_of, sees, variables_of


def observe(match: Match, program: Program, setting: Setting, seat: int) -> Sight:
    """Return what a seat sees, asked of the match place by place."""

    def may_see(declared: nodes.Zone | nodes.Variable, at: int) -> bool:
        return sees(declared, at, seat, setting) or seat in match.may_see(declared.name, at)

    cards: list[int | bytes | Hidden] = []
    sizes: list[int] = []
    for zone in program.zones.values():
        for at in range(setting.count(zone.index)):
            lying = match.cards(zone.name, at)
            seen = bytes(lying) if zone.ordered else sum(1 << card for card in lying)
            cards.append(seen if may_see(zone, at) else HIDDEN)
            sizes.append(len(lying))
    values: list[int | Hidden] = []
    for variable in variables_of(program):
        held = match.values(variable.name)
        values += [number_of(v) if may_see(variable, at) else HIDDEN for at, v in enumerate(held)]
    return Sight(
        deal=match.deals - 1,
        dealer=match.values("dealer")[0],
        leader=match.values("on_lead")[0],
        cards=tuple(cards),
        sizes=tuple(sizes),
        values=tuple(values),
        heard=tuple(said for said, aud in match.history if notices(said, aud, seat, setting)),
    )
