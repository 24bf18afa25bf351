"""How long variables and cards last: a match, a deal or a trick."""

import pytest

LASTING = {
    "of_match": "match state:\n    of_match: number\n",
    "of_deal": "deal state:\n    of_deal: number = 5 + 10 * of_match\n",
    "hands": "deal state:\n    hands[seat]: number\n",
    "of_trick": "trick state:\n    of_trick: number = 7\n",
}


def counted(body):
    """Declare the variables that are used, and what they start from."""
    return "".join(
        declared
        for name, declared in LASTING.items()
        if name in body or (name == "of_match" and "of_deal" in body)
    )


@pytest.mark.parametrize(("name", "log"), [("of_match", "1234"), ("of_deal", "6767"),
                                           ("of_trick", "8888")])  # fmt: skip
def test_variables_start_anew_with_what_they_belong_to(play, name, log):
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
    assert play(body, counted(body)).log == log


def test_a_deal_variable_starts_from_what_the_match_holds_then(play):
    body = """
    repeat 2 times:
        of_match += 1
        deal:
            do note(of_deal div 10)
            end deal because played
        of_match += 1
    """
    assert play(body, counted(body)).log == "13"


def test_every_part_of_a_variable_starts_anew(play):
    body = """
    repeat 2 times:
        deal:
            for player in seats: hands[player] += id[player]
            for player in seats: do note(hands[player])
            end deal because played
    """
    assert play(body, counted(body)).log == "12341234"


def test_a_deal_variable_can_be_looked_at_after_its_deal(play):
    body = """
    deal:
        of_deal = 3
        end deal because played
    do note(of_deal)
    """
    assert play(body, counted(body)).log == "3"


def test_cards_lie_where_they_are_from_deal_to_deal(play):
    body = """
    repeat 2 times:
        deal:
            draw from stock to played
            end deal because played
    do note(size(stock))
    """
    assert play(body).log == "6"
