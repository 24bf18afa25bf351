"""Messages about common mistakes in clauses contain the clause to write."""

import pytest

from trutdsl.cli.app import run

OPTION_FIRST = "write the option first, then its condition: "
ONE_A_LINE = "write one clause a line: the first that applies is taken"


@pytest.mark.parametrize(
    ("clauses", "help_"),
    [
        ("on turn: hand_worth > 50 then trut", OPTION_FIRST + "`trut when hand_worth > 50`"),
        ("on turn: hand_worth > 50: trut", OPTION_FIRST + "`trut when hand_worth > 50`"),
        ("on turn:\n hand_worth > 50 -> trut", OPTION_FIRST + "`trut when hand_worth > 50`"),
        ("on turn:\n when hand_worth > 50: trut", OPTION_FIRST + "`trut when hand_worth > 50`"),
        (
            "on turn:\n leads and hand_worth > 5: trut",
            OPTION_FIRST + "`trut when leads and hand_worth > 5`",
        ),
        ("on turn:\n not leads then trut", OPTION_FIRST + "`trut when not leads`"),
        ("on turn:\n hands_beaten(3) then trut", OPTION_FIRST + "`trut when hands_beaten(3)`"),
        ("on turn:\n hand_worth > 50\n  trut", OPTION_FIRST + "`OPTION when CONDITION`"),
        (
            "on respond: if hand_worth > 5 accept else fold",
            OPTION_FIRST + "`OPTION when CONDITION`",
        ),
        (
            "on turn when hand_worth > 50: trut",
            "end the line with ':', and write `OPTION when CONDITION` below",
        ),
        (
            "on turn:\n trut when leads else any",
            "a clause has no `else`: what applies otherwise is the next clause",
        ),
        ("on turn:\n trut unless hand_worth > 5", "write `when not (...)` instead of `unless`"),
        ("on respond: accept when leads, fold", ONE_A_LINE),
        ("on respond: accept or fold", ONE_A_LINE),
        ("on turn: play card with lowest strength(card), trut", ONE_A_LINE),
        (
            "on turn: play c with lowest strength(c) and highest stronger_of_mine(c)",
            "write `with lowest strength(c) then highest stronger_of_mine(c)`",
        ),
        (
            "on turn: play c with lowest strength(c), highest stronger_of_mine(c)",
            "write `with lowest strength(c) then highest stronger_of_mine(c)`",
        ),
        ('on turn: play "7h"', 'write `play x where x == "7h"`'),
        ("on turn: play 7h", 'write `play x where x == "7h"`'),
        ("on turn: play Kh", 'write `play x where x == "Kh"`'),
        ("on respond:\n mix:\n  accept: 50\n  50: fold", "write `50: accept`"),
        ("on respond:\n random: accept, fold", "as in `50: OPTION`"),
        ("on turn: trut once a game with probability 5 %", "write `once a match`"),
        ("on turn: trut when hand_worth > 1 with probability 1.5", "write one up to `1.0`"),
        ("on turn: trut when opponent has no sevens", "write `not (any x in opponent has ...)`"),
        (
            "on respond:\n mix: 50: accept, 50: fold",
            "write each part of `mix:` on a line of its own, indented: `50: OPTION`",
        ),
        ("on respond:\n accept with 50 %\n fold", "write `with probability 50 %`"),
        ("on respond:\n accept with 0.5\n fold", "write `with probability 0.5`"),
        ("on turn: trut si most_alike >= 2", "write `trut when most_alike >= 2`"),
        ("on turn: trut half the time", "write `trut with probability 0.5`"),
        ("on turn: trut where leads", "write `when` instead of `where`"),
        ("on turn: trut with highest hand_worth", "write `trut`"),
        ("on turn: trut at random", "write `trut with probability 0.5`"),
        ("on turn: play weakest card", "`play x with lowest strength(x)`"),
        ("on turn: play card randomly", "write `play x at random`"),
        ('on turn: trut when any c in me.hand has rank(c) == "7"', "write `hand[me]`"),
        ('on turn: trut when any c in hand(me) has rank(c) == "7"', "say which: `hand[me]`"),
        ('on turn: trut when any c in hand has rank(c) == "7"', "say which: `hand[me]`"),
        ("on turn: trut when petits == 2", "say which: `petits[team(me)]`"),
        ("on turn: trut when hand_worth > 1 or partner == dealer", "say of what: `partner(me)`"),
        (
            "on turn: play c with lowest strength(c) when strength(c) < 3",
            "write `where` instead, before `with`",
        ),
        (
            "on turn: play c when strength(c) < 3",
            "write `where` instead of `when`: it tests each choice",
        ),
        ("on respond: play!", "write the name of the option"),
        ("sinon: any", "write `otherwise`"),
        ("on turn: if leads: trut", OPTION_FIRST + "`trut when leads`"),
        ("on turn: trut with probability 1/3", "write `probability 1 out of 3`"),
        ("turn: trut", "write `on turn:`"),
        ("memory:\n n: number", "say how long it lasts: `deal memory:`"),
        ("round memory:\n n: number", "say how long it lasts: `deal memory:`"),
        ("after trick:\n return", "write `after deal:`"),
        ("import steady", "in the first line: `strategy NAME extends OTHER:`"),
        ("extends steady", "in the first line: `strategy NAME extends OTHER:`"),
        ("on turn:\n trut 5 %", "write `with probability 5 %`"),
        ("on turn:\n play the highest card", "`play x with highest strength(x)`"),
        ("on turn:\n trut si bonne", "write `trut when bonne`"),
        ("on turn:\n play card if leads", "write `play card when leads`"),
        ("parameter eager: probability = 5 %", "write the decimal: `0.05`"),
        ("on turn: trut once per deal", "write `trut once a deal with probability P`"),
        ("on turn: trut with probability 150 %", "write one up to `100 %`"),
        ("on turn: trut once a deal with probability 3 out of 2", "write one up to `100 %`"),
        ("on turn: trut when rate of trut by dealer > 50 %", "write `500`: shares and rates"),
        ("on turn:\n mix:\n         50 % trut\n         50 % any", "write `50: trut`"),
        ("on fold: trut", "it is an option: write `on respond: fold`"),
        ("on turn: play card with highest rank(card)", "write `strength(card)`"),
        ("on turn: trut when my hand is strong", "write `hand[me]`"),
        ("on turn: trut when last caller == me", "join its words with `_`"),
        ("on turn: trut when leads and", "write what stands behind `and`"),
        ('define good: hand[me] has rank(card) == "7"', "write `any x in hand[me] has ...`"),
        ("parameter eager = 5", "write `parameter eager: 0 to 100 = 5`"),
        ("turn:\n trut", "write `on turn:`"),
        ("on respond:\n accept when leads\n else fold", "a clause has no `else`"),
        (
            "on respond: accept when random 1 to 4 == 1",
            "write `with probability 1 out of 4`",
        ),
        ("on turn and respond:\n any", "write `on turn, respond:`"),
        ("on any question:\n any", "write `otherwise:`"),
        ('on turn: trut when I have "7h"', 'write `"7h" in hand[me]`'),
    ],
)
def test_a_common_mistake_gets_the_right_clause_as_help(tmp_path, capsys, clauses, help_):
    path = tmp_path / "z.strategy"
    lines = [line.replace(" ", "        ", 1) if line[0] == " " else f"    {line}" for line in
             clauses.split("\n")]  # fmt: skip
    path.write_text("\n".join(['strategy z "x" for trut:', *lines, "    otherwise: any\n"]))
    assert run(["check", str(path), "--for", "trut"]) == 2
    output = "".join(capsys.readouterr())
    assert output.count(": error: ") == 1
    assert help_ in output


@pytest.mark.parametrize(
    ("clauses", "help_"),
    [
        ("on turn:\n play highest card", "`play x with highest strength(x)`"),
        ("on turn:\n return trut", "write `trut`"),
        ("on turn:\n choose play", "write `play x`"),
        ("on turns:\n any", "did you mean 'turn'?"),
        ("otherwise:\n random", "write `any`"),
        ("on turn:\n base", "write `do base`"),
    ],
)
def test_a_clause_that_is_not_understood_leaves_no_gap(tmp_path, capsys, clauses, help_):
    path = tmp_path / "z.strategy"
    path.write_text('strategy z "x" for trut:\n    ' + clauses.replace("\n ", "\n        ") + "\n")
    for args in (["check", str(path)], ["check", str(path), "--for", "trut"]):
        assert run(args) == 2
        output = "".join(capsys.readouterr())
        assert output.count(": error: ") == 1
        assert help_ in output


@pytest.mark.parametrize(
    "clauses",
    [
        "if leads: trut",
        "trut when leads with probability 5 %",
        "trut once a deal with probability 5 %",
        'play c when any c in hand[me] has rank(c) == "7"',
        "trut with probability 1 out of 4",
        'trut when "7h" in hand[me]',
    ],
)
def test_a_correct_clause_is_accepted(tmp_path, capsys, clauses):
    path = tmp_path / "z.strategy"
    path.write_text(
        f'strategy z "x" for trut:\n    on turn:\n        {clauses}\n    otherwise: any\n'
    )
    assert run(["check", str(path), "--for", "trut"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("row", "keys", "said"),
    [
        ("1", "leads", "found 1 cell, expected 2"),
        ("1,2,3", "leads", "found 3 cells, expected 2"),
        ("yes,2", "leads, leads", "'share' has 1 key, but is given 2"),
    ],
)
def test_a_table_with_a_wrong_number_of_cells_or_keys_is_refused(tmp_path, capsys, row, keys, said):
    (tmp_path / "t.csv").write_text(f"first,share\n{row}\n")
    (tmp_path / "z.strategy").write_text(
        'strategy z "x" for trut:\n    table share from "t.csv" else 5\n'
        f"    on turn: trut when share({keys}) > 1\n    otherwise: any\n"
    )
    assert run(["check", str(tmp_path / "z.strategy"), "--for", "trut"]) == 2
    assert f"error: {said} [" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mine", "my-own"])
@pytest.mark.parametrize("games", ["trut", '"trut.yaml"', 'trut, "my trut.yaml"'])
def test_the_text_of_a_strategy_stands_before_its_games(name, games, tmp_path, capsys):
    path = tmp_path / f"{name}.strategy"
    path.write_text(f'strategy {name} for {games} "Bold.":\n    otherwise: any\n')
    assert run(["check", str(path)]) == 2
    assert f'help: write `strategy {name} "Bold." for {games}:`' in capsys.readouterr().err


REST = "    otherwise: any\n"


@pytest.mark.parametrize(
    ("wrong", "help_", "right"),
    [
        (
            "strategy z:\n    for trut\n" + REST,
            "in the first line: `strategy NAME for VARIANT:`",
            "strategy z for trut:\n" + REST,
        ),
        (
            "strategy z (trut):\n" + REST,
            "write `strategy z for trut:`",
            "strategy z for trut:\n" + REST,
        ),
        (
            "strategy z extends other.strategy:\n" + REST,
            'put the path of a file in quotes: `"other.strategy"`',
            'strategy z extends "other.strategy":\n' + REST,
        ),
        *(
            (
                f"strategy z for {game}:\n    on {wrong}\n" + REST,
                f"write `{right}`",
                f"strategy z for {game}:\n    on {wrong.split(': ')[0]}: {right}\n" + REST,
            )
            for game, wrong, right in (
                ("truc-french", "turn: raise 4", "raise x where x == 4"),
                ("tute", "sing: sing oros", 'sing x where x == "o"'),
                ("trut", "turn: play As", 'play x where x == "As"'),
            )
        ),
        (
            'strategy z "Bold." extends steady:\n' + REST,
            'write `strategy z extends steady "Bold."`',
            'strategy z extends steady "Bold.":\n' + REST,
        ),
        (
            "strategy z for trut:\n",
            "write at least `otherwise: any`",
            "strategy z for trut:\n" + REST,
        ),
        (
            "on turn: any\n",
            "a script begins with `strategy NAME:`",
            "strategy z:\n" + REST,
        ),
        (
            "strategy z for trut:\n    on turn:\n        1. trut\n" + REST,
            "leave out the number",
            "strategy z for trut:\n    on turn:\n        trut\n" + REST,
        ),
        (
            "strategy z for trut:\n    mix:\n        50: fold\n" + REST,
            "write it below `on DECISION:`, indented",
            "strategy z for trut:\n    on respond:\n        mix:\n            50: fold\n" + REST,
        ),
        (
            "strategy z for trut:\n    on respond:\n        mix:\n            fold: 50 %\n" + REST,
            "write `50: fold`",
            "strategy z for trut:\n    on respond:\n        mix:\n            50: fold\n" + REST,
        ),
        *(
            (
                f"strategy z for trut:\n    parameter b{wrong}\n    on respond: fold {use}\n"
                + REST,
                f"write `parameter b: {right}`",
                f"strategy z for trut:\n    parameter b: {right}\n    on respond: fold {use}\n"
                + REST,
            )
            for wrong, right, use in (
                (": 20 %", "probability = 0.2", "with probability b"),
                (" = 0.25", "probability = 0.25", "with probability b"),
                (": 20", "0 to 100 = 20", "when hand_worth < b"),
            )
        ),
        *(
            (
                f"strategy z for trut:\n    deal memory:\n        b: {wrong}\n"
                "    on respond: fold when b\n" + REST,
                help_,
                f"strategy z for trut:\n    deal memory:\n        b: {right}\n"
                "    on respond: fold when b\n" + REST,
            )
            for wrong, help_, right in (
                (
                    "chance 1 out of 8",
                    "write `b: yes_no = chance 1 out of 8`",
                    "yes_no = chance 1 out of 8",
                ),
                ("yes_no = 12 %", "write `yes_no = chance 12 %`", "yes_no = chance 12 %"),
            )
        ),
    ],
)
def test_what_the_help_for_a_script_names_is_accepted(
    tmp_path, monkeypatch, capsys, wrong, help_, right
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.strategy").write_text("strategy other for trut:\n" + REST)
    (tmp_path / "z.strategy").write_text(wrong)
    assert run(["check", "z.strategy"]) == 2
    output = "".join(capsys.readouterr())
    assert output.count("error: ") == 1
    assert help_ in output
    (tmp_path / "z.strategy").write_text(right)
    assert run(["check", "z.strategy"]) == 0, "".join(capsys.readouterr())
