"""Files: the version, shipped files, files read or written as a whole, and the cache of results."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import trutdsl
from trutdsl.language import mark, say

HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


# What an operating system says of files.
SYSTEM_MESSAGES = (
    mark("No such file or directory"),
    mark("Permission denied"),
    mark("Is a directory"),
    mark("Not a directory"),
    mark("File exists"),
    mark("File name too long"),
    mark("Too many levels of symbolic links"),
    mark("File too large"),
    mark("No space left on device"),
    mark("Disk quota exceeded"),
    mark("Read-only file system"),
    mark("Input/output error"),
    mark("Too many open files"),
    mark("Directory not empty"),
    mark("Operation not permitted"),
    mark("Device or resource busy"),
)


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


def _refuse(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        what = say("a folder") if stat.S_ISDIR(status.st_mode) else say("a device or pipe")
        raise NotPlain(errno.EINVAL, say("found {what}, expected a file", what=what))


def canonical_json(content: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys, floats in their shortest exact form and a final line end."""
    return json.dumps(content, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write the whole file or nothing, even if the process is killed.

    Each process has its own draft, so two that write the same file do not mix. The next process
    that writes the file removes the drafts of killed ones. A file that was there keeps its
    permissions.
    """
    draft = path.with_name(f"{path.name}.{_host()}-{os.getpid()}.part")
    _remove_dead_drafts(path)
    try:
        draft.unlink(missing_ok=True)  # a new file: the old name may be a symbolic link
        with draft.open("xb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if path.is_file():
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except BaseException as problem:  # also Ctrl-C
        with contextlib.suppress(OSError):
            draft.unlink()
        if isinstance(problem, OSError):
            problem.filename, problem.filename2 = str(path), None
        raise


@cache
def _host() -> str:
    """Return a short name of this host, and of the container that numbers its processes."""
    container = ""
    with contextlib.suppress(OSError):
        container = str(Path("/proc/self/ns/pid").readlink())
    node = os.uname().nodename if hasattr(os, "uname") else ""
    return sha256(f"{node} {container}".encode()).hexdigest()[:8]


def _remove_dead_drafts(path: Path) -> None:
    """Remove drafts of a file whose processes, on this host, have ended."""
    draft = re.compile(rf"{re.escape(path.name)}\.{_host()}-([1-9][0-9]{{0,8}})\.part")
    try:
        names = [one.name for one in path.parent.iterdir()]
    except OSError:  # also a folder that one may write but not list
        return
    for found in filter(None, map(draft.fullmatch, names)):
        with contextlib.suppress(OSError):
            if _has_ended(int(found[1])):
                path.with_name(found[0]).unlink()


def _has_ended(process: int) -> bool:
    if os.name != "posix":  # elsewhere `kill` ends a process
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def shipped_folder(name: str) -> Path:
    """Return the folder of shipped files, `variants` or `strategies`.

    An installed wheel has it inside the package, an editable install beside it.
    """
    package = Path(trutdsl.__file__).parent
    folder = package / "shipped" / name
    return folder if folder.is_dir() else package.parent / name


SCRIPT = ".strategy"  # the file extension of scripts


@cache
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
        return say("not installed")


# A cache of results on disk; each key is a hash of all inputs of the result.
#
# A read checks that an entry is complete, has the right key and belongs to this user. Any other
# entry is made again. A write goes to a temporary file, which is then renamed, so processes do not
# disturb each other. `TRUTDSL_CACHE` names the folder; if it is empty, nothing is cached. The least
# recently used entries are evicted when the cache is too large.

MAGIC = b"trutdsl kept 2\n"
DIGEST = 32
OTHERS_WRITE = 0o022
ENTRY = re.compile(r"[0-9a-f]{64}|tmp\w{8}\.part")  # files of the cache: entries, temporary files
MOST_BYTES = 1 << 26  # of an entry
MOST_KEPT = 1 << 28  # bytes of all entries together, checked each time that LOOKED_AT are written
LOOKED_AT = 16


def cache_folder() -> Path | None:
    """Return the folder of the cache, or None if there is none."""
    path = os.environ.get("TRUTDSL_CACHE")
    if path is not None:
        return Path(path) if path else None
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "trutdsl"
    except RuntimeError:  # this user has no home
        return None


def keep_nothing() -> None:
    """Disable the cache in this process and its children."""
    os.environ["TRUTDSL_CACHE"] = ""


def hash_of(*parts: str | bytes) -> str:
    """Return a hash of these parts and of the version of Python; each part's length counts."""
    return _hash_of_all((sys.version, *parts))


def _hash_of_all(parts: Iterable[str | bytes]) -> str:
    result = sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        result.update(len(data).to_bytes(8, "little") + data)
    return result.hexdigest()


def fingerprint_of(texts: Iterable[str]) -> str:
    """Return a hash of texts, the same on every machine; each text's length counts."""
    digest = sha256()
    for text in texts:
        data = text.encode()
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def source_hash(*names: str) -> str:
    """Return a hash of this program's files and folders with these names.

    It does not depend on the version of Python: parts of one run may be played with several.
    """
    return _hash_of_all(map(_hash_of_part, names))


@cache
def _hash_of_part(name: str) -> str:
    result = _texts(Path(trutdsl.__file__).parent / name)
    return _hash_of_all(part for at, data in result for part in (at, data))


def _texts(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield each source text at a place with its name, in the same order on every machine."""
    if place.is_file():
        yield place.name, place.read_bytes()
        return
    for inner in sorted(place.iterdir(), key=lambda one: one.name):
        if inner.is_dir() or inner.name.endswith((".py", ".lark")):
            yield from ((f"{place.name}/{name}", data) for name, data in _texts(inner))


def read_cache(key: str) -> bytes | None:
    """Return the cached data of a key, or None if there is no intact entry."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        with open_plain(folder / key) as file:
            entry = os.fstat(file.fileno())
            if not _is_own(entry) or entry.st_size > MOST_BYTES:
                return None
            content = file.read(MOST_BYTES)
    except (OSError, ValueError):
        return None
    return unseal(key, content)


def write_cache(key: str, data: bytes) -> None:
    """Cache data; do nothing if it cannot be written."""
    folder, entry = cache_folder(), seal(key, data)
    if folder is None or len(entry) > MOST_BYTES:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        import tempfile  # slow to load, and a cached result is only read

        handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(entry)
            Path(name).replace(folder / key)
        except OSError:
            Path(name).unlink(missing_ok=True)
        if int(key, 16) % LOOKED_AT == 0:
            _evict(folder)


def seal(key: str, data: bytes) -> bytes:
    """Return the content of a file with this data; key: a hash of all inputs of the data."""
    return MAGIC + bytes.fromhex(key) + _digest(data) + data


def unseal(key: str, content: bytes) -> bytes | None:
    """Return the data of a file's content, or None if it is damaged or has another key."""
    head = MAGIC + bytes.fromhex(key)
    data = content[len(head) + DIGEST :]
    whole = content.startswith(head) and content[len(head) : len(head) + DIGEST] == _digest(data)
    return data if whole else None


def _evict(folder: Path) -> None:
    """Evict the least recently used entries down to half of the limit, if the cache exceeds it.

    Other files of the folder stay. If another process misses an entry, it makes it again.
    """
    with os.scandir(folder) as listing:
        entries = [(one, one.stat()) for one in listing if ENTRY.fullmatch(one.name)]
    size = sum(status.st_size for _, status in entries)
    if size <= MOST_KEPT:
        return
    for entry, status in sorted(entries, key=lambda e: max(e[1].st_atime_ns, e[1].st_mtime_ns)):
        if size <= MOST_KEPT // 2:
            break
        Path(entry.path).unlink(missing_ok=True)
        size -= status.st_size


def _digest(data: bytes) -> bytes:
    return sha256(data).digest()


def _is_own(entry: os.stat_result) -> bool:
    """Tell whether only this user can have written an entry; machine code is run unchecked."""
    if not hasattr(os, "geteuid"):
        return True
    return entry.st_uid in (0, os.geteuid()) and not entry.st_mode & OTHERS_WRITE
