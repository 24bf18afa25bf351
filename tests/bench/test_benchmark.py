"""The benchmark gives every figure that others rely on, under the names that they know."""

import json
import shutil
from functools import cache, partial

from trutdsl import bench
from trutdsl.bench import measure
from trutdsl.bench.measure import (
    PARTS,
    TABLES,
    Figure,
    benchmark_tables,
    compile_by_hand,
    rate_of,
    speed_of,
)
from trutdsl.cli.bench import _show


def test_every_number_of_players_and_every_pack_has_its_table():
    tables = benchmark_tables()
    packs = ["", " pack=32-eight-high", " pack=32-eight-low", " pack=36"]
    for table in [f"truc-french-{n}p{pack}" for n in (2, 4) for pack in packs]:
        assert tables.pop(table)[0] == "truc-french"
    assert tables["trut-club-3p ace=high"] == ("trut-club", 3, {"ace": "high"})
    assert not any(table.startswith("truc-french") for table in tables)


def test_a_rate_is_that_of_the_fastest_part_and_the_median():
    took = iter([4.0, 1.0, 2.0] * (PARTS // 3))
    asked = []

    def part(seconds):
        asked.append(seconds)
        return 8, next(took)

    assert rate_of(part, 3.0) == Figure(8.0, 4.0)
    assert asked == [3.0 / PARTS] * PARTS


def test_a_speed_is_that_of_the_fastest_turns_and_the_median(monkeypatch):
    monkeypatch.setattr(measure, "timed", lambda do: (do(), 6))
    one, other = iter([1, 2, 3]), iter([6, 3, 4])  # the seconds of each turn
    # Rates of one: 6, 3, 2; of the other 1, 2, 1.5; the turns' ratios 6, 1.5 and 4/3.
    assert speed_of(lambda: next(one), lambda: next(other), 3) == Figure(3.0, 1.5)


def test_every_figure_is_there(monkeypatch, capsys):
    tables = {"truc-french-2p": ("truc-french", 2, {}), "other": ("truc-french", 2, {"pack": "36"})}
    monkeypatch.setattr(bench, "benchmark_tables", lambda: tables)
    monkeypatch.setattr(measure, "BATCH", 64)
    monkeypatch.setattr(measure, "MOST", 50)
    monkeypatch.setattr(bench, "list_strategies", lambda: ("caller", "redealer", "uniform"))
    monkeypatch.setattr(bench, "TOURNAMENT_DEALS", 2000)
    monkeypatch.setattr(bench, "TIMES", 1)
    for module, name in ((measure, "PARTS"), (bench, "ROUNDS"), (bench, "PROCESS_TURNS")):
        monkeypatch.setattr(module, name, 2)  # a figure needs two rates, and nobody looks at them
    # Each program in C is compiled once and soon; `test_by_hand.py` plays what the benchmark makes.
    compiled = cache(partial(compile_by_hand, effort="-O1"))
    monkeypatch.setattr(measure, "compile_by_hand", compiled)
    found = bench.benchmark(0.01, lambda _what: None)
    numbers = json.loads(json.dumps(bench.as_numbers(found)))
    medians = numbers["medians"]
    assert list(numbers["deals_per_second"]) == [*tables] == list(numbers["compile_seconds"])
    for seconds in numbers["compile_seconds"].values():
        assert min(seconds["cached"], seconds["cold"]) > 0
    for some in (numbers, medians):
        assert list(some["uniform_over_script"]) == ["caller", "redealer"]
        assert list(some["tournament_seconds"]) == ["first", "again"]
    kinds = ["callback", "batch", "view", "array", "bot"]
    rates = [f"{kind}_decisions_per_second" for kind in kinds]
    for name in (*rates, "playouts_per_second", "parallel_speedup"):
        assert numbers[name] >= medians[name] > 0 or name == "parallel_speedup"
    assert numbers["runner_over_machine_code"] >= 1
    # A run in which native code and C do not play the same matches raises an error.
    has_compiler = shutil.which("cc") or shutil.which("gcc")
    against_c = [f"{name}-{players}p" for name, players in TABLES] if has_compiler else []
    assert list(numbers.get("native_over_c", ())) == against_c
    pairs = ["trut-2p", "caller,caller", "caller,steady", "steady,caller", "steady,steady"]
    assert list(numbers.get("script_over_c", ())) == (pairs if has_compiler else [])
    if has_compiler:
        seatings = [numbers["script_over_c"][pair] for pair in pairs[1:]]
        assert min(seatings) <= numbers["script_over_c"]["trut-2p"] <= max(seatings)
    _show(found)
    shown = capsys.readouterr().out
    assert f"{numbers['view_decisions_per_second']:,.0f} (" in shown
    assert "two processes are" in shown
