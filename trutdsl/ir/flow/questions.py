"""Flow through questions: who notices one, what its options rest on, what follows from each."""

from __future__ import annotations

from trutdsl.diagnostics import Span
from trutdsl.ir import nodes
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    NO_CONTROL,
    PUBLIC,
    UNKNOWN,
    Control,
    Label,
    Reader,
    Readers,
    Secret,
    both,
    hidden_from,
    noted,
    team_of,
)
from trutdsl.ir.flow.rule_flow import CHOSEN, DEEPEST, NAMES, RuleFlow
from trutdsl.ir.flow.state import Binding, Env, join
from trutdsl.syntax.ast import Audience

HIDDEN = "use only what that seat may see, or write `openly(...)` if the rule makes it known"


def follow_ask(node: nodes.Ask, env: Env, pc: Control, rule: RuleFlow) -> None:
    """Follow a question, until what holds when it is asked holds each time it is asked again."""
    if rule.frame.depth >= DEEPEST:
        rule.leaks.too_deep(node.span, DEEPEST)
        return
    values, atoms, frame = rule.values, rule.atoms, rule.frame
    asked = values.of(node.seat, env)
    seat = Reader(False, asked.key or UNKNOWN)
    again, entry = ("again", id(node)), env
    frame.asks.append(id(node))
    while True:
        mark, state = atoms.count, entry.named(atoms)
        rule.control = both(pc, *state.taints.values())
        if asked.label or rule.control:
            rule.leaks.secret_questions.add(id(node))
        rule.leak(
            f"{_NOTICE[node.audience]} that '{node.decision}' is asked",
            node.span,
            hidden_from(asked.label | set(rule.control), _noticing(node, seat)),
            node.seat,
        )
        ways = [state.copy() for _ in node.options]
        for option, way in zip(node.options, ways, strict=True):
            _option(option, node, seat, way, pc, rule)
        asked_again = frame.jumps.pop(again, [])
        if not asked_again:
            break
        before, entry = entry, entry.widened(join(asked_again, atoms), mark)
        if entry == before:
            break
    frame.asks.pop()
    end = join(ways, atoms)
    end.taints.pop(again, None)
    env.become(end)


def _noticing(node: nodes.Ask, seat: Reader) -> Readers:
    match node.audience:
        case Audience.ALL:
            return EVERYBODY
        case Audience.TEAM:
            return frozenset({Reader(True, team_of(seat.key))})
        case Audience.OWNER | Audience.NOBODY:
            return frozenset({seat})


def _option(
    option: nodes.Option,
    question: nodes.Ask,
    seat: Reader,
    env: Env,
    pc: Control,
    rule: RuleFlow,
) -> None:
    values = rule.values
    for binder in option.binders:
        found = values.label(binder.items, env) | values.label(binder.last, env)
        _legality(binder.items.span, found, seat, option, question, rule)
        key = values.atoms.fresh(values.team_of_all(binder.items, env))
        env.locals[binder.slot] = Binding(key, found)
    if option.condition is not None:
        found = values.label(option.condition, env)
        _legality(option.condition.span, found, seat, option, question, rule)
    chosen: Label = PUBLIC
    if question.audience is not Audience.ALL and not option.openly:
        team = question.audience is Audience.TEAM
        owner = Reader(True, team_of(seat.key)) if team else seat
        chosen = frozenset({Secret(question.decision, owner, chosen=True)})
    for binder in option.binders:
        how_many: Label | None = None
        if isinstance(binder.items, nodes.Hands) and binder.items.last is None:
            how_many = values.label(binder.items.size, env)
        env.locals[binder.slot] = Binding(env.locals[binder.slot].key, chosen, True, how_many)
    taints = dict(env.taints)
    if option.openly:
        # All notice that this is done, and with it all that led to it and the seat may see.
        pc = _without(pc, seat)
        env.taints = {what: _without(control, seat) for what, control in taints.items()}
    elif len(question.options) > 1:
        # With one option the same is done whatever is chosen, and only the choice is secret.
        pc = both(pc, noted(chosen, CHOSEN, option.span))
    rule.follow(option.body, env, pc)
    for what, control in taints.items():
        env.taint(what, control)


def _legality(
    span: Span,
    found: Label,
    seat: Reader,
    option: nodes.Option,
    question: nodes.Ask,
    rule: RuleFlow,
) -> None:
    rule.leaks.error(
        "hidden",
        f"whether '{' '.join(option.words)}' is allowed rests on {NAMES}, which the seat asked "
        f"for '{question.decision}' may not see",
        span,
        hidden_from(found, frozenset({seat})),
        NO_CONTROL,
        HIDDEN,
    )


_NOTICE = {
    Audience.ALL: "all notice",
    Audience.OWNER: "the asked seat notices",
    Audience.TEAM: "the team notices",
    Audience.NOBODY: "the asked seat notices",
}


def _without(control: Control, seat: Reader) -> Control:
    return {secret: note for secret, note in control.items() if not secret.known_to(seat)}
