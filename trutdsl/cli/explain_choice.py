"""`trutdsl explain-choice`: why a script or a policy chooses as it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from trutdsl.cli.options import NoCache
from trutdsl.diagnostics import BadUsage, Failure, did_you_mean
from trutdsl.language import say

if TYPE_CHECKING:
    from trutdsl.game import State
    from trutdsl.strategy import ScriptSpec
    from trutdsl.strategy.explain import Explanation
    from trutdsl.strategy.hints import Hint
    from trutdsl.strategy.policy import PolicySpec
    from trutdsl.transcript import RecordedMatch

WIDTH = 80


def explain_choice(
    strategy: Annotated[str, typer.Argument(help="A script or a policy, by its name or path.")],
    file: Annotated[str, typer.Argument(help="A scenario file, or a transcript (.jsonl).")],
    scenario: Annotated[
        str | None, typer.Option(help="The scenario; else all in the file.", show_default=False)
    ] = None,
    match: Annotated[
        int | None, typer.Option(help="The match; else the first.", show_default=False)
    ] = None,
    deal: Annotated[int, typer.Option(help="The deal, the first is 0.", min=0)] = 0,
    seat: Annotated[
        int | None, typer.Option(help="The seat; else where it sat, or 0.", show_default=False)
    ] = None,
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Say which clause of a script chooses, and why those before it do not.

    Of a policy, how likely it takes each action, and how many of 100 matches the action loses.
    Of a scenario, what it does at the end; of a transcript, at every question to one seat in one
    deal. Only what that seat may see is shown.

    Example: trutdsl explain-choice honest tests/strategy/choices/trut.yaml
    """
    from trutdsl.strategy import ScriptSpec, load_strategy
    from trutdsl.strategy.policy import PolicySpec

    spec = load_strategy(strategy)
    if not isinstance(spec, ScriptSpec | PolicySpec):
        raise BadUsage(
            say("'{strategy}' is not a script or policy: it cannot be explained", strategy=strategy)
        )
    if file.endswith((".yaml", ".yml")):
        told = _of_scenarios(spec, file, scenario)
    else:
        told = _of_transcript(spec, file, match, deal, seat)
    for number, lines in enumerate(told):
        typer.echo("\n".join([*([""] if number else []), *lines]))


def _of_scenarios(
    spec: ScriptSpec | PolicySpec, file: str, name: str | None
) -> Iterator[list[str]]:
    from trutdsl.scenario import explain_scenario, read_scenarios

    found = read_scenarios(Path(file), file)
    if name is not None and all(one.name != name for one in found):
        near = did_you_mean(name, [one.name for one in found])
        raise BadUsage(
            say("{file} has no scenario '{name}'", file=file, name=name)
            + (f"; {near}" if near else "")
        )
    for one in found:
        if name in (None, one.name):
            state, choice = explain_scenario(one, Path(file), spec)
            yield list(_told(one.name, spec.name, state, choice))


def _of_transcript(
    spec: ScriptSpec | PolicySpec, file: str, match: int | None, deal: int, seat: int | None
) -> Iterator[list[str]]:
    from trutdsl.table.match import PolicyError
    from trutdsl.transcript import explain_match

    recorded = _recorded(file, match)
    first = recorded.events[0]
    names = first["strategies"]
    place = seat if seat is not None else names.index(spec.name) if spec.name in names else 0
    if not 0 <= place < first["players"]:
        raise BadUsage(
            say(
                "there is no seat {place} with {first} players", place=place, first=first["players"]
            )
        )
    asked = False
    try:
        for state, choice, done in explain_match(recorded, spec, place, deal):
            asked = True
            yield list(_told(say("deal {deal}", deal=deal), spec.name, state, choice, done))
    except PolicyError as failed:
        where = f"{failed.diagnostic.span}: {failed.diagnostic.message}"
        raise Failure(
            say("strategy '{spec}' failed: {where}", spec=spec.name, where=where)
        ) from None
    if not asked:
        raise BadUsage(
            say(
                "seat {place} is asked nothing in deal {deal} of this match", place=place, deal=deal
            )
        )


def _recorded(file: str, match: int | None) -> RecordedMatch:
    from trutdsl.transcript import read_transcript

    for recorded in read_transcript(Path(file), file):
        if match in (None, recorded.events[0]["match"]):
            return recorded
    raise BadUsage(
        say("{file} has no match", file=file) + (f" {match}" if match is not None else "")
    )


def _told(
    where: str, strategy: str, state: State, choice: Explanation | Hint, done: str | None = None
) -> Iterator[str]:
    """Yield the choice at the open question, and the result of each clause."""
    from trutdsl.game import HIDDEN
    from trutdsl.strategy.explain import Explanation

    view = state.view()
    hand = view.zones.get("hand", ())
    cards = hand[view.seat] if len(hand) > view.seat else HIDDEN
    holds = say(" with {names}", names=" ".join(cards)) if cards is not HIDDEN and cards else ""
    yield from _line(
        say(
            "{where}: seat {seat} is asked '{decision}'{holds}",
            where=where,
            seat=view.seat,
            decision=view.decision,
            holds=holds,
        ),
        "",
    )
    if not isinstance(choice, Explanation):
        from trutdsl.cli.hints import hint_lines  # a policy loads SciPy

        for line in hint_lines(choice, strategy):
            yield from _line(line.lstrip(), " " * (len(line) - len(line.lstrip())))
        if done is not None:
            yield say("done was: {done}", done=done)
        return
    chosen = view.actions[choice.index].text
    other = say(" (done was: {done})", done=done) if done not in (None, chosen) else ""
    yield from _line(
        say("{strategy} chooses: {chosen}{other}", strategy=strategy, chosen=chosen, other=other),
        "",
    )
    for one in choice.looked:
        place = f"{one.span.source.name}:{one.span.line}"
        yield from _line(f"{place}: {one.text}", "  ")
        for reason in one.why or (say("taken"),):
            deeper = len(reason) - len(reason.lstrip())
            yield from _line(reason.lstrip(), " " * (6 + deeper))


def _line(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
