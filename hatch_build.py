"""Build hooks: the parser's tables, which take long to make, and a README for package indexes."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"!\[[^]]*\]\((?!https?:)([^)]*)\)\n*")
LINK = re.compile(r"\[([^]]*)\]\((?!https?:)([^)]*)\)")


class TablesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Packs the parser's tables into a wheel, from a temporary folder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables before anything is packed; an editable installation uses its cache."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        sys.dont_write_bytecode = True  # in the source tree
        from trutdsl.syntax.parse import TABLES, write_tables

        self._folder = tempfile.TemporaryDirectory(prefix="trutdsl-build-")
        made = Path(self._folder.name) / TABLES
        write_tables(made)
        build_data["force_include"][str(made)] = f"trutdsl/syntax/{TABLES}"

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact: str) -> None:
        """Remove the temporary folder."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


class ReadmeHook(MetadataHookInterface):
    """Gives package indexes a README whose links work there."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README, with links to the source if `project.urls` names it."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text, source)}


def for_index(text: str, source: str | None) -> str:
    """Return a README without relative links, which an index could not follow.

    With the address of the source they become absolute. Without it, pictures are dropped and links
    become plain text.
    """
    if source is None:
        return LINK.sub(r"\1", PICTURE.sub("", text))
    absolute = PICTURE.sub(
        lambda found: found[0].replace(found[1], f"{source}/raw/{found[1]}"), text
    )
    return LINK.sub(lambda found: f"[{found[1]}]({source}/blob/{found[2]})", absolute)
