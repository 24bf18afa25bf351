"""Rules and defines: their arguments and their results."""


def test_return_gives_a_value_and_leaves_only_its_own_rule(play):
    declared = """
    rule look(most: number) -> number:
        for n in 1 to 9:
            if n == most: return n
        return 0

    rule twice:
        let found = do look(4)
        do note(found)
        found = do look(7)
        do note(found)
    """
    assert play("do twice\ndo note(9)", declared).log == "479"


def test_a_rule_gets_values_not_variables(play):
    declared = """
    rule grow(n: number):
        n += 5
        do note(n)
    """
    assert play("let n = 1\ndo grow(n)\ndo note(n)", declared).log == "61"


def test_arguments_are_evaluated_from_left_to_right_before_the_rule(play):
    declared = """
    match state:
        turn: number = 1
    rule show(a: number, b: number):
        turn = 5
        do note(a)
        do note(b)
        do note(turn)
    """
    assert play("do show(turn, turn + 1)", declared).log == "125"


def test_a_define_can_contain_statements(play):
    declared = """
    define steps(n: number) -> number:
        let left = n
        let count_of_steps = 0
        repeat at most 20 times until left == 1:
            left = left div 2 if left mod 2 == 0 else 3 * left + 1
            count_of_steps += 1
        return count_of_steps
    """
    assert (
        play("do note(steps(3))\ndo note(steps(8))\ndo note(steps(1) + 9)", declared).log == "739"
    )


def test_a_define_is_evaluated_at_each_use(play):
    declared = "define left: size(stock)\n"
    assert play("do note(left)\ndraw from stock to played\ndo note(left)", declared).log == "87"
