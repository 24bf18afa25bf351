"""Compiles statements: each is a step, or a generator if it may lead to a question."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from trutdsl.interp.compile_builtins import compile_domain
from trutdsl.interp.compile_expressions import (
    compile_cards,
    compile_chance,
    compile_index,
    compile_store,
)
from trutdsl.interp.machine import (
    CompiledProgram,
    CompiledStatement,
    Leave,
    Machine,
    ReturnSignal,
    Signal,
    Slots,
    Talk,
)
from trutdsl.ir import nodes
from trutdsl.ir.intervals import MOST_DEALS, MOST_TURNS
from trutdsl.language import say
from trutdsl.table.match import DealStart
from trutdsl.table.sight import number_of, reading_of


def compile_block(block: nodes.Block, code: CompiledProgram) -> CompiledStatement:
    parts = [compile_statement(s, code) for s in block.statements]
    if not any(p.asks for p in parts):
        steps = [p.run for p in parts]

        def run(m: Machine, f: Slots) -> Signal:
            for step in steps:
                signal: Signal = step(m, f)
                if signal is not None:
                    return signal
            return None

        return CompiledStatement(False, run)

    def talk(m: Machine, f: Slots) -> Talk:
        for part in parts:
            signal = (yield from part.run(m, f)) if part.asks else part.run(m, f)
            if signal is not None:
                return signal
        return None

    return CompiledStatement(True, talk)


def compile_statement(node: nodes.Statement, code: CompiledProgram) -> CompiledStatement:
    match node:
        case nodes.Let(_, slot, value):
            return _with_value(value, code, lambda _m, f, v: f.__setitem__(slot, v))
        case nodes.Assign():
            return _with_value(node.value, code, compile_store(node, code))
        case nodes.Perform(_, do):
            return _with_value(do, code, lambda _m, _f, _v: None)
        case nodes.Return(_, value):
            if value is None:
                return CompiledStatement(False, lambda _m, _f: ReturnSignal(None))
            return _with_value(value, code, lambda _m, _f, v: ReturnSignal(v))
        case nodes.Stop():
            return CompiledStatement(False, lambda _m, _f: Leave.STOP)
        case nodes.Next():
            return CompiledStatement(False, lambda _m, _f: Leave.NEXT)
        case nodes.Again():
            return CompiledStatement(False, lambda _m, _f: Leave.AGAIN)
        case nodes.If():
            return _compile_if(node, code)
        case nodes.For(_, _, _, body):
            elements = compile_domain(node, code, ordered=True)
            return _compile_loop(elements, compile_block(body, code))
        case nodes.Repeat():
            return _compile_repeat(node, code)
        case nodes.DealBlock():
            return _compile_deal(node, code)
        case nodes.TrickBlock(_, zone, body):
            return _compile_trick(zone, body, code)
        case nodes.Setup(_, name, body):
            return _compile_setup(name, body, code)
        case nodes.Ask():
            return code.compile_ask(node)
        case nodes.EndTrick(_, winner):
            return _compile_end(winner, code, "trick", Leave.END_TRICK, None)
        case nodes.EndDeal(_, winner, reason):
            return _compile_end(winner, code, "deal", Leave.END_DEAL, reason)
        case nodes.EndMatch(_, winner, reason):
            return _compile_end(winner, code, "match", Leave.END_MATCH, reason)
        case nodes.Reveal(_, what, seats):
            index = compile_index(what.index, code)
            to = code.value(seats)

            def reveal(m: Machine, f: Slots) -> None:
                m.grant(what.name, index(m, f), to(m, f))

            return CompiledStatement(False, reveal)
        case nodes.Announce():
            return CompiledStatement(False, _compile_announce(node, code))
        case nodes.Take() | nodes.TakeAny():
            return code.take(node)
        case _:
            return CompiledStatement(False, compile_cards(node, code))


def _with_value(
    value: nodes.Expression, code: CompiledProgram, use: Callable[[Machine, Slots, Any], Signal]
) -> CompiledStatement:
    """Return the step that computes a value, possibly by chance or a rule, and uses it."""
    match value:
        case nodes.Do(_, _, rule, args):
            values = [code.value(a) for a in args]
            done, cost = code.rule(rule), code.cost(value)
            if done.asks:

                def talk(m: Machine, f: Slots) -> Talk:
                    if cost:
                        m.step(value.span, cost)
                    signal = yield from done.run(m, [g(m, f) for g in values])
                    if isinstance(signal, ReturnSignal):
                        return use(m, f, signal.value)
                    return signal if signal is not None else use(m, f, None)

                return CompiledStatement(True, talk)

            def run(m: Machine, f: Slots) -> Signal:
                if cost:
                    m.step(value.span, cost)
                signal = done.run(m, [g(m, f) for g in values])
                if isinstance(signal, ReturnSignal):
                    return use(m, f, signal.value)
                return signal if signal is not None else use(m, f, None)

            return CompiledStatement(False, run)
        case nodes.Roll() | nodes.RandomFrom() | nodes.Chance():
            chance_value = compile_chance(value, code)
            return CompiledStatement(False, lambda m, f: use(m, f, chance_value(m, f)))
    plain = code.value(value)
    return CompiledStatement(False, lambda m, f: use(m, f, plain(m, f)))


def _compile_if(node: nodes.If, code: CompiledProgram) -> CompiledStatement:
    branches = [
        (code.observe_test(node, test, code.value(test)), compile_block(body, code))
        for test, body in node.branches
    ]
    otherwise = compile_block(node.otherwise, code)
    if otherwise.asks or any(b.asks for _, b in branches):

        def talk(m: Machine, f: Slots) -> Talk:
            branch = next((b for test, b in branches if test(m, f)), otherwise)
            if branch.asks:
                return (yield from branch.run(m, f))
            return branch.run(m, f)

        return CompiledStatement(True, talk)

    def run(m: Machine, f: Slots) -> Signal:
        for test, body in branches:
            if test(m, f):
                return body.run(m, f)  # type: ignore[no-any-return]
        return otherwise.run(m, f)  # type: ignore[no-any-return]

    return CompiledStatement(False, run)


def _compile_loop(
    turns: Callable[[Machine, Slots], Any], body: CompiledStatement
) -> CompiledStatement:
    if body.asks:

        def talk(m: Machine, f: Slots) -> Talk:
            for _ in turns(m, f):
                signal = yield from body.run(m, f)
                if signal is Leave.STOP:
                    return None
                if signal is not None and signal is not Leave.NEXT:
                    return signal
            return None

        return CompiledStatement(True, talk)

    def run(m: Machine, f: Slots) -> Signal:
        for _ in turns(m, f):
            signal: Signal = body.run(m, f)
            if signal is Leave.STOP:
                return None
            if signal is not None and signal is not Leave.NEXT:
                return signal
        return None

    return CompiledStatement(False, run)


def _compile_repeat(node: nodes.Repeat, code: CompiledProgram) -> CompiledStatement:
    times = code.value(node.times)
    test = code.value(node.condition) if node.condition is not None else None
    going_on, cost = node.test != "until", code.cost(node)

    def turns(m: Machine, f: Slots) -> Generator[None, None, None]:
        most = times(m, f)
        if most > MOST_TURNS:
            message = say("{times} times is more than {most}", times=most, most=MOST_TURNS)
            raise m.error("too-long", message, node.span, "turns")
        for _ in range(most):
            if cost:
                m.step(node.span, cost)
            if test is not None and test(m, f) is not going_on:
                return
            yield

    return _compile_loop(turns, compile_block(node.body, code))


def _compile_announce(
    node: nodes.Announce, code: CompiledProgram
) -> Callable[[Machine, Slots], None]:
    value, to = code.value(node.value), code.value(node.seats)
    speaker, reading = compile_index(node.speaker, code), reading_of(node.type, code.setting)

    def announce(m: Machine, f: Slots) -> None:
        number = number_of(value(m, f))
        who = speaker(m, f) if node.speaker is not None else None
        m.announce(node.words, reading, who, number, to(m, f))

    return announce


def _compile_deal(node: nodes.DealBlock, code: CompiledProgram) -> CompiledStatement:
    inner = compile_block(node.body, code)

    def talk(m: Machine, f: Slots) -> Talk:
        if m.deals >= MOST_DEALS:
            m.end_match(None, None)
            return Leave.END_MATCH
        yield DealStart(m.deals)
        m.start_deal()
        signal = (yield from inner.run(m, f)) if inner.asks else inner.run(m, f)
        if signal is Leave.END_DEAL:
            return None
        if signal is None:
            raise m.error("no-end", say("this deal never reaches an `end deal`"), node.body.span)
        return signal

    return CompiledStatement(True, talk)


def _compile_trick(zone: str, body: nodes.Block, code: CompiledProgram) -> CompiledStatement:
    inner = compile_block(body, code)

    def talk(m: Machine, f: Slots) -> Talk:
        m.start_trick(zone)
        signal = (yield from inner.run(m, f)) if inner.asks else inner.run(m, f)
        m.trick_zone = None
        if signal is Leave.END_TRICK:
            return None
        if signal is None:
            raise m.error("no-end", say("this trick never reaches an `end trick`"), body.span)
        return signal

    return CompiledStatement(True, talk)


def _compile_setup(name: str, body: nodes.Block, code: CompiledProgram) -> CompiledStatement:
    inner = compile_block(body, code)

    def talk(m: Machine, f: Slots) -> Talk:
        if m.arrange(name):
            return None
        return (yield from inner.run(m, f)) if inner.asks else inner.run(m, f)

    return CompiledStatement(True, talk)


def _compile_end(
    winner: nodes.Expression | None,
    code: CompiledProgram,
    what: str,
    signal: Signal,
    reason: str | None,
) -> CompiledStatement:
    who = code.value(winner) if winner is not None else lambda _m, _f: None

    def end(m: Machine, f: Slots) -> Signal:
        match what:
            case "trick":
                m.end_trick(who(m, f))
            case "deal":
                m.end_deal(who(m, f), reason or "")
            case _:
                m.end_match(who(m, f), reason)
        return signal

    return CompiledStatement(False, end)
