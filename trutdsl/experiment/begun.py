"""A run that was begun: what its folder says it is, and whether it can go on as is asked now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trutdsl.arena.folder import read_begun
from trutdsl.arena.journal import Journal
from trutdsl.experiment.manifest import BUDGET, settings_of
from trutdsl.experiment.settings import Settings
from trutdsl.game import BadUsage


def begun_with(folder: Path) -> tuple[Mapping[str, Any], Settings]:
    """Return the manifest of the run in a folder and its settings, or raise `BadUsage`."""
    begun = read_begun(folder)
    manifest = {name: value for name, value in begun.items() if name != "given"}
    try:
        if not isinstance(manifest.get("shard", ""), str):
            raise TypeError
        return manifest, settings_of(begun)
    except (KeyError, TypeError, AttributeError):
        raise BadUsage(f"{folder} holds a run of another version of trutdsl") from None


class Admission:
    """Refuses to go on with a run as another part of it, or with less of it than is there.

    It is given the manifest in the folder and the journal there, before either is changed.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self._folder, self._new = folder, manifest

    def __call__(self, there: Mapping[str, Any], _journal: Journal) -> None:
        """Raise `BadUsage` if the run is not to go on like this."""
        self._refuse_other_part(there)
        self._refuse_less(there)

    def _refuse_other_part(self, there: Mapping[str, Any]) -> None:
        """Refuse another shard than the one in the folder; but a shard can become the whole."""
        old, new = there.get("shard"), self._new.get("shard")
        if old is None and new is not None:
            raise BadUsage(
                f"{self._folder} holds a run in one piece, not shard {new}; give --out for "
                "another folder"
            )
        if new is not None and (old, there.get("sets")) != (new, self._new.get("sets")):
            raise BadUsage(
                f"{self._folder} is shard {old} of {there.get('sets')} sets; trutdsl resume "
                f"{self._folder} goes on with it, --out gives another folder"
            )

    def _refuse_less(self, there: Mapping[str, Any]) -> None:
        """Refuse a budget smaller than, or of another kind than, that of the run in the folder.

        Time always comes to what is there.
        """
        for name in BUDGET:
            old, new = there.get(name), self._new.get(name)
            if isinstance(old, int) and (new is None or new < old) and "time" not in self._new:
                flag = f"--{name}"
                raise BadUsage(
                    f"{self._folder} was begun with {flag} {old}; give {flag} {old} or more, "
                    "or --out for another folder"
                )
