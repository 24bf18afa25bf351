"""The `define`s of scripts and vocabularies: functions whose slot 0 is the seat that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trutdsl.diagnostics import Collector
from trutdsl.ir import nodes
from trutdsl.ir.intervals import DEEPEST_DEFINES
from trutdsl.ir.lower.statements import StatementBuilder, without_return
from trutdsl.ir.script.names import ME, Own, PolicyExpressions, Scope, own_frame
from trutdsl.ir.types import SEAT, UNKNOWN, Nobody, described, fits
from trutdsl.syntax import ast
from trutdsl.syntax.walk import walk

Chains = Mapping[str, Sequence[tuple[str, ast.Define]]]


class DefineBuilder:
    """Builds `define`s when they are first used.

    prefix: stands before their names among the program's functions, with a `:`.
    chains: of each name the one first declared and those that replace it, each with its file.
    """

    def __init__(self, prefix: str, chains: Chains, errors: Collector) -> None:
        self.prefix, self.chains, self.errors = prefix, chains, errors
        self.functions: dict[str, nodes.Function] = {}
        self.scope: Scope | None = None
        self._built: dict[str, Own] = {}
        self._building: list[str] = []

    def find(self, name: str) -> Own | None:
        """Return a `define` by its name, or None if there is none such."""
        if name not in self.chains:
            return None
        if name not in self._built:
            self._built[name] = self._build(name)
        return self._built[name]

    @property
    def used(self) -> frozenset[str]:
        """The `define`s that were built, as something uses them."""
        return frozenset(self._built)

    def _build(self, name: str) -> Own:
        chain = self.chains[name]
        node = chain[-1][1]
        deep = len(self._building) >= DEEPEST_DEFINES
        if name in self._building or deep:
            if deep:
                message = f"more than {DEEPEST_DEFINES} defines stand inside one another"
                self.errors.error("too-deep", message, node.name.span, help="join some of them")
            else:
                cycle = " -> ".join([*self._building[self._building.index(name) :], name])
                message = f"'{name}' is worked out from itself: {cycle}"
                span = node.name.span
                self.errors.error("recursion", message, span, help="use a loop or a quantifier")
            assert self.scope is not None
            types = (self.scope.declarations.type_of(p.type, SEAT) for p in node.params)
            empty = nodes.Const(node.span, UNKNOWN, 0)
            return Own(nodes.Function(
                node.span, f"{self.prefix}:{name}", (SEAT, *types), UNKNOWN, 0, empty, "", None,
                None,
            ), ())  # fmt: skip
        place, self.errors.place = self.errors.place, f"define '{name}'"
        self._building.append(name)
        memory = tuple(sorted(self._memory_of(name, set())))
        built: nodes.Function | None = None
        for number, (layer, one) in enumerate(chain):
            last = number == len(chain) - 1
            full = f"{self.prefix}:{name}" + ("" if last else f" of {layer}")
            built = self._function(full, layer, one, built, memory)
            self.functions[full] = built
        self._building.pop()
        self.errors.place = place
        assert built is not None
        return Own(built, memory)

    def _memory_of(self, name: str, seen: set[str]) -> set[str]:
        """Return what a `define` uses of the script's memory, with all that it is made of."""
        assert self.scope is not None
        seen.add(name)
        found: set[str] = set()
        for _, node in self.chains[name]:
            for used in names_in(node.body):
                if used in self.scope.memory:
                    found.add(used)
                elif used in self.chains and used not in seen:
                    found |= self._memory_of(used, seen)
        return found

    def _function(
        self,
        name: str,
        layer: str,
        node: ast.Define,
        replaced: nodes.Function | None,
        memory: tuple[str, ...],
    ) -> nodes.Function:
        scope = self.scope
        assert scope is not None
        frame = own_frame(scope.names)
        types = tuple(scope.declarations.type_of(p.type, SEAT) for p in node.params)
        params = [nodes.Local(node.span, SEAT, 0, ME)]
        for param, type_ in zip(node.params, types, strict=True):
            slot = frame.bind(param.name, type_)
            params.append(nodes.Local(node.span, type_, slot, param.name.text))
        kept: dict[str, int] = {}
        for one in memory:
            kept[one] = frame.size
            params.append(nodes.Local(node.span, scope.memory[one], frame.size, one))
            frame.size += 1
        values = PolicyExpressions(scope, frame, kept)
        values.replaced, values.params = replaced, tuple(params)
        wanted = scope.declarations.type_of(node.result, UNKNOWN) if node.result else None
        body: nodes.Expression | nodes.Block
        if isinstance(node.body, ast.Block):
            builder = StatementBuilder(
                scope.names, frame, scope.variant_head, scope.declarations.type_of, wanted,
                pure=True, values=values,
            )  # fmt: skip
            mistakes = len(self.errors.diagnostics)
            body = builder.block(node.body)
            if len(self.errors.diagnostics) == mistakes and without_return(body) is not None:
                self.errors.error(
                    "type",
                    f"'{node.name.text}' does not always return a value",
                    node.name.span,
                    help="end every way through it with `return`",
                )
            result = wanted or builder.found or UNKNOWN
        else:
            body = values.build(node.body, wanted)
            if wanted is not None:
                body = values.converted(body, wanted, "the result")
            result = wanted or body.type
        if isinstance(result, Nobody):
            self.errors.error("type", "this is always none", node.name.span)
        if replaced is not None:
            same = replaced.params[1 : len(types) + 1] == types and fits(result, replaced.result)
            if not same or len(replaced.params) != len(params):
                self.errors.error(
                    "replaced-differs",
                    f"this takes or gives something else than what it replaces, "
                    f"which is {described(replaced.result)}",
                    node.name.span,
                    help="give it the same parameters and the same kind of result",
                )
        return nodes.Function(
            node.span, name, tuple(p.type for p in params), result, frame.size, body, layer,
            node.help, node.cites,
        )  # fmt: skip


def names_in(body: ast.Node) -> Iterator[str]:
    """Yield every name that stands as a value or is called in a part of a text."""
    for node in walk(body):
        if isinstance(node, ast.Name):
            yield node.name
        elif isinstance(node, ast.Call):
            yield node.name.text
