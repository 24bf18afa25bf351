"""Plans a tournament from a pilot: how many sets it takes to see a difference, and how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import combinations
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trutdsl.arena.processes import limit_workers
from trutdsl.arena.supervisor import FinishedChunk
from trutdsl.experiment.load import load_experiment
from trutdsl.experiment.manifest import enlarged
from trutdsl.experiment.run_tournament import Notice, RunStart, run_loaded
from trutdsl.experiment.settings import KEYS, LARGEST, Means, Settings
from trutdsl.game import BadUsage
from trutdsl.stats.rounds import FORMATS as IN_ROUNDS

PILOT = 100  # sets


class _Watch(Notice):
    """Tells another notice what it is told, and remembers the chunks."""

    def __init__(self, other: Notice) -> None:
        self._other = other
        self.chunks: list[FinishedChunk] = []

    def say(self, text: str) -> None:
        self._other.say(text)

    def begin(self, beginning: RunStart) -> None:
        self._other.begin(beginning)

    def played(self, finished: FinishedChunk) -> None:
        self.chunks.append(finished)
        self._other.played(finished)

    def end(self) -> None:
        self._other.end()


def plan(
    settings: Settings,
    detect: float,
    power: float = 0.8,
    pilot: int = PILOT,
    means: Means | None = None,
    notice: Notice | None = None,
) -> dict[str, Any]:
    """Play a pilot and return what it says, as JSON has it; nothing is left of it on disk.

    detect: the least difference of two strategies' mean scores that is to be seen, from 0.000001
    up, with the chance `power`; level 5 % for all pairs together (Bonferroni).
    pilot:  sets, two at least.
    `needed` is for the pair that needs most; `seconds` of a set on as many workers as played.
    Raises as `hold` does.
    """
    from trutdsl.stats.contrast import contrast_sums
    from trutdsl.stats.estimate import ALPHA
    from trutdsl.stats.pairing import plan_size
    from trutdsl.stats.tally import Tally

    if not (least := KEYS["margin"].least) <= detect <= LARGEST:
        raise BadUsage(f"--detect must be at least {least:f}, such as 0.02, not {detect:g}")
    if not 0.5 <= power < 1:
        raise BadUsage(f"--power must be from 0.5 to below 1, not {power:g}")
    if pilot < 2:
        raise BadUsage(f"--pilot must be at least 2, not {pilot}")
    if settings.format in IN_ROUNDS:
        raise BadUsage(f"--format {settings.format} cannot be planned: who meets is not known yet")
    alone = replace(enlarged(settings, {"sets": pilot}), precision=None, test=None, margin=None)
    loaded, watch = load_experiment(alone), _Watch(notice or Notice())
    means = means or Means()
    with TemporaryDirectory(prefix="trutdsl-") as folder:
        here = replace(means, out=str(Path(folder) / "pilot"), shard=None)
        results = run_loaded(loaded, here, watch).results
    names, tally = results["sums"]["strategies"], Tally.from_counts(results["sums"])
    design = loaded.experiment.design
    pairs = list(combinations(range(design.strategies), 2))
    sizes = [
        plan_size(contrast_sums(tally, design, i, k), detect, float(ALPHA) / len(pairs), power)
        for i, k in pairs
    ]
    return {
        "detect": detect,
        "power": power,
        "metric": results["run"]["metric"],
        "seed": loaded.experiment.seed,
        "pilot": {name: results["run"][name] for name in ("sets", "matches", "deals")},
        "pairs": [
            {
                "first": names[i],
                "second": names[k],
                **asdict(size),
            }
            for (i, k), size in zip(pairs, sizes, strict=True)
        ],
        "needed": asdict(max(sizes, key=lambda size: size.sets)),
        "each_set": {
            "matches": design.matches_per_set,
            "deals": tally.deals / tally.sets,
            "seconds": _seconds(watch.chunks, limit_workers(means.jobs)),
        },
    }


def _seconds(chunks: Sequence[FinishedChunk], jobs: int) -> float:
    """Return how long a set takes so many workers, without the chunks in which they began."""
    late = chunks[jobs:] if len(chunks) > ceil(1.5 * jobs) else chunks
    return sum(one.seconds for one in late) / sum(one.chunk.sets for one in late) / jobs
