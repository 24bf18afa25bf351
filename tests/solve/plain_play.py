"""Equilibrium play in plain Python: a reference implementation for `trutdsl.solve`."""

from __future__ import annotations

from collections import defaultdict

from trutdsl.game import DealStart, Question


class End:
    """A terminal node with the gain of the first seat."""

    def __init__(self, gain):
        self.gain = gain


class Chance:
    """A chance node with pairs of probability and subtree."""

    def __init__(self, branches):
        self.branches = branches


class Choice:
    """A decision node: the seat, its information set, and a subtree for each action."""

    def __init__(self, seat, key, branches):
        self.seat, self.key, self.branches = seat, key, branches


def grow(state, gain):
    """Return the tree of a deal from a question on; gain: returns the value of a final state."""
    pending = state.pending
    if not isinstance(pending, Question):
        assert pending is None or isinstance(pending, DealStart)
        return End(gain(state))
    seen = state.sight(pending.seat)
    branches = []
    for action in range(len(pending.actions)):
        twin = state.clone()
        twin.apply(action)
        branches.append(grow(twin, gain))
    return Choice(pending.seat, (pending.decision, *seen), branches)


class PlainSolver:
    """CFR+ with recursion over the tree of a deal."""

    def __init__(self, root):
        self.root = root
        self.regrets, self.sums = {}, {}

    def strategy(self, node):
        regrets = self.regrets.setdefault((node.seat, node.key), [0.0] * len(node.branches))
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
        """Return the expected gain of the seat, and update its regrets and sums."""
        if isinstance(node, End):
            return node.gain if seat == 0 else -node.gain
        if isinstance(node, Chance):
            return sum(
                p * self._walk(branch, seat, mine, others * p, turn) for p, branch in node.branches
            )
        key = node.seat, node.key
        shares = self._strategies.setdefault(key, self.strategy(node))
        if node.seat != seat:
            pairs = zip(shares, node.branches, strict=True)
            return sum(p * self._walk(w, seat, mine, others * p, turn) for p, w in pairs)
        pairs = zip(shares, node.branches, strict=True)
        values = [self._walk(branch, seat, mine * p, others, turn) for p, branch in pairs]
        value = sum(p * v for p, v in zip(shares, values, strict=True))
        self._found[key].append([others * (v - value) for v in values])
        sums = self.sums.setdefault(key, {})
        for place, share in enumerate(shares):
            sums[place] = sums.get(place, 0.0) + turn * mine * share
        return value

    def average(self, node):
        sums = self.sums.get((node.seat, node.key), {})
        total = sum(sums.values())
        count = len(node.branches)
        return [sums[i] / total for i in range(count)] if total > 0 else [1 / count] * count

    def value(self, node=None):
        """Return the gain of the first seat if both play their average strategies."""
        node = node or self.root
        if isinstance(node, End):
            return node.gain
        if isinstance(node, Chance):
            return sum(p * self.value(branch) for p, branch in node.branches)
        return sum(
            p * self.value(w) for p, w in zip(self.average(node), node.branches, strict=True)
        )

    def best_value(self, seat):
        """Return the gain of a seat's best response to the other's average strategy."""
        best = {}

        def collect(node, weight, found):
            if isinstance(node, Chance):
                for p, branch in node.branches:
                    collect(branch, weight * p, found)
            elif isinstance(node, Choice):
                shares = self.average(node) if node.seat != seat else [1.0] * len(node.branches)
                if node.seat == seat:
                    found[node.key].append((weight, node))
                for p, branch in zip(shares, node.branches, strict=True):
                    collect(branch, weight * p, found)

        sets = defaultdict(list)
        collect(self.root, 1.0, sets)

        def respond(node):
            if isinstance(node, End):
                return node.gain if seat == 0 else -node.gain
            if isinstance(node, Chance):
                return sum(p * respond(branch) for p, branch in node.branches)
            if node.seat != seat:
                pairs = zip(self.average(node), node.branches, strict=True)
                return sum(p * respond(branch) for p, branch in pairs)
            if node.key not in best:
                totals = [
                    sum(weight * respond(one.branches[i]) for weight, one in sets[node.key])
                    for i in range(len(node.branches))
                ]
                best[node.key] = totals.index(max(totals))
            return respond(node.branches[best[node.key]])

        return respond(self.root)
