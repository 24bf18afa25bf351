"""`trutdsl lsp`: the language server, which an editor starts."""

from __future__ import annotations

from typing import Annotated

import typer

from trutdsl.diagnostics import BadUsage
from trutdsl.language import say


def serve_editor(
    stdio: Annotated[  # noqa: ARG001 - some editors give it; there is no other way
        bool, typer.Option("--stdio", help="Use standard input and output, as always.")
    ] = False,
) -> None:
    """Answer an editor: mistakes while you write, the meaning and place of names, completion.

    An editor starts this command and speaks with it by the Language Server Protocol. It is for
    variants, modules, rules, scripts and scenarios; those are played whenever they change.

    Example: trutdsl lsp
    """
    try:
        from trutdsl.editor.server import serve
    except ModuleNotFoundError as missing:
        if missing.name not in ("pygls", "lsprotocol"):
            raise
        text = "the language server needs pygls: pip install 'trutdsl[editor]'"
        raise BadUsage(say(text)) from None
    serve()
