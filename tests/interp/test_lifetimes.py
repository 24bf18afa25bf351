"""How long variables and cards last: a match, a deal or a trick."""

import pytest

DECLARATIONS = {
    "of_match": "match state:\n    of_match: number\n",
    "of_deal": "deal state:\n    of_deal: number = 5 + 10 * of_match\n",
    "hands": "deal state:\n    hands[seat]: number\n",
    "of_trick": "trick state:\n    of_trick: number = 7\n",
}


def declarations_for(body):
    """Return the declarations of the variables that a body uses, directly or by a start value."""
    return "".join(
        declared
        for name, declared in DECLARATIONS.items()
        if name in body or (name == "of_match" and "of_deal" in body)
    )


@pytest.mark.parametrize(("name", "log"), [("of_match", "1234"), ("of_deal", "6767"),
                                           ("of_trick", "8888")])  # fmt: skip
def test_variables_restart_with_their_match_deal_or_trick(play, name, log):
    body = f"""
    repeat 2 times:
        deal:
            repeat 2 times:
                trick on table:
                    {name} += 1
                    do note({name})
                    end trick tied
            end deal because played
    """
    assert play(body, declarations_for(body)).log == log


def test_a_deal_variable_can_start_from_a_match_variable(play):
    body = """
    repeat 2 times:
        of_match += 1
        deal:
            do note(of_deal div 10)
            end deal because played
        of_match += 1
    """
    assert play(body, declarations_for(body)).log == "13"


def test_every_place_of_a_variable_restarts(play):
    body = """
    repeat 2 times:
        deal:
            for player in seats: hands[player] += id[player]
            for player in seats: do note(hands[player])
            end deal because played
    """
    assert play(body, declarations_for(body)).log == "12341234"


def test_a_deal_variable_can_be_read_after_its_deal(play):
    body = """
    deal:
        of_deal = 3
        end deal because played
    do note(of_deal)
    """
    assert play(body, declarations_for(body)).log == "3"


def test_cards_stay_in_place_between_deals(play):
    body = """
    repeat 2 times:
        deal:
            draw from stock to played
            end deal because played
    do note(size(stock))
    """
    assert play(body).log == "6"


@pytest.mark.parametrize(("least", "log"), [(-9, "18"), (0, "18"), (3, "48")])
def test_a_number_starts_at_0_or_where_its_bounds_begin(play, least, log):
    head = """
    parameters:
        least: {type: integer, min: -9, max: 9, default: 0, help: Where a number begins.}
    """
    declared = """
    type level = least to 9
    match state:
        low: level
        high: -8 to min(9, -1 * least - 1)
    """
    body = "do note(low + 1)\ndo note(-1 * high if least >= 0 else 8)"
    assert play(body, declared, head=head, param=[f"least={least}"]).log == log
