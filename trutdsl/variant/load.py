"""Loads a variant with all its layers, by name or path."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from trutdsl.arguments import check_arguments
from trutdsl.diagnostics import Collector, Note, Rejected, Source, did_you_mean, reject
from trutdsl.files import shipped_folder
from trutdsl.language import figure, say
from trutdsl.syntax.ast import Rules
from trutdsl.variant.check_names import check_names
from trutdsl.variant.manifest import Kind, Manifest
from trutdsl.variant.merge_layers import LoadedFile, merge_layers
from trutdsl.variant.model import Variant
from trutdsl.variant.read_file import LocatedFile, read_layer, read_library_file
from trutdsl.variant.read_values import shorten
from trutdsl.variant.source import (
    VARIANT,
    instead_of_kind,
    is_file,
    is_folder,
    kind_of_place,
    near_file,
    read_source,
    refuse_other_ending,
)
from trutdsl.variant.yaml_nodes import BoundedCollector, Scalar

REFERENCE = re.compile(r"[a-z0-9][a-z0-9_-]*(/[a-z0-9][a-z0-9_-]*)*")


@dataclass(frozen=True)
class Library:
    """A folder of variants, with modules in its sub-folders.

    name: the prefix of its file names in diagnostics.
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
        return tuple(sorted(path.stem for path in self.folder.glob("*.yaml") if path.is_file()))

    def modules(self) -> tuple[str, ...]:
        """Return the names of the modules: the files in sub-folders."""
        files = (path for path in self.folder.glob("*/**/*.yaml") if path.is_file())
        names = (path.relative_to(self.folder).with_suffix("").as_posix() for path in files)
        return tuple(sorted(names))

    def did_you_mean(self, ref: str, names: tuple[str, ...]) -> str | None:
        """Return a `did you mean` sentence: by the title, a part, or a near name."""
        known = {title.casefold(): name for name in names for title in self._titles(name)}
        near = get_close_matches(ref.casefold(), known, 1, 0.8)
        ends, starts = (f"/{ref}", f"-{ref.lower()}"), f"{ref.lower()}-"
        every = (*names, *self.modules())
        parts = (name for name in every if name.endswith(ends) or name.startswith(starts))
        found = known[near[0]] if near else next(parts, None)
        return say("did you mean '{inside}'?", inside=found) if found else did_you_mean(ref, names)

    def _titles(self, name: str) -> list[str]:
        """Return the titles of a file, in each language."""
        text = (self.folder / f"{name}.yaml").read_text(encoding="utf-8", errors="replace")
        return re.findall(r"^ *title: *(.+)", text, re.MULTILINE)


def shipped_library() -> Library:
    return Library(shipped_folder("variants"))


@check_arguments
def list_variants(library: Library | None = None) -> tuple[str, ...]:
    """Return the names of the variants of a library, by default of the shipped one."""
    return (library or shipped_library()).variants()


# From the name or the path of a variant to all its files.

LONGEST_CHAIN = 20
# Of all files of a variant together:
MOST_FILES = 100
MOST_CHARACTERS = 1_000_000
MOST_CHARACTERS_OF_RULES = 300_000


@check_arguments
def load_variant(
    ref: str | Path,
    *,
    library: Library | None = None,
    known: Callable[[Variant], bool] = lambda _variant: False,
) -> Variant:
    """Return a variant, with all files that it extends and uses.

    ref:     a name in the library (`trut`), or the path of a YAML file.
    library: by default the shipped one.
    known:   returns whether the rules of a variant were checked before; they are then parsed only
             on use.
    Raises `Rejected` with every mistake found in any of the files.
    """
    library = library or shipped_library()
    where = locate_variant(ref, library)
    try:
        variant = _load(where, library, parse=False)
        if known(variant):
            return variant
        for layer in variant.layers:
            _ = layer.rules, layer.vocabulary
    except Rejected:
        # Reported again in the order of the files, each with its rules.
        variant = _load(where, library, parse=True)
    errors = BoundedCollector()
    check_names(variant, errors)
    errors.raise_if_any()
    return variant


def _load(where: LocatedFile, library: Library, parse: bool) -> Variant:
    errors = BoundedCollector()
    resolver = _Resolver(library, errors, parse)
    layers = resolver.collect(where, ())
    errors.raise_if_any()
    own = layers[-1].manifest
    if own.kind == "module":
        message = say("'{own}' is a module, which cannot be played by itself", own=own.name)
        raise reject("not-a-variant", message, own.span, help=say("name a variant that uses it"))
    return merge_layers(layers, errors)


def load_file(ref: str | Path, *, library: Library | None = None) -> tuple[Manifest, Rules | None]:
    """Return one variant or module file with its rules, without its bases and modules.

    Raises `Rejected` with every mistake in it.
    """
    errors = BoundedCollector()
    file = read_layer(locate_variant(ref, library or shipped_library()), errors, parse=True)
    errors.raise_if_any()
    assert file is not None
    return file.manifest, file.rules.tree if file.rules else None


def is_module(ref: str | Path) -> bool:
    """Return whether a file is a module, without reading its rules.

    False if it cannot be read; loading it reports why.
    """
    where = locate_variant(ref, shipped_library())
    file = read_layer(where, BoundedCollector(), parse=False)
    return file is not None and file.manifest.kind == "module"


def locate_variant(ref: str | Path, library: Library) -> LocatedFile:
    """Return the file for a name or path; raise `Rejected` if there is none."""
    if isinstance(ref, Path) or ref.endswith((".yaml", ".yml")):
        path = Path(ref)
        if path.stem in library.variants() and not is_file(path):
            start = Source(str(ref), "").point(1, 1)
            help_ = say("write {stem}: it is shipped", stem=path.stem)
            raise reject("missing-file", say("there is no such file"), start, help=help_)
        return LocatedFile(path, str(ref))
    result = library.find(ref)
    if result is None:
        name, _, values = ref.rpartition(":")
        with_parameters = name and "=" in values and not is_file(Path(ref))
        other_kind = instead_of_kind(VARIANT, ref)
        if not with_parameters and not other_kind:
            refuse_other_ending(ref, ".yaml")
        names = library.variants()
        if other_kind:
            help_ = other_kind
        elif with_parameters:
            text = (
                "parameters stand behind a colon only in comparisons; commands that play take "
                "--param {values}"
            )
            help_ = say(text, values=values.replace(",", " --param "))
        elif file := next(_files_called(ref), None):
            help_ = say("there is a file of that name: write {file}", file=file)
        elif is_folder(Path(ref)):
            help_ = near_file(Path(ref))
        elif "," in ref and all(one in names or is_file(Path(one)) for one in ref.split(",")):
            help_ = say("write them without a comma: {names}", names=ref.replace(",", " "))
        else:
            text = "known: {names}; the path of a file ends in .yaml"
            help_ = library.did_you_mean(ref, names) or (
                say(text, names=", ".join(names) or "none")
            )
        message = say("there is no variant '{ref}'", ref=shorten(ref))
        raise reject("unknown-variant", message, Source(ref, "").point(1, 1), help=help_)
    return result


def _files_called(name: str) -> Iterator[str]:
    """Yield the files of variants and scripts here that are called so, apart from their ending."""
    for ending in (".yaml", ".yml", ".strategy"):
        if is_file(Path(name + ending)):
            yield name + ending


class _Resolver:
    """Follows `extends` and `uses`; each file is read once."""

    def __init__(self, library: Library, errors: Collector, parse: bool) -> None:
        self.library = library
        self.errors = errors
        self.parse = parse
        self.files: list[LoadedFile] = []
        self.is_full = False  # no more files are read
        self.files_of: dict[Path, tuple[LoadedFile, ...]] = {}

    def collect(self, where: LocatedFile, chain: tuple[LocatedFile, ...]) -> tuple[LoadedFile, ...]:
        """Return the layers of a file, itself last; empty if the file is unusable."""
        key = _identity(where.path)
        if key not in self.files_of:
            self.files_of[key] = self._collect(where, (*chain, where))
        return self.files_of[key]

    def _collect(
        self, where: LocatedFile, chain: tuple[LocatedFile, ...]
    ) -> tuple[LoadedFile, ...]:
        file = self.read_file(where)
        if file is None:
            return ()
        self.files.append(file)
        layers: list[LoadedFile] = []
        manifest, base = file.manifest, None
        if manifest.extends is not None:
            layers += self.follow(manifest.extends, "variant", where, chain)
            base = layers[-1].manifest.name if layers else None
        for ref in manifest.uses:
            for layer in self.follow(ref, "module", where, chain):
                if not any(layer is present for present in layers):
                    layers.append(layer)
        names = frozenset(layer.manifest.name for layer in layers)
        return (*layers, replace(file, below=names, base=base))

    def read_file(self, where: LocatedFile) -> LoadedFile | None:
        """Return one file, or None if it cannot be read; files of the library are cached."""
        if not self.parse and where.path.is_relative_to(self.library.folder):
            try:
                file = read_library_file(where, read_source(where.path, where.name).text)
                if not isinstance(file.manifest.rules, Scalar):  # else not the whole text
                    return file
            except Rejected:
                pass  # reported again, in the order of the files
        return read_layer(where, self.errors, self.parse)

    def follow(
        self, ref: Scalar, kind: Kind, where: LocatedFile, chain: tuple[LocatedFile, ...]
    ) -> tuple[LoadedFile, ...]:
        """Return the layers of the files in `extends` or `uses`."""
        target = self.locate(ref, kind, where)
        if target is None:
            return ()
        paths = [_identity(one.path) for one in chain]
        key, verb = _identity(target.path), "extends" if kind == "variant" else "uses"
        if key in paths:
            names = " -> ".join(one.name for one in chain[paths.index(key) :])
            text = "'{verb}' goes round in a circle: {names} -> {target}"
            message = say(text, verb=verb, names=names, target=target.name)
            help_ = say("name another file, or leave this line out")
            self.errors.error(f"{verb}-cycle", message, ref.span, help=help_)
            return ()
        if len(chain) >= LONGEST_CHAIN:
            message = say("more than {longest} files build on one another", longest=LONGEST_CHAIN)
            self.errors.error("too-deep", message, ref.span)
            return ()
        if self.is_full:
            return ()
        layers = self.collect(target, chain)
        self.check_size(ref)
        if layers and layers[-1].manifest.kind != kind:
            manifest = layers[-1].manifest
            text = "'{verb}' needs a {expected}, but '{found}' is a {kind}"
            message = say(text, verb=verb, expected=kind, found=manifest.name, kind=manifest.kind)
            help_text = (
                say("write 'uses: [...]'") if kind == "variant" else say("write 'extends: ...'")
            )
            note = Note(say("it is declared here"), manifest.span)
            self.errors.error("wrong-kind", message, ref.span, note, help=help_text)
            return ()
        return layers

    def check_size(self, ref: Scalar) -> None:
        """Report that all files together are too large, and read no more."""
        texts = [len(text) for one in self.files for text in one.texts]
        rules = [len(one.rules.excerpt.text) for one in self.files if one.rules is not None]
        for number, most, what in (
            (len(self.files), MOST_FILES, "files"),
            (sum(texts), MOST_CHARACTERS, "characters"),
            (sum(rules), MOST_CHARACTERS_OF_RULES, say("characters of rules")),
        ):
            if number > most and not self.is_full:
                self.is_full = True
                message = say(
                    "with this file the variant has {found} {what}",
                    found=figure(number, ","),
                    what=what,
                )
                help_ = say("at most {most} are allowed", most=figure(most, ","))
                self.errors.error("too-large", message, ref.span, help=help_)

    def locate(self, ref: Scalar, kind: Kind, where: LocatedFile) -> LocatedFile | None:
        text = ref.text.strip()
        if text.endswith((".yaml", ".yml")):
            path = where.path.parent / text
            if is_file(path):
                name = os.path.normpath(Path(where.name).parent / text)
                return LocatedFile(path, Path(name).as_posix())
            stem = Path(text).stem
            shipped = (
                say("write {name}: it is shipped", name=stem) if self.library.find(stem) else None
            )
            if other := kind_of_place(path):
                self.errors.error("not-a-file", other, ref.span)
                return None
            message = say("there is no file '{text}'", text=shorten(text))
            self.errors.error("missing-file", message, ref.span, help=shipped or near_file(path))
            return None
        result = self.library.find(text)
        if result is None:
            names = self.library.variants() if kind == "variant" else self.library.modules()
            hint = self.library.did_you_mean(text, names)
            message = say(
                "there is no {kind} '{text}' in the library", kind=kind, text=shorten(text)
            )
            help_text = hint or say("the path of a file ends in .yaml")
            if kind == "variant" and "," in text:
                help_text = say("name one variant; name modules in `uses: [MODULE, ...]`")
            self.errors.error(f"unknown-{kind}", message, ref.span, help=help_text)
        return result


def _identity(path: Path) -> Path:
    """Return a path that is the same for every spelling of a file's name."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links, a name that cannot be
        return path
