"""Rules in French words: help in French names the words of the language as they are written."""

import pytest

from trutdsl.cli.app import run

IN_FRENCH = [
    ("longs[équipe(winner)] += 1", "`team`"),
    ("longs[camp(winner)] += 1", "`team`"),
    ("for p in joueurs: longs[team(p)] += 1", "`seats`"),
    ("if true: longs[team(winner)] += 1", "`yes`"),
    ("caller = personne", "`none`"),
    ("if winner == donneur: longs[team(winner)] += 1", "`dealer`"),
    ("if winner n'est pas dealer: longs[team(winner)] += 1", "!="),
    ('if any c in hand[winner] est "7h": longs[team(winner)] += 1', "`has`"),
    ("let x égale 3", "`=`"),
    ("mélanger stock", "`shuffle`"),
    ("end donne because played", "`deal`"),
    ("reveal hand[winner] à seats", "`to`"),
    ("draw de stock to hand[winner]", "`from`"),
    ("if caller: longs[team(winner)] += 1", "`caller != none`"),
]


@pytest.mark.parametrize(("line", "cure"), IN_FRENCH)
def test_words_of_the_language_stay_english_in_french_help(tmp_path, capsys, line, cure):
    path = tmp_path / "ours.yaml"
    rule = f"rules: |\n  after rule take_trick(winner):\n      {line}\n"
    path.write_text("variant: ours\ntitle: Ours\nextends: trut\n" + rule)
    assert run(["check", str(path), "--lang", "fr"]) == 2
    assert cure in capsys.readouterr().err


def test_the_quotes_around_a_name_in_french_keep_the_help(tmp_path, capsys):
    path = tmp_path / "ours.yaml"
    path.write_text(
        "variant: ours\ntitle: Ours\nextends: trut\nset: {goal=3}\nrulebook: {aim: A}\n"
    )
    assert run(["check", str(path), "--lang", "fr"]) == 2
    err = capsys.readouterr().err
    assert "écrivez `goal: 3`" in err and "écrivez `aim: {won: {en: TEXT}}`" in err
