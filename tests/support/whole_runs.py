"""Whole matches in machine code, each with its result."""

from trutdsl.strategy.legs import result_of


def results_of_runs(game, seats, seed, first, count, policy=None):
    """Return the results of matches; seats, policy: see `RunCode.rows`."""
    parts = game.runs.rows(seats, seed, first, count, policy)
    return [result_of(game, record) for rows in parts for record in rows.records().tolist()]
