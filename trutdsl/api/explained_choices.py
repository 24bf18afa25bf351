"""Explained choices of a strategy, at scenarios or in transcripts, also as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import fsum, hypot, sqrt
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.diagnostics import BadUsage, Failure, did_you_mean
from trutdsl.game import HIDDEN, State, View
from trutdsl.language import mark, one_by_one, say
from trutdsl.strategy.explain import AnswerShares, Explanation
from trutdsl.strategy.load import StrategyLike, load_strategy
from trutdsl.strategy.monte_carlo import MonteCarloSpec, SearchResult
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.table.faults import PolicyError
from trutdsl.variant.source import SCENARIOS, TRANSCRIPT, instead_of_kind, kind_of

if TYPE_CHECKING:
    from trutdsl.scenario.model import Scenario
    from trutdsl.strategy.hints import Hint
    from trutdsl.transcript.events import RecordedMatch

    Explained = ScriptSpec | SolvedSpec | MonteCarloSpec
    # Where it is, the strategy, the state with the open question, the choice, and what was done.
    ExplainedChoice = tuple[str, str, State, Explanation | Hint | SearchResult, str | None]

NORMAL = 1.96  # standard errors on each side of a mean


def explained_choices(
    strategy: StrategyLike,
    file: str,
    scenario: str | None = None,
    match: int | None = None,
    deal: int | None = None,
    seat: int | None = None,
) -> Iterator[ExplainedChoice]:
    """Yield the choices of a script, policy or search, as `trutdsl explain-choice` describes."""
    spec = load_strategy(strategy)
    if kind_of(file) not in (None, SCENARIOS, TRANSCRIPT):
        text = "there is no transcript or file of scenarios '{name}'; {known}"
        known = instead_of_kind(mark("a transcript or a file of scenarios"), file)
        raise BadUsage(say(text, name=file, known=known))
    if not isinstance(spec, ScriptSpec | SolvedSpec | MonteCarloSpec):
        raise BadUsage(say("'{strategy}' is a program: it cannot be explained", strategy=spec.name))
    if file.endswith((".yaml", ".yml")):
        if match is not None or deal is not None:
            text, flag = "{flag} needs a transcript; write a file that ends in .jsonl", "--deal"
            raise BadUsage(say(text, flag=flag if match is None else "--match"))
        return _of_scenarios(spec, file, scenario, seat)
    if scenario is not None:
        raise BadUsage(say("--scenario needs a file of scenarios, which ends in .yaml"))
    return _of_transcript(spec, file, match, deal or 0, seat)


def _of_scenarios(
    spec: Explained, file: str, name: str | None, seat: int | None
) -> Iterator[ExplainedChoice]:
    from trutdsl.scenario.run import explain_scenario

    scenarios, asked = named_scenarios(file, name), False
    for one in scenarios:
        if (end := explain_scenario(one, Path(file), spec, seat)) is not None:
            asked = True
            yield one.name, spec.name, *end, None
    if not asked:  # others of the file may end with a deal
        text = "{span}: nobody is asked anything where '{scenario}' ends"
        raise BadUsage(say(text, span=scenarios[0].span, scenario=scenarios[0].name))


def _of_transcript(
    spec: Explained, file: str, match: int | None, deal: int, seat: int | None
) -> Iterator[ExplainedChoice]:
    from trutdsl.transcript.replay import explain_match

    record = read_match(file, match)
    first = record.events[0]
    names = first["strategies"]
    place = seat if seat is not None else names.index(spec.name) if spec.name in names else 0
    if not 0 <= place < first["players"]:
        text = "--seat {seat}: the seats are 1 to {players}"
        raise BadUsage(say(text, seat=place + 1, players=first["players"]))
    asked = False
    try:
        for state, choice, actual in explain_match(record, spec, place, deal):
            asked = True
            yield say("deal {deal}", deal=deal + 1), spec.name, state, choice, actual
    except PolicyError as problem:
        where = f"{problem.diagnostic.span}: {problem.diagnostic.message}"
        raise Failure(
            say("strategy '{spec}' failed: {where}", spec=spec.name, where=where)
        ) from None
    if not asked:
        text = "player {player} is asked nothing in deal {deal} of this match"
        raise BadUsage(say(text, player=place + 1, deal=deal + 1))


def named_scenarios(file: str, name: str | None) -> list[Scenario]:
    """Return the scenarios of a file, or those of this name; raises `BadUsage` without one."""
    from trutdsl.scenario.read import read_scenarios

    every = read_scenarios(Path(file), file)
    scenarios = [one for one in every if name in (None, one.name)]
    if name is not None and not scenarios:
        near = did_you_mean(name, [one.name for one in every])
        message = say("{file} has no scenario '{name}'", file=file, name=name)
        raise BadUsage(one_by_one(filter(None, (message, near))))
    return scenarios


def read_match(file: str, match: int | None) -> RecordedMatch:
    """Return a match of a transcript, the first by default; raises `BadUsage` without it."""
    from trutdsl.transcript.events import read_transcript

    for record in read_transcript(Path(file), file):
        if match in (None, record.events[0]["match"]):
            return record
    text = "{file} has no match" if match is None else "{file} has no match {match}"
    raise BadUsage(say(text, file=file, match=1 + (match or 0)))


def choice_figures(
    where: str,
    strategy: str,
    state: State,
    choice: Explanation | Hint | SearchResult,
    actual: str | None = None,
) -> dict[str, Any]:
    """Return the choice at the open question, as `ExplainedChoices` of `printed.play` says."""
    view = state.view()
    figures = {
        "where": where,
        "strategy": strategy,
        "seat": view.seat,
        "decision": view.decision,
        "hand": list(hand_of(view)),
        "done": actual,
    }
    texts = view.texts
    if isinstance(choice, Explanation):
        clauses = [
            {
                "place": f"{one.span.source.name}:{one.span.line}",
                "text": one.text,
                "taken": one.taken,
                "why": [reason.strip() for reason in one.why],
            }
            for one in choice.looked
        ]
        shares = None if choice.shares is None else list(share_figures(choice.shares, texts))
        return {**figures, "chosen": texts[choice.index], "clauses": clauses, "shares": shares}
    if isinstance(choice, SearchResult):
        actions = [
            {"action": text, "wins": wins, "low": low, "high": high}
            for text, (wins, low, high) in zip(texts, wins_of(choice), strict=False)
        ]
        worlds = len(choice.weights)
        return {**figures, "chosen": texts[choice.index], "actions": actions, "worlds": worlds}
    return {
        **figures,
        "wins": choice.wins,
        "known": choice.known,
        "expected": choice.expected,
        "choices": [
            {"actions": list(one.texts), "share": one.share, "loses": one.price}
            for one in choice.choices
        ],
    }


def hand_of(view: View) -> Sequence[str]:
    """Return the cards in the hand of the seat, none if it has no hand."""
    hands = view.zones.get("hand", ())
    cards = hands[view.seat] if len(hands) > view.seat else HIDDEN
    return () if cards is HIDDEN else cards


def wins_of(result: SearchResult) -> Iterator[tuple[float, float, float]]:
    """Yield for each action the share of matches that it wins, with its 95 % interval.

    It yields nothing if the search looked at no world, as for a single legal action.

    The mean over worlds is a ratio of weighted sums. Its error is that of the effective number of
    worlds (L. Kish, Survey Sampling, 1965), with the pseudo-sets of `estimate_points`. The worth of
    counters is itself estimated, from `whole` / 2 matches, with the same luck for all counters. So
    its errors are added up, as if all went the same way, which none exceeds.
    """
    from trutdsl.stats.estimate import PSEUDO_SETS  # it loads NumPy
    from trutdsl.stats.multiplicity import ALPHA, quantile

    weights, whole = result.weights, result.whole
    if not weights:
        return
    total, pseudo = sum(weights), float(PSEUDO_SETS)
    worlds = total**2 / sum(weight**2 for weight in weights)
    count = worlds + 2 * pseudo
    reach = quantile(1 - ALPHA / 2, Fraction(count - 1))
    for each in zip(*result.worths, strict=True):
        mean = sum(map(mul, weights, each)) / total / whole
        square = sum(weight * worth**2 for weight, worth in zip(weights, each, strict=True))
        errors = (sqrt(worth * (whole - worth)) for worth in each)
        centre = (worlds * mean + pseudo) / count
        squares = worlds * (square / total / whole**2) + pseudo
        variance = (squares - count * centre**2) / (count - 1)
        of_worths = fsum(map(mul, weights, errors)) / total / whole / sqrt(whole / 2)
        half = hypot(reach * sqrt(variance / count), NORMAL * of_worths)
        yield mean, max(0.0, centre - half), min(1.0, centre + half)


def share_figures(shares: AnswerShares, texts: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield how often luck gives each answer, with its 95 % interval where it was sampled."""
    from trutdsl.stats.estimate import estimate_share  # it loads NumPy

    for index, share in sorted(shares.shares.items()):
        low = high = None
        if shares.repeats:
            estimate = estimate_share(round(share * shares.repeats), shares.repeats)
            low, high = estimate.low, estimate.high
        yield {"action": texts[index], "share": float(share), "low": low, "high": high}
