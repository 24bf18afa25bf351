"""docs/architecture.md lists every module with what its docstring says first."""

import ast
import tomllib

HEAD = "| module | what it does |\n|---|---|\n"


def first_line(path):
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert doc, f"{path} has no docstring"
    return doc.split("\n")[0]


def test_every_module_has_its_line(root, expect_file):
    document = root / "docs" / "architecture.md"
    text = document.read_text(encoding="utf-8")
    assert HEAD in text
    modules = sorted((root / "trutdsl").rglob("*.py"))
    rows = [f"| `{p.relative_to(root).as_posix()}` | {first_line(p)} |\n" for p in modules]
    expect_file(document, text[: text.index(HEAD)] + HEAD + "".join(rows))


def test_no_module_is_too_long(root):
    long = {
        str(p.relative_to(root)): n
        for p in (root / "trutdsl").rglob("*.py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert long == {}


# What knows a library alone: contracts that name everything else.
ALONE = {
    "nothing but the command line knows Typer": {"cli", "__main__"},
    "only native knows LLVM": {"native"},
    "only variant knows YAML": {"variant"},
    "nothing but `learning` knows the libraries of learning agents": {"learning"},
    "nothing but `arena` knows Dask": {"arena"},
}


def test_contracts_leave_no_room_out(root):
    with (root / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    found = {c["name"]: set(c["source_modules"]) for c in contracts if c["name"] in ALONE}
    package = root / "trutdsl"
    rooms = {p.stem for p in package.glob("*.py")} | {
        p.parent.name for p in package.glob("*/__init__.py")
    }
    rooms -= {"__init__"}
    assert found == {
        name: {f"trutdsl.{room}" for room in rooms - allowed} for name, allowed in ALONE.items()
    }
