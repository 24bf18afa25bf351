"""Changes to an entry of the cache: its head, its key, its digest, its payload, its length."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from random import Random

from trutdsl.files import DIGEST, MAGIC

from .change_bytes import HAVOC
from .change_json import RAW

KEY_END = len(MAGIC) + DIGEST
HEAD_END = KEY_END + DIGEST


def change_head(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Replace the magic number, the key or the digest by that of another entry, or by noise."""
    start, end = rng.choice(((0, len(MAGIC)), (len(MAGIC), KEY_END), (KEY_END, HEAD_END)))
    new = rng.choice(
        (rng.choice(others)[start:end], bytes(end - start), b"", rng.randbytes(end - start))
    )
    return data[:start] + new + data[end:]


def forge(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Change the payload and recompute its digest."""
    payload = data[HEAD_END:]
    line, end, code = payload.partition(b"\n")
    facts = rng.choice(RAW).encode("utf-8", "surrogatepass")
    new = rng.choice(
        (facts + end + code, line + end, payload[::-1], line[:-1] + b"," + facts + b"}\n")
    )
    return data[:KEY_END] + sha256(new).digest() + new


def replace_payload(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Replace the payload by that of another entry."""
    return data[: rng.choice((KEY_END, HEAD_END))] + rng.choice(others)[HEAD_END:]


CHANGES = (change_head, change_head, forge, replace_payload, *HAVOC)
