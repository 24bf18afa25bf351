"""From settings to the experiment: the variant and the strategies that they name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from threading import Thread

from trutdsl.arena.schedule import Experiment, plan_experiment
from trutdsl.diagnostics import did_you_mean
from trutdsl.experiment.rounds import arrange
from trutdsl.experiment.settings import DEALS, Settings
from trutdsl.game import BadUsage, Game, load_game, play_from
from trutdsl.report.tournament_text import GivenNames
from trutdsl.stats.design import BY_MATCH, TournamentMetric, parse_metric
from trutdsl.strategy import load_strategies, prepare_legs, settle_seed

# Prefetching: imports modules on a second thread while this one compiles.


@contextmanager
def importing(*modules: str) -> Iterator[None]:
    """Import modules on another thread; at the end of the block all of them are there.

    LLVM lets other threads run while it compiles, which takes about as long as scipy to load. What
    is wrong with a module is told by whoever imports it next.
    """
    thread = Thread(target=_import, args=modules, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _import(*modules: str) -> None:
    for name in modules:
        try:
            import_module(name)
        except Exception:
            return


DEFAULT_SETS = 100
# What is needed once all is compiled, and is loaded in the meantime: whoever stops a run should not
# have to wait for it.
SOON = "scipy.special", "trutdsl.report.csv_files", "importlib.metadata"
ENDLESS = 10**12  # sets; where something else says how much is played


@dataclass(frozen=True)
class LoadedExperiment:
    """An experiment, with the settings that it was made from and how things were called there.

    The settings have its seed, whether one was given or not.
    """

    settings: Settings
    experiment: Experiment
    called: GivenNames


def load_experiment(settings: Settings) -> LoadedExperiment:
    """Load what the settings name.

    Raises `Rejected`, `BadParameter` or `BadUsage` for what cannot be had.
    """
    game = load_game(settings.variant, settings.players, settings.parameters, settings.engine)
    if settings.mode == DEALS:
        game = play_from(game, settings.score)
    strategies = load_strategies(settings.strategies, game)
    # Made once here, not once in every worker that is forked from here.
    with importing(*SOON):
        prepare_legs(game, strategies)
    names = [spec.name for spec in strategies]
    for name in settings.test or ():
        if name not in names:
            near = did_you_mean(name, tuple(names)) or f"choose from {', '.join(sorted(names))}"
            raise BadUsage(f"--test {name}: no such strategy is given; {near}")
    if settings.test is not None and settings.against not in (None, *settings.test):
        raise BadUsage(
            f"--test {','.join(settings.test)}: these two do not meet, as all play against "
            f"{settings.against}; name it as one of the two"
        )
    seed = settle_seed(settings.seed, strategies)
    plan = plan_experiment(
        game,
        strategies,
        seed,
        1,
        metric=_metric(settings, game),
        sequential=settings.test is not None,
    )
    plan = arrange(plan, settings)
    called = GivenNames(settings.variant, settings.parameters, settings.strategies)
    sets = _sets(settings, plan.design.matches_per_set)
    return LoadedExperiment(replace(settings, seed=seed), replace(plan, sets=sets), called)


def _sets(settings: Settings, matches_per_set: int) -> int:
    """Return how many sets are played, or how many at the most."""
    if settings.sets is not None:
        return settings.sets  # in rounds, of each of them
    if settings.time is not None:
        return ENDLESS
    # A match has at least one deal, unless it is forfeited.
    least = settings.matches if settings.deals is None else settings.deals
    if least is not None:
        return -(-least // matches_per_set)
    by_rule = settings.precision is not None or settings.test is not None
    return ENDLESS if by_rule else DEFAULT_SETS


def _metric(settings: Settings, game: Game) -> TournamentMetric:
    """Return what is compared; raises `BadUsage` for what the rules do not count.

    Of single deals it is what they bring, which goes without saying where that is of one kind.
    """
    text, kinds = settings.metric, game.count_plan.counters if settings.mode == DEALS else ()
    if settings.mode == DEALS and text == BY_MATCH:
        if not kinds:
            raise BadUsage(f"--mode deals: a deal of {game.name} brings no points; play matches")
        if len(kinds) > 1:
            raise BadUsage(
                f"--mode deals needs --metric: what are {' and '.join(kinds)} worth to each other? "
                f"For example '3 {' + '.join(kinds)}'"
            )
        text = kinds[0]
    try:
        metric = parse_metric(text, settings.mode)
    except ValueError:
        raise BadUsage(
            f"--metric {text!r}: expected {BY_MATCH}, or counters such as '2 longs + petits'"
        ) from None
    names = game.count_plan.counters if metric.weights else ()
    for name, _ in metric.weights:
        if name not in names:
            near = did_you_mean(name, names) or f"choose {BY_MATCH} or {', '.join(names)}"
            raise BadUsage(f"--metric {name}: {game.name} has no such counter; {near}")
    return metric
