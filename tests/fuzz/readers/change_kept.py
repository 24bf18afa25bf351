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


def head(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Take the mark, the key or the digest from another entry, or spoil it."""
    start, end = rng.choice(((0, len(MAGIC)), (len(MAGIC), KEY_END), (KEY_END, HEAD_END)))
    new = rng.choice(
        (rng.choice(others)[start:end], bytes(end - start), b"", rng.randbytes(end - start))
    )
    return data[:start] + new + data[end:]


def forge(data: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Change the payload and make its digest anew, as whoever can write as this user could."""
    payload = data[HEAD_END:]
    line, end, code = payload.partition(b"\n")
    facts = rng.choice(RAW).encode("utf-8", "surrogatepass")
    new = rng.choice(
        (facts + end + code, line + end, payload[::-1], line[:-1] + b"," + facts + b"}\n")
    )
    return data[:KEY_END] + sha256(new).digest() + new


def other_type(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Put the payload of another entry under this head."""
    return data[: rng.choice((KEY_END, HEAD_END))] + rng.choice(others)[HEAD_END:]


CHANGES = (head, head, forge, other_type, *HAVOC)
