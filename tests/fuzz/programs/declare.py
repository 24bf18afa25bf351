"""Random declarations of zones and variables."""

from __future__ import annotations

from dataclasses import replace

from .names import KINDS, PLACES
from .play import Play
from .sentences import NOTE_VARIABLES, Lines
from .tables import Variable, Zone

WIDE = ((0, 4_000_000_000), (0, 9_999_999_999), (-9_999_999_999, 9_999_999_999), (-3, 2**31))


class Declarations(Play):
    """Writes the declarations of a program."""

    def declare_zones(self) -> Lines:
        """Declare a stock that holds the pack, and some places for cards."""
        self.zones = [Zone("stock", None, True, None, "all")]
        kinds = [
            ("hand", "seat"),
            ("table", "seat"),
            ("won", "team"),
            ("row", None),
            ("heap", None),
        ]
        for name, index in kinds[:3] + [k for k in kinds[3:] if self.odds(0.6)]:
            if name == "won" and self.odds(0.4):
                continue
            pile = name == "heap" or (name in ("won", "table") and self.odds(0.2))
            most = self.pick("1", "1", "2", "4") if name == "table" else self.pick("5", "", "", "")
            seen = self.seen(index)
            self.zones.append(Zone(name, index, pile, int(most) if most else None, seen))
        if not any(z.index is None and not z.pile for z in self.zones):
            self.zones.append(Zone("row", None, False, None, "all"))
        lines, apart = [], self.odds(0.3)
        for at, zone in enumerate(self.zones):
            bound = self.by_parameter(1) if zone.most and zone.name != "hand" else None
            if bound:
                self.zones[at] = zone = replace(zone, most=bound[1])
            most = bound[0] if bound else zone.most
            traits = ["pile"] * zone.pile + [f"up to {most} cards"] * (most is not None)
            if zone.name == "stock":
                birds = " + special_pack" if self.table.birds and not apart else ""
                traits.append(f"starts with pack_cards{birds}")
            elif zone.name == "row" and apart:
                twice = self.odds(0.05) and not self.avoids()
                traits.append(f"starts with {'pack_cards' if twice else 'special_pack'}")
            place = f"{zone.name}[{zone.index}]" if zone.index else zone.name
            lines.append(f"zone {place}: {', '.join([*traits, f'seen by {zone.seen}'])}")
        return lines

    def by_parameter(self, low: int) -> tuple[str, int] | None:
        """Return a bound that depends on a parameter, and its least value; None without one."""
        found = [p for p in self.table.parameters if p.kind == "number"]
        if not found or self.odds(0.7):
            return None
        more = max(1, low + 1 - found[0].low)
        return f"{found[0].name} + {more}", found[0].low + more

    def seen(self, index: str | None, share: float = 0.6) -> str:
        """Return the visibility of a place; share: the probability of a hidden one."""
        if not self.table.hidden or self.odds(1 - share):
            return "all"
        return self.pick("owner", "owner", "team") if index in ("seat", "team") else "nobody"

    def declare_variables(self) -> Lines:
        """Declare variables of some types, for a match, a deal and a trick."""
        lines: Lines = []
        made: list[Variable] = []
        for life in ("match", "deal", "trick"):
            lines.append(f"{life} state:")
            if life == "match":
                made += NOTE_VARIABLES
                lines += [f"    {v.name}: {v.kind}" for v in NOTE_VARIABLES[1:]] + [
                    "    noted: 0 to 9999"
                ]
            for _ in range(self.random.randint(1, 4 if life == "deal" else 3)):
                one, line = self.variable(life)
                self.variables = [*self.variables, one] if life == "match" else self.variables
                made.append(one)
                lines.append("    " + line)
        self.variables = made
        return lines

    def variable(self, life: str) -> tuple[Variable, str]:
        """Return a variable and its line."""
        kind, name = self.random.choice([*KINDS, "rank?", "ranks"]), self.fresh(life[0])
        kind += "?" if kind in ("seat", "team") and life == "match" else ""
        index = (
            self.pick("", "", "seat", "seat", "team", "suit", "card", "rank", *PLACES[1:]) or None
        )
        flag = life != "match" and self.odds(0.15)  # of each seat or team, and no at first
        if flag:
            kind, index = "yes_no", self.pick("seat", "seat", "team")
        low, high, written = -(2**31), 2**31 - 1, kind
        if kind == "number" and self.odds(0.7):
            low = self.random.choice([0, 0, 0, 1, -2])
            high = low + self.random.choice([1, 3, 9, 60])
            written = f"{low} to {high}"
        if kind == "number" and self.odds(0.15):
            low, high = self.random.choice(WIDE)
            written = f"{low} to {high}"
        elif kind == "number" and low != -(2**31) and (more := self.by_parameter(low)):
            written, high = f"{low} to {more[0]}", more[1]
        seen = self.seen(index, 0.12)
        one = Variable(name, index, kind, low, high, life, seen)
        start = ""
        if kind in ("seat", "team", "card", "suit", "rank"):
            texts = {"seat": self.pick("on_lead", "dealer"), "team": "team(dealer)"}
            start = f" = {texts.get(kind) or self.literal(kind)}"
        elif self.odds(0.5) and not flag:
            value = self.value(kind, 1) if life != "match" else ""
            if kind == "number":
                value = value and f"max({max(low, -9)}, min({min(high, 70)}, {value}))"
                value = value or str(self.random.randint(max(low, -9), min(high, 70)))
            value = value or {"yes_no": "yes", "seats": "seats", "cards": "pack_cards"}.get(
                kind, ""
            )
            start = f" = {value}" if value else ""
        place = f"{name}[{index}]" if index else name
        return one, f"{place}: {written}{start}" + (f", seen by {seen}" if seen != "all" else "")
