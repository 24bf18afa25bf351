"""Reachability: what a match comes to, and before which questions no step is counted."""

from __future__ import annotations

from trutdsl.ir import Program, nodes
from trutdsl.ir.analysis.cost import Counted, Work
from trutdsl.ir.walk import children, walk


def parts_in_use(program: Program) -> list[nodes.Node]:
    """Return what a match starts from, and each rule and `define` that it leads to, once."""
    waiting: list[nodes.Node] = [v.initial for v in program.variables.values()]
    waiting += [zone.content for zone in program.zones.values() if zone.content is not None]
    waiting.append(program.rules["match"].body)
    waiting += policy_parts(program)
    found, seen = [], set()
    while waiting:
        part = waiting.pop()
        found.append(part)
        for node in walk(part):
            match node:
                case nodes.Do(_, _, name) if f"rule {name}" not in seen:
                    seen.add(f"rule {name}")
                    waiting.append(program.rules[name].body)
                case nodes.Call(_, _, name) if f"define {name}" not in seen:
                    seen.add(f"define {name}")
                    waiting.append(program.functions[name].body)
    return found


def policy_parts(program: Program) -> list[nodes.Node]:
    """Return what the program's policies look at: their answers, and what they remember first."""
    found: list[nodes.Node] = []
    for policy in program.policies.values():
        found += [answer.body for answer in policy.answers]
        found += [memory.initial for memory in policy.memory]
    return found


def uncounted_questions(program: Program, work: Work) -> frozenset[int]:
    """Return the questions, by `id`, before which no step is counted since their deal began."""
    inside: set[int] = set()
    outside: set[int] = set()
    seen: set[tuple[str, bool]] = set()
    starts = [v.initial for v in program.variables.values() if v.lifetime != "match"]
    waiting: list[tuple[nodes.Node, bool]] = [(start, True) for start in starts]
    waiting.append((program.rules["match"].body, False))
    while waiting:
        node, dealing = waiting.pop()
        match node:
            case nodes.DealBlock():
                dealing = True
            case nodes.Ask():
                (inside if dealing else outside).add(id(node))
            case nodes.Do(_, _, name) if (f"rule {name}", dealing) not in seen:
                seen.add((f"rule {name}", dealing))
                waiting.append((program.rules[name].body, dealing))
            case nodes.Call(_, _, name) if (f"define {name}", dealing) not in seen:
                seen.add((f"define {name}", dealing))
                waiting.append((program.functions[name].body, dealing))
        if dealing and isinstance(node, Counted) and work.cost(node):
            return frozenset()
        waiting += [(part, dealing) for part in children(node)]
    return frozenset(inside - outside)
