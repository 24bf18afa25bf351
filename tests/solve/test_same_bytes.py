"""Sums of floats have the same bytes on any processor.

Products of dense arrays do not: libraries of linear algebra choose their code by the processor.
"""

import ast
from pathlib import Path

import pytest

FOLDER = Path("trutdsl/solve")
SPARSE = {  # their products are loops in a fixed order
    "moves @ term",
    "share @ moves",
    "payoffs @ other",
    "payoffs.T @ other",
}
BY_PROCESSOR = {
    "dot",
    "einsum",
    "inner",
    "linalg",
    "matmul",
    "splu",
    "spsolve",
    "tensordot",
    "vdot",
}


def depends_on_processor(node):
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return ast.unparse(node) not in SPARSE
        case ast.Attribute(attr=name) | ast.alias(name=name):
            return not BY_PROCESSOR.isdisjoint(name.split("."))
        case ast.ImportFrom(module=name):
            return not BY_PROCESSOR.isdisjoint((name or "").split("."))
    return False


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_exact_figures_do_not_depend_on_the_processor(path):
    nodes = ast.walk(ast.parse(path.read_text()))
    assert [ast.unparse(node) for node in nodes if depends_on_processor(node)] == []


@pytest.mark.parametrize(
    "text", ["a @ b", "np.linalg.solve(a, b)", "from scipy.sparse.linalg import splu", "a.dot(b)"]
)
def test_such_products_are_found(text):
    assert any(map(depends_on_processor, ast.walk(ast.parse(text))))
