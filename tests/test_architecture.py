"""`docs/architecture.md` lists all packages and `docs/modules.md` all modules, by docstring."""

import ast
import inspect
import re
import tomllib

import trutdsl

HEAD = "| package | what it does |\n|---|---|\n"
MODULES = """# Modules

Every module, with the first line of its docstring. `pytest tests/test_architecture.py --update`
writes this page.

| module | what it does |
|---|---|
"""


def first_line(path):
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert doc, f"{path} has no docstring"
    return doc.split("\n")[0]


def test_the_list_of_packages_is_complete(root, expect_file):
    document = root / "docs" / "architecture.md"
    text = document.read_text(encoding="utf-8")
    assert HEAD in text
    program = root / "trutdsl"
    packages = [p.parent for p in sorted(program.glob("*/**/__init__.py"))]
    rows = {f"{p.relative_to(root).as_posix()}/": p / "__init__.py" for p in packages}
    rows |= {p.relative_to(root).as_posix(): p for p in sorted(program.glob("*.py"))}
    lines = [f"| `{name}` | {first_line(path)} |\n" for name, path in rows.items()]
    expect_file(document, text[: text.index(HEAD)] + HEAD + "".join(lines))


def test_the_list_of_modules_is_complete(root, expect_file):
    modules = sorted((root / "trutdsl").rglob("*.py"))
    rows = [f"| `{p.relative_to(root).as_posix()}` | {first_line(p)} |\n" for p in modules]
    expect_file(root / "docs" / "modules.md", MODULES + "".join(rows))


def test_the_public_api_has_docstrings():
    names = [name for name in dir(trutdsl) if not name.startswith("_")]
    things = {name: getattr(trutdsl, name) for name in names}
    for name, thing in list(things.items()):
        if inspect.isclass(thing):
            things |= {
                f"{name}.{part}": value
                for part, value in vars(thing).items()
                if not part.startswith("_") and (callable(value) or isinstance(value, property))
            }
    assert [name for name, thing in things.items() if not inspect.getdoc(thing)] == []


def test_no_module_is_too_long(root):
    long = {
        str(p.relative_to(root)): n
        for p in (root / "trutdsl").rglob("*.py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert long == {}


# Contract -> the packages that may import the library. Its sources must be all other packages.
CONTRACTS = {
    "nothing but the command line knows Typer": {"cli", "__main__"},
    "only native knows LLVM": {"native"},
    "only variant knows YAML": {"variant"},
    "nothing but `learning` knows the libraries of learning agents": {"learning"},
    "nothing but `tournaments` knows Dask": {"tournaments"},
}


def test_contracts_name_every_other_package(root):
    with (root / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    found = {c["name"]: set(c["source_modules"]) for c in contracts if c["name"] in CONTRACTS}
    package = root / "trutdsl"
    packages = {p.stem for p in package.glob("*.py")} | {
        p.parent.name for p in package.glob("*/__init__.py")
    }
    packages -= {"__init__"}
    assert found == {
        name: {f"trutdsl.{package_name}" for package_name in packages - allowed}
        for name, allowed in CONTRACTS.items()
    }


def test_no_two_public_classes_have_the_same_name(root):
    """Nodes of the syntax tree and of the representation may share names."""
    trees = {"trutdsl/syntax/ast", "trutdsl/ir/nodes"}
    found = {}
    for path in (root / "trutdsl").rglob("*.py"):
        if any(path.is_relative_to(root / tree) for tree in trees):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(path.relative_to(root)))
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


PATH = re.compile(r"`([a-z_./-]+/[a-z_./-]+\.(?:py|lark|yaml|md|strategy|po))`")
DOTTED = re.compile(r"`(?:trutdsl\.)?([a-z_]+(?:\.[a-z_]+)+)`")


def is_known(program, name):
    """Return whether a dotted name such as `stats.design.merge_all` exists."""
    at = program
    for part in name.split("."):
        if (at / part).is_dir() or (at / part).with_suffix(".py").exists():
            at = at / part
        else:
            file = at / "__init__.py" if at.is_dir() else at.with_suffix(".py")
            return re.search(rf"\b{part}\b", file.read_text(encoding="utf-8")) is not None
    return True


def test_documents_name_files_and_modules_that_exist(root):
    program, wrong = root / "trutdsl", []
    for page in [*root.glob("*.md"), *(root / "docs").glob("*.md"), *root.glob("tests/**/*.md")]:
        if page.name == "CHANGELOG.md":  # it names files of earlier versions
            continue
        text = page.read_text(encoding="utf-8")
        places = (root, program, page.parent)
        wrong += [
            f"{page.name}: {path}"
            for path in PATH.findall(text)
            if not any((place / path).exists() for place in places)
        ]
        for name in DOTTED.findall(text):
            package, *_, last = name.split(".")
            if not (program / package).is_dir() or package == "game" or last == "json":
                continue  # an attribute of a variable `game`, or a file
            if not is_known(program, name):
                wrong.append(f"{page.name}: {name}")
    assert wrong == []
