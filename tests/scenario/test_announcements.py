"""Scenarios that expect announcements to a seat, and the passed cards that it sees."""

import pytest

from trutdsl.cli.app import run

SCENARIO = """\
scenario: told
variant: {variant}
players: 4
start: {{dealer: 0, hands: {hands}}}
actions: {actions}
expect: {{views: {{{views}}}}}
"""
HANDS = "{0: [Ah, Ks, 9c], 1: [10h, 9s, 9h], 2: [Jh, Js, Jc], 3: [Qh, Qs, Qc]}"


@pytest.fixture
def run_scenario(tmp_path, capsys, request):
    folder = request.config.rootpath / "tests" / "good"

    def run_scenario(variant, hands, actions, views):
        path = tmp_path / "s.yaml"
        text = {"variant": folder / f"{variant}.yaml", "hands": hands, "actions": actions}
        path.write_text(SCENARIO.format(**text, views=views), encoding="utf-8")
        code = run(["scenario", str(path)])
        output = capsys.readouterr()
        return code, output.out, output.err

    return run_scenario


def run_passing(run_scenario, views):
    return run_scenario("passing", HANDS, "[{0: give Ah}, {1: give 9s}]", views)


def test_each_seat_sees_the_passed_cards_it_may_know(run_scenario):
    views = "0: {told: [{0: hand Ah to 1}, {1: hand 1 card to 2}]}"
    views += ", 3: {told: [{0: hand 1 card to 1}, {1: hand 1 card to 2}]}"
    assert run_passing(run_scenario, views)[0] == 0


def test_a_difference_in_announcements_is_printed(run_scenario):
    code, out, _ = run_passing(run_scenario, "3: {told: [{0: hand Ah to 1}]}")
    assert code == 1
    difference = "expected [0: hand Ah to 1], found [0: hand 1 card to 1, 1: hand 1 card to 2]"
    assert f"view of seat 3, told: {difference}" in out
    code, out, _ = run_passing(run_scenario, "3: {told: [{²: hand}]}")
    assert code == 1 and "told: expected [²: hand], found" in out


def test_announcements_by_nobody_and_without_a_value(run_scenario):
    hands = "{0: [Ah, Ks], 1: [Qs, Qh], 2: [Jh, Js], 3: [10h, 10s]}"
    announcements = (
        "[{0: style calm}, {0: worth 11}, {0: first Ah}, {nobody: high}, {0: that is all}]"
    )
    actions = "[{0: calm}, {1: good}]"
    assert run_scenario("announcements", hands, actions, f"1: {{told: {announcements}}}")[0] == 0


def test_a_bad_form_of_announcement_is_refused(run_scenario):
    code, _, err = run_passing(run_scenario, "3: {told: [0]}")
    assert code == 2
    assert "what was told must be `SEAT: WORDS VALUE`, as in `1: points 7`" in err
