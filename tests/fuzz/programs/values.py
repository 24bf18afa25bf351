"""Expressions at random, each of a wanted type."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .amounts import Numbers
from .names import SINGLE, Name
from .tables import DIGITS, MOOD_SET, MOODS


class Values(Numbers):
    """Writes expressions of the names that are known at a place."""

    def value(self, kind: str, depth: int = 2) -> str:
        """Return an expression of a type."""
        if kind == "number":
            return self.number(depth).text
        if kind == "yes_no":
            return self.yes_no(depth)
        if kind.startswith("one of"):
            some = kind == MOODS and depth > 0 and self.inside < 2 and self.odds(0.2)
            some = some and (self.typed or any(v.kind == MOOD_SET for v in self.variables))
            return self.first(kind, depth - 1, "cold") if some else self.named(kind)
        if kind.startswith("set of"):
            return self.set_of(kind, depth)
        if kind.endswith("?"):
            return self.maybe(kind[:-1], depth)
        return self.several(kind[:-1], depth) if kind.endswith("s") else self.one(kind, depth)

    def either(self, kind: str, depth: int) -> str:
        """Return one value or another, by a test."""
        one, two = self.value(kind, depth - 1), self.value(kind, depth - 1)
        return f"({one} if {self.yes_no(depth - 1)} else {two})"

    # ---------------------------------------------------------------- single things

    def named(self, kind: str) -> str:
        """Return one of some named values."""
        names = kind.removeprefix("one of ").split(" | ")
        return self.pick(*names, *self.remembered(kind, 0))

    def alone(self, kind: str, depth: int = 0) -> str:
        """Return such a set whose type is known by itself; one of seats if there is none."""
        if kind != MOOD_SET or self.typed:
            return self.set_of(kind, depth)
        return self.pick(*(self.remembered(kind, depth) or ["seats"]))

    def set_of(self, kind: str, depth: int) -> str:
        """Return a set of named values or of numbers."""
        found = self.remembered(kind, depth)
        if kind == MOOD_SET:
            found += [f"{{{self.named(MOODS)}}}"] if found else []
            found += ["{calm, cold}", "{heated}", *["all of mood"] * self.typed]
        else:
            found += ["{0, 3, 9}", f"{{min(9, max(0, {self.number(0).text}))}}"]
            found.append(f"(those {self.fresh('x')} in 0 to 9 where {self.yes_no(0)})")
            found.append(f"{{{self.number(0).text}}}" if self.odds(0.05) else "{2}")
        if depth > 0:
            one, two = self.set_of(kind, depth - 1), self.set_of(kind, depth - 1)
            if kind != MOOD_SET or not one.startswith("{"):
                found.append(f"({one} {self.pick('+', '-', '&')} {two})")
            if self.inside < 2 and (kind == DIGITS or not one.startswith("{")):
                name = self.fresh("x")
                self.inside += 1
                with self.bound(Name(name, "number" if kind == DIGITS else MOODS)):
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
        found = self.remembered(kind, depth)
        inner = depth - 1
        if self.odds(0.08):
            found += [self.or_else(one, kind) for one in self.remembered(kind + "?", depth)]
        if depth > 0 and self.odds(0.15):
            found.append(self.either(kind, inner))
        if kind == "seat":
            found += ["dealer", "on_lead"]
            if depth > 0:
                found.append(self.pick("next_seat", "previous_seat") + f"({self.one(kind, inner)})")
        elif kind == "team":
            found.append(f"team({self.one('seat', inner)})")
        elif not found or self.odds(0.3):
            found.append(self.literal(kind))
            if kind == "rank" and depth > 0:
                found.append(f"rank({self.one('card', inner)})")
            if kind == "suit" and depth > 0 and not self.table.birds:
                found.append(f"suit({self.one('card', inner)})")
            if kind == "card" and depth > 0 and self.odds(0.15):
                found.append(f"{self.pick('top', 'bottom')}({self.zone(0)[1]})")
        if depth > 0 and self.inside < 2 and self.odds(0.12):
            found.append(self.first(kind, inner, self.plain(kind)))
        return self.pick(*found)

    def plain(self, kind: str) -> str:
        """Return something simple that surely is."""
        if kind == "seat":
            return self.pick("dealer", "on_lead")
        return "team(dealer)" if kind == "team" else self.literal(kind)

    def or_else(self, text: str, kind: str) -> str:
        """Return what may be none; mostly with something else for when it is."""
        if self.odds(0.1):
            return text
        return f"({text} if {text} != none else {self.plain(kind)})"

    def first(self, kind: str, depth: int, other: str | None = None) -> str:
        """Return the first of a set; mostly, if `other` is given, that where there is none."""
        with self.through(kind, depth) as (name, domain):
            best = self.extreme(name, kind, depth)
            return self.if_any(f"(first {name} in {domain}{best})", f"{name} in {domain}", other)

    def extreme(self, name: str, kind: str, depth: int) -> str:
        """Return, at times, that only those are meant which have the most or the least."""
        if self.odds(0.65):
            return ""
        return f" with {self.pick('highest', 'lowest')} {self.number_of(name, kind, depth).text}"

    def if_any(self, text: str, domain: str, other: str | None) -> str:
        """Return what needs one of a domain; mostly with something else for when there is none."""
        if other is None or self.odds(0.1):
            return text
        return f"({text} if (any {domain}) else {other})"

    def maybe(self, kind: str, depth: int) -> str:
        """Return one of a kind, or none."""
        found = [*self.remembered(kind + "?", depth), "none", self.one(kind, depth - 1)]
        if kind == "seat":
            found.append(f"partner({self.one('seat', depth - 1)})")
        if depth > 0 and self.inside < 2:
            found.append(self.first(kind, depth - 1))
        return self.pick(*found)

    # ---------------------------------------------------------------- sets, and going through them

    def several(self, kind: str, depth: int = 2) -> str:
        """Return a set."""
        found = self.remembered(kind + "s", depth)
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
                with self.through(kind, depth - 1) as (name, domain):
                    best = self.extreme(name, kind, depth - 1)
                    found.append(f"(those {name} in {domain}{best})")
        return self.pick(*found)

    @contextmanager
    def through(
        self, kind: str, depth: int, where: float = 0.6, shown: bool = False
    ) -> Iterator[tuple[str, str]]:
        """Yield a name and the domain that it goes through, the name known meanwhile."""
        name = self.fresh("x")
        if kind == MOODS:
            domain = self.alone(MOOD_SET, depth)
        elif kind == "number" and self.odds(0.3):
            domain = self.set_of(DIGITS, depth)
        elif kind == "number":
            low = self.pick("0", "1", f"max(-2, min(2, {self.number(depth - 1).text}))")
            domain = f"{low} to {self.pick('2', '3', f'min(4, {self.number(depth - 1).text})')}"
        else:
            domain = self.several(kind, depth)
        if kind == "seat" and self.odds(0.5):
            domain += f" {self.pick('from', 'after')} {self.one('seat', depth - 1)}"
        self.inside += 2 if kind == "card" else 1
        with self.bound(Name(name, "seat" if domain == "seats" else kind)):
            if self.odds(where):
                test = self.asked_of(name, kind, depth)
                domain += f" where ({self.shown(test) if shown else test})"
            yield name, domain
        self.inside -= 2 if kind == "card" else 1

    # ---------------------------------------------------------------- yes or no

    def yes_no(self, depth: int = 2) -> str:
        """Return a condition."""
        kinds = ["known", "number", "number", "one", "one", "in", "empty", "mood", "none", "among"]
        if depth > 0:
            kinds += ["and", "or", "not", "choice"] + ["any", "every"] * (self.inside < 2) * 2
        inner = depth - 1
        match self.pick(*kinds):
            case "known":
                return self.pick("yes", *self.remembered("yes_no", depth) * 4)
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
                    digits = self.set_of(DIGITS, inner)
                    return f"({self.number(0).text} {self.pick('in', 'not in')} {digits})"
                found = self.remembered(MOOD_SET, 0)
                return f"({self.named(MOODS)} in {self.pick(*found)})" if found else "no"
            case "empty":
                some = self.pick("cards", "cards", "seats", MOOD_SET, DIGITS)
                items = self.alone(some) if some == MOOD_SET else self.value(some, inner)
                return f"empty({items})"
            case "mood":
                kind = self.pick(MOODS, "one of early | late")
                found = self.remembered(kind, 0)
                return f"({self.pick(*found)} == {self.named(kind)})" if found else "yes"
            case "none":
                found = self.remembered(self.pick("seat?", "card?", "team?"), depth)
                return f"({self.pick(*found)} {self.pick('==', '!=')} none)" if found else "no"
            case "and" | "or" as op:
                return f"({self.yes_no(inner)} {op} {self.yes_no(inner)})"
            case "not":
                return f"(not {self.yes_no(inner)})"
            case "choice":
                return self.either("yes_no", inner)
            case op:
                over = self.pick(*SINGLE, "seat", "seat", "card", "number", MOODS)
                with self.through(over, inner) as (name, domain):
                    test = f" has {self.asked_of(name, over, inner)}"
                    more = test if op == "every" or self.odds(0.6) else ""
                    return f"({op} {name} in {domain}{more})"

    def asked_of(self, name: str, kind: str, depth: int) -> str:
        """Return a condition on what a loop or quantifier goes through."""
        if kind == "card" and self.odds(0.6):
            return self.asked_of_card(name)
        return self.yes_no(depth)

    def asked_of_card(self, card: str) -> str:
        """Return a condition on a card by what it is, which all cards of a set can be asked."""
        other = self.literal("card") if self.odds(0.5) else self.one("card", 1)
        kind = self.pick(
            *["strength"] * 3, "rank", "suit", "suit", "card", "seats", "in", "not", "both"
        )
        match kind:
            case "strength":
                name = self.pick("strength", "strength", *self.table.values)
                end = self.pick(f"{name}({other})", f"{name}({other})", "2", self.number(0).text)
                return self.compared(f"{name}({card})", end, "==", "<", "<=", ">", ">=")
            case "rank" | "suit":
                end = self.pick(f"{kind}({other})", self.literal(kind))
                return self.compared(f"{kind}({card})", end)
            case "card":
                return self.compared(card, other)
            case "seats":
                zone = self.random.choice([z for z in self.zones if z.index == "seat"])
                seat, lies = self.fresh("x"), self.fresh("x")
                test = self.compared(f"strength({card})", f"strength({lies})", "<", "<=", ">")
                order = self.pick("", " from on_lead", f" where not empty({zone.name}[{seat}])")
                inner = f"(any {lies} in {zone.name}[{seat}] has {test})"
                return f"({self.pick('any', 'every')} {seat} in seats{order} has {inner})"
            case "in":
                items = f"{{{self.literal('rank')}, {self.literal('rank')}}}"
                return f"(rank({card}) {self.pick('in', 'not in')} {items})"
            case "not":
                return f"(not {self.asked_of_card(card)})"
        one, two = self.asked_of_card(card), self.asked_of_card(card)
        return f"({one} {self.pick('and', 'and', 'or')} {two})"

    def compared(self, one: str, two: str, *ops: str) -> str:
        """Return a comparison, either way round."""
        if self.odds(0.4):
            one, two = two, one
        return f"({one} {self.pick(*(ops or ('==', '!=')))} {two})"
