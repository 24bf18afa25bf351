"""The vocabulary of a variant: `define`s for strategies, from all that the variant is made of.

It is no part of play: nothing in it can change a rule, and no fingerprint that decides play holds
it. `me` in it is the seat that is asked.
"""

from __future__ import annotations

from trutdsl.diagnostics import Collector, Note
from trutdsl.ir import nodes
from trutdsl.ir.policy.defines import DefineBuilder
from trutdsl.ir.policy.history import add_history
from trutdsl.ir.policy.names import OWN, make_scope
from trutdsl.ir.policy.sight import check_function
from trutdsl.syntax import ast
from trutdsl.variant import Variant

PREFIX = "vocabulary"


def vocabulary_of(variant: Variant, program: nodes.Program, errors: Collector) -> DefineBuilder:
    """Return what builds the vocabulary of a variant; mistakes go to `errors`."""
    chains: dict[str, list[tuple[str, ast.Define]]] = {}
    builder = DefineBuilder(PREFIX, chains, errors)
    builder.scope = scope = make_scope(variant, program, builder.find, errors)
    for layer in variant.layers:
        own: set[str] = set()
        for define in layer.vocabulary.defines if layer.vocabulary else ():
            name, span = define.name.text, define.name.span
            known = chains.get(name)
            if name in own or (known and not define.replaces):
                first = known[-1][1].name.span if known else span
                errors.error(
                    "defined-twice",
                    f"the vocabulary has a '{name}' already",
                    span,
                    Note("it stands here", first),
                    help="write `replace` before it, or choose another name",
                )
            elif define.replaces and not known:
                scope.names.unknown(
                    "define of the vocabulary to replace called", name, span, chains
                )
            elif not known and (name in OWN or not scope.names.declare(name, span, "define")):
                if name in OWN:
                    message = f"'{name}' is a word of strategies"
                    errors.error("reserved-word", message, span, help="choose another")
            else:
                chains.setdefault(name, []).append((layer.name, define))
                own.add(name)
    scope.names.own |= set(chains)
    return builder


def check_vocabulary(variant: Variant, program: nodes.Program) -> None:
    """Check the vocabulary of a variant by itself; raises `Rejected` with every mistake found."""
    errors = Collector()
    builder = vocabulary_of(variant, program, errors)
    for name in builder.chains:
        builder.find(name)
    errors.raise_if_any()
    assert builder.scope is not None
    whole = add_history(program, builder.scope.past)
    whole = with_functions(whole, builder)
    for function in builder.functions.values():
        check_function(whole, function, errors)
    errors.raise_if_any()


def with_functions(program: nodes.Program, *builders: DefineBuilder) -> nodes.Program:
    """Return a program that has what was built of these `define`s."""
    functions = dict(program.functions)
    for builder in builders:
        functions |= builder.functions
    return nodes.Program(
        program.zones, program.variables, functions, program.rules, program.policies
    )
