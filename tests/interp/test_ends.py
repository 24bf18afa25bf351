"""Ends of tricks, deals and matches."""


def test_a_deal_can_end_inside_nested_loops(play):
    declared = """
    rule play_trick:
        trick on table:
            for player in seats:
                ask player "turn":
                    pass
                    fold:
                        repeat 3 times:
                            for n in 1 to 3:
                                end deal won by team(next_seat(player)) because folded
            end trick tied

    rule play_deal:
        do play_trick
        do note(1)
        end deal because played
    """
    body = """
    deal:
        do play_deal
    do note(2)
    deal:
        do play_deal
    do note(3)
    """
    outcome = play(body, declared, answers=["pass", "fold", *["pass"] * 4])
    assert (outcome.log, outcome.deals) == ("213", 2)
    ends = [(e["winner"], e["reason"]) for e in outcome.events if e["event"] == "deal_end"]
    assert ends == [(0, "folded"), (None, "played")]


def test_the_end_of_the_match_ends_a_deal_and_a_trick(play):
    body = """
    deal:
        trick on table:
            for player in seats:
                if id[player] == 2: end match won by team(player)
                do note(id[player])
            end trick tied
        end deal because played
    """
    outcome = play(body)
    assert (outcome.log, outcome.winner, outcome.deals) == ("1", 1, 1)
    assert [e["event"] for e in outcome.events] == ["deal", "deal_end", "match_end"]


def test_a_trick_event_has_the_winner_and_the_cards_from_the_leader_on(play):
    body = """
    deal:
        on_lead = next_seat(dealer)
        trick on table:
            for player in seats from on_lead: draw from stock to table[player]
            end trick won by dealer
        end deal won by team(dealer) because played
    """
    trick = next(e for e in play(body).events if e["event"] == "trick")
    assert trick["cards"] == [[1, "1h"], [2, "2h"], [3, "3h"], [0, "4h"]]
    assert (trick["leader"], trick["winner"], trick["team"]) == (1, 0, 0)


def test_a_match_without_deal_or_question_ends_at_once(play):
    outcome = play("do note(1)")
    assert (outcome.log, outcome.deals, outcome.asked, outcome.winner) == ("1", 0, [], None)
