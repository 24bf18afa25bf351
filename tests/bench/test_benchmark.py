"""The benchmark has every figure that readers of its JSON expect, under the documented names."""

import json
import shutil
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace

import pytest

from trutdsl import bench
from trutdsl.bench import against_c, measure, one_variant
from trutdsl.bench.against_c import TABLES, compile_by_hand
from trutdsl.bench.measure import (
    PARTS,
    Figure,
    Table,
    benchmark_tables,
    rate_of,
    speed_of,
    uniform_over_scripts,
)
from trutdsl.bench.one_variant import benchmark_variant, fitting_scripts
from trutdsl.cli.app import run
from trutdsl.cli.bench import _show
from trutdsl.game import load_game
from trutdsl.strategy.load import load_strategy

KUHN = str(Path(__file__).parents[2] / "variants/examples/kuhn-poker.yaml")


def test_every_number_of_players_and_every_pack_has_a_table():
    tables = benchmark_tables()
    packs = ["", " pack=32-eight-high", " pack=32-eight-low", " pack=36"]
    for table in [f"truc-french-{n}p{pack}" for n in (2, 4) for pack in packs]:
        assert tables.pop(table)[0] == "truc-french"
    assert tables["trut-club-3p ace=high"] == ("trut-club", 3, {"ace": "high"})
    assert not any(table.startswith("truc-french") for table in tables)


def test_a_rate_has_the_fastest_part_and_the_median():
    took = iter([4.0, 1.0, 2.0] * (PARTS // 3))
    asked = []

    def part(seconds):
        asked.append(seconds)
        return 8, next(took)

    assert rate_of(part, 3.0) == Figure(8.0, 4.0)
    assert asked == [3.0 / PARTS] * PARTS


def test_a_speed_has_the_fastest_turn_and_the_median(monkeypatch):
    monkeypatch.setattr(measure, "time_call", lambda do, _clock: (do(), 6))
    one, other = iter([1, 2, 3]), iter([6, 3, 4])  # the seconds of each turn
    # Rates of one: 6, 3, 2; of the other 1, 2, 1.5; the turns' ratios 6, 1.5 and 4/3.
    assert speed_of(lambda: next(one), lambda: next(other), 3) == Figure(3.0, 1.5)


def test_a_clock_that_does_not_move_gives_no_division_by_zero():
    assert speed_of(lambda: 2.0, lambda: 4.0, 3, lambda: 0.0) == Figure(0.5, 0.5)


def test_scripts_that_play_no_deals_have_no_ratio(monkeypatch):
    """A game may have none, or a script may end each match before the first."""
    monkeypatch.setattr(measure, "compile_for", lambda *_: SimpleNamespace(runs=None))
    monkeypatch.setattr(measure, "matches_for", lambda *_: 1)
    monkeypatch.setattr(measure, "_deals", lambda _game, spec, *_: int(spec.name != "quiet"))
    meeting = [load_strategy(name) for name in ("caller", "quiet")]
    game = load_game("trut", engine="reference")
    assert [name for name, _ in uniform_over_scripts(game, meeting, 0.01)] == ["caller"]


@pytest.mark.thorough
def test_the_benchmark_has_every_figure(monkeypatch, capsys):
    tables = {
        "truc-french-2p": Table("truc-french", 2, {}),
        "other": Table("truc-french", 2, {"pack": "36"}),
    }
    monkeypatch.setattr(bench, "benchmark_tables", lambda: tables)
    monkeypatch.setattr(measure, "BATCH", 64)
    monkeypatch.setattr(bench, "list_strategies", lambda: ("caller", "redealer", "uniform"))
    monkeypatch.setattr(bench, "TOURNAMENT_DEALS", 2000)
    monkeypatch.setattr(bench, "TIMES", 1)
    for module, name in ((measure, "PARTS"), (bench, "ROUNDS"), (bench, "PROCESS_TURNS")):
        monkeypatch.setattr(module, name, 2)  # the fewest that a figure needs
    monkeypatch.setattr(bench, "get_context", lambda _spawn: get_context("fork"))
    # Compile each C program once, with little optimization; `test_by_hand.py` tests the programs.
    compiled = cache(partial(compile_by_hand, effort="-O1"))
    monkeypatch.setattr(against_c, "compile_by_hand", compiled)
    found = bench.benchmark(0.01, lambda _what: None)
    numbers = json.loads(json.dumps(bench.as_numbers(found)))
    medians = numbers["medians"]
    assert list(numbers["deals_per_second"]) == [*tables] == list(numbers["compile_seconds"])
    for seconds in numbers["compile_seconds"].values():
        assert min(seconds["cached"], seconds["cold"]) > 0
    for some in (numbers, medians):
        assert list(some["uniform_over_script"]) == ["caller", "redealer"]
        assert list(some["tournament_seconds"]) == ["first", "again"]
    kinds = ["callback", "batch", "view", "bot"]
    rates = [f"{kind}_decisions_per_second" for kind in kinds]
    for name in (*rates, "playouts_per_second", "parallel_speedup"):
        assert numbers[name] >= medians[name] > 0 or name == "parallel_speedup"
    assert numbers["runner_over_machine_code"] >= 1
    # A run in which native code and C do not play the same matches raises an error.
    has_compiler = shutil.which("cc") or shutil.which("gcc")
    tables_in_c = [f"{name}-{players}p" for name, players in TABLES] if has_compiler else []
    assert list(numbers.get("native_over_c", ())) == tables_in_c
    pairs = ["trut-2p", "caller,caller", "caller,steady", "steady,caller", "steady,steady"]
    assert list(numbers.get("script_over_c", ())) == (pairs if has_compiler else [])
    if has_compiler:
        seatings = [numbers["script_over_c"][pair] for pair in pairs[1:]]
        assert min(seatings) <= numbers["script_over_c"]["trut-2p"] <= max(seatings)
    names = {"truc-french-2p": "Truc, 2 players", "other": "Truc, pack=36"}
    _show("", names, found)
    shown = capsys.readouterr().out
    assert "decisions/s of a strategy in Python that reads its view" in shown
    assert "Truc, pack=36" in shown and "other" not in shown
    assert "two processes are" in shown


@pytest.mark.thorough
def test_a_variant_is_measured_at_all_tables_with_all_fitting_scripts(monkeypatch):
    monkeypatch.setattr(measure, "BATCH", 64)
    compiled = cache(partial(compile_by_hand, effort="-O1"))
    monkeypatch.setattr(against_c, "compile_by_hand", compiled)
    steps = []
    found = benchmark_variant(load_game("trut"), [2, 3], 0.01, steps.append)
    assert steps[:3] == ["1 of 8: 2 players", "2 of 8: 3 players", "3 of 8: against hand-written C"]
    assert len(steps) == 8
    assert list(found["deals_per_second"]) == ["trut-2p", "trut-3p"] == [*found["compile_seconds"]]
    assert list(found["uniform_over_script"]) == ["steady", "honest", "actuary"]
    if shutil.which("cc") or shutil.which("gcc"):
        assert list(found["native_over_c"]) == ["trut-2p"]
    rates = [name for name, rate in found.items() if isinstance(rate, Figure) and rate.median > 0]
    assert len(rates) == len(one_variant.RATES)


def test_changed_rules_are_not_compared_with_c(tmp_path):
    own = tmp_path / "trut.yaml"
    base = Path("variants/trut.yaml").resolve()
    own.write_text(f"variant: trut\ntitle: Short\nextends: {base}\nset: {{goal: 3}}\n")
    for ref, parameters in (("trut", {"goal": 3}), (str(own), {})):
        game = load_game(ref, 2, parameters)
        assert game.name == "trut" and not one_variant.is_in_c(game, 2)
    assert one_variant.is_in_c(load_game("trut", 2, {"goal": 7}), 2)


def test_scripts_that_cannot_play_are_left_out():
    names = {"tute": ["steady", "caller", "feinter"], KUHN: ["caller", "quiet"]}
    for ref, expected in names.items():
        assert [spec.name for spec in fitting_scripts(load_game(ref))] == expected


def test_all_variants_and_options_of_one_variant_exclude_each_other(capsys):
    for arguments in (["trut"], ["--players", "2"], ["--param", "goal=3"]):
        assert run(["bench", "--all", *arguments]) == 2
        assert "leave out the variant and its options" in capsys.readouterr().err


def test_the_command_prints_readable_names_of_tables(monkeypatch, capsys):
    figures = {
        "deals_per_second": {"trut-4p": Figure(18_060_000.0, 17_900_000.0)},
        "compile_seconds": {"trut-4p": {"cold": 0.5}},
        "function_decisions_per_second": Figure(317_432.0, 299_990.0),
    }
    monkeypatch.setattr(one_variant, "benchmark_variant", lambda *_: figures)
    assert run(["bench", "trut", "--players", "4", "--param", "goal=3", "--no-cache"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Trut, goal=3\n")
    assert "4 players │ 18.1 (17.9) million" in shown
    assert "317,000 (300,000) decisions/s of a Python function of the view" in shown
