"""The benchmark gives every figure that others rely on, and C and native play the same matches."""

import shutil

from trutdsl.report import benchmark


def test_every_figure_is_there(monkeypatch):
    monkeypatch.setattr(benchmark, "list_variants", lambda: ("truc-french",))
    monkeypatch.setattr(benchmark, "BATCH", 64)
    figures = benchmark.benchmark(0.01, lambda _what: None)
    tables = {"truc-french-2p", "truc-french-4p"}
    assert set(figures["deals_per_second"]) == tables == set(figures["compile_seconds"])
    for seconds in figures["compile_seconds"].values():
        assert min(seconds["cached"], seconds["cold"]) > 0
    for name in ("callback_decisions_per_second", "batch_decisions_per_second", "parallel_speedup"):
        assert figures[name] > 0
    # A run in which native code and C disagree about the number of deals raises an error.
    assert ("native_over_c" in figures) == bool(shutil.which("cc") or shutil.which("gcc"))
