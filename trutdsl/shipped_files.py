"""The shipped files, variants and strategies: where they lie."""

from __future__ import annotations

from pathlib import Path

import trutdsl


def shipped_folder(name: str) -> Path:
    """Return the folder of shipped files, `variants` or `strategies`.

    In an installed wheel it lies inside the package, in an editable install beside it.
    """
    package = Path(trutdsl.__file__).parent
    inside = package / "shipped" / name
    return inside if inside.is_dir() else package.parent / name


SCRIPT = ".strategy"  # how the name of a script's file ends


def list_scripts() -> tuple[str, ...]:
    """Return the names of the shipped scripts."""
    return tuple(sorted(p.stem for p in shipped_folder("strategies").glob(f"*{SCRIPT}")))


def is_script(ref: str) -> bool:
    """Tell whether this is a script's path, or the name of a shipped one."""
    return ref.partition(":")[0].endswith(SCRIPT) or ref.partition(":")[0] in list_scripts()
