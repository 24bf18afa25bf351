"""A run's folder: whose it is, and the files in it."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from trutdsl.arena.journal import NAME as JOURNAL
from trutdsl.arena.journal import DamagedJournal, Fits, Journal, set_aside
from trutdsl.diagnostics import Rejected
from trutdsl.game import BadUsage
from trutdsl.variant import read_source

MANIFEST = "manifest.json"
RUN_LOG = "run.log"
MOST_NAMED = 6


def canonical_json(content: Mapping[str, Any]) -> str:
    """Return JSON with sorted keys, floats in their shortest exact form and a final line end."""
    return json.dumps(content, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_whole(path: Path, content: str | bytes) -> None:
    """Write the file as a whole or not at all, whenever the process ends."""
    draft = path.with_name(path.name + ".part")
    draft.unlink(missing_ok=True)  # made anew: what lies there may be a link to somewhere else
    with draft.open("xb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    draft.replace(path)


Identity = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Admit = Callable[[Mapping[str, Any], Journal], None]


def open_folder(
    path: Path,
    manifest: Mapping[str, Any],
    identity: Identity,
    fits: Fits,
    tell: Callable[[str], None],
    given: Mapping[str, Any] | None = None,
    admit: Admit | None = None,
) -> Journal:
    """Make the folder the experiment's, or go on with it, and return its journal.

    manifest: everything that decides the results.
    given:    what the journal keeps besides, under this name, and no results depend on; as it is
              said last, None where nothing is.
    identity: what of a manifest must be the same; a folder of which it is not is refused.
    fits:     tells of a row of the journal whether it is what a chunk of the experiment counts.
    tell:     is given a sentence if a damaged journal was set aside.
    admit:    is given the manifest of the run that is there, or of this one, and its journal, and
              may refuse to go on with it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        _refuse_links(path)
        found = read_manifest(path)
        if found is not None:
            refuse_if_other(path, identity(found), identity(manifest))
        text = canonical_json({**manifest, "given": given})
        journal = _open_journal(path, text, identity, fits, tell)
        try:
            if admit is not None:
                admit(found or json.loads(journal.manifest), journal)
            if given is not None:
                journal.note(text)
            write_whole(path / MANIFEST, canonical_json(manifest))
        except BaseException:
            journal.close()
            raise
    except OSError as problem:
        raise BadUsage(f"{path}: cannot be used as a run's folder: {problem.strerror}") from None
    return journal


def _refuse_links(path: Path) -> None:
    """Refuse a folder whose files are something else: what is written there must stay there."""
    for file in (path / JOURNAL, path / RUN_LOG):
        try:
            plain = stat.S_ISREG(file.lstat().st_mode)
        except FileNotFoundError:
            continue
        if not plain:
            raise BadUsage(f"{file} is no plain file; use another folder")


def read_manifest(path: Path) -> Mapping[str, Any] | None:
    """Return the manifest in a folder, None if there is none; `BadUsage` for something else."""
    file = path / MANIFEST
    if not file.exists():
        return None
    try:
        found = _parse_manifest(read_source(file, str(file)).text)
    except Rejected:
        found = None
    if found is None:
        raise BadUsage(f"{file} is not the manifest of a trutdsl run; use another folder")
    return found


def read_begun(path: Path) -> Mapping[str, Any]:
    """Return the manifest of the run in a folder, with what was `given` when it was begun.

    Raises `BadUsage` for a folder that holds no run, or one whose journal is damaged.
    """
    manifest = read_manifest(path)
    if not (path / JOURNAL).exists():
        raise BadUsage(f"{path} is not the folder of a run: there is no {JOURNAL}")
    _refuse_links(path)
    try:
        with Journal(path / JOURNAL, "") as journal:
            begun = _parse_manifest(journal.manifest)
    except DamagedJournal as problem:
        raise BadUsage(f"{path / JOURNAL} is damaged ({_plain(str(problem))})") from None
    if begun is None:
        raise BadUsage(f"{path / JOURNAL} is damaged (it does not say what it belongs to)")
    return {**(manifest or begun), "given": begun.get("given")}


def _parse_manifest(text: str) -> Mapping[str, Any] | None:
    """Return the manifest that a text holds, or None if it holds none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and "trutdsl" in found else None


def _open_journal(
    path: Path,
    text: str,
    identity: Identity,
    fits: Fits,
    tell: Callable[[str], None],
) -> Journal:
    file, manifest = path / JOURNAL, json.loads(text)
    try:
        journal = Journal(file, text)
        try:
            there = _parse_manifest(journal.manifest)
            if there is None:
                raise DamagedJournal("it does not say which experiment it belongs to")
            refuse_if_other(path, identity(there), identity(manifest))
            journal.check_rows(fits)
        except BaseException:
            journal.close()
            raise
    except DamagedJournal as problem:
        aside = set_aside(file)
        why = _plain(str(problem))
        tell(f"{file} is damaged ({why}); it is now {aside.name}, and the run starts anew")
        return Journal(file, text)
    return journal


def refuse_if_other(path: Path, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise `BadUsage`, which names what differs, unless two identities are the same."""
    differences = list(name_differences(there, here))
    if not differences:
        return
    named = "; ".join(differences[:MOST_NAMED])
    if len(differences) > MOST_NAMED:
        named += f"; and {len(differences) - MOST_NAMED} more"
    raise BadUsage(
        f"{path} holds another experiment ({named}); what is new goes to another folder, such as "
        f"{_fresh(path)}"
    )


def _fresh(path: Path) -> Path:
    """Return a folder beside this one that does not exist yet."""
    number = 2
    while path.with_name(f"{path.name}-{number}").exists():
        number += 1
    return path.with_name(f"{path.name}-{number}")


def name_differences(
    there: Mapping[str, Any], here: Mapping[str, Any], prefix: str = ""
) -> Iterator[str]:
    """Yield a phrase for each entry in which two manifests differ."""
    for key in sorted(there.keys() | here.keys()):
        name, old, new = f"{prefix}{_plain(key)}", there.get(key), here.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            yield from name_differences(old, new, f"{name}.")
        else:
            yield f"{name}: {_show(old)} there, {_show(new)} here"


def _show(value: Any) -> str:
    if value is None:
        return "nothing"
    text = _plain(value) if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return text if len(text) <= 40 else f"{text[:12]}..."


def _plain(text: str) -> str:
    """Return a text that may come from anywhere as it can be printed."""
    return text if text.isprintable() else json.dumps(text)
