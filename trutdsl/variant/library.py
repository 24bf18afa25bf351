"""The library: the shipped variants and modules, and how they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from trutdsl.diagnostics import did_you_mean
from trutdsl.files import shipped_folder

REFERENCE = re.compile(r"[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*")


@dataclass(frozen=True)
class LocatedFile:
    """A file and how a person calls it in this place."""

    path: Path
    name: str


@dataclass(frozen=True)
class Library:
    """A folder of variants, with modules in its sub-folders.

    name: what stands before a file's name in diagnostics.
    """

    folder: Path
    name: str = "variants"

    def find(self, ref: str) -> LocatedFile | None:
        """Return the file of a name such as `trut` or `lib/three-tricks`, or None."""
        if not REFERENCE.fullmatch(ref) or len(ref) > 200:
            return None
        path = self.folder / f"{ref}.yaml"
        return LocatedFile(path, f"{self.name}/{ref}.yaml") if path.is_file() else None

    def variants(self) -> tuple[str, ...]:
        """Return the names of the variants: the files directly in the folder."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml")))

    def modules(self) -> tuple[str, ...]:
        """Return the names of the modules: the files in sub-folders."""
        found = (path.relative_to(self.folder) for path in self.folder.glob("*/**/*.yaml"))
        return tuple(sorted(path.with_suffix("").as_posix() for path in found))

    def did_you_mean(self, ref: str, names: tuple[str, ...]) -> str | None:
        """Return a `did you mean` sentence: one in a sub-folder by its bare name, or one near."""
        inside = next((name for name in self.modules() if name.endswith(f"/{ref}")), None)
        return f"did you mean '{inside}'?" if inside else did_you_mean(ref, names)


def shipped_library() -> Library:
    return Library(shipped_folder("variants"))


def list_variants(library: Library | None = None) -> tuple[str, ...]:
    """Return the names of the variants of a library, by default of the shipped one."""
    return (library or shipped_library()).variants()
