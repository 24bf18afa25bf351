"""Scenarios that say what a seat was told: what was announced to it, and which cards it saw go."""

import pytest

from trutdsl.cli.app import run

GOOD = """\
scenario: told
variant: {variant}
players: 4
start: {{dealer: 0, hands: {hands}}}
actions: {actions}
expect: {{views: {{{views}}}}}
"""
HANDS = "{0: [Ah, Ks, 9c], 1: [10h, 9s, 9h], 2: [Jh, Js, Jc], 3: [Qh, Qs, Qc]}"


@pytest.fixture
def outcome(tmp_path, capsys, request):
    folder = request.config.rootpath / "tests" / "good"

    def outcome(variant, hands, actions, views):
        path = tmp_path / "s.yaml"
        text = {"variant": folder / f"{variant}.yaml", "hands": hands, "actions": actions}
        path.write_text(GOOD.format(**text, views=views), encoding="utf-8")
        code = run(["scenario", str(path)])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return outcome


def passed(outcome, views):
    return outcome("passing", HANDS, "[{0: give Ah}, {1: give 9s}]", views)


def test_each_seat_was_told_what_it_may_know(outcome):
    views = "0: {told: [{0: hand Ah to 1}, {1: hand 1 card to 2}]}"
    views += ", 3: {told: [{0: hand 1 card to 1}, {1: hand 1 card to 2}]}"
    assert passed(outcome, views)[0] == 0


def test_what_was_told_otherwise_is_shown(outcome):
    code, out, _ = passed(outcome, "3: {told: [{0: hand Ah to 1}]}")
    assert code == 1
    wanted = "expected [0: hand Ah to 1], found [0: hand 1 card to 1, 1: hand 1 card to 2]"
    assert f"view of seat 3, told: {wanted}" in out


def test_what_nobody_says_and_words_alone(outcome):
    hands = "{0: [Ah, Ks], 1: [Qs, Qh], 2: [Jh, Js], 3: [10h, 10s]}"
    told = "[{0: style calm}, {0: worth 11}, {0: first Ah}, {nobody: high}, {0: that is all}]"
    actions = "[{0: calm}, {1: good}]"
    assert outcome("announcements", hands, actions, f"1: {{told: {told}}}")[0] == 0


def test_what_is_not_said_as_it_must_be_is_refused(outcome):
    code, _, err = passed(outcome, "3: {told: [0]}")
    assert code == 2
    assert "what was told must be `SEAT: WORDS VALUE`, as in `1: points 7`" in err
