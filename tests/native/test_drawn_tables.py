"""Both engines agree on random tables: random parameters, packs, seeds and choices.

`DIFFERENTIAL` in the environment sets the number of tables of each variant, one per 5000.
"""

import string
import tempfile
from functools import cache
from pathlib import Path

import pytest
from both_engines import ExternalChance, assert_same, load_both, play, random_player
from extent import DECISIONS, extent
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from trutdsl.strategy.fitness import variants_of_script
from trutdsl.strategy.load import list_strategies, load_strategy
from trutdsl.strategy.script import table_for
from trutdsl.streams import Stream, luck_start, mix_in, strategy_key
from trutdsl.variant import list_variants, load_variant

TABLES = max(1, DECISIONS // 5000)
MOST = 150  # the limit of decisions and deals of a match
DEALS = extent(30, 60)  # deals of a table
EXAMPLES = settings(
    max_examples=TABLES,
    phases=[Phase.generate],  # shrinking a table takes long and helps little
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
SHIPPED = [
    name
    for name in list_strategies()
    if len(variants_of_script(load_strategy(name))) == len(list_variants())
]
SEEDS = st.integers(0, 2**128 - 1)
RANKS = ["7", "8", "A", "K", "Q", "J", "10", "9", "2", "3", "1", "11", "12", "4", "5", "6"]
RANKS += list(string.ascii_uppercase.translate(str.maketrans("", "", "AKQJ")))
NEEDED_RANKS = {"tute": ["7", "2", "12", "11"]}  # ranks that the rules name


def value_of(parameter):
    """Return a Hypothesis strategy for the values of a parameter; numbers are often small."""
    match parameter.type:
        case "boolean":
            return st.sampled_from(["true", "false"])
        case "choice":
            return st.sampled_from(parameter.choices)
        case "probability":
            return st.sampled_from(["0", "0.000001", "0.333333", "0.999999", "1"])
        case "cards":
            some = st.lists(st.sampled_from(parameter.choices), min_size=1).map(",".join)
            return st.sampled_from(["all", "none"]) | some
    few = st.integers(parameter.least, min(parameter.least + 5, parameter.most))
    return (few | st.integers(parameter.least, parameter.most)).map(str)


def parameters_of(variant):
    return st.fixed_dictionaries({n: value_of(p) for n, p in variant.parameters.items()})


@st.composite
def packs(draw, room, values, needed):
    """Draw the lines of a pack of at most `room` cards, with values of some ranks."""
    suits = draw(st.integers(1, 8))
    letters = draw(st.permutations(string.ascii_lowercase))[:suits]
    most = min(room // suits, len(RANKS))
    count = most if draw(st.booleans()) else draw(st.integers(max(2, len(needed)), most))
    others = draw(st.permutations([rank for rank in RANKS if rank not in needed]))
    ranks = draw(st.permutations([*needed, *others[: count - len(needed)]]))
    named = ", ".join(f"{letter}: suit_{letter}" for letter in letters)
    listed = ", ".join(f'"{rank}"' for rank in ranks)
    values = "".join(
        f"    {value}: {{{', '.join(f'{r}: {draw(st.integers(-1, 11))}' for r in ranks[:4])}}}\n"
        for value in values
    )
    text = f"pack:\n  suits: {{{named}}}\n  ranks: [{listed}]\n"
    return text + (f"  values:\n{values}" if values else "")


@st.composite
def packs_for(draw, variant):
    """Draw another pack for a shipped variant, or an empty text for its own pack."""
    if variant.pack_by is not None or draw(st.integers(0, 2)) == 0:
        return ""
    pack = variant.packs[None]
    return draw(
        packs(64 - len(pack.special_cards), pack.values, NEEDED_RANKS.get(variant.name, []))
    )


def load_with_pack(name, pack):
    """Return a shipped variant with these lines as its pack."""
    if not pack:
        return load_variant(name)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.yaml"
        text = f"variant: drawn\ntitle: Drawn\nextends: {name}\n{pack}"
        path.write_text(text, encoding="utf-8")
        return load_variant(path)


@st.composite
def choosers(draw):
    """Draw a policy of all seats: random, or one that mostly prefers the same words."""
    key, share = draw(st.integers(0, 2**64 - 1)), draw(st.sampled_from([0, 50, 90]))

    def fresh():
        random = random_player(key)
        taste = {}

        def worth(action):
            return taste.setdefault(action.words, mix_in(0, key, len(taste)))

        def choose(state):
            first, actions = random(state), state.pending.actions
            if mix_in(0, key, first, len(actions)) % 100 >= share:
                return first
            return max(range(len(actions)), key=lambda i: worth(actions[i]))

        return choose

    return fresh


@cache
def script(name):
    return load_strategy(name)


def script_player(names, seed, match):
    """Return a function that chooses for all seats by shipped scripts without memory."""
    specs = [script(name) for name in names]
    keys = [strategy_key(seed, name) for name in names]
    streams = [Stream(luck_start(key, match, seat)) for seat, key in enumerate(keys)]

    def choose(state):
        seat, table = state.pending.seat, table_for(state.game, tuple(dict.fromkeys(specs)))
        return table.player(specs[seat], state, seat, streams[seat]).choose(state.pending)

    return choose


@pytest.mark.parametrize("name", list_variants()[:: extent(2, 1)])
@EXAMPLES
@given(st.data())
def test_the_engines_agree_on_random_tables(name, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRUTDSL_CACHE", "")  # a random table does not occur again
        variant = load_with_pack(name, data.draw(packs_for(load_variant(name))))
        players = data.draw(st.sampled_from(variant.players))
        games = load_both(variant, players, data.draw(parameters_of(variant)))
        seed, first = data.draw(SEEDS), data.draw(st.sampled_from([0, 10**6, 2**40]))
        fresh, deals, match = data.draw(choosers()), 0, first
        while deals < DEALS and match < first + DEALS:
            shown = []
            for game in games:
                chance = ExternalChance(seed, match) if match % 3 == 1 else None
                options = {"seed": seed, "choose": fresh(), "chance": chance, "most": MOST}
                shown.append(play(game, match, match % 4 == 0, **options))
            (one, length), (two, _) = shown
            assert_same(one, two, f"match {match}")
            deals += max(1, length.deals)
            match += 1


TABLES_OF_STRATEGIES = [("trut", 4), ("trut-club", 3), ("trut-deux-sevres", 2), ("tute", 3)]


@pytest.mark.parametrize(("name", "players"), TABLES_OF_STRATEGIES)
def test_the_engines_agree_with_shipped_strategies(name, players):
    variant = load_variant(name)
    games = load_both(variant, players)
    for match in range(TABLES * 4):
        names = [SHIPPED[(match + seat) % len(SHIPPED)] for seat in range(players)]
        (one, _), (two, _) = (
            play(
                g,
                match,
                match == 0,
                choose=script_player(names, 3, match),
                most=extent(2, 5) * MOST,
            )
            for g in games
        )
        assert_same(one, two, f"match {match}")
        assert len(one) > 10
