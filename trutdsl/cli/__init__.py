"""The command line: one module a command; `main` turns mistakes into messages."""

from trutdsl.cli.app import main

__all__ = ["main"]
