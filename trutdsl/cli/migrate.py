"""`trutdsl migrate`: brings the files of a variant up to the present edition of the language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Annotated

import typer

from trutdsl.cli.options import PrintJson
from trutdsl.diagnostics import BadUsage, Excerpt
from trutdsl.files import write_whole
from trutdsl.language import say


def migrate(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files of variants and modules.")
    ],
    write: Annotated[bool, typer.Option("--write", help="Change the files.")] = False,
    as_json: PrintJson = False,
) -> None:
    """Bring files up to the present edition of the language: print a diff, or change the files.

    Comments and layout stay. Name a variant's own modules and bases here, too, to change them.

    Example: trutdsl migrate our-trut.yaml --write
    """
    from trutdsl.variant.manifest import LATEST

    found = []
    for name, text in new_texts(files).items():
        old = Path(name).read_text(encoding="utf-8")
        diff = unified_diff(old.splitlines(True), text.splitlines(True), name, name)
        lines = [line if line.endswith("\n") else line + "\n" for line in diff]
        changed = bool(lines)
        found.append({"file": name, "edition": LATEST, "changed": changed, "diff": "".join(lines)})
        if write and changed:
            write_whole(Path(name), text)
        if as_json:
            continue
        if write and changed:
            typer.echo(say("{file}: edition {edition} now", file=name, edition=LATEST))
        else:
            typer.echo("".join(lines), nl=False)
    if as_json:
        typer.echo(json.dumps(found, indent=2))
    elif not any(one["changed"] for one in found):
        typer.echo(say("nothing to change: edition {edition}", edition=LATEST))


def new_texts(files: list[str]) -> Mapping[str, str]:
    """Return the text of each file in the present edition, by its name."""
    from trutdsl.ir.editions import bring_up
    from trutdsl.variant import is_module, load_file, load_variant
    from trutdsl.variant.editions import mark, rename_taken
    from trutdsl.variant.manifest import LATEST

    texts = dict[str, str]()
    for name in files:
        if not name.endswith((".yaml", ".yml")):
            raise BadUsage(say("'{file}' is not the path of a YAML file", file=name))
        if is_module(name):
            manifest, _ = load_file(name)
            source = manifest.span.source
            if isinstance(manifest.rules, Excerpt) and manifest.language < LATEST:
                source = rename_taken(manifest.rules)[0].source
            texts.setdefault(name, source.text)
            continue
        for layer in bring_up(load_variant(name)).layers:
            texts |= {layer.path: layer.span.source.text} if layer.path in files else {}
            rules = layer.text.excerpt.source if layer.text is not None else None
            if rules is not None and (layer.own or layer.path in files):
                texts[rules.name] = rules.text
    return {name: mark(text) if name in files else text for name, text in texts.items()}
