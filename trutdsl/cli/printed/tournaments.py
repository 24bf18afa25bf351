"""What commands on tournaments and `bench` print as JSON; also the file `results.json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from trutdsl.stats.contrast import Contrast, Pair
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.sequential import SampleSize
from trutdsl.stats.summary import Standing


class TotalOfRun(TypedDict):
    """The whole run."""

    sets: Annotated[int, "of deals."]
    rounds: Annotated[int, "of the format; 1 if it has none."]
    matches: Annotated[int, "of all sets."]
    seatings: Annotated[int, "in how many orders a combination of strategies plays the same deals."]
    drawn: Annotated[int, "matches."]
    unfinished: Annotated[int, "drawn matches that did not end."]
    deals: Annotated[int, "of all matches."]
    decisions: Annotated[int, "of all matches."]
    deals_per_match: Annotated[Estimate, "the mean."]
    first_score: Annotated[
        Estimate | None,
        "of the first in the standings, with an interval for all scores together; null before its "
        "first match.",
    ]
    team_scores: Annotated[
        list[Estimate], "the mean score of each team; the first team has the first seat."
    ]


@dataclass(frozen=True)
class RatedStanding(Standing):
    """One strategy."""

    elo: Annotated[
        Estimate | None, "its strength by Bradley and Terry; null if it cannot be computed."
    ]


class PrintedMisfit(TypedDict):
    """How far the pairs are from strengths by Bradley and Terry."""

    sum: Annotated[float, "of squared standardized residuals; about `freedom` if they fit."]
    freedom: Annotated[int, "degrees of freedom."]


class NashFigures(TypedDict):
    """The Nash average."""

    weights: Annotated[dict[str, Estimate], "of each strategy in the equilibrium."]
    scores: Annotated[dict[str, Estimate], "of each strategy against it."]


class AlphaStep(TypedDict):
    """The shares at one intensity of selection."""

    alpha: Annotated[float, "the intensity."]
    shares: Annotated[dict[str, float], "of each strategy."]


class AlphaFigures(TypedDict):
    """Alpha-rank."""

    shares: Annotated[dict[str, Estimate], "of each strategy."]
    sweep: Annotated[list[AlphaStep], "the same at growing intensities."]


class Field(TypedDict):
    """All strategies together."""

    first_seat: Annotated[Estimate | None, "the advantage of the first seat, in Elo."]
    misfit: Annotated[PrintedMisfit | None, "of the strengths."]
    cycles: Annotated[list[list[str]], "each strategy beats the next, the last beats the first."]
    cyclic_share: Annotated[Estimate | None, "the intransitive share of differences."]
    nash: Annotated[NashFigures | None, "null if not all have met."]
    alpha_rank: Annotated[AlphaFigures | None, "null if not all have met."]


class PartnerScore(TypedDict):
    """A strategy with every partner."""

    strategy: Annotated[str, "its name."]
    score: Annotated[Estimate, "over all its partnerships."]


class StopState(TypedDict):
    """The rule that ends the run, and its state."""

    precision: Annotated[
        NotRequired[float], "to which every difference is to be known, plus or minus."
    ]
    reached: Annotated[NotRequired[float | None], "half the widest interval."]
    test: Annotated[NotRequired[tuple[str, str]], "the two strategies that are tested."]
    margin: Annotated[NotRequired[float], "by which the first one is to be better."]
    bounds: Annotated[NotRequired[tuple[float, float]], "between which the test goes on."]
    ratio: Annotated[NotRequired[float], "of likelihoods, the test's statistic."]
    says: Annotated[NotRequired[Literal["better", "not better", "open"]], "what the test says."]
    difference: Annotated[NotRequired[Estimate], "of the two strategies."]
    normalized_elo: Annotated[
        NotRequired[Estimate | None], "the difference in normalized Elo, if a set has two matches."
    ]
    path: Annotated[
        list[tuple[int, float | None]],
        "the sets at which the rule looked, with the ratio or the precision there.",
    ]


class FirstFault(TypedDict):
    """The first match that was forfeited so."""

    match: Annotated[int, "where it was."]
    seat: Annotated[int, "where it was."]
    strategies: Annotated[list[str], "by seat."]


class FaultCounts(TypedDict):
    """Matches that a strategy forfeited for the same kind of fault."""

    strategy: Annotated[str, "its name."]
    kind: Annotated[str, "what it did."]
    matches: Annotated[int, "how many."]
    first: Annotated[FirstFault, "of them."]


class RunResults(TypedDict):
    """The results of a tournament, as in the file `results.json`; see `docs/results.md`."""

    manifest: Annotated[dict[str, Any], "the settings, as in `manifest.json`."]
    run: Annotated[TotalOfRun, "all sets together."]
    standings: Annotated[list[RatedStanding], "the best strategy first."]
    pairs: Annotated[list[Pair], "every two strategies that met."]
    contrasts: Annotated[list[Contrast], "every two strategies, over all their matches."]
    partners: Annotated[list[PartnerScore] | None, "null except for partnerships."]
    stop: Annotated[StopState | None, "null without a stopping rule."]
    field: Annotated[Field, "all strategies together."]
    sums: Annotated[dict[str, Any], "whole numbers from which all else is computed."]
    faults: Annotated[list[FaultCounts], "strategies that failed."]


class PlannedPair(TypedDict):
    """The sets that two strategies need."""

    first: Annotated[str, "the strategies."]
    second: Annotated[str, "the strategies."]
    sets: Annotated[int, "the estimate."]
    low: Annotated[int, "its 95 % interval, by the size of the pilot."]
    high: Annotated[int, "its 95 % interval, by the size of the pilot."]


class PilotSize(TypedDict):
    """The pilot."""

    sets: Annotated[int, "that were played."]
    matches: Annotated[int, "that were played."]
    deals: Annotated[int, "that were played."]


class EachSet(TypedDict):
    """A set of deals."""

    matches: Annotated[int, "of all seatings."]
    deals: Annotated[float, "the mean."]
    seconds: Annotated[float, "on the same workers."]


class Forecast(TypedDict):
    """How much a tournament has to play to detect a difference."""

    detect: Annotated[float, "the least difference."]
    power: Annotated[float, "the probability to detect it."]
    metric: Annotated[str, "what is compared."]
    mode: Annotated[Literal["matches", "deals"], "whether matches or single deals are played."]
    seed: Annotated[int, "of the pilot."]
    pilot: Annotated[PilotSize, "that was played."]
    pairs: Annotated[list[PlannedPair], "every two strategies."]
    needed: Annotated[SampleSize, "of the pair that needs most."]
    each_set: Annotated[EachSet, "what a set costs."]


class SetRange(TypedDict):
    """Sets of deals that were played again together."""

    first: Annotated[int, "the number of the first one."]
    sets: Annotated[int, "how many."]


class VerifiedRun(TypedDict):
    """A run of which a sample was played again."""

    run: Annotated[str, "its folder."]
    played: Annotated[list[SetRange], "the sample."]
    wrong: Annotated[list[SetRange], "those with another result."]


class CompileSeconds(TypedDict):
    """The seconds until a table is ready to play."""

    cold: Annotated[float, "without a cache."]
    cached: Annotated[NotRequired[float], "from the cache, if there is one."]


class Benchmark(TypedDict):
    """Speeds on this machine, each of the fastest part that was measured.

    Of one variant, figures without a table are those of its smallest table. Other figures are
    measured with `--all` only.
    """

    deals_per_second: Annotated[dict[str, float], "by table, such as `trut-4p`."]
    compile_seconds: Annotated[dict[str, CompileSeconds], "by table."]
    native_over_c: Annotated[
        NotRequired[dict[str, float]],
        "the speed over that of C, by table; missing without a C compiler.",
    ]
    script_over_c: Annotated[NotRequired[dict[str, float]], "the same with scripts on the seats."]
    uniform_over_script: Annotated[
        NotRequired[dict[str, float]], "how many times as fast as each script `uniform` is."
    ]
    callback_decisions_per_second: Annotated[float, "of a callback in Python."]
    batch_decisions_per_second: Annotated[float, "in a batch of matches."]
    function_decisions_per_second: Annotated[
        NotRequired[float], "of a Python function of the view; of one variant."
    ]
    view_decisions_per_second: Annotated[
        NotRequired[float], "of a strategy in Python that reads its view."
    ]
    bot_decisions_per_second: Annotated[NotRequired[float], "of a bot at many tables."]
    playouts_per_second: Annotated[float, "deals that a search plays on."]
    parallel_speedup: Annotated[NotRequired[float], "of two processes."]
    tournament_seconds: Annotated[
        NotRequired[dict[str, float]], "of a whole command, the first time and again."
    ]
    runner_over_machine_code: Annotated[
        NotRequired[float], "the time of a chunk over that of its matches."
    ]
    medians: Annotated[dict[str, Any], "the same, of the median part."]
