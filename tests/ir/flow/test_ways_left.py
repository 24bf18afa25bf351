"""Ways through loops and rules: which one was taken may tell of a secret."""

from refusals import both_tests

# (name, rules, what is refused: code and line)
UNSOUND = [
    (
        "leaving a loop early tells why, until it ends",
        """
        rule match:
            for p in seats:
                if good(p): stop
                known += 1
            known = 0
        """,
        [("leak", 4)],
    ),
    (
        "leaving a loop early tells why in its next turn",
        """
        rule match:
            for p in seats:
                known += 1
                if good(p): stop
        """,
        [("leak", 3)],
    ),
    (
        "going on with the next turn tells why in this turn",
        """
        rule match:
            for p in seats:
                if good(p): next
                known += 1
        """,
        [("leak", 4)],
    ),
    (
        "leaving a rule early tells why, until it ends",
        """
        rule match:
            do part
            known = 0
        rule part:
            if good(dealer): return
            known = 1
        """,
        [("leak", 6)],
    ),
    (
        "a rule left early in a loop is not left in its next turn",
        """
        rule match:
            repeat 3 times:
                known += 1
                if good(dealer): return
        """,
        [("leak", 3)],
    ),
    (
        "what a rule returns tells which way it went",
        """
        rule match:
            known = do part
        rule part -> number:
            if good(dealer): return 1
            return 2
        """,
        [("leak", 2)],
    ),
    (
        "asking again tells why",
        """
        rule match:
            ask dealer "turn":
                pass:
                    if good(dealer): again
        """,
        [("leak", 2)],
    ),
    (
        "the first seat with a card is not the only one looked at",
        """
        rule match:
            let p = first q in seats where good(q)
            if p != none:
                ask p "turn" seen by owner:
                    pass
        """,
        [("leak", 4)],
    ),
    (
        "which seats a loop goes through may tell of a secret",
        """
        rule match:
            for p in seats where good(p): known += 1
        """,
        [("leak", 2)],
    ),
    (
        "a rule is looked at again with a secret argument",
        """
        rule match:
            do part(0)
            do part(lost)
        rule part(n: number):
            known = n
        """,
        [("leak", 5)],
    ),
    (
        "a rule is looked at again under a secret condition",
        """
        rule match:
            do part
            if good(dealer): do part
        rule part:
            known = 1
        """,
        [("leak", 5)],
    ),
]

ALLOWED = [
    (
        "leaving a loop early tells nothing after it",
        """
        rule match:
            for p in seats:
                if good(p): stop
            known = 0
        """,
    ),
    (
        "going on with the next turn tells nothing in that turn",
        """
        rule match:
            for p in seats:
                known = 1
                if good(p): next
        """,
    ),
    (
        "asking again tells nothing after the question",
        """
        rule match:
            ask dealer "turn" seen by owner:
                look:
                    if good(dealer): again
                pass
            known = 1
        """,
    ),
    (
        "leaving a rule early tells nothing after it",
        """
        rule match:
            do part
            known = 0
        rule part:
            if good(dealer): return
        """,
    ),
]


test_is_refused, test_is_allowed = both_tests(UNSOUND, ALLOWED)
