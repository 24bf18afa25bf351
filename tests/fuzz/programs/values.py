"""Random expressions of a given type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .amounts import Numbers
from .names import SINGLE, Name
from .tables import DIGITS, MOOD_SET, MOODS


class Values(Numbers):
    """Writes expressions from the names in scope."""

    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a type."""
        if kind == "number":
            return self.number(depth).text
        if kind == "yes_no":
            return self.yes_no(depth)
        if kind.startswith("one of"):
            some = kind == MOODS and depth > 0 and self.inside < 2 and self.odds(0.2)
            some = some and (self.typed or any(v.kind == MOOD_SET for v in self.variables))
            return self.first(kind, depth - 1, "cold") if some else self.named_value(kind)
        if kind.startswith("set of"):
            return self.set_of(kind, depth)
        if kind.endswith("?"):
            return self.maybe(kind[:-1], depth)
        return self.several(kind[:-1], depth) if kind.endswith("s") else self.one(kind, depth)

    def either(self, kind: str, depth: int) -> str:
        """Return a choice between two values by a condition."""
        one, two = self.value(kind, depth - 1), self.value(kind, depth - 1)
        return f"({one} if {self.yes_no(depth - 1)} else {two})"

    # ---------------------------------------------------------------- single values

    def named_value(self, kind: str) -> str:
        """Return one of some named values."""
        names = kind.removeprefix("one of ").split(" | ")
        return self.pick(*names, *self.known_values(kind, 0))

    def set_without_context(self, kind: str, depth: int = 0) -> str:
        """Return a set whose type needs no context; if there is none, a set of seats."""
        if kind != MOOD_SET or self.typed:
            return self.set_of(kind, depth)
        return self.pick(*(self.known_values(kind, depth) or ["seats"]))

    def set_of(self, kind: str, depth: int) -> str:
        """Return a set of named values or of numbers."""
        found = self.known_values(kind, depth)
        if kind == MOOD_SET:
            found += [f"{{{self.named_value(MOODS)}}}"] if found else []
            found += ["{calm, cold}", "{heated}", *["all of mood"] * self.typed]
        else:
            found += ["{0, 3, 9}", f"{{min(9, max(0, {self.number(0).text}))}}"]
            found.append(f"(those {self.fresh('x')} in 0 to 9 where {self.yes_no(0)})")
            beyond = self.odds(0.05) and not self.avoids()
            found.append(f"{{{self.number(0).text}}}" if beyond else "{2}")
        if depth > 0:
            one, two = self.set_of(kind, depth - 1), self.set_of(kind, depth - 1)
            if kind != MOOD_SET or not one.startswith("{"):
                found.append(f"({one} {self.pick('+', '-', '&')} {two})")
            if self.inside < 2 and (kind == DIGITS or not one.startswith("{")):
                name = self.fresh("x")
                self.inside += 1
                with self.bind(Name(name, "number" if kind == DIGITS else MOODS)):
                    found.append(f"(those {name} in {one} where {self.yes_no(depth - 1)})")
                self.inside -= 1
        return self.pick(*found)

    def literal(self, kind: str) -> str:
        """Return a card, suit or rank in quotes."""
        some = self.missing and self.odds(0.25)
        ranks = self.table.ranks if some else self.table.all_have
        suit, rank = self.pick(*self.table.suits), self.pick(*ranks)
        texts = {"suit": suit, "rank": rank, "card": self.pick(rank + suit, *self.table.birds)}
        return f'"{texts[kind]}"'

    def one(self, kind: str, depth: int = 2) -> str:
        """Return a seat, team, card, suit or rank."""
        found = self.known_values(kind, depth)
        inner = depth - 1
        if self.odds(0.08):
            found += [self.or_else(one, kind) for one in self.known_values(kind + "?", depth)]
        if depth > 0 and self.odds(0.15):
            found.append(self.either(kind, inner))
        if kind == "seat":
            found += ["dealer", "on_lead"]
            if depth > 0:
                found.append(self.pick("next_seat", "previous_seat") + f"({self.one(kind, inner)})")
        elif kind == "team":
            found.append(f"team({self.one('seat', inner)})")
            if depth > 0 and self.table.teams == 2:
                found.append(f"other({self.one('team', inner)})")
        elif not found or self.odds(0.3):
            found.append(self.literal(kind))
            if kind == "rank" and depth > 0:
                found.append(f"rank({self.one('card', inner)})")
            if kind == "suit" and depth > 0 and not self.table.birds:
                found.append(f"suit({self.one('card', inner)})")
            if kind == "card" and depth > 0 and self.odds(0.15) and not self.avoids():
                found.append(f"{self.pick('top', 'bottom')}({self.zone(0)[1]})")
        if depth > 0 and self.inside < 2 and self.odds(0.12):
            found.append(self.first(kind, inner, self.plain(kind)))
        return self.pick(*found)

    def plain(self, kind: str) -> str:
        """Return a simple value that is never none."""
        if kind == "seat":
            return self.pick("dealer", "on_lead")
        return "team(dealer)" if kind == "team" else self.literal(kind)

    def or_else(self, text: str, kind: str) -> str:
        """Return an optional value, mostly with a default."""
        if self.odds(0.1) and not self.avoids():
            return text
        return f"({text} if {text} != none else {self.plain(kind)})"

    def first(self, kind: str, depth: int, other: str | None = None) -> str:
        """Return the first element of a set, mostly with the default `other` if there is one."""
        with self.bind_domain(kind, depth) as (name, domain):
            best = self.extreme(name, kind, depth)
            return self.if_any(f"(first {name} in {domain}{best})", f"{name} in {domain}", other)

    def extreme(self, name: str, kind: str, depth: int) -> str:
        """Return a `with highest` or `with lowest` in a third of all cases, else nothing."""
        if self.odds(0.65):
            return ""
        return f" with {self.pick('highest', 'lowest')} {self.number_of(name, kind, depth).text}"

    def if_any(self, text: str, domain: str, other: str | None) -> str:
        """Return a text that needs a non-empty domain, mostly with a default."""
        if other is None or (self.odds(0.1) and not self.avoids()):
            return text
        return f"({text} if (any {domain}) else {other})"

    def maybe(self, kind: str, depth: int) -> str:
        """Return an optional value."""
        found = [*self.known_values(kind + "?", depth), "none", self.one(kind, depth - 1)]
        if kind == "seat":
            found.append(f"partner({self.one('seat', depth - 1)})")
        if kind == "rank":
            found.append(f"{self.pick('rank_above', 'rank_below')}({self.one('rank', depth - 1)})")
        if depth > 0 and self.inside < 2:
            found.append(self.first(kind, depth - 1))
        return self.pick(*found)

    # ---------------------------------------------------------------- sets and iteration

    def several(self, kind: str, depth: int = 2) -> str:
        """Return a set."""
        found = self.known_values(kind + "s", depth)
        found.append({"card": "pack_cards"}.get(kind, kind + "s"))
        if kind == "card":
            found += [self.zone(depth)[1]] * 3 + ["special_pack"]
        if kind == "seat":
            found.append(f"seats_of({self.one('team', depth - 1)})")
            found.append(f"{self.pick('partners', 'opponents')}({self.one('seat', depth - 1)})")
        if kind == "team" and self.odds(0.3):
            found.append(f"opponents({self.one('team', depth - 1)})")
        if depth > 0:
            one, two = self.several(kind, depth - 1), self.several(kind, depth - 1)
            found.append(f"({one} {self.pick('+', '-', '&')} {two})")
            item = self.one(kind, depth - 1)
            item = f"{{{item}}}" if item.startswith(('"', "(")) else item
            found.append(f"({one} {self.pick('+', '-')} {item})")
            found.append(f"{{{self.one(kind, depth - 1)}, {self.one(kind, 0)}}}")
            if self.inside < 2:
                with self.bind_domain(kind, depth - 1) as (name, domain):
                    best = self.extreme(name, kind, depth - 1)
                    found.append(f"(those {name} in {domain}{best})")
        return self.pick(*found)

    @contextmanager
    def bind_domain(
        self, kind: str, depth: int, where: float = 0.6, shown: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield a name and its domain; the name is in scope meanwhile."""
        name = self.fresh("x")
        if kind == MOODS:
            domain = self.set_without_context(MOOD_SET, depth)
        elif kind == "number" and self.odds(0.3):
            domain = self.set_of(DIGITS, depth)
        elif kind == "number" and self.odds(0.03):
            domain = self.pick("4000000000 to 4000000002", "-2147483650 to -2147483648")
        elif kind == "number":
            low = self.pick("0", "1", f"max(-2, min(2, {self.number(depth - 1).text}))")
            domain = f"{low} to {self.pick('2', '3', f'min(4, {self.number(depth - 1).text})')}"
        else:
            domain = self.several(kind, depth)
        if kind == "seat" and self.odds(0.5):
            domain += f" {self.pick('from', 'after')} {self.one('seat', depth - 1)}"
        self.inside += 2 if kind == "card" else 1
        with self.bind(Name(name, "seat" if domain == "seats" else kind)):
            if self.odds(where):
                test = self.condition_on(name, kind, depth)
                domain += f" where ({self.publish(test) if shown else test})"
            yield name, domain
        self.inside -= 2 if kind == "card" else 1

    # ---------------------------------------------------------------- conditions

    def yes_no(self, depth: int = 2) -> str:
        """Return a condition."""
        kinds = ["known", "number", "number", "one", "one", "in", "empty", "mood", "none", "among"]
        kinds += ["known"] * any(d.gives == "yes_no" for d in self.defines)
        if depth > 0:
            kinds += ["and", "or", "not", "choice"] + ["any", "every"] * (self.inside < 2) * 2
        inner = depth - 1
        match self.pick(*kinds):
            case "known":
                return self.pick("yes", *self.known_values("yes_no", depth) * 4)
            case "number":
                one, two = self.number(inner).text, self.number(inner).text
                return f"({one} {self.pick('==', '!=', '<', '<=', '>', '>=')} {two})"
            case "one":
                kind = self.pick(*SINGLE)
                one, two = self.one(kind, inner), self.one(kind, inner)
                if one.startswith('"') and two.startswith('"'):
                    return f"special({self.one('card', inner)})"
                return f"({one} {self.pick('==', '!=')} {two})"
            case "in":
                kind = self.pick(*SINGLE)
                one, items = self.one(kind, inner), self.several(kind, inner)
                return f"({one} {self.pick('in', 'not in')} {items})"
            case "among":
                if self.odds(0.5):
                    digits = self.pick(self.set_of(DIGITS, inner), "{-2, 1, 64, 300}")
                    return f"({self.number(0).text} {self.pick('in', 'not in')} {digits})"
                found = self.known_values(MOOD_SET, 0)
                return f"({self.named_value(MOODS)} in {self.pick(*found)})" if found else "no"
            case "empty":
                some = self.pick("cards", "cards", "seats", MOOD_SET, DIGITS)
                items = (
                    self.set_without_context(some) if some == MOOD_SET else self.value(some, inner)
                )
                return f"empty({items})"
            case "mood":
                kind = self.pick(MOODS, "one of early | late")
                found = self.known_values(kind, 0)
                return f"({self.pick(*found)} == {self.named_value(kind)})" if found else "yes"
            case "none":
                found = self.known_values(self.pick("seat?", "card?", "team?"), depth)
                return f"({self.pick(*found)} {self.pick('==', '!=')} none)" if found else "no"
            case "and" | "or" as op:
                return f"({self.yes_no(inner)} {op} {self.yes_no(inner)})"
            case "not":
                return f"(not {self.yes_no(inner)})"
            case "choice":
                return self.either("yes_no", inner)
            case op:
                over = self.pick(*SINGLE, "seat", "seat", "card", "number", MOODS)
                with self.bind_domain(over, inner) as (name, domain):
                    test = f" has {self.condition_on(name, over, inner)}"
                    more = test if op == "every" or self.odds(0.6) else ""
                    return f"({op} {name} in {domain}{more})"

    def condition_on(self, name: str, kind: str, depth: int) -> str:
        """Return a condition on an element of a loop or quantifier."""
        if kind == "card" and self.odds(0.6):
            return self.condition_on_card(name)
        flags = [v.name for v in self.variables if v.kind == "yes_no" and v.index == kind]
        if flags and self.odds(0.4):
            return self.pick(f"(not {(flag := self.pick(*flags))}[{name}])", f"{flag}[{name}]")
        return self.yes_no(depth)

    def condition_on_card(self, card: str) -> str:
        """Return a condition on a card, which an engine can evaluate for a whole set at once."""
        other = self.literal("card") if self.odds(0.5) else self.one("card", 1)
        kind = self.pick(
            *["strength"] * 3, "rank", "suit", "suit", "card", "seats", "in", "not", "both"
        )
        match kind:
            case "strength":
                name = self.pick("strength", "strength", *self.table.values)
                end = self.pick(f"{name}({other})", f"{name}({other})", "2", self.number(0).text)
                return self.comparison(f"{name}({card})", end, "==", "<", "<=", ">", ">=")
            case "rank" | "suit":
                end = self.pick(f"{kind}({other})", self.literal(kind))
                return self.comparison(f"{kind}({card})", end)
            case "card":
                return self.comparison(card, other)
            case "seats":
                zone = self.random.choice([z for z in self.zones if z.index == "seat"])
                seat, lies = self.fresh("x"), self.fresh("x")
                test = self.comparison(f"strength({card})", f"strength({lies})", "<", "<=", ">")
                order = self.pick("", " from on_lead", f" where not empty({zone.name}[{seat}])")
                inner = f"(any {lies} in {zone.name}[{seat}] has {test})"
                return f"({self.pick('any', 'every')} {seat} in seats{order} has {inner})"
            case "in":
                items = f"{{{self.literal('rank')}, {self.literal('rank')}}}"
                return f"(rank({card}) {self.pick('in', 'not in')} {items})"
            case "not":
                return f"(not {self.condition_on_card(card)})"
        one, two = self.condition_on_card(card), self.condition_on_card(card)
        return f"({one} {self.pick('and', 'and', 'or')} {two})"

    def comparison(self, one: str, two: str, *ops: str) -> str:
        """Return a comparison, with the sides in either order."""
        if self.odds(0.4):
            one, two = two, one
        return f"({one} {self.pick(*(ops or ('==', '!=')))} {two})"
