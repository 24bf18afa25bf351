"""Flow through loops, deals and tricks: followed until what holds at the head holds each turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from trutdsl.ir import nodes
from trutdsl.ir.flow.labels import Control, both, noted
from trutdsl.ir.flow.rule_flow import DEEPEST, RuleFlow
from trutdsl.ir.flow.state import Binding, Env, join

TURNS = "how often this is done rests on this"


def follow_for(node: nodes.For, env: Env, pc: Control, rule: RuleFlow) -> None:
    """Follow a loop over elements."""
    values = rule.values
    domain = node.domain
    items = values.label(domain.items, env)
    team = values.team_of_all(domain.items, env)
    given = items | values.label(domain.last, env) | values.label(domain.start, env)
    if isinstance(domain.items, nodes.ZoneCards) and domain.where is None:
        given = values.label(domain.items.index, env)  # how many there are, all see
    picked = _picked(domain, env)
    if picked is not None and picked.counted is not None:
        given = picked.counted

    # What the loop goes through was looked at before its turns, as if a name stood for it.
    through = ~node.slot
    in_turn = isinstance(domain.items, nodes.ZoneCards)
    env.locals[through] = Binding(rule.atoms.fresh(), items, in_turn=in_turn)

    def turn(state: Env) -> Control:
        now = state.locals[through]
        _, where = values.bind_element(domain, node.slot, now.label, team, state)
        element = state.locals[node.slot]
        state.locals[node.slot] = replace(element, picked=picked is not None, in_turn=now.in_turn)
        behind = domain.where.span if domain.where is not None else domain.span
        return both(noted(given, TURNS, domain.items.span), noted(where, TURNS, behind))

    _follow_turns(node, turn, env, pc, rule)
    del env.locals[through]


def _picked(domain: nodes.Domain, env: Env) -> Binding | None:
    """Return what is known of cards that a seat has just picked, if these are gone through."""
    if not isinstance(domain.items, nodes.Local) or domain.where is not None:
        return None
    binding = env.locals.get(domain.items.slot)
    return binding if binding is not None and binding.picked else None


def follow_repeat(node: nodes.Repeat, env: Env, pc: Control, rule: RuleFlow) -> None:
    """Follow a repetition."""
    values = rule.values
    times = values.label(node.times, env)
    span = node.condition.span if node.condition is not None else node.times.span

    def turn(state: Env) -> Control:
        test = values.label(node.condition, state)
        return both(noted(times, TURNS, node.times.span), noted(test, TURNS, span))

    _follow_turns(node, turn, env, pc, rule)


def _follow_turns(
    node: nodes.For | nodes.Repeat,
    turn: Callable[[Env], Control],
    env: Env,
    pc: Control,
    rule: RuleFlow,
) -> None:
    """Follow a loop until what holds at its head holds after each further turn as well.

    turn: binds what each turn binds; returns what decides whether there is one.
    """
    stop, next_ = ("stop", id(node)), ("next", id(node))
    if rule.frame.depth >= DEEPEST:
        rule.leaks.too_deep(node.span, DEEPEST)
        return
    entry = env
    rule.frame.loops.append(id(node))
    while True:
        mark, state = rule.atoms.count, entry.named(rule.atoms)
        decides = turn(state)
        leaving = state.copy()
        rule.follow(node.body, state, both(pc, decides))
        jumps = rule.frame.jumps
        back = join([state, *jumps.pop(next_, [])], rule.atoms)
        ways = join([leaving, *jumps.pop(stop, [])], rule.atoms)
        back.taints.pop(next_, None)
        before, entry = entry, entry.widened(back, mark)
        if entry == before:
            break
    rule.frame.loops.pop()
    ways.taints.pop(stop, None)
    ways.taints.pop(next_, None)
    env.become(ways)


def follow_block(
    node: nodes.DealBlock | nodes.TrickBlock, env: Env, pc: Control, rule: RuleFlow
) -> None:
    """Follow a deal or trick, which may be ended anywhere in it, also by a rule it does."""
    deal = isinstance(node, nodes.DealBlock)
    rule.leak(f"all see that a {'deal' if deal else 'trick'} begins", node.span, rule.control)
    inner = env.copy()
    if deal:
        inner.facts, inner.shown = frozenset(), frozenset()
    for name in sorted(rule.effects.starting("deal" if deal else "trick") & inner.stored.keys()):
        inner.stored[name] = rule.atoms.fresh()
    facts, ways = inner.facts, [inner]
    rule.frame.blocks.append(ways)
    rule.follow(node.body, inner, pc)
    rule.frame.blocks.pop()
    end = join(ways, rule.atoms)
    end.facts = facts
    changed = rule.effects.changed_by(node)
    end.stored = {
        name: rule.atoms.fresh() if name in changed else key for name, key in env.stored.items()
    }
    end.taints = {w: c for w, c in end.taints.items() if w in env.taints or w == "return"}
    env.become(end)
