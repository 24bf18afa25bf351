"""Stored comparisons: whether a new comparison may replace the one in its folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from trutdsl.diagnostics import BadUsage, refuse_os_errors
from trutdsl.files import open_plain
from trutdsl.language import say
from trutdsl.streams import LARGEST_SEED
from trutdsl.tournaments.folder import (
    COMPARISONS,
    MANIFEST,
    UNUSABLE,
    fresh_folder,
    holds_run,
    refuse_if_other,
)

SAMPLED, SOLVED = COMPARISONS
CELLS = "cells"  # the folder of finished play
VARIANTS = "variants"
MOST_NAMED = 4


@dataclass(frozen=True)
class ComparisonIdentity:
    """What a comparison compares, apart from the amount of play.

    variants: the names of all, the base first. given: whatever else decides the result.
    fingerprints: of rules and scripts, by name; these may change.
    """

    variants: tuple[str, ...]
    given: Mapping[str, Any]
    fingerprints: Mapping[str, str]

    @classmethod
    def of_results(cls, results: Any) -> Self | None:
        """Return what stored results compare, None for damaged or old ones."""
        try:
            rules = {one["name"]: one["fingerprint"] for one in results["variants"]}
            parameters = ",".join(results["given"]["parameters"]) or None
            if "comparison" not in results:
                deal = results["given"]["deal"]
                return cls(tuple(rules), {"parameters": parameters, "deal": deal}, rules)
            settings = results["comparison"]
            strategies: Mapping[str, str] = settings["strategies"]
            given = given_of(
                settings["screening"],
                players=settings["players"],
                seed=settings["seed"],
                parameters=parameters,
                strategies=",".join(strategies),
            )
            return cls(tuple(rules), given, {**rules, **strategies})
        except (LookupError, TypeError, AttributeError):
            return None


def given_of(is_sweep: bool, **given: Any) -> dict[str, Any]:
    """Return what decides the results of a comparison, with its kind in words."""
    return {**given, "kind": say("a sweep") if is_sweep else say("a comparison")}


def check_folder(folder: Path, name: str, new: ComparisonIdentity) -> list[str]:
    """Return which rules and scripts of the comparison in a folder have changed.

    name: of the file of results, `SAMPLED` or `SOLVED`. Raises `BadUsage` for the folder of a
    tournament or of another comparison. The same one may have more variants, or more deals.
    """
    other = SOLVED if name == SAMPLED else SAMPLED
    if os.path.lexists(folder) and not folder.is_dir():  # also a link that leads nowhere
        raise BadUsage(say("{path} is a file, expected a folder", path=folder))
    text = "{path} cannot be read: {strerror}"
    with refuse_os_errors(folder, text):
        is_run, is_other = holds_run(folder), (folder / other).exists()
    if is_run:
        text = "{path} holds a tournament; a comparison goes to another folder, such as {fresh}"
        raise BadUsage(say(text, path=folder, fresh=fresh_folder(folder)))
    if is_other:
        text = "{path} holds another comparison, in {file}; choose another folder, such as {fresh}"
        raise BadUsage(say(text, path=folder, file=other, fresh=fresh_folder(folder)))
    old = ComparisonIdentity.of_results(_read(folder / name))
    if old is None:
        return []
    is_longer = old.variants[:1] == new.variants[:1] and set(old.variants) <= set(new.variants)
    ends = (_list(old.variants), _list(new.variants)) if not is_longer else ("", "")
    before, after = ({VARIANTS: end, **q.given} for end, q in zip(ends, (old, new), strict=True))
    refuse_if_other(folder, before, after)
    fresh = new.fingerprints
    return [one for one, mark in old.fingerprints.items() if fresh.get(one, mark) != mark]


@contextmanager
def hold_folder(path: Path | None) -> Iterator[Callable[[], None]]:
    """Yield a function that raises `BadUsage` if a path no longer leads to the same folder.

    It permits everything if there was none. The folder stays open, so no other one gets its number.
    """
    with ExitStack() as stack:
        handle = None
        if path is not None and path.is_dir():
            with refuse_os_errors(path, UNUSABLE):
                handle = os.open(path, os.O_RDONLY)
            stack.callback(os.close, handle)

        def refuse_another() -> None:
            if path is None or handle is None:
                return
            with suppress(OSError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return
            text = (
                "{path} is no longer the folder in which the command began; put that one back, "
                "and give the command again"
            )
            raise BadUsage(say(text, path=path))

        yield refuse_another


def stored_seed(folder: str | Path | None) -> int | None:
    """Return the seed of the comparison in a folder, also of a stopped one; None without one."""
    if folder is None:
        return None
    manifests = Path(folder, CELLS).glob(f"*/{MANIFEST}")
    seeds = [one.get("seed") for one in map(_read, manifests) if type(one) is dict]
    if any(seed != seeds[0] for seed in seeds) or not seeds or type(seeds[0]) is not int:
        return None
    return seeds[0] if 0 <= seeds[0] <= LARGEST_SEED else None


def _list(names: Sequence[str]) -> str:
    more = [f"+{len(names) - MOST_NAMED}"] if len(names) > MOST_NAMED else []
    return ",".join([*names[:MOST_NAMED], *more])


def _read(file: Path) -> Any:
    """Return the content of a JSON file, None if there is none or it is damaged."""
    try:
        with open_plain(file) as handle:
            return json.load(handle)
    except (OSError, ValueError, RecursionError):
        return None
