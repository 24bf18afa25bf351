"""Tables: several matches at once, played by bots that answer in all of them over one pipe.

A bot is asked in one match after the other without being waited for, and answers in this order; so
nobody is woken for a single question. Its matches come to the same, whatever others are played
beside them: where anything fails, those that are not over are played anew, each by itself.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from trutdsl.diagnostics import Failure
from trutdsl.game import Action, Game, MatchResult
from trutdsl.strategy.bot_process import ProcessFailed
from trutdsl.strategy.bots import BotSpec, end_process
from trutdsl.strategy.calls import OutOfTime
from trutdsl.strategy.play import play_waiting
from trutdsl.strategy.repeat import EVERY, noting, play_again, play_checked
from trutdsl.strategy.spec import Spec, StrategySpec

BLOCK = 4  # times as many matches as tables are played before any is told of

_failed: set[str] = set()  # bots that play one match after the other from now on


def tables_for(game: Game, seating: Sequence[Spec]) -> int:
    """Return at how many tables these can play at once; 0 if there is anybody who cannot.

    Two bots cannot where some questions are asked in secret: at which table a bot is asked next
    would tell it that the other one was asked something before.
    """
    bots = [spec for spec in seating if isinstance(spec, BotSpec)]
    others = any(isinstance(s, StrategySpec) and not isinstance(s, BotSpec) for s in seating)
    if len(bots) > 1 and game.secret_questions:
        return 0
    if others or any(spec.fingerprint in _failed for spec in bots):
        return 0
    return min((spec.tables for spec in bots), default=0)


def play_at_tables(
    game: Game, seating: Sequence[Spec], seed: int, first: int, count: int
) -> Iterator[MatchResult]:
    """Yield the results of matches; raises `StrategyError` as `play_leg` does.

    One of every `EVERY` matches is also played by itself, and must come to the same.
    """
    at, beyond = first, first + count
    while at < beyond:
        tables = tables_for(game, seating)
        matches = range(at, min(at + BLOCK * max(tables, 1), beyond))
        chosen: dict[int, list[Action]] = {match: [] for match in matches if match % EVERY == 0}
        found = _play(game, seating, seed, matches, tables, chosen) if tables > 1 else {}
        for match in matches:
            if match not in found:
                yield play_checked(game, seating, seed, match)
                continue
            if match in chosen:
                play_again(game, seating, seed, match, chosen[match])
            yield found[match]
        at = matches.stop


def _play(
    game: Game,
    seating: Sequence[Spec],
    seed: int,
    matches: range,
    tables: int,
    chosen: dict[int, list[Action]],
) -> dict[int, MatchResult]:
    """Return the results of those of these matches that were over before anything failed."""
    found: dict[int, MatchResult] = {}
    left = iter(matches)
    free = list(range(min(tables, len(matches))))
    playing: dict[int, tuple[int, Generator[None, None, MatchResult]]] = {}  # by table
    whole = False
    try:
        while True:
            for table in free:
                if (match := next(left, None)) is not None:
                    note = noting(chosen[match]) if match in chosen else None
                    game_there = play_waiting(
                        game, seating, seed, match, None, note, bot_table=table
                    )
                    playing[table] = match, game_there
            free = []
            if not playing:
                break
            # In the same order in every round, which is that of the questions.
            for table, (match, one) in list(playing.items()):
                try:
                    next(one)
                except StopIteration as over:
                    found[match] = over.value
                    del playing[table]
                    free.append(table)
        whole = True
    except (Failure, OutOfTime, ProcessFailed):
        _failed.update(spec.fingerprint for spec in seating if isinstance(spec, BotSpec))
    finally:
        if not whole:
            for seat, spec in enumerate(seating):
                if isinstance(spec, BotSpec):
                    end_process(spec, seat)  # it was asked what nobody waits for
    return found
