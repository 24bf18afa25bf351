"""The version, the shipped files, and regular files that are read or written as a whole."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import trutdsl

# Regular files, opened for reading without blocking.

HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NotPlain(OSError):  # noqa: N818 - it is an outcome, not a fault
    """A path that is not a regular file; `strerror` says what it is."""


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file for reading; never block on a pipe.

    Raises `NotPlain`, another OSError, or ValueError for an invalid path.
    """
    _refuse(path.stat())  # opening a device may have effects
    handle = os.open(path, HOW)
    try:
        _refuse(os.fstat(handle))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _refuse(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "a device or pipe"
        raise NotPlain(errno.EINVAL, f"found {what}, expected a file")


# Files that are written as a whole, and JSON with one form for each content.


def canonical_json(content: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys, floats in their shortest exact form and a final line end."""
    return json.dumps(content, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write the whole file or nothing, even if the process is killed."""
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)  # a new file: the old name may be a symbolic link
    with draft.open("xb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    draft.replace(path)


# The folders of the shipped variants and strategies.


def shipped_folder(name: str) -> Path:
    """Return the folder of shipped files, `variants` or `strategies`.

    An installed wheel has it inside the package, an editable install beside it.
    """
    package = Path(trutdsl.__file__).parent
    inside = package / "shipped" / name
    return inside if inside.is_dir() else package.parent / name


SCRIPT = ".strategy"  # the file extension of scripts


def list_scripts() -> tuple[str, ...]:
    return tuple(sorted(p.stem for p in shipped_folder("strategies").glob(f"*{SCRIPT}")))


def is_script(ref: str) -> bool:
    """Tell whether this is the path of a script or the name of a shipped one."""
    return ref.partition(":")[0].endswith(SCRIPT) or ref.partition(":")[0] in list_scripts()


def own_version() -> str:
    """Return the installed version of this program."""
    # imported here because it is slow and rarely needed
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trutdsl")
    except PackageNotFoundError:  # run from a source tree
        return "not installed"
