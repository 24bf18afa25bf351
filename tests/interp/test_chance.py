"""Chance: each part of a match draws from its stream."""

from trutdsl.streams import SETUP, Stream, chance_key, deal_start, match_start


def stream_of(seed, match, part):
    """Return the chance stream of a part of a match: the setup or a deal."""
    return Stream(deal_start(match_start(chance_key(seed), match), part))


def draw_cards(stream, cards, count):
    """Draw from a shuffled pile of these cards, which are in ascending order."""
    left = list(cards)
    return [left.pop(stream.below(len(left))) for _ in range(count)]


def test_each_draw_from_a_shuffled_pile_takes_one_of_its_cards_by_index(play):
    body = "shuffle stock\nrepeat 8 times: draw from stock to played\n" \
           "for card in played: do note(strength(card))"  # fmt: skip
    for seed, match in [(1, 0), (1, 1), (2, 0), (2**64 - 1, 7), (2**128 - 1, 7), (2**64, 7)]:
        order = draw_cards(stream_of(seed, match, SETUP), range(8), 8)
        log = play(body, seed=seed, match=match).log
        assert log == "".join(str(8 - card) for card in order)


def test_every_deal_has_a_chance_stream_of_its_own(play):
    body = """
    shuffle stock
    repeat 2 times:
        deal:
            gather played, table into stock
            shuffle stock
            repeat 3 times: draw from stock to played
            repeat 5 times: draw from stock to table[dealer]
            for card in played: do note(strength(card))
            end deal because played
    """
    expected = [8 - c for d in (1, 2) for c in draw_cards(stream_of(5, 3, d), range(8), 3)]
    assert play(body, seed=5, match=3).log == "".join(map(str, expected))


def test_the_stream_of_a_deal_goes_on_after_it(play):
    body = """
    deal:
        let first_roll = roll 1 to 9
        do note(first_roll)
        end deal because played
    let second_roll = roll 1 to 9
    do note(second_roll)
    """
    stream = stream_of(4, 0, 1)
    assert play(body, seed=4).log == f"{1 + stream.below(9)}{1 + stream.below(9)}"


def test_dice_elements_and_chances_come_from_the_stream(play):
    body = """
    let eyes = roll 2 to 7
    do note(eyes)
    let player = random from seats - dealer
    do note(id[player])
    let card = random from stock
    do note(strength(card))
    let lucky = chance 1 out of 3
    do note(1 if lucky else 2)
    lucky = chance luck
    do note(1 if lucky else 2)
    """
    head = "parameters: {luck: {type: probability, default: 0.25, help: Luck.}}\n"
    for seed in range(6):
        stream = stream_of(seed, 0, SETUP)
        expected = [2 + stream.below(6), 2 + stream.below(3), 8 - stream.below(8),
                    1 if stream.below(3) < 1 else 2,
                    1 if stream.below(10**6) < 250_000 else 2]  # fmt: skip
        outcome = play(body, head=head, seed=seed)
        assert outcome.log == "".join(map(str, expected))
        kinds = [e["what"] for e in outcome.events if e["event"] == "random"]
        assert kinds == ["die", "seat", "card", "chance", "chance"]


def test_certain_and_impossible_chances(play):
    body = """
    for n in 0 to 3:
        let lucky = chance n * n div 9 out of 1
        do note(1 if lucky else 2)
    """
    assert play(body).log == "2221"


def test_a_setup_runs_in_its_place(play):
    body = """
    do note(1)
    setup dealer:
        dealer = next_seat(dealer)
        do note(id[dealer])
    do note(3)
    """
    assert play(body).log == "123"
