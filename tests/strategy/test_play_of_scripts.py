"""Scripts in play: the same in either engine, and the meaning of clauses and memory."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path

import pytest
from extent import extent
from scripted import decisions
from tables import scripts_for

from trutdsl.game import BadUsage, DealStart, load_game
from trutdsl.interp.policy import Player
from trutdsl.solve.exact import check_memory
from trutdsl.strategy.legs import native_seating, play_matches, read_leg, record_of
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.strategy.script import table_for, table_with
from trutdsl.strategy.spec import StrategyError
from trutdsl.streams import Stream
from trutdsl.table.faults import PolicyError
from trutdsl.variant import list_variants

FOLDER = Path(__file__).parent
SMALL = FOLDER / "good" / "small.yaml"
GOOD = [str(path) for path in sorted((FOLDER / "good").glob("*.strategy"))]
SHIPPED = [(name, variant) for variant in list_variants() for name in scripts_for(variant)]


# ---------------------------------------------------------------- both engines


@pytest.mark.parametrize("players", extent([2], [2, 4]))
def test_both_engines_give_a_script_the_same_match(players):
    seating = [load_strategy(GOOD[seat]) for seat in range(players)]
    results_of_engines = []
    for engine in ("reference", "native"):
        events = []
        game = load_game(SMALL, players, engine=engine)
        results_of_engines.append((play_match(game, seating, 3, 0, events.append), events))
    assert results_of_engines[0] == results_of_engines[1]
    assert len(results_of_engines[0][1]) > 100
    assert native_seating(game, seating) is not None  # without the rules of the reference engine
    whole = [vars(one) for one in play_matches(game, seating, 3, 4)]
    assert whole == [vars(play_match(game, seating, 3, match)) for match in range(4)]


def test_both_engines_look_up_keys_outside_a_table_alike(tmp_path):
    path, rows = tmp_path / "s.strategy", "3,0\n4,10\n"
    path.write_text(
        'strategy s:\n    table chosen from "keys.csv" else 50\n'
        "    on turn: play card with highest chosen(strength(card))\n    otherwise: any\n"
    )
    results = {}
    for name, table in {
        "inside": "1,50\n2,50\n" + rows + "5,50\n6,50\n7,50\n",
        "outside": rows,
    }.items():
        (tmp_path / "keys.csv").write_text(f"key,number\n{table}")
        seating = [load_strategy(str(path)), load_strategy("uniform")]
        native = load_game(SMALL, 2, engine="native")
        assert native_seating(native, seating) is not None
        results[name] = [vars(one) for one in play_matches(native, seating, 3, 20)]
    assert results["inside"] == results["outside"]
    game = load_game(SMALL, 2, engine="reference")
    assert results["outside"] == [vars(play_match(game, seating, 3, match)) for match in range(20)]


def test_each_key_of_a_table_is_evaluated(tmp_path):
    """An error in the second key counts, as in machine code, also if the table lacks the first."""
    path = tmp_path / "s.strategy"
    path.write_text(
        'strategy s:\n    table rate from "keys.csv" else 50\n'
        "    on turn: play card with highest rate(strength(card), strength(top(played)))\n"
        "    otherwise: any\n"
    )
    (tmp_path / "keys.csv").write_text("one,two,number\n99,1,10\n")
    with pytest.raises(StrategyError, match="'played' has no top card"):
        play_match(load_game(SMALL, 2), [load_strategy(str(path))] * 2, 1)


def test_scripts_that_ask_for_the_same_past_play_in_the_same_game(tmp_path):
    """They share its machine code, which numbers the errors of the whole program."""
    questions = ['said(me, "raise")', 'size(shown) + said(me, "pass")', "size(shown[me])"]
    scripts = []
    for number, what in enumerate([*questions, *questions]):
        memory = "    match memory:\n        most: 0 to 9\n" if number >= len(questions) else ""
        path = tmp_path / f"s{number}.strategy"
        answer = f"        any when {what} < 9\n" + "        most += 1\n" * bool(memory)
        path.write_text(f"strategy s{number}:\n{memory}    on raise:\n{answer}    otherwise: any\n")
        scripts.append(load_strategy(str(path)))
    game, games = load_game(SMALL, 2, engine="reference"), {}
    for some in product(scripts, repeat=2):
        if some[0] is not some[1]:
            found = table_for(game, some).game
            assert games.setdefault(found.fingerprint, found.program) == found.program
    assert len(games) < len(scripts) * (len(scripts) - 1)


# ---------------------------------------------------------------- the meaning of clauses


def choices_of(text, tmp_path, decision, matches=6, players=2):
    """Return the choices of a script at a decision of the small game, each with its view."""
    path = tmp_path / "s.strategy"
    path.write_text(f'strategy s for "{SMALL}":\n{text}    otherwise: any\n', encoding="utf-8")
    spec, game = load_strategy(str(path)), load_game(SMALL, players, engine="reference")
    table, found = table_for(game, (spec,)), []
    for match in range(matches):
        luck = partial(lambda match, seat: Stream(seat + match), match)
        for state, _, index in decisions(table, [spec] * players, 9, match, luck):
            if state.pending.decision == decision:
                found.append((state.pending.actions[index].text, state.view()))
    assert found
    return found


def test_lowest_and_highest_take_the_first_of_equal_ones(tmp_path):
    text = "    on turn: play card with lowest strength(card)\n"
    for chosen, view in choices_of(text, tmp_path, "turn"):
        least = min(view.strengths[c] for c in view.cards("hand"))
        first = next(a.text for a in view.actions if view.strengths[a.text[5:]] == least)
        assert chosen == first


def test_play_without_a_key_takes_the_first_card_that_where_allows(tmp_path):
    text = '    on turn:\n        play card where suit(card) == "s"\n        play card\n'
    for chosen, view in choices_of(text, tmp_path, "turn"):
        spades = [a.text for a in view.actions if a.text.endswith("s")]
        assert chosen == (spades or [a.text for a in view.actions])[0]


def test_at_random_takes_each_card_equally_often(tmp_path):
    text = "    on turn: play card at random\n"
    found = [
        [a.text for a in view.actions].index(chosen)
        for chosen, view in choices_of(text, tmp_path, "turn", matches=40)
        if len(view.actions) == 3
    ]
    assert len(found) > 500
    for place in range(3):
        assert abs(found.count(place) - len(found) / 3) < 4.5 * (len(found) * 2 / 9) ** 0.5


def test_a_clause_can_have_several_choices(tmp_path):
    text = "    on raise:\n        point other, n where n >= 2 with highest n\n        pass\n"
    texts = {chosen for chosen, _ in choices_of(text, tmp_path, "raise", players=4)}
    assert texts <= {"pass", *(f"point {seat} 2" for seat in range(4))}
    assert len(texts) > 2


def test_numbers_are_chosen_by_a_key(tmp_path):
    text = (
        "    on raise:\n        raise n with highest n when stake == 1\n"
        "        raise n\n        pass\n"
    )
    texts = {chosen for chosen, _ in choices_of(text, tmp_path, "raise")}
    assert texts == {"raise 4", "pass"}


def test_a_clause_with_chance_is_taken_with_its_probability(tmp_path):
    text = "    on sign:\n        strong with chance 0.25\n        none\n"
    found = [chosen for chosen, _ in choices_of(text, tmp_path, "sign", matches=60)]
    assert len(found) > 800
    expected, deviation = len(found) / 4, (len(found) * 3 / 16) ** 0.5
    assert abs(found.count("strong") - expected) < 4.5 * deviation


def test_memory_lasts_a_trick_a_deal_or_a_match(tmp_path):
    text = (
        "    deal memory:\n        played: 0 to 3\n"
        "    match memory:\n        answers: number = 100\n"
        "    on turn:\n"
        "        play card with highest strength(card) when played == 0: played += 1\n"
        "        play card with lowest strength(card)\n"
        "    on sign:\n"
        "        strong when answers == 100: answers += 1\n"
        "        none\n"
    )
    signs = [(v.deal, c) for c, v in choices_of(text, tmp_path, "sign", matches=1)]
    assert all((sign == "strong") == (deal == 0) for deal, sign in signs)
    seen = set()
    for chosen, view in choices_of(text, tmp_path, "turn", matches=1):
        of_hand = [view.strengths[c] for c in view.cards("hand")]
        best = (max if (view.seat, view.deal) not in seen else min)(of_hand)
        assert view.strengths[chosen[5:]] == best
        seen.add((view.seat, view.deal))
    in_trick = text.replace("deal memory", "trick memory")
    for chosen, view in choices_of(in_trick, tmp_path, "turn", matches=1):
        assert view.strengths[chosen[5:]] == max(view.strengths[c] for c in view.cards("hand"))


def test_an_assignment_changes_the_element_that_its_index_gives_before_it(tmp_path):
    text = (
        "    match memory:\n        calls[seat]: 0 to 1\n"
        "    on sign:\n        strong when (total calls[p] for p in seats) > 1\n"
        "        none: calls[first p in seats where calls[p] == 0 with lowest 0] = 1\n"
    )
    signs = [chosen for chosen, _ in choices_of(text, tmp_path, "sign", matches=1)]
    assert signs[:2] == ["none", "none"]


def test_a_clause_takes_the_option_of_its_words_beside_one_with_a_choice(tmp_path):
    """Where there is no such option, the last word is the name of a choice."""
    text = 'variant: v\ntitle: V\nextends: "{}"\nrules: |\n  add to ask player "raise":\n'
    (tmp_path / "v.yaml").write_text(text.format(SMALL) + "      raise most: stake = 5\n")
    (tmp_path / "s.strategy").write_text(
        "strategy s:\n    on raise:\n        raise most\n    otherwise: any\n"
    )
    spec = load_strategy(str(tmp_path / "s.strategy"))
    for path, expected in ((tmp_path / "v.yaml", "raise most"), (SMALL, "raise 1")):
        said = []
        play_match(load_game(path, 2), [spec, spec], 1, 0, said.append)
        assert expected in {one.get("action") for one in said}
        assert "raise 2" not in {one.get("action") for one in said}


def test_an_error_in_a_script_is_a_fault_of_the_strategy(tmp_path):
    path = tmp_path / "s.strategy"
    path.write_text(
        f'strategy s for "{SMALL}":\n    on turn: any when strength(top(table[me])) > 3\n'
        "    otherwise: any\n",
        encoding="utf-8",
    )
    game, spec = load_game(SMALL, 2, engine="reference"), load_strategy(str(path))
    with pytest.raises(StrategyError) as failed:
        play_match(game, [spec, spec], 1, 0)
    said = str(failed.value)
    assert "strategy 's' (" in said
    assert "s.strategy:2:32) failed in match 1, deal 1, asked for 'turn' as player 2" in said
    assert "'table' has no top card: it is empty" in said


@pytest.mark.parametrize(
    "answer", ["play card where top(heap) == card", "for c in heap: play card where c == card"]
)
def test_no_script_knows_the_order_of_a_shuffled_pile(answer, tmp_path):
    (tmp_path / "shuffled.yaml").write_text(
        f"variant: shuffled\ntitle: Shuffled\nextends: {SMALL}\nrules: |\n"
        "  zone heap: pile, seen by all\n"
        "  before rule raising(player):\n"
        "      repeat 2 times: draw from stock to heap\n"
        "      shuffle heap\n"
        "  before rule play_deal: gather heap into stock\n",
        encoding="utf-8",
    )
    path = tmp_path / "s.strategy"
    path.write_text(f"strategy s:\n    on turn:\n        {answer}\n    otherwise: any\n")
    spec, game = load_strategy(str(path)), load_game(tmp_path / "shuffled.yaml", 2)
    with pytest.raises(StrategyError, match="nobody can know"):
        play_match(game, [spec, spec], 1, 0)
    native = native_seating(game, [spec, spec])
    with pytest.raises(PolicyError, match="nobody can know"):
        native.game.count(native.seats, 1, 0, 1)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_the_condition_of_an_illegal_option_is_not_evaluated(engine, tmp_path):
    path = tmp_path / "s.strategy"
    path.write_text(
        "strategy s for trut:\n"
        "    define best: highest strength(c) for c in (hand[me] if caller == none else {})\n"
        "    on turn: trut when best > 6\n    otherwise: any\n",
        encoding="utf-8",
    )
    game, spec = load_game("trut", 2, engine=engine), load_strategy(str(path))
    said = []
    play_match(game, [spec, spec], 1, 0, said.append)
    turns = [e["legal"] for e in said if e["event"] == "action" and e["decision"] == "turn"]
    assert any("trut" in legal for legal in turns)
    assert not all("trut" in legal for legal in turns)


def test_an_error_in_a_define_of_the_variant_names_the_clauses_that_use_it(tmp_path):
    (tmp_path / "house.yaml").write_text(
        f"variant: house\ntitle: House\nextends: {SMALL}\n"
        "vocabulary: |\n  define above(p: seat, c: card): strength(c) > strength(top(table[p]))\n",
        encoding="utf-8",
    )
    (tmp_path / "s.strategy").write_text(
        'strategy s for "house.yaml":\n    define beats(c: card): above(me, c)\n    on turn:\n'
        "        play card where beats(card)\n        play card when leads\n"
        "        any when above(me, first c in hand[me])\n    otherwise: any\n",
        encoding="utf-8",
    )
    game, spec = (
        load_game(tmp_path / "house.yaml", 2, engine="reference"),
        load_strategy(str(tmp_path / "s.strategy")),
    )
    with pytest.raises(StrategyError) as failed:
        play_match(game, [spec, spec], 1, 0)
    first, second = f"{tmp_path}/s.strategy:4:9", f"{tmp_path}/s.strategy:6:18"
    place = f"{tmp_path}/house.yaml:5:58"
    assert f"strategy 's' ({first} or {second}, which comes to {place}) failed" in str(failed.value)


def test_uniform_chooses_by_its_stream():
    """The native engine's `uniform` uses the stream in the same way."""
    game, spec = load_game("trut", 2, engine="reference"), load_strategy("uniform")
    assert spec.native_on(0) == "uniform"
    table = table_for(game, (spec,))
    state = table.game.start(1, 0)
    players = [table.player(spec, state, seat, Stream(seat)) for seat in range(2)]
    luck = [Stream(seat) for seat in range(2)]
    for _ in range(300):
        if isinstance(state.pending, DealStart):
            state.next_deal()
        if state.pending is None:
            break
        player = players[state.pending.seat]
        assert isinstance(player, Player)
        chosen = player.choose(state.pending)
        assert chosen == luck[state.pending.seat].below(len(state.pending.actions))
        state.apply(chosen)


@pytest.mark.thorough
def test_memory_by_chance_makes_a_script_other_than_uniform(tmp_path):
    path = tmp_path / "s.strategy"
    path.write_text(
        "strategy s:\n    match memory:\n        first: seat = random from seats\n"
        "    otherwise: any\n",
        encoding="utf-8",
    )
    game, spec = load_game("trut", 2, {"goal": "1"}, "native"), load_strategy(str(path))
    rows = [row.tolist() for part in read_leg(game, [spec], [0, 0], 7, 0, 20) for row in part]
    alone = [record_of(play_match(game, [spec, spec], 7, match))[0].tolist() for match in range(20)]
    assert rows == alone


def test_scripts_of_one_name_play_as_they_are_written(tmp_path):
    seating, random = [], {0: set(), 1: set()}
    for folder, clauses in (("one", "any"), ("two", "\n        pass\n        any")):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "s.strategy"
        path.write_text(f"strategy s:\n    otherwise: {clauses}\n")
        seating.append(load_strategy(str(path)))

    def note(_state, question, _action, took_any):
        random[question.seat].add(took_any)

    play_match(load_game(SMALL, 2), seating, 1, on_answer=note)
    assert random == {0: {True}, 1: {True, False}}


def test_a_policy_has_a_key_of_its_own_in_machine_code(tmp_path):
    specs = []
    for name, shipped in (("steady", True), ("steady", False), ("uniform", False)):
        path = tmp_path / f"{name}.strategy"
        path.write_text(f"strategy {name}:\n    otherwise:\n        pass\n        any\n")
        specs.append(load_strategy(name if shipped else str(path)))
    native = native_seating(load_game("trut", 2, engine="native"), specs[:2], specs)
    assert {seat.name for seat in native.seats} == {"steady"}
    assert [
        native.game.program.policies[seat.policy].span.source.name for seat in native.seats
    ] == [spec.path for spec in specs[:2]]
    assert "uniform" not in native.game.program.policies
    table, keys = table_with(load_game("trut", 2), specs)
    assert table.program.policies.keys() == {*keys}
    assert len({*keys, "uniform"}) == 4


def test_a_message_names_a_script_without_the_key_of_its_policy(tmp_path):
    path = tmp_path / "uniform.strategy"
    memory = "    match memory:\n        most: 0 to 9\n"
    path.write_text(f"strategy uniform:\n{memory}    otherwise:\n        pass\n        any\n")
    table, _ = table_with(load_game(SMALL, 2), [load_strategy(str(path))])
    with pytest.raises(BadUsage, match=r"^'uniform' remembers 'most' for the match"):
        check_memory(table)
