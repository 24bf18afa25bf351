"""One mistake in a scenario file gives one message, with its position and advice."""

import pytest

from tests.scenario.test_scenario import BASE


@pytest.mark.parametrize(
    ("old", "new", "messages"),
    [
        ("expect:", "expct:", ["error: a scenario has no key 'expct'", "did you mean 'expect'?"]),
        ("[7h, 8c, As]", "7h, 8c, As", ["must be a list, found '7h'", "write `0: [7h, 8c, As]`"]),
        ("[7h, 8c, As]", '"7h 8c As"', ["must be a list", "write [7h, 8c, As]"]),
        ("tricks: [0, 0]", "tricks: 0", ["must be a list, found '0'", "write [0]"]),
        ("  - 0: trut\n", "  0: trut\n", ["4b", "begin each entry with `- `, or write [a, b]"]),
        ("scenario: accepted", "scenario: [accepted]", ["must be a text", "write `accepted`"]),
        ("  dealer: 0", "  dealer: 0\n  rates: {trut: 5}", ["'trut' has a place for each seat"]),
        (
            "  dealer: 0",
            "  dealer: 0\n  rates: {trut at interrupt: {1: [10, 3]}}",
            ["how often it was chosen, and how often it could be, as in `[3, 10]`"],
        ),
        ("  dealer: 0", "  dealer: 0\n  memory: {stubborn: 3}", ["as in `{folds: 3}`"]),
        ("expect:", "attendu:", ["a scenario has no key 'attendu'", "write `expect`"]),
        ("players: 2", "players: [2]", ["found a list", "write `2`"]),
        ("players: 2\n", "", ["a scenario has no 'players'", "add `players: 2`"]),
        ("players: 2", "players: 2\nset: {goal: 3}", ["write `parameters`"]),
        ("players: 2", "players: 2\nparameters: {gaol: 3}", [":4:14: error", "mean 'goal'?"]),
        ("tricks: [0, 0]", "tricks: [0, tie]", ["found 'tie'", "write a tied trick as `null`"]),
        ("  dealer: 0", "  dealer: 0\n  score: 3-4", ["known keys: dealer, "]),
        ("  dealer: 0", "  lead: 1", ["who leads follows from `dealer: SEAT`; with `at`"]),
        ("  dealer: 0", "  dealer: 0\n  turn: 7h", ["did you mean 'turned'?"]),
        ("  dealer: 0", "  dealer: 0\n  goal: 3", ["write `parameters: {goal: 3}` above `start`"]),
        ("- 0: trut", "- player 0: trut", ["found 'player 0'", "write `0`"]),
        ("- 0: trut", "- 0: trut, 1: accept", ["write `- 0: trut` and `- 1: accept`, each on"]),
        ("deal_winner: 0", "winner: 0", ["has no key 'winner'", "write `deal_winner`"]),
        ("deal_winner: 0", "deal_winner: nobody", ["write `deal_winner: null`"]),
        ("deal_winner: 0", "illegal: true", ["write `error: illegal`"]),
        ("deal_winner: 0", "longs: [1, 0]", ["write `counters: {longs: [1, 0]}`"]),
        ("longs: [1, 0]", "longs: 1", ["write `longs: [1, 0]`"]),
        ("deal_winner: 0", "decision: turn", ["write `decision: {name: turn}`"]),
        ("deal_winner: 0", "decision: null", ["found 'null'", "write `deal_over: true`"]),
        ("actions:", "rules:\nactions:", ["`rules` must be a list", "help: write []"]),
        ("deal_over: true", "deal_over: oui", ["write `true`"]),
        ("variant: trut", "variant: our-trut.yaml", ["s.yaml:2:10: error: there is no file"]),
        ("[7h, 8c, As]", "[7h 8c As]", ["write a comma between: `7h, 8c, As`"]),
        ("  dealer: 0", "  dealer: 0\n  longs: [1, 0]", ["write `counters: {longs: [1, 0]}`"]),
        ("8c", "8♣", ["write `8c`"]),
        ("8c", "c8", ["write `8c`"]),
        ("8c", "8 of clubs", ["write `8c`"]),
        ("8c", "8 de trèfle", ["write `8c`"]),
        ("As", "1s", ["write `As`"]),
        ("expect:", "scenario: other\nexpect:", ["write a line `---` between two scenarios"]),
    ],
)
def test_one_mistake_is_one_message(play, old, new, messages):
    text = BASE.replace(old, new, 1)
    if messages[0] == "4b":
        messages = messages[1:]
        text = text[: text.index("  - 1: accept")] + text[text.index("expect:") :]
    for lang, error in (("en", "error: "), ("fr", "erreur\xa0: ")):
        code, _, err = play(text, "--lang", lang)
        assert code == 2
        assert err.count(f": {error}") == 1
        assert "s.yaml:" in err
        if lang == "en":
            assert all(one in err for one in messages)


def test_french_messages_are_french(play):
    err = play(BASE.replace("- 0: trut", "- play: trut"), "--lang", "fr")[2]
    assert "une place doit être un nombre entier de 0 à 15" in err
    err = play(BASE.replace("- 0: trut", "- 0:"), "--lang", "fr")[2]
    assert "trouvé rien" in err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deal_winner: 0", "deal_winner: 5", "17:16: error: there is no team 5 with 2 players"),
        ("deal_winner: 0", "deal_winner: x", "found 'x'"),
        ("match_winner: null", "match_winner: 2", "teams are numbers from 0 to 1"),
        ("match_winner: null", "match_winner: x", "must be a team, `draw` or null, found 'x'"),
        ("tricks: [0, 0]", "tricks: [0, 2]", "there is no team 2 with 2 players"),
        ("next_dealer: 0", "next_dealer: 2", "there is no seat 2 with 2 players"),
        ("next_dealer: 0", "decision: {name: tunr}", "trut never asks 'tunr'"),
        ("next_dealer: 0", "decision: {name: tunr}", "did you mean 'turn'?"),
        ("next_dealer: 0", "decision: {actions: [play 6h]}", "`play 6h` is no action of trut"),
        ("next_dealer: 0", "choose: {bluffer: acept}", "did you mean 'accept'?"),
        ("next_dealer: 0", "choose: {bluffer: bet}", "its actions are, or begin with: "),
        ("next_dealer: 0", "views: {0: {told: [{3: points 7}]}}", "there is no seat 3"),
        ("dealer: 0", "dealer: 0\n  redeals: [{hands: {3: [7c]}}]", "there is no seat 3"),
        ("dealer: 0", "dealer: 0\n  memory: {stubborm: {x: 1}}", "did you mean 'stubborn'?"),
        ("dealer: 0", "dealer: 0\n  memory: {zz: {x: 1}}", "name the script under `choose`"),
    ],
)
def test_names_outside_the_table_are_refused(play, old, new, message):
    code, _, err = play(BASE.replace(old, new, 1))
    assert code == 2
    assert err.startswith("s.yaml:")
    assert err.count("error: ") == 1
    assert message in err


def test_memory_of_another_script_is_allowed(play):
    """`explain-choice stubborn` can use the same file."""
    memory = "dealer: 0\n  memory: {stubborn: {folds: 3}}"
    assert play(BASE.replace("dealer: 0", memory, 1))[0] == 0
