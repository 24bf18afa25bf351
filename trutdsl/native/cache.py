"""Machine code kept from one run to the next, known by everything that it was made from.

An entry is looked at before it is used: whatever is not the whole entry for its key, unchanged, is
made anew. Entries are written beside and then renamed, so that two processes do each other no harm.
`TRUTDSL_CACHE` names the folder; empty, nothing is kept.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from hashlib import sha256
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

MAGIC = b"trutdsl object 1\n"
DIGEST = 32


def cache_folder() -> Path | None:
    """Return the folder in which machine code is kept, or None if none is."""
    named = os.environ.get("TRUTDSL_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "trutdsl"
    except RuntimeError:  # nobody's home
        return None


def key_of(text: str) -> str:
    """Return the key of a module: its text, the processor and LLVM's version."""
    parts = (
        text,
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        llvm.get_process_triple(),
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
    )
    found = sha256()
    for part in parts:
        data = part.encode()
        found.update(len(data).to_bytes(8, "little") + data)
    return found.hexdigest()


def read_object(key: str) -> bytes | None:
    """Return the machine code kept under a key, or None if there is none that is whole."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        data = (folder / f"{key}.o").read_bytes()
    except OSError:
        return None
    head = MAGIC + bytes.fromhex(key)
    code = data[len(head) + DIGEST :]
    whole = data.startswith(head) and data[len(head) : len(head) + DIGEST] == sha256(code).digest()
    return code if whole and code else None


def write_object(key: str, code: bytes) -> None:
    """Keep machine code; where that cannot be done, nothing is kept."""
    folder = cache_folder()
    if folder is None:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + bytes.fromhex(key) + sha256(code).digest() + code)
            Path(name).replace(folder / f"{key}.o")
        except OSError:
            Path(name).unlink(missing_ok=True)
