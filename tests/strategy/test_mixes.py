"""Mixed strategies: the frequencies of their answers agree with their weights and probabilities."""

from __future__ import annotations

import re

import pytest

from trutdsl.cli.app import DONE, run

ANSWERS = """
    on turn, interrupt:
        {}
        pass
        play card with lowest strength(card)
    otherwise:
        fold
        any
"""
# How many of 100 deals nobody folds if two such scripts meet. Each is asked several times a deal.
CLAUSES = {
    "trut once a deal with probability 20 %": 64,
    "trut once a match with probability 0 %": 100,
    "mix once a deal:\n            1: trut\n            4: trut when no": 64,
    "trut when once_a_deal": 81,
}


def simulate_with_itself(script, folder, capsys):
    (folder / "mine.strategy").write_text(script, encoding="utf-8")
    both = "--strategies mine.strategy,mine.strategy --param fortial=no --matches 400 --seed 5"
    assert run(["simulate", "trut", "--players", "2", *both.split()]) == DONE
    return capsys.readouterr().out


@pytest.mark.parametrize("clause", CLAUSES)
def test_once_a_deal_draws_once(clause, tmp_path, monkeypatch, capsys):
    """The same holds for a `mix`. The equivalent `deal memory` gives the expected value."""
    monkeypatch.chdir(tmp_path)
    memory = (
        "    deal memory:\n        once_a_deal: yes_no = chance 10 %\n" if "_a_" in clause else ""
    )
    text = f'strategy mine "Calls by chance." for trut:\n{memory}{ANSWERS.format(clause)}'
    output = simulate_with_itself(text, tmp_path, capsys)
    found = re.search(r"folded +[0-9.]+% \(([0-9.]+)% to ([0-9.]+)%\)", output)
    low, high = (float(share) for share in found.groups()) if found else (0, 0)
    assert low <= 100 - CLAUSES[clause] <= high


def test_the_parts_of_a_mix_are_chosen_in_proportion_to_their_weights(
    tmp_path, monkeypatch, capsys
):
    """A part whose option is not legal is skipped."""
    monkeypatch.chdir(tmp_path)
    mix = "mix:\n            2: fold\n            5 : accept\n            3: trut"
    text = ANSWERS.format("trut").replace("        fold\n", f"        {mix}\n        fold\n")
    text = f'strategy mine "Answers by chance." for trut:{text}'
    output = simulate_with_itself(text, tmp_path, capsys)
    shares = re.findall(r"respond .* play! [0-9.]+% \(([0-9.]+)% to ([0-9.]+)%\)", output)
    assert shares
    for low, high in shares:
        assert float(low) <= 50 <= float(high)
