"""Control flow: the path through loops and rules may leak a secret."""

from rule_cases import make_tests

# (name, rules, errors: code and line)
UNSOUND = [
    (
        "stop leaks its condition until the loop ends",
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
        "stop leaks its condition in the next turn",
        """
        rule match:
            for p in seats:
                known += 1
                if good(p): stop
        """,
        [("leak", 3)],
    ),
    (
        "next leaks its condition in this turn",
        """
        rule match:
            for p in seats:
                if good(p): next
                known += 1
        """,
        [("leak", 4)],
    ),
    (
        "return leaks its condition until the rule ends",
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
        "return in a loop leaks its condition in the next turn",
        """
        rule match:
            repeat 3 times:
                known += 1
                if good(dealer): return
        """,
        [("leak", 3)],
    ),
    (
        "the result of a rule leaks its path",
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
        "again leaks its condition",
        """
        rule match:
            ask dealer "turn":
                pass:
                    if good(dealer): again
        """,
        [("leak", 2)],
    ),
    (
        "the first seat that satisfies a condition depends on earlier seats",
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
        "the seats of a loop may leak a secret",
        """
        rule match:
            for p in seats where good(p): known += 1
        """,
        [("leak", 2)],
    ),
    (
        "a rule is checked again with a secret argument",
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
        "a rule is checked again under a secret condition",
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
        "stop leaks nothing after the loop",
        """
        rule match:
            for p in seats:
                if good(p): stop
            known = 0
        """,
    ),
    (
        "next leaks nothing in the next turn",
        """
        rule match:
            for p in seats:
                known = 1
                if good(p): next
        """,
    ),
    (
        "again leaks nothing after the question",
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
        "return leaks nothing after the rule",
        """
        rule match:
            do part
            known = 0
        rule part:
            if good(dealer): return
        """,
    ),
]


test_is_refused, test_is_allowed = make_tests(UNSOUND, ALLOWED)
