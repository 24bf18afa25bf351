"""The benchmark gives every figure that others rely on, and C and native play the same matches."""

import shutil

from trutdsl.report import benchmark
from trutdsl.report.by_hand import TABLES


def test_every_number_of_players_and_every_pack_has_its_table():
    tables = benchmark.benchmark_tables()
    packs = ["", " pack=32-eight-high", " pack=32-eight-low", " pack=36"]
    for table in [f"truc-french-{n}p{pack}" for n in (2, 4) for pack in packs]:
        assert tables.pop(table)[0] == "truc-french"
    assert tables["trut-club-3p ace=high"] == ("trut-club", 3, {"ace": "high"})
    assert not any(table.startswith("truc-french") for table in tables)


def test_every_figure_is_there(monkeypatch):
    tables = {"truc-french-2p": ("truc-french", 2, {}), "other": ("truc-french", 2, {"pack": "36"})}
    monkeypatch.setattr(benchmark, "benchmark_tables", lambda: tables)
    monkeypatch.setattr(benchmark, "BATCH", 64)
    monkeypatch.setattr(benchmark, "list_strategies", lambda: ("caller", "redealer", "uniform"))
    monkeypatch.setattr(benchmark, "MOST", 50)
    figures = benchmark.benchmark(0.01, lambda _what: None)
    assert list(figures["deals_per_second"]) == [*tables] == list(figures["compile_seconds"])
    for seconds in figures["compile_seconds"].values():
        assert min(seconds["cached"], seconds["cold"]) > 0
    rates = ["callback_decisions", "batch_decisions", "array_decisions", "play_outs"]
    assert list(figures["uniform_over_script"]) == ["caller", "redealer"]
    assert min(figures["uniform_over_script"].values()) > 0
    for name in (*(f"{rate}_per_second" for rate in rates), "parallel_speedup"):
        assert figures[name] > 0
    assert figures["runner_over_machine_code"] > 1
    # A run in which native code and C do not play the same matches raises an error.
    has_compiler = shutil.which("cc") or shutil.which("gcc")
    against_c = [f"{name}-{players}p" for name, players in TABLES] if has_compiler else []
    assert list(figures.get("native_over_c", ())) == against_c
    pairs = ["caller,caller", "caller,steady", "steady,caller", "steady,steady"]
    assert list(figures.get("script_over_c", ())) == (pairs if has_compiler else [])
