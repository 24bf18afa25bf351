"""Help in the current language: the texts of commands and options, and the words of Typer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from inspect import cleandoc
from typing import Any

import typer

from trutdsl.language import mark, say, titled

# Typer may include its own copy of Click; this is the base class of formatters in both cases.
Formatter: Any = typer.Context.formatter_class
OF_TYPER = (
    mark("Usage: "),
    mark("[OPTIONS]"),
    mark("COMMAND [ARGS]..."),
    mark("Arguments"),
    mark("Options"),
    mark("Commands"),
    mark("Show this message and exit."),
    mark("Install completion for the current shell."),
    mark("Show completion for the current shell, to copy it or customize the installation."),
)


class HelpFormatter(Formatter):  # type: ignore[misc]
    """A formatter of help that translates the words of Typer."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, args, prefix or say("Usage: "))

    def write_heading(self, heading: str) -> None:
        """Write the heading of a list."""
        self.write(f"{titled(say(heading))}\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], *args: Any, **more: Any) -> None:
        """Write a list of names and their texts."""
        super().write_dl([(name, _translate_row(text)) for name, text in rows], *args, **more)


def _translate_row(text: str) -> str:
    """Return the text of an option, whose last words are Typer's own, such as `[required]`."""
    own, _, extra = text.rpartition("  [")
    if extra == "required]":
        return f"{own}  [{say('required')}]"
    if usual := re.fullmatch(r"default: (.*)\]", extra):
        return f"{own}  [{titled(say('default'), usual[1])}]"
    return say(text)


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help, each in one line."""
    for paragraph in cleandoc(text).split("\n\n"):
        yield " ".join(paragraph.split())


class TranslatedHelp:
    """A command whose help is in the current language; stands before Typer's class."""

    params: list[Any]
    help: str | None

    def translate(self) -> None:
        """Translate the texts of the command and its options."""
        self.help = "\n\n".join(map(_translate_paragraph, paragraphs(self.help or "")))
        for param in self.params:
            param.help = say(param.help or "")
            if not getattr(param, "is_flag", False):
                param.metavar = say(param.metavar or param.name.upper())

    def get_help(self, context: Any) -> str:
        """Return the help."""
        context.formatter_class = HelpFormatter
        return str(super().get_help(context))  # type: ignore[misc]

    def collect_usage_pieces(self, context: Any) -> list[str]:
        """Return the words after the command's name in its usage, without Typer's braces."""
        pieces = super().collect_usage_pieces(context)  # type: ignore[misc]
        return [say(piece.strip("{}")) for piece in pieces]


def _translate_paragraph(text: str) -> str:
    title, colon, call = text.partition("Example: ")
    return titled(say("Example"), call) if colon and not title else say(text)
