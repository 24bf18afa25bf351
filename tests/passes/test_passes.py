"""No pass changes the meaning of a program: the reference engine plays it before and after."""

from functools import cache
from pathlib import Path

import pytest
from both_engines import assert_same, play
from extent import covering, extent
from packs import OTHER_PACKS
from tables import label, tables_of

from trutdsl import passes
from trutdsl.cli.developers import tree_of
from trutdsl.game import load_game
from trutdsl.ir import nodes
from trutdsl.ir.effects import CountedNode, Work
from trutdsl.ir.nodes import rebuild_program, walk
from trutdsl.table.actions import plan_actions
from trutdsl.variant import list_variants

ROOT = Path(__file__).parent.parent
FOLDERS = ("good", "traps", "passes", "../variants/examples")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.yaml"))
CARDS = ROOT / "passes" / "cards.yaml"
MATCHES, MOST = extent(2, 3), 80  # matches of each table, and the limit of questions and deals
OWN_MATCHES = extent(15, 60)  # matches of the games that are written for passes


def tables():
    """Yield tables; machine code of the others is compared with the rules before all passes."""
    shipped = list_variants()[:: extent(4, 1)]
    for table in covering(tables_of([*shipped, *map(str, FILES)])):
        yield pytest.param(table, id=label(table))
    yield from OTHER_PACKS


@pytest.mark.parametrize("table", list(tables())[:: extent(2, 1)])
def test_a_pass_does_not_change_play(table):
    assert_passes_keep_play(table)


def test_a_pass_that_changes_play_is_found(monkeypatch):
    def drop_negations(program, _):
        return rebuild_program(program, lambda n, _: n.value if isinstance(n, nodes.Not) else n)

    monkeypatch.setitem(passes.PASSES, "drop-checks", drop_negations)
    with pytest.raises(AssertionError, match="after drop-checks"):
        assert_passes_keep_play(("trut", 2))


def assert_passes_keep_play(table):
    game = load_game(*table, engine="reference")
    games, last = {"source": game}, game.program
    for name, program in passes.after_each(game.program, game.setting):
        if program != last:
            games[name] = game.with_program(program)
        last = program
    for match in range(OWN_MATCHES if Path(table[0]).parent == CARDS.parent else MATCHES):
        shown = [play(one, match, match == 0, most=MOST)[0] for one in games.values()]
        for name, one in zip(games, shown, strict=True):
            assert_same(shown[0], one, f"match {match}, after {name}")


@cache
def stages_of(stem):
    game = game_of(stem)
    return {"source": game.program, **dict(passes.after_each(game.program, game.setting))}


def game_of(stem):
    return load_game(str(ROOT / "passes" / f"{stem}.yaml"), 2, engine="reference")


@pytest.mark.parametrize("stem", ["constants", "cards"])
def test_actions_keep_their_numbers(stem):
    setting = game_of(stem).setting
    plans_by_stage = [
        plan_actions(program, setting).values() for program in stages_of(stem).values()
    ]
    numbers = [[plan.options for plan in plans] for plans in plans_by_stage]
    assert numbers[0] and numbers == [numbers[0]] * len(numbers)


GAMES_OF_PASSES = {  # the game whose defines show what a pass does
    "settle-steps": "steps",
    "propagate-constants": "constants",
    "drop-checks": "checks",
    "select-cards": "cards",
}


def test_every_pass_has_a_game():
    assert list(GAMES_OF_PASSES) == list(passes.PASSES)


@pytest.mark.parametrize(("name", "stem"), GAMES_OF_PASSES.items())
def test_each_define_before_and_after_a_pass(name, stem, expect_file):
    program = stages_of(stem)
    before = list(program)[list(program).index(name) - 1]
    texts = []
    for define, function in program[before].functions.items():
        after = program[name].functions[define]
        hidden = ("span", "type", *([] if name == "settle-steps" else ["steps"]))
        one, two = (tree_of(f.body, hidden) for f in (function, after))
        same = "stays as it is\n" if one == two else f"becomes\n\n{two}"
        texts.append(f"{define}\n\n{one}\n{same}")
    expect_file(ROOT / "passes" / f"{name}.txt", f"\n{'-' * 60}\n\n".join(texts))


def test_an_unchanged_rule_stays_the_same_node():
    rules = [stages_of("cards")[name].rules["match"] for name in ("drop-checks", "select-cards")]
    assert rules[0] is rules[1]


def test_a_suit_is_checked_only_if_a_card_may_have_none():
    def checked(program):
        parts = [*program.rules.values(), *program.functions.values()]
        looks = [node.value for node in walk(parts) if isinstance(node, nodes.Unwrap)]
        return sum(isinstance(v, nodes.Builtin) and v.name == "suit" for v in looks)

    for ref, special in (("tute", False), (str(ROOT / "passes" / "suits.yaml"), True)):
        game = load_game(ref, engine="reference")
        after = dict(passes.after_each(game.program, game.setting))
        before = checked(after["settle-steps"])
        assert before > 0
        assert checked(after["drop-checks"]) == (before if special else 0)


def test_passes_do_not_change_the_counted_steps():
    game = load_game("tute", 4, engine="reference")
    work = Work(game.program, game.setting.count)
    known = {(n.span, type(n)): work.cost(n) for n in counted_nodes(game.program)}
    assert sum(cost > 0 for cost in known.values()) > 3
    for _, program in passes.after_each(game.program, game.setting):
        after = Work(program, game.setting.count)
        assert all(after.cost(n) == known[n.span, type(n)] for n in counted_nodes(program))


def counted_nodes(program):
    parts = [*program.rules.values(), *program.functions.values()]
    return [node for node in walk(parts) if isinstance(node, CountedNode)]
