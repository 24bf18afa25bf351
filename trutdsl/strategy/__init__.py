"""Strategies: their classes, how to load them, and matches between them."""

from trutdsl.strategy.bots import end_bots
from trutdsl.strategy.count import (
    CountedLegs,
    MatchCounter,
    add_part,
    count_in_parts,
    count_matches,
    cut_clusters,
)
from trutdsl.strategy.fitness import list_all, load_strategies, seat_all, split_strategies
from trutdsl.strategy.legs import PlayLeg, play_leg, play_matches, prepare_legs, read_leg, record_of
from trutdsl.strategy.load import (
    Spec,
    StrategyLike,
    list_strategies,
    load_strategy,
    settle_seed,
    split_objects,
)
from trutdsl.strategy.monte_carlo import NAME as MONTE_CARLO
from trutdsl.strategy.objects import name_objects
from trutdsl.strategy.play import play_checked, play_match
from trutdsl.strategy.script import ScriptSpec
from trutdsl.strategy.spec import (
    OutOfTime,
    Strategy,
    StrategyError,
    StrategySpec,
    watch_calls,
)
from trutdsl.strategy.threads import count_in_threads

__all__ = [
    "MONTE_CARLO",
    "CountedLegs",
    "MatchCounter",
    "OutOfTime",
    "PlayLeg",
    "ScriptSpec",
    "Spec",
    "Strategy",
    "StrategyError",
    "StrategyLike",
    "StrategySpec",
    "add_part",
    "count_in_parts",
    "count_in_threads",
    "count_matches",
    "cut_clusters",
    "end_bots",
    "list_all",
    "list_strategies",
    "load_strategies",
    "load_strategy",
    "name_objects",
    "play_checked",
    "play_leg",
    "play_match",
    "play_matches",
    "prepare_legs",
    "read_leg",
    "record_of",
    "seat_all",
    "settle_seed",
    "split_objects",
    "split_strategies",
    "watch_calls",
]
