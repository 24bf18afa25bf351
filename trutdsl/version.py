"""The version of this program, as it is installed."""

from __future__ import annotations


def own_version() -> str:
    """Return the version of this program."""
    # Only here: whoever does not ask need not wait for it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trutdsl")
    except PackageNotFoundError:  # run from a source tree
        return "not installed"
