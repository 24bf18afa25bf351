"""The cache of nodes of shipped files returns the same nodes as reading the text."""

from trutdsl.variant import compose_yaml
from trutdsl.variant.compose_yaml import read_document
from trutdsl.variant.read_file import read_cached_document
from trutdsl.variant.source import read_source


def test_cached_nodes_equal_those_of_the_text(root, tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_CACHE", str(tmp_path))
    paths = [*root.glob("variants/trut*.yaml"), root / "tests" / "good" / "words-by-level.yaml"]
    sources = [read_source(path, path.name) for path in paths]
    nodes = [read_document(source) for source in sources]
    assert list(map(read_cached_document, sources)) == nodes
    monkeypatch.setattr(compose_yaml, "read_document", None)
    assert list(map(read_cached_document, sources)) == nodes
