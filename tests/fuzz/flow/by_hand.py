"""Hand-written programs, each for one clause of the information-flow check.

No random program is known to need these clauses. The check refuses each program. Without the
clause it accepts the program, and a seat distinguishes two runs.
"""

OLD_LOOK = """\
    let s = next_seat(dealer)
    let n = luck_in(down[s])
"""
# Two public cards come to a place where nobody sees which is which.
KNOWN_CARDS = """\
    draw from stock to {place} face up as x
    draw from stock to {place} face up as y
"""
IN_DOWN = KNOWN_CARDS.format(place="down[s]")
IN_HAND = KNOWN_CARDS.format(place="hand[dealer]")
BY_LOOK = "    move (x if n > 0 else y) from down[s] to shown\n"
IN_TURN = """\
    for c in down[s]:
        move c from down[s] to two
"""
CHOICE = """\
    let n = 1
    ask dealer "q" seen by {seen}:
        a b1 from 1 to 5: n = b1
"""
SHOW_CRIB = "    move all from crib to shown openly\n"
PUT = "rule put(p, q, c: card): move c from down[p] to kept[q]\n"
KEEP = "rule keep(p, n: number): hint[p] = n\n"
SHOW = "rule show(p): known = hint[p]\n"
# A hand that was revealed on one path only, and a card that its owner secretly picks from it.
REVEAL = "    if known < 1: reveal hand[dealer] to {to}\n"
PICK = """\
    ask dealer "q" seen by owner:
        a c from hand[dealer]: move c from hand[dealer] to crib
"""
THROW = """\
rule throw(p):
    ask p "q" seen by owner:
        a c from hand[p]: move c from hand[p] to crib
"""
THROW_TOO = THROW.replace("(p)", "(p, q)")
MANY_THROWS = (
    "    let q = dealer\n    if known > 0:\n"
    + """\
        do throw(dealer, q)
        q = next_seat(q)
"""
    * 61
    + """\
    else:
        if public[dealer] < 1: reveal hand[dealer] to seats
        do throw(dealer, marked)
"""
)

# clause -> the body of the rule `match`, and the rules that it calls.
PROGRAMS = {
    "summary-situation-stored_keys": (
        """\
    marked = dealer
    do pass_on(dealer)
    marked = next_seat(dealer)
    do pass_on(dealer)
""",
        "rule pass_on(p): hint[marked] = hint[p]\n",
    ),
    "summary-situation-facts": (
        """\
    let p = dealer
    let q = marked
    reveal hint[p] to seats
    do show(p)
    do show(q)
""",
        SHOW,
    ),
    "summary-binding-label": (
        """\
    let h = hint[dealer]
    do set_known(1)
    do set_known(h)
""",
        "rule set_known(n: number): known = n\n",
    ),
    "summary-binding-picked": (
        IN_HAND
        + """\
    ask dealer "q" seen by owner:
        a c from hand[dealer]: do lay_away(dealer, c)
"""
        + CHOICE.format(seen="owner")
        + """\
    do lay_away(dealer, (x if n > 3 else y))
"""
        + SHOW_CRIB,
        "rule lay_away(p, c: card): move c from hand[p] to crib\n",
    ),
    "summary-binding-in_turn": (
        OLD_LOOK
        + """\
    for c in down[s]: do put(s, marked, c)
    marked = random from seats
"""
        + IN_DOWN
        + """\
    do put(s, marked, (x if n > 0 else y))
    move all from kept[marked] to shown openly
""",
        PUT,
    ),
    "summary-revelation-name": (
        """\
    if marked == dealer:
        reveal hint[dealer] to seats
        do show(dealer)
    else:
        reveal mates[dealer] to seats
        do show(dealer)
""",
        """\
rule show(p):
    let n = mates[p]
    known = hint[p]
""",
    ),
    "summary-revelation-index": (
        """\
    if marked == dealer:
        reveal hint[dealer] to seats
        do show(dealer, marked)
    else:
        reveal hint[marked] to seats
        do show(dealer, marked)
""",
        "rule show(p, q): known = hint[p]\n",
    ),
    "summary-revelation-reader": (
        """\
    if marked == dealer:
        reveal hint[dealer] to seats
        do show(dealer)
    else:
        reveal hint[dealer] to marked
        do show(dealer)
""",
        SHOW,
    ),
    "summary-reader-key": (
        CHOICE.format(seen="owner")
        + """\
    let p = dealer
    let q = marked
    do keep(p, n)
    do keep(q, n)
""",
        KEEP,
    ),
    "summary-secret-name": (
        IN_HAND
        + """\
    if marked == dealer:
        let z: card = first c in hand[dealer]
        do lay_away(dealer, z)
    else:
        do lay_away(dealer, (x if luck_in(kept[dealer]) > 0 else y))
"""
        + SHOW_CRIB,
        "rule lay_away(p, c: card): move c from hand[p] to crib\n",
    ),
    "summary-secret-owner": (
        """\
    let m = 1
    ask dealer "q" seen by team:
        a b2 from 1 to 5: m = b2
    do keep_both(dealer, m)
"""
        + CHOICE.format(seen="owner")
        + """\
    do keep_both(dealer, n)
""",
        "rule keep_both(p, n: number): mates[p] = n\n",
    ),
    "summary-secret-also": (
        """\
    let n = luck_in(hand[dealer])
    if marked == dealer:
        announce n to marked
        do keep(marked, n)
    else:
        do keep(marked, n)
""",
        KEEP,
    ),
    "summary-secret-at": (
        KNOWN_CARDS.format(place="down[dealer]")
        + """\
    if marked == dealer:
        let z: card = first c in down[dealer]
        do put(dealer, marked, z)
    else:
        do put(dealer, marked, (x if luck_in(down[marked]) > 0 else y))
    move all from kept[marked] to shown openly
""",
        PUT,
    ),
    "summary-secret-shrunk": (
        OLD_LOOK
        + """\
    if marked == dealer:
        let z: card = first c in down[s]
        do put(s, marked, z)
    else:
        for c in down[s]:
            move c from down[s] to two
        draw from stock to down[s] face up as x
        draw from stock to down[s] face up as y
        do put(s, marked, (x if n > 0 else y))
    move all from kept[marked] to shown openly
""",
        PUT,
    ),
    "summary-what": (
        """\
    do harmless(dealer)
    do show(dealer)
""",
        "rule harmless(p): public[p] += 1\n" + SHOW,
    ),
    "widest-facts": (
        """\
    let q = dealer
    if marked == dealer:
        reveal lost to seats
"""
        + """\
        do show_lost(dealer, q)
        q = next_seat(q)
"""
        * 61
        + """\
    else:
        do show_lost(dealer, marked)
""",
        "rule show_lost(p, q): known = lost\n",
    ),
    "summary-situation-revelations": (
        "    do throw(dealer)\n" + REVEAL.format(to="seats") + "    do throw(dealer)\n",
        THROW,
    ),
    "summary-possiblerevelation-name": (
        """\
    if marked == dealer:
        if known < 1: reveal kept[dealer] to seats
        do throw(dealer)
    else:
        if known < 1: reveal hand[dealer] to seats
        do throw(dealer)
""",
        THROW + "    draw from stock to kept[p]\n",
    ),
    "summary-possiblerevelation-reader": (
        """\
    if marked == dealer:
        if known < 1: reveal hand[dealer] to dealer
        do throw(dealer)
    else:
        if known < 1: reveal hand[dealer] to seats
        do throw(dealer)
""",
        THROW,
    ),
    "widest-shown": (MANY_THROWS, THROW_TOO),
    "widest-shown-again": (MANY_THROWS, THROW_TOO),
    "shown": (REVEAL.format(to="seats") + PICK, ""),
    "shown-to-one": (REVEAL.format(to="next_seat(dealer)") + PICK, ""),
    "shown-to-all": (REVEAL.format(to="seats") + PICK, ""),
    "join-shown": (REVEAL.format(to="seats") + PICK, ""),
    "loop-shown": (
        """\
    repeat 2 times:
        ask dealer "q" seen by owner:
            a c from hand[dealer]: move c from hand[dealer] to crib
        reveal hand[dealer] to seats
""",
        "",
    ),
    "moves-revelations": (
        "    do show_hand(dealer)\n" + PICK,
        "rule show_hand(p): reveal hand[p] to seats\n",
    ),
    "either-picked": (
        IN_HAND
        + CHOICE.format(seen="owner")
        + """\
    ask dealer "r" seen by owner:
        a c from hand[dealer]:
            let d = c
            if known > 99: known += 0
            else: d = (x if n > 3 else y)
            move d from hand[dealer] to crib
"""
        + SHOW_CRIB,
        "",
    ),
    "either-count_label": (
        """\
    ask dealer "q" seen by owner:
        a d from max(1, min(2, luck_in(hand[dealer]))) cards of hand[dealer]:
            if known > 99: known += 0
            else: move all from hand[dealer] to two
            draw from stock to hand[dealer] face up as x
            draw from stock to hand[dealer] face up as y
            let n = 0
            for c in d: n += 1
            move (x if n > 1 else y) from hand[dealer] to crib
"""
        + SHOW_CRIB,
        "",
    ),
    "either-in_turn": (
        OLD_LOOK
        + """\
    for c in down[s]:
        move c from down[s] to two
        if empty(down[s]):
            draw from stock to down[s] face up as x
            draw from stock to down[s] face up as y
            let d = c
            if known > 99: known += 0
            else: d = (x if n > 0 else y)
            move d from down[s] to crib
"""
        + SHOW_CRIB,
        "",
    ),
    "loop-stored": (
        """\
    marked = dealer
    repeat 2 times:
        hint[marked] = hint[dealer]
        marked = next_seat(marked)
""",
        "",
    ),
    "loop-facts": (
        """\
    let p = dealer
    reveal hint[p] to seats
    repeat 2 times:
        known = hint[p]
        deal:
            end deal because over
        ask p "q" seen by owner:
            a b1 from 1 to 5: hint[p] = b1
""",
        "",
    ),
    "gone-all": (
        OLD_LOOK + "    move all from down[s] to two\n" + IN_DOWN + BY_LOOK,
        "",
    ),
    "gone-in-loop": (
        """\
    let s = next_seat(dealer)
    let turn = 0
    for c in down[s]:
        if turn > 0:
            move one_of(down[s], strength(c) > 5) from down[s] to shown
        else:
            move all from down[s] to two
            draw from stock to down[s]
            draw from stock to down[s]
        turn += 1
""",
        "",
    ),
    "moves-in_turn": (
        OLD_LOOK + "    do clear(s)\n" + IN_DOWN + BY_LOOK,
        """\
rule clear(p):
    for c in down[p]:
        move c from down[p] to two
""",
    ),
    "left-in-turn": (OLD_LOOK + IN_TURN + IN_DOWN + BY_LOOK, ""),
    "left-gathered": (OLD_LOOK + "    gather down into two\n" + IN_DOWN + BY_LOOK, ""),
    "shrunk": (OLD_LOOK + IN_TURN + IN_DOWN + BY_LOOK, ""),
}


def rules_for(clause):
    """Return the rules of the program that needs a clause."""
    body, rules = PROGRAMS[clause]
    end = """\
    for z in seats:
        ask z "end":
            pass
    end match drawn
"""
    return f"rule match:\n    do begin_table\n{body}{end}{rules}"
