"""Labels and notes say which deals and matches a figure counts, in both languages."""

import pytest

from trutdsl.language import speaking
from trutdsl.report.blocks import Paragraph, TableBlock
from trutdsl.report.first_screen import answer_lines
from trutdsl.report.labels import ABSENT, LITTLE, OPEN, SAME, UNSEEN, metric_words, verdict_words
from trutdsl.report.sweep import sweep_blocks, verdict_on
from trutdsl.report.variant_blocks import ledger_blocks, score_blocks, strategy_blocks
from trutdsl.table.counts import PATH


@pytest.mark.parametrize(
    ("metric", "english", "french"),
    [
        ("dealer", "decided deals", "non nulles"),
        ("leader", "decided deals", "non nulles"),
        ("first_dealer", "decided matches", "non nulles"),
        ("first_seat", "decided matches", "non nulles"),
        ("comebacks.points", "decided matches", "non nulles"),
        ("stake.points", "largest gain of a side in points", "plus grand gain d'une équipe"),
        ("deficit.points", "largest deficit of the winner", "plus grand retard du vainqueur"),
    ],
)
def test_metrics_name_what_they_count(metric, english, french):
    """Draws and void deals count in some metrics only."""
    assert english in metric_words(metric)
    with speaking("fr"):
        assert french in metric_words(metric)


def score_table(least, longest):
    """Return a variant in which deals began at 0 to 0 and at 1 to 0."""
    table = {
        "least": least,
        "deals": [[200, 0], [200, 0]],
        "won": [[0.5, None], [0.6, None]],
        "low": [[0.4699, None], [0.58, None]],
        "high": [[0.52, None], [0.62, None]],
    }
    return {"name": "game", "scores": {"points": table}, "lengths": {"deals": {"to": [longest]}}}


def tell_scores(least=0, longest=9):
    text, table, _ = score_blocks([score_table(least, longest)], {"game": "Game"})
    assert isinstance(text, Paragraph) and isinstance(table, TableBlock)
    return text.text, [row[0].text for row in table.rows]


def test_scores_say_what_they_count():
    text, names = tell_scores()
    assert "a drawn match counts as half a win" in text and "ends at most 3.1 away" in text
    assert names == ["0", "1+"] and "first 256 deals" not in text
    one = score_table(0, 9)
    one["scores"]["points"] |= {key: [[None, None], [None, None]] for key in ("low", "high")}
    text, *_ = score_blocks([one], {"game": "Game"})
    assert "interval" not in text.text, "there is none in one set of deals"
    text, names = tell_scores(-20, PATH + 1)
    assert names == ["0 or less", "1+"] and "Of each match the first 256 deals count." in text


def test_the_csv_of_scores_says_which_scores_a_row_has():
    """The first row of a counter that can fall below 0 has all these scores; the last, more."""
    of = score_table(0, 9), score_table(-20, 9)
    *_, table = score_blocks(of, dict.fromkeys(["game"], "Game"))
    assert table.content.splitlines() == [
        "variant,counter,dealer_from,dealer_to,others_from,others_to,deals,won,low,high",
        "game,points,0,0,0,0,200,0.5,0.4699,0.52",
        "game,points,1,,0,0,200,0.6,0.58,0.62",
        "game,points,,0,,0,200,0.5,0.4699,0.52",
        "game,points,1,,,0,200,0.6,0.58,0.62",
    ]


def test_hands_stand_above_the_columns_of_the_ledger():
    share = {"mean": 0.5, "low": 0.4, "high": 0.6}
    row = {"question": "turn", "option": "trut", "offered": 100, "chosen": 100, "rate": share}
    variant = {"name": "game", "title": "Game", "variant": "game"}
    ledger = [{**row, "wins": share, "beats": beats} for beats in range(10)]
    text, rate, _ = ledger_blocks({"variants": [{**variant, "ledger": ledger}]}, table=False)
    assert text.text.startswith("Columns are hands by strength")
    assert "linked" not in text.text, "there is no table on this page"
    assert rate.columns[1:] == [str(beats) for beats in range(10)]


def test_the_mean_of_a_strategy_is_over_the_others():
    variant = {"name": "game", "title": "Game", "variant": "game", "payoffs": [[0, 0.2], [-0.2, 0]]}
    both = {"comparison": {"strategies": ["one", "two"]}, "variants": [variant], "differences": []}
    _, table, _ = strategy_blocks(both)
    assert [cell.text for cell in table.rows[0]] == ["one", "", "+0.200", "+0.200"]


def test_a_figure_of_one_variant_does_not_claim_that_its_counter_came_up_there_alone():
    share = {"mean": 0.0, "low": 0.0, "high": 0.1}
    row = {"metric": "comebacks.points", "kind": "share", "base": share, "other": None}
    row |= {"verdict": UNSEEN, "difference": None, "margin": None}
    named = [{"name": name, "title": name, "variant": name} for name in ("one", "two")]
    difference = {"variant": "two", "metrics": [row], "points": [], "agreement": None}
    results = {"variants": named, "comparison": {"primary": None}, "differences": [difference]}
    _, blocks = answer_lines(results, difference, 4.0, every=True)
    ((title, names),) = blocks[-1].items
    assert title == "with a figure only in one"
    assert names == "decided matches won after 2 or more points behind"
    assert verdict_words(row) == "no figure in one of both"
    for verdict in (UNSEEN, ABSENT):
        text = verdict_on([{**row, "verdict": verdict}, {**row, "verdict": LITTLE}])
        assert text.endswith("only one of both has some of the figures")
    assert (
        verdict_on([row]) == "no relevant difference, but only one of both has some of the figures"
    )
    assert verdict_on([{**row, "verdict": OPEN}]).endswith("; 1 metric is undecided")
    assert verdict_on([{**row, "verdict": OPEN}] * 2).endswith("; 2 metrics are undecided")
    assert verdict_on([{**row, "verdict": SAME}]) == "any change is less than the margin"


def test_cells_with_other_packs_do_not_claim_the_same_deals():
    axes = [{"name": "goal", "values": ["1"]}]
    variant = {"name": "one", "title": "One", "variant": "one", "metrics": []}
    results = {"sweep": {"axes": axes, "cells": []}, "given": {"metrics": None}}
    for same, text in ((True, "All cells play the same"), (False, "Cells with the same pack play")):
        results["variants"] = [{**variant, "same_pack": same}]
        for clusters in (1, 2):
            results["comparison"] = {"clusters": clusters}
            found = " ".join(b.text for b in sweep_blocks(results) if isinstance(b, Paragraph))
            assert text in found and ("95 % intervals" in found) == (clusters > 1)
