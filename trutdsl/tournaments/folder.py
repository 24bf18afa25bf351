"""The folder of a run: opens it for the same experiment, with its manifest and its journal."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trutdsl.diagnostics import Rejected, RunStopped, refuse_os_errors
from trutdsl.files import canonical_json, write_whole
from trutdsl.game import BadUsage
from trutdsl.language import mark, one_by_one, say
from trutdsl.tournaments.journal import JOURNAL, DamagedJournal, Fits, Journal, set_aside
from trutdsl.variant import read_source
from trutdsl.variant.source import RESULTS, instead_of_kind

MANIFEST = "manifest.json"
OF_VERSION = ("engine_hash", "format")  # keys of a manifest that only other versions change
RUN_LOG = "run.log"
COMPARISONS = ("comparison.json", "best-play.json")  # results of comparisons in their folders
MOST_NAMED = 6
HASH = re.compile(r"[0-9a-f]{40,}")
# Entries of a manifest that may differ within one experiment.
BESIDE = ("sets", "deals", "time", "shard", "given", "title")
UNUSABLE = mark("{path}: cannot be used as a run's folder: {strerror}; use another folder")

Admit = Callable[[Mapping[str, Any], Journal], None]
Files = Callable[[], Mapping[str, str]]


class ForeignFolder(BadUsage):
    """A folder that holds something else than the expected run; `why` says what."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(text)
        self.why = why


def open_folder(
    path: Path,
    manifest: Mapping[str, Any],
    fits: Fits,
    tell: Callable[[str], None],
    options: Mapping[str, Any] | None = None,
    admit: Admit | None = None,
    files: Files | None = None,
) -> Journal:
    """Create the folder of a run, or open an existing one, and return its journal.

    manifest: everything that affects the results.
    options:    an entry of the journal that does not affect them; None keeps the present one.
    fits:     tells whether a row of the journal can belong to the experiment.
    tell:     receives a message if a damaged journal was renamed.
    admit:    receives the manifest and the journal of the folder, and may refuse to continue it.
    files:    see `refuse_if_other`.
    """
    with refuse_os_errors(path, UNUSABLE):
        path.mkdir(parents=True, exist_ok=True)
        _refuse_links(path)
        _refuse_comparisons(path)
        present = read_manifest(path)
        if present is not None:
            refuse_if_other(path, present, manifest, files=files)
        file, whole = path / JOURNAL, canonical_json({**manifest, "given": options})
        try:
            journal = _check_journal(path, Journal(file, whole), json.loads(whole), fits, files)
        except DamagedJournal as problem:
            aside, why = set_aside(file).name, _plain(str(problem))
            text = "{file} is damaged ({why}); it is now {aside}, and the run starts anew"
            tell(say(text, file=file, why=why, aside=aside))
            journal = Journal(file, whole)
        try:
            if admit is not None:
                admit(present or json.loads(journal.manifest), journal)
            if options is not None:
                journal.note(whole)
            write_whole(path / MANIFEST, canonical_json(manifest))
        except BaseException:
            journal.close()
            raise
    return journal


@contextmanager
def provide_folder(out: str | Path | None = None) -> Iterator[Path]:
    """Yield this folder; without one, a folder that exists within the block only.

    A run that is stopped there keeps nothing.
    """
    if out is not None:
        yield Path(out)
        return
    with TemporaryDirectory(prefix="trutdsl-") as folder:
        try:
            yield Path(folder)
        except RunStopped as stop:
            raise RunStopped(stop.done, stop.of, stop.signal, kept=False) from None


def holds_run(path: Path) -> bool:
    """Return whether a folder holds a run, whole or not."""
    return (path / MANIFEST).exists() or (path / JOURNAL).exists()


def _refuse_comparisons(path: Path) -> None:
    """Raise `BadUsage` for the folder of a comparison: `report` would show only one of both."""
    if any((path / name).exists() for name in COMPARISONS) and not holds_run(path):
        text = "{path} holds a comparison; a tournament goes to another folder, such as {fresh}"
        raise BadUsage(say(text, path=path, fresh=fresh_folder(path)))


def _refuse_links(path: Path) -> None:
    """Raise `BadUsage` for links instead of files, which could lead out of the folder."""
    for file in (path / JOURNAL, path / RUN_LOG):
        try:
            plain = stat.S_ISREG(file.lstat().st_mode)
        except FileNotFoundError:
            continue
        if not plain:
            raise BadUsage(say("{file} is not a regular file; use another folder", file=file))


def read_manifest(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest in a folder, None without one; raises `BadUsage` for another file."""
    file = path / MANIFEST
    with refuse_os_errors(path, UNUSABLE):
        if not file.exists():
            return None
    try:
        result = _parse_manifest(read_source(file, str(file)).text)
    except Rejected:
        result = None
    if result is None:
        text = "{file} is not the manifest of a trutdsl run; use another folder"
        if (path / JOURNAL).is_file():
            text = "{file} is damaged; delete it: the journal beside it has the same content"
        raise ForeignFolder(say(text, file=file), say("{file} is damaged", file=file.name))
    return result


def refuse_missing_folder(path: Path) -> None:
    """Raise `BadUsage` if there is no such folder."""
    if not path.is_dir():
        text = (
            "{path} is a file, expected a folder" if path.exists() else "there is no folder {path}"
        )
        hint = instead_of_kind(RESULTS, str(path))
        raise BadUsage(one_by_one(filter(None, (say(text, path=path), hint))))


def read_stored_manifest(path: Path) -> Mapping[str, Any]:
    """Return the manifest of the run in a folder, with `given` from its journal.

    Raises `BadUsage` for a folder without a run, or with a damaged journal.
    """
    refuse_missing_folder(path)
    manifest = read_manifest(path)
    if not (path / JOURNAL).exists():
        text = "{path} is not the folder of a run: there is no {journal}"
        if any((path / name).exists() for name in COMPARISONS):
            text = (
                "{path} holds a comparison: the command that began it shows it, goes on with it, "
                "and replays a sample of it"
            )
        raise BadUsage(say(text, path=path, journal=JOURNAL))
    _refuse_links(path)
    try:
        with Journal(path / JOURNAL, "", to_read=True) as journal:
            in_journal = _parse_manifest(journal.manifest)
            if in_journal is None:
                raise DamagedJournal(say("it does not say which experiment it belongs to"))
    except DamagedJournal as problem:
        raise _damaged(path / JOURNAL, problem) from None
    return {**(manifest or in_journal), "given": in_journal.get("given")}


def read_journal(path: Path, manifest: Mapping[str, Any], fits: Fits) -> Journal:
    """Return the journal in a folder, which is only read; raises as `read_stored_manifest`.

    manifest, fits: see `open_folder`.
    """
    try:
        journal = Journal(path / JOURNAL, "", to_read=True)
        return _check_journal(path, journal, manifest, fits)
    except DamagedJournal as problem:
        raise _damaged(path / JOURNAL, problem) from None


def _check_journal(
    path: Path,
    journal: Journal,
    manifest: Mapping[str, Any],
    fits: Fits,
    files: Files | None = None,
) -> Journal:
    """Return the journal of a folder if it has this manifest and its rows fit.

    Otherwise close it; raises `BadUsage` for another experiment, and `DamagedJournal`.
    """
    try:
        stored_manifest = _parse_manifest(journal.manifest)
        if stored_manifest is None:
            raise DamagedJournal(say("it does not say which experiment it belongs to"))
        refuse_if_other(path, stored_manifest, manifest, files=files)
        journal.check_rows(fits)
    except BaseException:
        journal.close()
        raise
    return journal


def _damaged(path: Path, problem: DamagedJournal) -> BadUsage:
    text = "{path} is damaged ({plain}); the command that began the run starts it anew"
    return BadUsage(say(text, path=path, plain=_plain(str(problem))))


def read_given(path: Path) -> Mapping[str, Any] | None:
    """Return `given` from the journal in a folder, None without a journal."""
    try:
        options: Mapping[str, Any] | None = read_stored_manifest(path)["given"]
    except BadUsage:
        return None
    return options


def _parse_manifest(text: str) -> Mapping[str, Any] | None:
    """Return the manifest in a text, None if there is none."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return result if isinstance(result, dict) and "trutdsl" in result else None


def refuse_if_other(
    path: Path,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    advice: str | None = None,
    files: Files | None = None,
) -> None:
    """Raise `BadUsage` with the differences, unless two manifests are of one experiment.

    advice: what to do about it; by default to restore files, or to choose another folder.
    files: returns the words for the files behind the new hashes, by their names in the manifest.
    """
    if _identity(old) == _identity(new):
        return
    words = {} if files is None else files()
    differences = list(dict.fromkeys(name_differences(_identity(old), _identity(new), words)))
    if not differences:  # an entry may be missing instead of empty
        return
    texts = one_by_one(differences[:MOST_NAMED])
    if len(differences) > MOST_NAMED:
        texts += say("; and {number} more", number=len(differences) - MOST_NAMED)
    text = "what is new goes to another folder, such as {fresh}"
    changed = [file for file in dict.fromkeys(words.values()) if _not_the_same(file) in differences]
    if changed:
        text = "restore {files}, or use another folder, such as {fresh}"
    usual = say(text, fresh=fresh_folder(path), files=", ".join(changed))
    text = "{path} holds another experiment ({named}); {advice}"
    raise ForeignFolder(say(text, path=path, named=texts, advice=advice or usual), texts)


def refuse_if_changed(
    path: Path, old: Mapping[str, Any], new: Mapping[str, Any], files: Files
) -> None:
    """Raise `BadUsage` as `refuse_if_other` does, where the command cannot choose a folder.

    Both manifests are of the same options, so any difference of the rules is one of their files.
    """
    if _identity(old) == _identity(new):
        return
    words = files()
    changed = dict.fromkeys(words[name] for name in words if _at(old, name) != _at(new, name))
    text = (
        "restore {files}, or begin a new run with `trutdsl tournament` in a folder such as {fresh}"
    )
    found = ", ".join(changed) or say("what has changed")
    advice = say(text, files=found, fresh=fresh_folder(path))
    refuse_if_other(path, old, new, advice, lambda: words)


def _identity(manifest: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a manifest that identifies its experiment."""
    return {name: value for name, value in manifest.items() if name not in BESIDE}


def _at(manifest: Mapping[str, Any], name: str) -> Any:
    """Return an entry of a manifest by its name with a dot."""
    part, _, key = name.partition(".")
    inside = manifest.get(part)
    return inside.get(key) if isinstance(inside, Mapping) else None


def fresh_folder(path: Path) -> Path:
    """Return a folder beside this one that does not exist."""
    whole = path if path.name.strip(".") else path.resolve()  # `.` has no name
    names = (whole.parent / f"{whole.name or 'results'}-{number}" for number in count(2))
    return next(one for one in names if not one.exists())


def name_differences(
    before: Mapping[str, Any], after: Mapping[str, Any], words: Mapping[str, str], prefix: str = ""
) -> Iterator[str]:
    """Yield a phrase for each difference between two manifests; words: for their hashes."""
    different = [
        key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)
    ]
    for key in different:
        name, old, new = f"{prefix}{_plain(key)}", before.get(key), after.get(key)
        if name in OF_VERSION:
            yield say("another version of trutdsl made it")
        elif isinstance(old, dict) and isinstance(new, dict):
            yield from name_differences(old, new, words, f"{name}.")
        elif _is_hash(old) and _is_hash(new):
            if key != "fingerprint" or len(different) == 1:  # it depends on the other entries
                yield _not_the_same(words.get(name, name))
        else:
            yield say(
                "{name}: {there} there, {here} here", name=name, there=_show(old), here=_show(new)
            )


def _not_the_same(name: str) -> str:
    return say("{name} is not the same", name=name)


def _is_hash(value: Any) -> bool:
    return isinstance(value, str) and HASH.fullmatch(value) is not None


def _show(value: Any) -> str:
    if value is None:
        return say("nothing")
    if _is_hash(value):
        return say("something")
    text = _plain(value) if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _plain(text: str) -> str:
    return text if text.isprintable() else json.dumps(text)
