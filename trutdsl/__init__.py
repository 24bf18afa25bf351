"""A rules-variant language and tournament simulator for card games of the Trut and Truc family.

`docs/python.md` describes the public names. `__init__.pyi` lists them for type checkers and for
this module. The first access to a name imports its module, so programs that do not play need no
engine.
"""

# A name's module is imported on first access, so that the program starts fast.
from functools import cache


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "__all__":
        return sorted(_modules())
    if name == "__version__":
        from trutdsl.files import own_version

        return own_version()
    if name not in _modules():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    result = globals()[name] = getattr(import_module(_modules()[name]), name)
    return result


def __dir__() -> list[str]:
    return sorted({*globals(), *_modules()})


@cache
def _modules() -> dict[str, str]:
    import ast
    from importlib.resources import files

    stub = ast.parse((files(__name__) / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {public.name: str(node.module) for node in imports for public in node.names}
