"""Random numbers with their bounds; `values` writes the expressions inside them."""

from __future__ import annotations

from .names import MOST, SINGLE, Names, Number
from .tables import DIGITS, MOOD_SET, MOODS


class Numbers(Names):
    """Writes numbers from the names in scope, and from other expressions."""

    def number(self, depth: int = 2) -> Number:
        """Return a number with its bounds."""
        called = self.call_of("number", depth)
        if called and self.odds(0.15):
            return Number(f"max(-99, min(99, {called}))", -99, 99)
        kinds = ["literal", "known", "known", "known", "counter", "size", "card"]
        if depth > 0:
            kinds += ["+", "-", "*", "div", "div", "mod", "min", "max", "negative", "abs", "choice"]
            kinds += ["count", "total", "total", "highest", "lowest"] * (self.inside < 2)
        made = self.number_of_kind(self.pick(*kinds), depth)
        if made.low >= -MOST and made.high <= MOST:
            return made
        return Number(f"max(-99, min(99, {made.text}))", -99, 99)

    def number_of(self, name: str, kind: str, depth: int) -> Number:
        """Return a number for each element of a domain; most depend on the element."""
        if self.odds(0.3):
            return self.number(depth)
        end = self.random.choice([0, 2, 7])
        match kind:
            case "number":
                return Number(f"({end} - {name})", end - 9, end + 9)
            case "card":
                return Number(f"({end} - strength({name}))", -(10**6), 10**6)
            case "seat":
                return Number(f"size({self.pick('hand', 'table')}[{name}])", 0, 64)
            case "team":
                one = self.table.counters[0]
                return Number(f"{one.name}[{name}]", one.low, one.high)
        return self.number(depth)

    def divisor(self) -> Number:
        """Return a number that is at least 1."""
        declared = [v for v in (*self.variables, *self.table.parameters) if v.kind == "number"]
        found = [Number(str(n), n, n) for n in (1, 2, 2, 3, 5)]
        found += [Number("players", 1, 16), Number("(size(row) + 1)", 1, 65)]
        found += [
            Number(self.place(v.name, v.index, 0), v.low, v.high) for v in declared if v.low > 0
        ]
        return self.random.choice(found)

    def number_of_kind(self, kind: str, depth: int) -> Number:
        """Return a number whose expression is of a given kind."""
        random, inner = self.random, depth - 1
        match kind:
            case "known":
                declared = [v for v in self.variables if v.kind == "number"]
                declared += [v for v in self.table.parameters if v.kind == "number"]
                names = [n.text for n in self.names if n.kind == "number"]
                if names and self.odds(0.5):
                    return Number(self.pick(*names), -MOST - 1, MOST)
                found = self.known_values("number", depth)
                if found and self.odds(0.3):
                    return Number(self.pick(*found), -MOST - 1, MOST)
                if declared:
                    one = random.choice(declared)
                    return Number(self.place(one.name, one.index, depth), one.low, one.high)
                if self.odds(0.15):
                    return Number(self.pick("deal_number", "trick_number"), 0, MOST)
            case "counter":
                one = random.choice(self.table.counters)
                return Number(self.place(one.name, one.index, depth), one.low, one.high)
            case "size":
                some = self.pick(*["cards", "seats"] * 3, MOOD_SET, DIGITS)
                items = (
                    self.set_without_context(some) if some == MOOD_SET else self.value(some, inner)
                )
                return Number(f"size({items})", 0, 64)
            case "card":
                name = self.pick("strength", *self.table.values)
                return Number(f"{name}({self.one('card', inner)})", -(10**6), 10**6)
            case "+" | "-" | "*" as op:
                return combine(op, self.number(inner), self.number(inner))
            case "div" | "mod" as op:
                one = self.number(inner)
                if self.odds(0.6):  # often below 0
                    less = random.choice([3, 5, 8])
                    one = combine("-", one, Number(str(less), less, less))
                return combine(op, one, self.divisor())
            case "min" | "max" as name:
                one, two = self.number(inner), self.number(inner)
                low, high = min(one.low, two.low), max(one.high, two.high)
                return Number(f"{name}({one.text}, {two.text})", low, high)
            case "negative":
                one = self.number(inner)
                return Number(f"(-{one.text})", -one.high, -one.low)
            case "abs":
                one = self.number(inner)
                return Number(f"abs({one.text})", 0, max(abs(one.low), abs(one.high)))
            case "choice":
                one, two = self.number(inner), self.number(inner)
                low, high = min(one.low, two.low), max(one.high, two.high)
                return Number(f"({one.text} if {self.yes_no(inner)} else {two.text})", low, high)
            case "count":
                with self.bind_domain(self.pick(*SINGLE, "number", MOODS), inner) as (name, domain):
                    return Number(f"(count {name} in {domain})", 0, 64)
            case "total" | "highest" | "lowest":
                over = self.pick(*SINGLE, "seat", "card", "card", "number", "number", MOODS)
                where = 0.5 if kind == "total" else 0.1
                with self.bind_domain(over, inner if kind == "total" else 0, where) as (
                    name,
                    domain,
                ):
                    each = self.number_of(name, over, inner)
                    text = f"({kind} {each.text} for {name} in {domain})"
                    if kind != "total":
                        end = random.choice([0, 1, 7])
                        text = self.if_any(text, f"{name} in {domain}", str(end))
                        return Number(text, min(end, each.low), max(end, each.high))
                    return Number(text, min(0, 64 * each.low), max(0, 64 * each.high))
        value = random.choice([0, 1, 1, 2, 2, 3, 4, 7, 64, 1000])
        if self.odds(0.15):
            return Number(f"(-{value})", -value, -value)
        return Number(str(value), value, value)


def combine(op: str, one: Number, two: Number) -> Number:
    """Return the result of an operation, with its bounds."""
    text = f"({one.text} {op} {two.text})"
    if op == "mod":
        return Number(text, 0, two.high - 1)
    way = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "div": int.__floordiv__}[op]
    ends = [way(a, b) for a in (one.low, one.high) for b in (two.low, two.high)]
    return Number(text, min(ends), max(ends))
