"""A rules-variant language and tournament simulator for card games of the Trut and Truc family.

Public names: what programs in Python use, see `docs/python.md`. They are listed in `__init__.pyi`,
for type checkers and for this module, which imports a name's module when the name is first looked
at: so nobody waits for an engine who does not play.
"""

# What else is needed is imported by whoever looks at a name: the program does not, and starts soon.
from functools import cache


def __getattr__(name: str) -> object:
    """Return a public name (PEP 562)."""
    from importlib import import_module

    if name not in _modules():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_modules()[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules()})


@cache
def _modules() -> dict[str, str]:
    """Return the module of each public name."""
    import ast
    from importlib.resources import files

    stub = ast.parse((files(__name__) / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {public.name: str(node.module) for node in imports for public in node.names}
