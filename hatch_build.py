"""Build hook: makes the parser's tables, which take long, when the program is built."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TablesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Writes the tables beside the grammar and has them packed with it."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Do so before anything is packed."""
        sys.path.insert(0, self.root)
        from trutdsl.syntax.parse import TABLES, write_tables

        name = f"trutdsl/syntax/{TABLES}"
        write_tables(Path(self.root) / name)
        build_data["artifacts"].append(name)
