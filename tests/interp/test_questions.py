"""Questions: the legal actions, their order, and the effect of an answer."""


def test_legal_actions_follow_the_text_then_the_index_of_each_choice(play):
    body = """
    ask next_seat(dealer) "turn":
        pass
        play "a" card from pack_cards when strength(card) == 8 or strength(card) == 2
        give card from pack_cards, other from seats when strength(card) == 4 and id[other] > 2
        bid amount from 2 to 4 "points"
    """
    outcome = play(body, answers=["pass"])
    assert outcome.asked == [
        (1, "turn", ["pass", "play a 8h", "play a 2h", "give 4h 2", "give 4h 3", "bid 2 points",
                     "bid 3 points", "bid 4 points"]),
    ]  # fmt: skip


def test_the_statements_of_an_option_know_the_choice(play):
    body = """
    ask dealer "turn":
        give card from pack_cards, other from seats:
            do note(strength(card))
            do note(id[other])
    ask dealer "bid":
        bid amount from 2 to 4: do note(amount)
    """
    assert play(body, answers=["give 5h 3", "bid 3"]).log == "543"


def test_a_choice_can_depend_on_an_earlier_one(play):
    body = """
    ask dealer "turn":
        pick low from 1 to 3, high from low + 1 to 3:
            do note(low)
            do note(high)
    """
    outcome = play(body, answers=["pick 1 3"])
    assert outcome.asked[0][2] == ["pick 1 2", "pick 1 3", "pick 2 3"]
    assert outcome.log == "13"


def test_again_repeats_the_question_and_evaluates_its_conditions(play):
    body = """
    let raised = 0
    ask dealer "turn":
        raise_it when raised < 2:
            raised += 1
            do note(1)
            again
        pass: do note(2)
    do note(3)
    """
    outcome = play(body, answers=["raise_it", "raise_it", "pass"])
    assert [texts for _, _, texts in outcome.asked] == [["raise_it", "pass"]] * 2 + [["pass"]]
    assert outcome.log == "1123"


def test_stop_in_an_option_leaves_the_loop_around_the_question(play):
    body = """
    for player in seats:
        do note(id[player])
        ask player "turn":
            pass
            enough: stop
    """
    outcome = play(body, answers=["pass", "enough"])
    assert (outcome.log, [seat for seat, _, _ in outcome.asked]) == ("12", [0, 1])


def test_return_in_an_option_leaves_the_rule(play):
    declared = """
    rule offer(player) -> yes_no:
        ask player "offer":
            take: return yes
            leave_it
        do note(5)
        return no
    """
    body = """
    let taken = do offer(dealer)
    if taken: do note(1)
    taken = do offer(next_seat(dealer))
    if not taken: do note(2)
    """
    assert play(body, declared, answers=["take", "leave_it"]).log == "152"


def test_keywords_can_be_options(play):
    body = """
    ask dealer "turn":
        play all
        pass
        end 7
        "two words" when yes
    """
    outcome = play(body, answers=["play all"])
    assert outcome.asked[0][2] == ["play all", "pass", "end 7", "two words"]


def test_a_question_without_a_legal_action_is_an_error(play):
    body = 'ask dealer "show":\n    show card from played'
    assert play.error(body) == ("no-option", "player 1 has no legal action for 'show'")


def test_numbers_below_0_can_be_chosen_from_any_number(play):
    body = """
    let least = 0 - 5
    ask dealer "low":
        take n from least to -3: do note(0 - n)
    """
    outcome = play(body, answers=["take -4"])
    assert outcome.asked[0][2] == ["take -5", "take -4", "take -3"]
    assert outcome.log == "4"


def test_steps_begin_at_a_variable_of_another_file_that_is_called_like_the_choice(play):
    body = """
    do note(1)
    ask dealer "low":
        take log from log to 9 by 3: do note(log)
    """
    outcome = play(body, answers=["take 4"])
    assert outcome.asked[0][2] == ["take 1", "take 4", "take 7"]
    assert outcome.log == "14"
