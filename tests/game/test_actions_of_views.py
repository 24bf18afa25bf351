"""The actions of a view, and the points of a result."""

import pytest

from trutdsl import BadUsage, MatchResult, load_game, play_match


def test_action_returns_the_first_legal_one_of_some_texts():
    state = load_game("trut", 2).start(seed=1, match=0)
    state.next_deal()
    view = state.view()
    assert view.texts == ("pass", "trut")
    assert view.action("fold", "trut", "pass") == view.actions[1]
    assert view.action("fold") is None and view.action() is None


@pytest.mark.parametrize("variant", ["trut", "tute", "variants/examples/durak.yaml"])
def test_the_text_of_an_action_names_its_cards(variant):
    found = set()

    def choose(view):
        for action in view.actions:
            found.add((action.text, view.cards_of(action)))
        return view.actions[view.random.below(len(view.actions))]

    game = load_game(variant)
    play_match(game.one_deal(), choose, seed=1)
    cards = game.strengths
    assert any(chosen for _, chosen in found) and any(not chosen for _, chosen in found)
    for text, chosen in found:
        assert [*chosen] == [word for word in text.split() if word in cards]


def test_an_action_can_choose_several_cards():
    chosen = set()

    def choose(view):
        chosen.update(map(view.cards_of, view.actions))
        return view.actions[-1]

    play_match(load_game("tests/good/several-cards.yaml"), choose, seed=1)
    assert any(len(cards) > 1 for cards in chosen)


def test_points_are_the_teams_points_minus_the_mean_of_the_other_teams():
    result = MatchResult(0, 1, 1, {"longs": (1, 0, 2), "petits": (0, 4, 0)})
    worth = {"longs": 3, "petits": 1}
    assert [result.points(worth, team) for team in range(3)] == [3 - 5, 4 - 4.5, 6 - 3.5]
    assert result.points({"longs": 1}) == 0
    with pytest.raises(BadUsage, match="there is no counter 'long'; did you mean 'longs'"):
        result.points({"long": 1})
    bare = MatchResult(None, 1, 1, {})  # of a game without counters
    assert bare.points({}) == bare.points({}, 1) == 0
    with pytest.raises(BadUsage, match="there is no counter 'longs'; it has none"):
        bare.points({"longs": 1})
