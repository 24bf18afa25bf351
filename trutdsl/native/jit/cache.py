"""Machine code kept from one run to the next, known by everything that it was made from.

The key is known before anything is built, so that a game whose machine code is there is neither
parsed nor checked nor put into LLVM's words again. Beside the code stands, as JSON, what Python
must know of it.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

import llvmlite
import llvmlite.binding as llvm

from trutdsl.cache import hash_of, read_kept, source_hash, write_kept
from trutdsl.native.abi import PLAIN
from trutdsl.native.sources import MADE_BY
from trutdsl.shape import from_json
from trutdsl.table.counts import Decisions

LARGEST_MATCH, LARGEST_ENTRY = 1 << 20, 1 << 12


@dataclass(frozen=True)
class Facts:
    """What Python must know of a module besides its machine code.

    size:     bytes of a match.
    entry:    numbers of a seat's entry at the table.
    counters: the names of the counters, in the order in which they are recorded.
    reasons:  why a deal can end, each at its number.
    decisions, bets: each decision with its options, tricks: whether there are any, see `CountPlan`.
    """

    size: int
    entry: int
    counters: tuple[str, ...]
    reasons: tuple[str, ...]
    decisions: Decisions
    bets: Decisions
    tricks: bool


def key_of(form: str, fingerprint: str) -> str:
    """Return the key of a game's machine code.

    form: what is built of the game; fingerprint: of all that decides how it is played.
    """
    return hash_of(
        form,
        fingerprint,
        source_hash(*MADE_BY),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        llvm.get_process_triple(),
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
    )


def read_code(key: str) -> tuple[Facts, bytes] | None:
    """Return the machine code kept under a key and its facts, or None if they are not whole."""
    line, end, code = (read_kept(key) or b"").partition(b"\n")
    if not end or not code:
        return None
    try:
        facts = from_json(Facts, json.loads(line))
    except (ValueError, RecursionError):
        return None
    whole = 0 < facts.size <= LARGEST_MATCH and PLAIN <= facts.entry <= LARGEST_ENTRY
    return (facts, code) if whole else None


def write_code(key: str, facts: Facts, code: bytes) -> None:
    """Keep machine code with its facts; where that cannot be done, nothing is kept."""
    write_kept(key, json.dumps(asdict(facts)).encode() + b"\n" + code)
