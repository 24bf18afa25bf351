"""One mistake in a scenario file is one message, with its place and what to write."""

import pytest

from tests.scenario.test_scenario import BASE


@pytest.mark.parametrize(
    ("old", "new", "told"),
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
    ],
)
def test_one_mistake_is_one_message(play, old, new, told):
    text = BASE.replace(old, new, 1)
    if told[0] == "4b":
        told = told[1:]
        text = text[: text.index("  - 1: accept")] + text[text.index("expect:") :]
    for lang, error in (("en", "error: "), ("fr", "erreur\xa0: ")):
        code, _, err = play(text, "--lang", lang)
        assert code == 2
        assert err.count(error) == 1
        assert err.startswith("s.yaml:")
        if lang == "en":
            assert all(one in err for one in told)


def test_french_messages_are_french(play):
    err = play(BASE.replace("- 0: trut", "- play: trut"), "--lang", "fr")[2]
    assert "une place doit être un nombre entier de 0 à 15" in err
    err = play(BASE.replace("- 0: trut", "- 0:"), "--lang", "fr")[2]
    assert "trouvé rien" in err
