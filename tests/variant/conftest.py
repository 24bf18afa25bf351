"""Fixtures of the tests of variant files: a small library, and the text of a refusal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trutdsl.diagnostics import Rejected, Source, render_all
from trutdsl.variant import Library, Node, Variant, load_variant
from trutdsl.variant.compose_yaml import read_document

FOLDER = Path(__file__).parent


@pytest.fixture
def library() -> Library:
    return Library(FOLDER / "library", "library")


@pytest.fixture
def load(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Variant]:
    """Return a function that loads a text as `own.yaml`; keywords give other files."""
    monkeypatch.chdir(tmp_path)

    def load_text(text: str, **others: str) -> Variant:
        for name, content in others.items():
            Path(f"{name}.yaml").write_text(content)
        Path("own.yaml").write_text(text)
        return load_variant(Path("own.yaml"), library=library)

    return load_text


@pytest.fixture
def document() -> Callable[[str], Node]:
    """Return a function that composes the document of a text, as the file `x.yaml`."""
    return lambda text: read_document(Source("x.yaml", text))


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Return a function that makes a call and returns the text of its refusal."""

    def render_refusal(call: Callable[..., object], *values: object) -> str:
        with pytest.raises(Rejected) as caught:
            call(*values)
        return render_all(caught.value)

    return render_refusal
