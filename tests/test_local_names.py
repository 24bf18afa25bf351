"""No local name hides an import, function or class of its module, because that confuses readers."""

import ast


def names_of_module(tree, only_imports):
    """Return the names that a module imports (also for type checkers only) or defines."""
    names = set()
    for statement in tree.body:
        for one in (statement, *getattr(statement, "body", ())):
            if isinstance(one, ast.Import | ast.ImportFrom):
                names |= {(alias.asname or alias.name).partition(".")[0] for alias in one.names}
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) and not only_imports:
            names.add(statement.name)
    return names


def outer_functions(node):
    """Yield the functions and methods that are not inside another function."""
    for one in ast.iter_child_nodes(node):
        if isinstance(one, ast.FunctionDef | ast.Lambda):
            yield one
        else:
            yield from outer_functions(one)


def local_names(function):
    """Yield the parameters and variables of a function with their lines, without global ones."""
    nodes = list(ast.walk(function))
    shared = {name for one in nodes if isinstance(one, ast.Global) for name in one.names}
    for one in nodes:
        if isinstance(one, ast.arg):
            yield one.arg, one.lineno
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) and one.id not in shared:
            yield one.id, one.lineno


def find_hiding(source, only_imports=False):
    """Return the lines and names of locals that hide a name of the module."""
    tree = ast.parse(source)
    names = names_of_module(tree, only_imports)
    return sorted(
        {
            (line, name)
            for function in outer_functions(tree)
            for name, line in local_names(function)
            if name in names
        }
    )


def test_no_local_name_hides_one_of_its_module(root):
    found = {
        str(path.relative_to(root)): names
        for path in (root / "trutdsl").rglob("*.py")
        if (names := find_hiding(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_no_local_name_hides_an_import_of_its_test(root):
    """It may hide functions of the test, because fixtures are parameters of the same name."""
    found = {
        str(path.relative_to(root)): names
        for path in (root / "tests").rglob("*.py")
        if (names := find_hiding(path.read_text(encoding="utf-8"), only_imports=True))
    }
    assert found == {}


def test_hidden_names_are_found():
    source = """
from a import mark, quoted
def check(mark): ...
def play():
    quoted = [check for check in ()]
    global mark
    mark = 1
"""
    assert find_hiding(source) == [(3, "mark"), (5, "check"), (5, "quoted")]
    assert find_hiding(source, only_imports=True) == [(3, "mark"), (5, "quoted")]
