"""What the tests of variant files share: a small library and the text shown for a rejected file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trutdsl.diagnostics import Rejected, Source, render_all
from trutdsl.variant import Library, Node, Variant, load_variant
from trutdsl.variant.compose_yaml import read_document

HERE = Path(__file__).parent


@pytest.fixture
def library() -> Library:
    return Library(HERE / "library", "library")


@pytest.fixture
def load(
    tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Variant]:
    """Load a variant from a text written as `own.yaml`; other files by keyword."""
    monkeypatch.chdir(tmp_path)

    def load_text(text: str, **others: str) -> Variant:
        for name, content in others.items():
            Path(f"{name}.yaml").write_text(content)
        Path("own.yaml").write_text(text)
        return load_variant(Path("own.yaml"), library=library)

    return load_text


@pytest.fixture
def document() -> Callable[[str], Node]:
    """Compose the one document of a text called `x.yaml`."""
    return lambda text: read_document(Source("x.yaml", text))


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Return what a person sees when a call is rejected."""

    def shown(call: Callable[..., object], *values: object) -> str:
        with pytest.raises(Rejected) as caught:
            call(*values)
        return render_all(caught.value)

    return shown
