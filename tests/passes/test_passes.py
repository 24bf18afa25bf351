"""After each pass a program means what it meant: the reference engine plays it before and after."""

from functools import cache
from pathlib import Path

import pytest
from both_engines import assert_same, play
from packs import OTHER_PACKS

from trutdsl.cli.dump import tree_of
from trutdsl.game import load_game
from trutdsl.ir import nodes
from trutdsl.ir.walk import walk
from trutdsl.ir.work import Counted, Work
from trutdsl.passes import pipeline
from trutdsl.variant import list_variants, load_variant

ROOT = Path(__file__).parent.parent
FOLDERS = ("good", "traps", "passes", "../variants/examples")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.yaml"))
CARDS = ROOT / "passes" / "cards.yaml"
MATCHES, MOST = 3, 80  # of each table, and questions and deals of each
OWN = 60  # matches of what is written for passes


def tables():
    for ref in [*list_variants(), *map(str, FILES)]:
        for players in load_variant(ref).players:
            yield pytest.param((ref, players), id=f"{Path(ref).stem}-{players}p")
    yield from OTHER_PACKS


@pytest.mark.parametrize("table", list(tables()))
def test_a_program_is_played_as_before(table):
    game = load_game(*table)
    games = {"source": game}
    for name, program in pipeline.after_each(game.program, game.setting):
        games[name] = game.with_program(program)
    for match in range(OWN if Path(table[0]).parent == CARDS.parent else MATCHES):
        shown = [play(one, match, match == 0, most=MOST)[0] for one in games.values()]
        for name, one in zip(games, shown, strict=True):
            assert_same(shown[0], one, f"match {match}, after {name}")


@cache
def stages():
    game = load_game(str(CARDS), 2)
    return {"source": game.program, **dict(pipeline.after_each(game.program, game.setting))}


def test_what_is_said_of_cards_becomes_sets(expect_file):
    before, after = (stages()[name].functions for name in ("drop-checks", "select-cards"))
    texts = []
    for name, define in before.items():
        one, two = (tree_of(f.body, ("span", "type", "steps")) for f in (define, after[name]))
        same = "stays as it is\n" if one == two else f"becomes\n\n{two}"
        texts.append(f"{name}\n\n{one}\n{same}")
    expect_file(CARDS.with_name("select-cards.txt"), f"\n{'-' * 60}\n\n".join(texts))


def test_what_stays_is_the_same_node():
    rules = [stages()[name].rules["match"] for name in ("drop-checks", "select-cards")]
    assert rules[0] is rules[1]


def test_a_suit_is_looked_at_only_where_a_card_may_have_none():
    def checked(program):
        parts = [*program.rules.values(), *program.functions.values()]
        looks = [node.value for node in walk(parts) if isinstance(node, nodes.Unwrap)]
        return sum(isinstance(v, nodes.Builtin) and v.name == "suit" for v in looks)

    for ref, special in (("tute", False), (str(ROOT / "passes" / "suits.yaml"), True)):
        game = load_game(ref)
        after = dict(pipeline.after_each(game.program, game.setting))
        before = checked(after["settle-steps"])
        assert before > 0
        assert checked(after["drop-checks"]) == (before if special else 0)


def test_steps_are_counted_as_before_however_short_a_program_becomes():
    game = load_game("tute", 4)
    work = Work(game.program, game.setting.count)
    known = {(n.span, type(n)): work.cost(n) for n in counted_in(game.program)}
    assert sum(cost > 0 for cost in known.values()) > 3
    for _, program in pipeline.after_each(game.program, game.setting):
        after = Work(program, game.setting.count)
        assert all(after.cost(n) == known[n.span, type(n)] for n in counted_in(program))


def counted_in(program):
    parts = [*program.rules.values(), *program.functions.values()]
    return [node for node in walk(parts) if isinstance(node, Counted)]
