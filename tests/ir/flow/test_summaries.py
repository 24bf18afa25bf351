"""Summaries of rules: a result for one situation is reused only in an equal situation."""

from dataclasses import fields, replace
from itertools import permutations
from textwrap import dedent

import pytest
from rule_cases import allowed_rules, refused_rules

from trutdsl.diagnostics import Note
from trutdsl.ir.flow.check import FlowOutcome, Numbering, Situation, canonical
from trutdsl.ir.flow.labels import (
    UNKNOWN,
    Atom,
    Movement,
    PossibleRevelation,
    Reader,
    Secret,
    TeamOf,
    map_keys,
)
from trutdsl.ir.flow.values import Binding, Env, Revelation, join

ONE, TWO = Atom(1), Atom(2)
HAND = Secret("hand", Reader(False, ONE), at=ONE)
CRIB = Secret("crib", None)
NOTE = Note("what is done rests on this")
BINDING = Binding(ONE, frozenset({HAND}))
SITUATION = Situation((BINDING,), (("dealer", ONE),), {}, frozenset())

# Another value for each field of a situation and of its parts.
OTHER_VALUES = {
    Situation: {
        "args": (replace(BINDING, key=TWO),),
        "stored_keys": (("dealer", TWO),),
        "control": {CRIB: NOTE},
        "facts": frozenset({Revelation("hand", ONE, None)}),
        "revelations": frozenset({PossibleRevelation("hand", None)}),
    },
    Binding: {
        "key": TWO,
        "label": frozenset({CRIB}),
        "picked": True,
        "count_label": frozenset({HAND}),
        "in_turn": True,
    },
    Secret: {
        "name": "kept",
        "owner": None,
        "also": frozenset({Reader(True, ONE)}),
        "at": TWO,
        "shrunk": True,
    },
    Reader: {"team": True, "key": TWO},
    Revelation: {"name": "kept", "index": TWO, "reader": Reader(False, ONE)},
    PossibleRevelation: {"name": "kept", "reader": Reader(False, ONE)},
}
FIRST_VALUES = {
    Situation: SITUATION,
    Binding: BINDING,
    Secret: HAND,
    Reader: Reader(False, ONE),
    Revelation: Revelation("hand", ONE, None),
    PossibleRevelation: PossibleRevelation("hand", None),
}
FIELDS = [(kind, name) for kind, others in OTHER_VALUES.items() for name in others]


def situation_with(part):
    """Return a situation that contains this part."""
    match part:
        case Situation():
            return part
        case Binding():
            return replace(SITUATION, args=(part,))
        case Secret():
            return replace(SITUATION, control={part: NOTE})
        case Reader():
            return situation_with(Secret("hand", part, at=ONE))
        case Revelation():
            return replace(SITUATION, facts=frozenset({part}))
        case PossibleRevelation():
            return replace(SITUATION, revelations=frozenset({part}))
    raise TypeError(part)


def key_of(situation):
    return canonical(situation, Numbering())


def test_every_field_has_another_value():
    for kind, others in OTHER_VALUES.items():
        assert set(others) == {field.name for field in fields(kind)}


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_the_key_contains_every_field(kind, name):
    one, other = FIRST_VALUES[kind], replace(FIRST_VALUES[kind], **{name: OTHER_VALUES[kind][name]})
    assert key_of(situation_with(one)) != key_of(situation_with(other))


def test_situations_with_renumbered_keys_are_equal():
    other = map_keys(SITUATION, {1: 7}.__getitem__)
    assert other != SITUATION
    assert key_of(other) == key_of(SITUATION)


def test_the_key_contains_the_position_of_an_argument():
    bound, head = replace(BINDING, label=frozenset()), Binding(None, frozenset())
    keys = {key_of(replace(SITUATION, args=args)) for args in permutations((bound, head))}
    assert len(keys) == 2


def test_the_key_does_not_contain_the_words_of_notes():
    one, other = ({CRIB: Note(text)} for text in ("one", "other"))
    assert key_of(replace(SITUATION, control=one)) == key_of(replace(SITUATION, control=other))


def test_a_value_without_a_key_is_a_type_error():
    with pytest.raises(TypeError, match="no key"):
        key_of(replace(SITUATION, stored_keys=(("dealer", 1.5),)))


def test_keys_are_mapped_in_every_field():
    binding = Binding(
        TWO, frozenset({HAND}), count_label=frozenset({replace(HAND, at=TeamOf(ONE))})
    )
    outcome = FlowOutcome(binding, (("dealer", ONE),), frozenset({Revelation("hand", TWO, None)}))
    env = Env({0: binding}, {"dealer": ONE}, outcome.facts, {"return": {HAND: NOTE}})
    for value in (outcome, env, SITUATION):
        text = repr(map_keys(value, lambda number: number + 10))
        assert "number=11" in text
        assert "number=1," not in text
        assert "number=2," not in text


def test_facts_and_readers_of_unknown_seats_are_dropped():
    secret = replace(HAND, also=frozenset({Reader(False, TWO)}))
    facts = frozenset({Revelation("hand", TWO, None), Revelation("hand", ONE, Reader(False, TWO))})
    forget_two = {1: 1, 2: 0}.__getitem__
    assert map_keys(frozenset({secret}), forget_two) == {HAND}
    assert map_keys(facts, forget_two) == frozenset()
    assert map_keys(TWO, forget_two) == UNKNOWN


def test_a_possible_revelation_to_an_unknown_seat_stays():
    shown = frozenset(
        {PossibleRevelation("hand", Reader(False, ONE)), PossibleRevelation("kept", None)}
    )
    unknown = frozenset(
        {PossibleRevelation("hand", Reader(False, UNKNOWN)), PossibleRevelation("kept", None)}
    )
    assert map_keys(shown, lambda _number: 0) == unknown


def test_a_join_unites_possible_revelations():
    """A join intersects the certain revelations."""
    hand, kept = (
        Env(
            {},
            {},
            frozenset({Revelation(name, ONE, None)}),
            revelations=frozenset({PossibleRevelation(name, None)}),
        )
        for name in ("hand", "kept")
    )
    for found in (join([hand, kept], FixedNumbering()), hand.widen(kept, 99)):
        assert found.facts == frozenset()
        assert found.revelations == hand.revelations | kept.revelations


@pytest.mark.parametrize("name", ["label", "picked", "count_label", "in_turn"])
def test_a_join_takes_the_worse_value_of_every_field(name):
    """What is known after a join holds for both branches."""
    good = Binding(ONE, frozenset(), picked=True, count_label=frozenset(), in_turn=True)
    worse = {"label": frozenset({HAND}), "picked": False, "count_label": None, "in_turn": False}
    bad = replace(good, **{name: worse[name]})
    assert set(worse) | {"key"} == {field.name for field in fields(Binding)}
    for first, second in permutations((good, bad)):
        (found,) = join(
            [Env({0: first}, {}), Env({0: second}, {})], FixedNumbering()
        ).locals.values()
        assert found == bad
        (found,) = Env({0: first}, {}).widen(Env({0: second}, {}), 99).locals.values()
        assert found == bad


class FixedNumbering:
    """A stub for the numbering of keys in a check."""

    def fresh(self):
        return Atom(99)


def test_movements_have_a_neutral_element():
    every = Movement(frozenset("a"), frozenset("b"), frozenset({PossibleRevelation("c", None)}))
    assert Movement() | every == every | Movement() == every


@pytest.mark.parametrize("name", ["label", "count_label"])
def test_cards_that_leave_make_every_value_stale(name):
    binding = replace(Binding(ONE, frozenset()), **{name: frozenset({HAND})})
    env = Env({0: binding}, {})
    env.move(Movement(shrunk_zones=frozenset({"hand"})))
    (old,) = getattr(env.locals[0], name)
    assert old.at == UNKNOWN


THROW = """
rule throw(p, gone: cards):
    for c in gone: move c from hand[p] to crib
"""
MANY = "let many: 1 to 2 = 2 if good(dealer) else 1"
FEW = "let few: 1 to 2 = 2 if known > 0 else 1"


def throw_cards(*numbers):
    """Return a rule in which the dealer throws these numbers of cards, in turn."""
    text = f"\nrule match:\n    {FEW}\n    {MANY}\n"
    for number in numbers:
        text += '    ask dealer "q" seen by owner:\n'
        text += f"        throw gone from {number} cards of hand[dealer]: do throw(dealer, gone)\n"
    return text


GOOD = "size(those c in hand[dealer] where strength(c) > 3)"
STRONGEST = "(highest strength(c) for c in hand[dealer])"

COUNTED_THROWS = [
    ("public, then secret", throw_cards("1", "many") + THROW),
    ("secret, then public", throw_cards("many", "1") + THROW),
    ("a public variable, then secret", throw_cards("few", "many") + THROW),
    ("public twice, then secret", throw_cards("1", "few", "many") + THROW),
    ("secret between two public", throw_cards("few", "many", "few") + THROW),
    ("a secret sum", throw_cards("few", "min(2, many + few)") + THROW),
    ("another secret", throw_cards("few", "min(2, max(1, hint[dealer]))") + THROW),
    ("a number of good cards", throw_cards("1", f"min(2, max(1, {GOOD}))") + THROW),
    ("whether there is a good card", throw_cards("1", f"(2 if {GOOD} > 0 else 1)") + THROW),
    ("the strongest card", throw_cards("1", f"min(2, max(1, {STRONGEST}))") + THROW),
    ("a secret in a condition", throw_cards("1", "(few if good(dealer) else 1)") + THROW),
    ("a secret times a public number", throw_cards("few", "min(2, max(1, few * many))") + THROW),
    ("a number less a secret", throw_cards("few", "max(1, 3 - many)") + THROW),
    ("secret, public, another secret", throw_cards("many", "1", "max(1, 3 - many)") + THROW),
    (
        "a public sum, then a secret one",
        throw_cards("min(2, few + 1)", "min(2, few + many)") + THROW,
    ),
    (
        "through a define",
        throw_cards("some(1)", "some(many)")
        + "\ndefine some(n: number): max(1, min(2, n))\n"
        + THROW,
    ),
    (
        "through another rule",
        throw_cards("few", "many").replace("do throw", "do pass_on")
        + "\nrule pass_on(p, gone: cards): do throw(p, gone)\n"
        + THROW,
    ),
    (
        "in a loop of the same rule",
        f"""
rule match:
    {MANY}
    let now: 1 to 2 = 1
    repeat 2 times:
        ask dealer "q" seen by owner:
            throw gone from now cards of hand[dealer]: do throw(dealer, gone)
        now = many
"""
        + THROW,
    ),
    (
        "by a rule that asks",
        f"""
rule match:
    {MANY}
    do ask_for(1)
    do ask_for(many)
rule ask_for(many: number):
    ask dealer "q" seen by owner:
        throw gone from max(1, min(2, many)) cards of hand[dealer]: do throw(dealer, gone)
"""
        + THROW,
    ),
]

# In each, a rule is called in a second situation that differs in one thing only.
SECOND_SITUATIONS = [
    (
        "a value of the same hand, then of another one",
        """
        rule match:
            do show(dealer, good(dealer))
            do show(dealer, good(on_lead))
        rule show(p, lucky: yes_no):
            move (first c in hand[p] where lucky or strength(c) > 2) from hand[p] to row
        """,
        5,
    ),
    (
        "a picked card, then a computed one",
        """
        rule match:
            ask dealer "q" seen by owner:
                a c from hand[dealer]: do away(dealer, c)
            do away(dealer, first c in hand[dealer] where c in kept[dealer] or good(on_lead))
        rule away(p, c: card): move c from hand[p] to row
        """,
        5,
    ),
    (
        "the owner's number, then another seat's",
        """
        rule match:
            do note(dealer, hint[dealer])
            do note(dealer, hint[next_seat(dealer)])
        rule note(p, n: number): hint[p] = n
        """,
        4,
    ),
    (
        "the number of the first seat, then of the second",
        """
        rule match:
            do note(dealer, dealer, on_lead)
            do note(dealer, on_lead, dealer)
        rule note(p, q, r):
            hint[p] += hint[q]
            known += size(hand[r])
        """,
        5,
    ),
    (
        "unconditional, then under a secret condition",
        """
        rule match:
            do count_one
            if good(dealer): do count_one
        rule count_one: known += 1
        """,
        4,
    ),
    (
        "a hand is revealed, then it is not",
        """
        rule match:
            deal:
                reveal hand[dealer] to seats
                do tell(dealer)
                end deal because shown
            deal:
                do tell(dealer)
                end deal because shown
        rule tell(p): known = 1 if good(p) else 0
        """,
        9,
    ),
    (
        "the seat of a variable, then its previous seat",
        """
        rule match:
            let before = dealer
            do note(before)
            dealer = next_seat(dealer)
            do note(before)
        rule note(p): hint[p] = hint[dealer]
        """,
        6,
    ),
    (
        "in a define",
        """
        rule match:
            noted = lucky(size(hand[dealer]), size(hand[dealer]))
            noted = lucky(size(hand[dealer]), hint[dealer])
        define lucky(n: number, m: number): n > m
        """,
        3,
    ),
]


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in COUNTED_THROWS])
def test_the_number_of_thrown_cards_is_checked_each_time(codes, rules):
    """The loop that moves the cards is refused."""
    lines = dedent(rules).lstrip("\n").split("\n")
    (loop,) = (n for n, line in enumerate(lines, 1) if "for c in gone" in line)
    assert ("leak", loop) in codes(rules)


@refused_rules([(name, rules, [("leak", line)]) for name, rules, line in SECOND_SITUATIONS])
def test_a_summary_is_not_used_in_another_situation(codes, rules, expected):
    assert codes(rules) == expected


# A seat's choice is not a team's, although both have the same name and belong to one symbol.
ONE_NAME = """
rule match:
    for side in teams:
        for p in seats_of(side):
            ask p "q" seen by team:
                a n from 1 to 3: mates[p] = same(n)
    for p in seats:
        ask p "q" seen by owner:
            a n from 1 to 3: hint[p] = same(n)
define same(n: number): n
"""


@allowed_rules(
    [
        ("public numbers", throw_cards("1", "few") + THROW),
        ("the choice of a team, then of a seat", ONE_NAME),
    ]
)
def test_is_allowed(codes, rules):
    assert codes(rules) == []
