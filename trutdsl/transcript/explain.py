"""Asks a script along a recorded match what it would do, and why."""

from __future__ import annotations

from collections.abc import Iterator

from trutdsl.diagnostics import BadUsage
from trutdsl.game import DealStart, Question, State
from trutdsl.strategy import ScriptSpec
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.transcript.read import Recorded
from trutdsl.transcript.replay import load_recorded


def explain_match(
    recorded: Recorded, spec: ScriptSpec, seat: int, deal: int
) -> Iterator[tuple[State, Explanation, str]]:
    """Yield a match at each question to a seat in a deal, what a script does, and what was done.

    The script is asked from the start of the match, with the luck that it has on that seat. Raises
    `BadUsage` if the rules do not allow what was recorded, `PolicyError` if the script fails.
    """
    game, first = load_recorded(recorded), recorded.events[0]
    check_for(spec, game)
    advisers = Advisers(game, [spec], first["seed"], first["match"])
    state = advisers.game.start(first["seed"], first["match"])
    for event in recorded.events:
        if event["event"] != "action":
            continue
        while isinstance(state.pending, DealStart):
            state.next_deal()
        question, text = state.pending, event["action"]
        if not isinstance(question, Question) or all(a.text != text for a in question.actions):
            raise BadUsage("the transcript cannot be played again; see `trutdsl replay --verify`")
        if question.seat == seat and state.deals - 1 <= deal:
            explanation = advisers.choose(state, question, spec)
            if state.deals - 1 == deal:
                yield state, explanation, text
        state.apply(question.texts.index(text))
