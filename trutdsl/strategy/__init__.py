"""Strategies: what one is, where they are found, and a match played by them."""

from trutdsl.game import MatchResult
from trutdsl.strategy.calls import StrategyError
from trutdsl.strategy.count import MatchCounter, count_matches
from trutdsl.strategy.load import StrategySpec, list_strategies, load_strategy
from trutdsl.strategy.play import play_match, play_matches
from trutdsl.strategy.protocol import Strategy

__all__ = [
    "MatchCounter",
    "MatchResult",
    "Strategy",
    "StrategyError",
    "StrategySpec",
    "count_matches",
    "list_strategies",
    "load_strategy",
    "play_match",
    "play_matches",
]
