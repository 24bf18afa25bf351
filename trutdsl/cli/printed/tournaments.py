"""What commands on tournaments and `bench` print as JSON; also the file `results.json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypedDict

from trutdsl.stats.contrast import Contrast, Pair
from trutdsl.stats.estimate import Estimate
from trutdsl.stats.sequential import SampleSize
from trutdsl.stats.summary import Standing


class TotalOfRun(TypedDict):
    """The whole run.

    sets:            of deals.
    rounds:          of the format; 1 if it has none.
    matches:         of all sets.
    seatings:        in how many orders a combination of strategies plays the same deals.
    drawn:           matches.
    unfinished:      drawn matches that did not end.
    deals:           of all matches.
    decisions:       of all matches.
    deals_per_match: the mean.
    first_score:     of the first in the standings, with an interval for all scores together.
    team_scores:     the mean score of each team; the first team has the first seat.
    """

    sets: int
    rounds: int
    matches: int
    seatings: int
    drawn: int
    unfinished: int
    deals: int
    decisions: int
    deals_per_match: Estimate
    first_score: Estimate
    team_scores: list[Estimate]


@dataclass(frozen=True)
class RatedStanding(Standing):
    """One strategy.

    elo: its strength by Bradley and Terry; null if it cannot be computed.
    """

    elo: Estimate | None


class PrintedMisfit(TypedDict):
    """How far the pairs are from strengths by Bradley and Terry.

    sum:     of squared standardized residuals; about `freedom` if they fit.
    freedom: degrees of freedom.
    """

    sum: float
    freedom: int


class NashFigures(TypedDict):
    """The Nash average.

    weights: of each strategy in the equilibrium.
    scores:  of each strategy against it.
    """

    weights: dict[str, Estimate]
    scores: dict[str, Estimate]


class AlphaStep(TypedDict):
    """The shares at one intensity of selection.

    alpha:  the intensity.
    shares: of each strategy.
    """

    alpha: float
    shares: dict[str, float]


class AlphaFigures(TypedDict):
    """Alpha-rank.

    shares: of each strategy.
    sweep:  the same at growing intensities.
    """

    shares: dict[str, Estimate]
    sweep: list[AlphaStep]


class Field(TypedDict):
    """All strategies together.

    first_seat:   the advantage of the first seat, in Elo.
    misfit:       of the strengths.
    cycles:       each strategy beats the next, the last beats the first.
    cyclic_share: the intransitive share of differences.
    nash:         null if not all have met.
    alpha_rank:   null if not all have met.
    """

    first_seat: Estimate | None
    misfit: PrintedMisfit | None
    cycles: list[list[str]]
    cyclic_share: Estimate | None
    nash: NashFigures | None
    alpha_rank: AlphaFigures | None


class PartnerScore(TypedDict):
    """A strategy with every partner.

    strategy: its name.
    score:    over all its partnerships.
    """

    strategy: str
    score: Estimate


class StopState(TypedDict):
    """The rule that ends the run, and its state.

    precision:       to which every difference is to be known, plus or minus.
    reached:         half the widest interval.
    test:            the two strategies that are tested.
    margin:          by which the first one is to be better.
    bounds:          between which the test goes on.
    ratio:           of likelihoods, the test's statistic.
    says:            what the test says.
    difference:      of the two strategies.
    normalized_elo:  the difference in normalized Elo, if a set has two matches.
    path:            the sets at which the rule looked, with the ratio or the precision there.
    """

    precision: NotRequired[float]
    reached: NotRequired[float | None]
    test: NotRequired[tuple[str, str]]
    margin: NotRequired[float]
    bounds: NotRequired[tuple[float, float]]
    ratio: NotRequired[float]
    says: NotRequired[Literal["better", "not better", "open"]]
    difference: NotRequired[Estimate]
    normalized_elo: NotRequired[Estimate | None]
    path: list[tuple[int, float | None]]


class FirstFault(TypedDict):
    """The first match that was forfeited so.

    match, seat: where it was.
    strategies:  by seat.
    """

    match: int
    seat: int
    strategies: list[str]


class FaultCounts(TypedDict):
    """Matches that a strategy forfeited for the same kind of fault.

    strategy: its name.
    kind:     what it did.
    matches:  how many.
    first:    of them.
    """

    strategy: str
    kind: str
    matches: int
    first: FirstFault


class RunResults(TypedDict):
    """The results of a tournament, as in the file `results.json`; see `docs/results.md`.

    manifest:  the settings, as in `manifest.json`.
    run:       all sets together.
    standings: the best strategy first.
    pairs:     every two strategies that met.
    contrasts: every two strategies, over all their matches.
    partners:  null except for partnerships.
    stop:      null without a stopping rule.
    field:     all strategies together.
    sums:      whole numbers from which all else is computed.
    faults:    strategies that failed.
    """

    manifest: dict[str, Any]
    run: TotalOfRun
    standings: list[RatedStanding]
    pairs: list[Pair]
    contrasts: list[Contrast]
    partners: list[PartnerScore] | None
    stop: StopState | None
    field: Field
    sums: dict[str, Any]
    faults: list[FaultCounts]


class PlannedPair(TypedDict):
    """The sets that two strategies need.

    first, second: the strategies.
    sets:          the estimate.
    low, high:     its 95 % interval, by the size of the pilot.
    """

    first: str
    second: str
    sets: int
    low: int
    high: int


class PilotSize(TypedDict):
    """The pilot.

    sets, matches, deals: that were played.
    """

    sets: int
    matches: int
    deals: int


class EachSet(TypedDict):
    """A set of deals.

    matches: of all seatings.
    deals:   the mean.
    seconds: on the same workers.
    """

    matches: int
    deals: float
    seconds: float


class Forecast(TypedDict):
    """How much a tournament has to play to detect a difference.

    detect:   the least difference.
    power:    the probability to detect it.
    metric:   what is compared.
    mode:     whether matches or single deals are played.
    seed:     of the pilot.
    pilot:    that was played.
    pairs:    every two strategies.
    needed:   of the pair that needs most.
    each_set: what a set costs.
    """

    detect: float
    power: float
    metric: str
    mode: Literal["matches", "deals"]
    seed: int
    pilot: PilotSize
    pairs: list[PlannedPair]
    needed: SampleSize
    each_set: EachSet


class SetRange(TypedDict):
    """Sets of deals that were played again together.

    first: the number of the first one.
    sets:  how many.
    """

    first: int
    sets: int


class VerifiedRun(TypedDict):
    """A run of which a sample was played again.

    run:    its folder.
    played: the sample.
    wrong:  those with another result.
    """

    run: str
    played: list[SetRange]
    wrong: list[SetRange]


class CompileSeconds(TypedDict):
    """The seconds until a table is ready to play.

    cold:   without a cache.
    cached: from the cache, if there is one.
    """

    cold: float
    cached: NotRequired[float]


class Benchmark(TypedDict):
    """Speeds on this machine, each of the fastest part that was measured.

    Of one variant, figures without a table are those of its smallest table. Other figures are
    measured with `--all` only.

    deals_per_second:     by table, such as `trut-4p`.
    compile_seconds:      by table.
    native_over_c:        the speed over that of C, by table; missing without a C compiler.
    script_over_c:        the same with scripts on the seats.
    uniform_over_script:  how many times as fast as each script `uniform` is.
    callback_decisions_per_second: of a callback in Python.
    batch_decisions_per_second: in a batch of matches.
    function_decisions_per_second: of a Python function of the view; of one variant.
    view_decisions_per_second: of a strategy in Python that reads its view.
    array_decisions_per_second: of one that answers in arrays.
    bot_decisions_per_second: of a bot at many tables.
    playouts_per_second:  deals that a search plays on.
    parallel_speedup:     of two processes.
    tournament_seconds:   of a whole command, the first time and again.
    runner_over_machine_code: the time of a chunk over that of its matches.
    medians:              the same, of the median part.
    """

    deals_per_second: dict[str, float]
    compile_seconds: dict[str, CompileSeconds]
    native_over_c: NotRequired[dict[str, float]]
    script_over_c: NotRequired[dict[str, float]]
    uniform_over_script: NotRequired[dict[str, float]]
    callback_decisions_per_second: float
    batch_decisions_per_second: float
    function_decisions_per_second: NotRequired[float]
    view_decisions_per_second: NotRequired[float]
    array_decisions_per_second: NotRequired[float]
    bot_decisions_per_second: NotRequired[float]
    playouts_per_second: float
    parallel_speedup: NotRequired[float]
    tournament_seconds: NotRequired[dict[str, float]]
    runner_over_machine_code: NotRequired[float]
    medians: dict[str, Any]
