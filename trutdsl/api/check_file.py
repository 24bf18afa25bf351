"""The check of one file: a variant, a module or a script, its mistakes and its warnings."""

from __future__ import annotations

from trutdsl.diagnostics import Diagnostic
from trutdsl.files import is_script
from trutdsl.language import say
from trutdsl.variant import Variant, is_module, load_file, load_variant, words_of
from trutdsl.variant.load import shipped_library
from trutdsl.variant.model import check_once, note_clean, was_clean, was_right


def find_doubts(ref: str) -> tuple[Diagnostic, ...]:
    """Return the warnings for the files of a correct variant; none for other files."""
    if is_script(ref) or (ref.endswith((".yaml", ".yml")) and is_module(ref)):
        return ()
    variant = _present(ref)
    if was_clean(variant):
        return ()
    from trutdsl.ir import build_program  # a cached result needs no import
    from trutdsl.ir.check.warn import find_warnings

    shipped = f"{shipped_library().name}/"
    own = [one for one in variant.layers if one.own or not one.path.startswith(shipped)]
    files = frozenset(one.path for one in own)
    doubts = variant.older + find_warnings(build_program(variant), variant, files)
    if not doubts:
        note_clean(variant)
    return doubts


def check_one(ref: str, against: str | None = None) -> str:
    """Check one file and return a short description; raises `Rejected`."""
    if is_script(ref):
        return _check_script(ref, against)
    if ref.endswith((".yaml", ".yml")) and is_module(ref):
        load_file(ref)
        return "ok, a module; what its rules mean is checked in a variant that uses it"
    variant = _present(ref)
    own, inherited = check_once(variant, _check_meaning)
    players = ", ".join(map(str, variant.players))
    bases = say(", {inherited} from what it builds on", inherited=inherited) if inherited else ""
    return say(
        "ok, {title} for {players} players; rules and defines of its own: {own}{bases}",
        title=words_of(variant).title,
        players=players,
        own=own,
        bases=bases,
    )


def _check_script(ref: str, against: str | None) -> str:
    # The check of a variant needs none of these imports.
    from trutdsl.strategy import ScriptSpec, load_strategy
    from trutdsl.strategy.fitness import check_meant, check_script, variants_of_script

    spec = load_strategy(ref)
    assert isinstance(spec, ScriptSpec)
    if against is not None:
        variants = [load_variant(against)]
        check_meant(spec, variants[0])
    else:
        variants = variants_of_script(spec)
    check_script(spec, variants)
    names = ", ".join(variant.name for variant in variants)
    set_by = ", ".join(f"{p.name}={p.text_of(p.default)}" for p in spec.script.parameters.values())
    return say("ok, complete on {names}", names=names) + (
        say("; parameters: {set_by}", set_by=set_by) if set_by else ""
    )


def _present(ref: str) -> Variant:
    """Return a variant in the present edition of the language."""
    variant = load_variant(ref, known=was_right)
    if was_right(variant):
        return variant
    from trutdsl.ir.editions import bring_up  # a cached result needs no import

    return bring_up(variant)


def _check_meaning(variant: Variant) -> None:
    from trutdsl.ir import build_program  # a cached result needs no import

    build_program(variant)
