"""Equilibrium play in plain Python: the definition that `trutdsl.solve` is compared with."""

from __future__ import annotations

from collections import defaultdict

from trutdsl.game import DealStart, Question


class End:
    """An end of the deal: what the first seat gains."""

    def __init__(self, gain):
        self.gain = gain


class Chance:
    """What chance can do, with the probability of each."""

    def __init__(self, ways):
        self.ways = ways


class Choice:
    """A question: the seat, what it knows, and what each action leads to."""

    def __init__(self, seat, key, ways):
        self.seat, self.key, self.ways = seat, key, ways


def grow(state, gain):
    """Return the tree of a deal from a question on; gain: of the state at the end."""
    pending = state.pending
    if not isinstance(pending, Question):
        assert pending is None or isinstance(pending, DealStart)
        return End(gain(state))
    seen = state.sight(pending.seat)
    ways = []
    for action in range(len(pending.actions)):
        twin = state.clone()
        twin.apply(action)
        ways.append(grow(twin, gain))
    return Choice(pending.seat, (pending.decision, *seen), ways)


class PlainSolver:
    """CFR+ with recursion over all courses of a deal."""

    def __init__(self, root):
        self.root = root
        self.regrets, self.sums = {}, {}

    def strategy(self, node):
        regrets = self.regrets.setdefault((node.seat, node.key), [0.0] * len(node.ways))
        total = sum(regrets)
        return [r / total for r in regrets] if total > 0 else [1 / len(regrets)] * len(regrets)

    def iterate(self, turn):
        for seat in (0, 1):
            self._found = defaultdict(list)
            self._strategies = {}
            self._walk(self.root, seat, 1.0, 1.0, turn)
            for key, rows in self._found.items():
                own = self.regrets[key]
                for place in range(len(own)):
                    own[place] = max(own[place] + sum(row[place] for row in rows), 0.0)

    def _walk(self, node, seat, mine, others, turn):
        """Return what the seat gains, with its own choices and the others' weights."""
        if isinstance(node, End):
            return node.gain if seat == 0 else -node.gain
        if isinstance(node, Chance):
            return sum(p * self._walk(way, seat, mine, others * p, turn) for p, way in node.ways)
        key = node.seat, node.key
        shares = self._strategies.setdefault(key, self.strategy(node))
        if node.seat != seat:
            pairs = zip(shares, node.ways, strict=True)
            return sum(p * self._walk(w, seat, mine, others * p, turn) for p, w in pairs)
        pairs = zip(shares, node.ways, strict=True)
        values = [self._walk(way, seat, mine * p, others, turn) for p, way in pairs]
        value = sum(p * v for p, v in zip(shares, values, strict=True))
        self._found[key].append([others * (v - value) for v in values])
        sums = self.sums.setdefault(key, {})
        for place, share in enumerate(shares):
            sums[place] = sums.get(place, 0.0) + turn * mine * share
        return value

    def average(self, node):
        sums = self.sums.get((node.seat, node.key), {})
        total = sum(sums.values())
        count = len(node.ways)
        return [sums[i] / total for i in range(count)] if total > 0 else [1 / count] * count

    def value(self, node=None):
        """Return what the first seat gains if both play by the averages."""
        node = node or self.root
        if isinstance(node, End):
            return node.gain
        if isinstance(node, Chance):
            return sum(p * self.value(way) for p, way in node.ways)
        return sum(p * self.value(w) for p, w in zip(self.average(node), node.ways, strict=True))

    def best_value(self, seat):
        """Return what a seat gains that plays best against the other's average."""
        best = {}

        def collect(node, weight, found):
            if isinstance(node, Chance):
                for p, way in node.ways:
                    collect(way, weight * p, found)
            elif isinstance(node, Choice):
                shares = self.average(node) if node.seat != seat else [1.0] * len(node.ways)
                if node.seat == seat:
                    found[node.key].append((weight, node))
                for p, way in zip(shares, node.ways, strict=True):
                    collect(way, weight * p, found)

        sets = defaultdict(list)
        collect(self.root, 1.0, sets)

        def respond(node):
            if isinstance(node, End):
                return node.gain if seat == 0 else -node.gain
            if isinstance(node, Chance):
                return sum(p * respond(way) for p, way in node.ways)
            if node.seat != seat:
                pairs = zip(self.average(node), node.ways, strict=True)
                return sum(p * respond(way) for p, way in pairs)
            if node.key not in best:
                totals = [
                    sum(weight * respond(one.ways[i]) for weight, one in sets[node.key])
                    for i in range(len(node.ways))
                ]
                best[node.key] = totals.index(max(totals))
            return respond(node.ways[best[node.key]])

        return respond(self.root)
