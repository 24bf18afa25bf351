"""`trutdsl dump`: the stages between a rules text and machine code."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Annotated, Any

import typer

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import BadUsage, load_game
from trutdsl.source import Span

STAGES = ("ast", "ir", "llvm", "asm")


def dump(
    variant: Annotated[str, typer.Argument(help="A shipped variant's name, or a file.")],
    stage: Annotated[str, typer.Option(help="ast, ir, llvm or asm.")] = "ir",
    players: Annotated[int | None, typer.Option(metavar="N", help="Seats at the table.")] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set a variant's parameter; repeatable."),
    ] = None,
) -> None:
    """Print what rules become: syntax tree, program, LLVM's instructions, machine code.

    Example: trutdsl dump trut --stage llvm --players 2
    """
    if stage not in STAGES:
        near = did_you_mean(stage, STAGES) or "choose " + ", ".join(STAGES)
        raise BadUsage(f"there is no stage '{stage}'; {near}")
    game = load_game(variant, players, param or [])
    if stage == "ast":
        for layer in game.variant.layers:
            typer.echo(f"# {layer.path}")
            _print(layer.rules, 0)
    elif stage == "ir":
        _print(game.program, 0)
    else:
        from trutdsl.native.engine import assembly_of, module_of

        show = module_of if stage == "llvm" else assembly_of
        typer.echo(show(game.program, game.setting))


def _print(node: Any, depth: int, name: str = "") -> None:
    """Print a node and those in it, indented; its line where it has one."""
    pad, label = "  " * depth, f"{name}: " if name else ""
    if is_dataclass(node) and not isinstance(node, Span):
        span = getattr(node, "span", None)
        plain = [
            f"{f.name}={value}"
            for f in fields(node)
            if f.name != "span" and not _inner(value := getattr(node, f.name))
        ]
        where = f"  # line {span.line}" if isinstance(span, Span) else ""
        typer.echo(f"{pad}{label}{type(node).__name__} {' '.join(plain)}".rstrip() + where)
        for field in fields(node):
            value = getattr(node, field.name)
            if field.name != "span" and _inner(value):
                _print(value, depth + 1, field.name)
    elif isinstance(node, tuple | dict) or hasattr(node, "items"):
        items = (
            node.items() if hasattr(node, "items") else ((str(i), v) for i, v in enumerate(node))
        )
        typer.echo(f"{pad}{label}")
        for key, value in items:
            _print(value, depth + 1, key)
    else:
        typer.echo(f"{pad}{label}{node}")


def _inner(value: Any) -> bool:
    return (is_dataclass(value) and not isinstance(value, Span) and bool(fields(value))) or (
        isinstance(value, tuple | dict) and bool(value)
    )
