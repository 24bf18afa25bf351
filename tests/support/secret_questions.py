"""Games with secret questions, which one seat must not be able to detect.

The dealer, seat 0, holds no cards and sees nothing that differs between matches. So its inputs are
the same in every match, whatever the others hold, are asked and answer.
"""

from textwrap import indent

WATCHER = 0  # the seat that must detect nothing
HEAD = """\
variant: {name}
title: t
players: [{players}]
teams: {{{players}: 2}}
pack: {{suits: {{h: hearts, s: spades}}, ranks: [A, K, Q, J, 10, 9, 8, 7]}}
rules: |
  zone stock: pile, starts with pack_cards
  zone hand[seat]: up to 3 cards, seen by owner
  zone plan[team]: up to 2 cards, seen by team
"""
MATCH = """\
rule match:
    deal:
        shuffle stock
        for p in seats where p != dealer:
            repeat 3 times: draw from stock to hand[p]
        draw from stock to plan[team(next_seat(dealer))]
        do play(next_seat(dealer), next_seat(next_seat(dealer)))
        gather hand into stock
        gather plan into stock
        end deal because played
    end match drawn
"""
# Parts of the rules. A game has those whose names occur in its own rule `play`.
RULES = {
    "note[": """\
deal state:
    note[seat]: 0 to 3, seen by owner
""",
    "sign[": """\
deal state:
    sign[seat]: 0 to 3, seen by team
""",
    "look": """\
rule look "What all notice.":
    ask dealer "look":
        yes it has
        no it has not
""",
    "holds(": """\
define holds(p) -> yes_no "Whether a seat holds an ace.":
    any c in hand[p] has rank(c) == "A"
""",
    "wonder": """\
rule wonder(p) "What only the asked seat notices.":
    ask p "secret" seen by owner:
        one: note[p] = 1
        two: note[p] = 2
""",
    "confer": """\
rule confer(p) "What only a team notices.":
    ask p "sign" seen by team:
        none: sign[p] = 1
        strong: sign[p] = 2
""",
    "wonder_if_held": """\
rule wonder_if_held(p) "Left early by who holds none.":
    if not holds(p): return
    do wonder(p)
""",
}
# Name -> players, body of the rule `play`. Seat `b` is next to the dealer, and `m` next to `b`.
SECRET_PLAYS = {
    "if-it-holds": (2, "if holds(b): do wonder(b)\ndo look"),
    "for-each-ace": (2, 'for c in hand[b] where rank(c) == "A": do wonder(b)\ndo look'),
    "if-not": (2, "if not holds(b):\n    do wonder(b)\n    do wonder(b)\ndo look"),
    "again": (
        2,
        'ask b "secret" seen by owner:\n    more: again\n    done\ndo look',
    ),
    "again-if-it-holds": (
        2,
        'ask b "secret" seen by owner:\n    more when holds(b): again\n    done\ndo look',
    ),
    "within-an-answer": (
        2,
        'ask b "first" seen by owner:\n    plain\n    more: do wonder(b)\ndo look',
    ),
    "as-noted": (2, "do wonder(b)\ndo look\nif note[b] == 2: do wonder(b)\ndo look"),
    "so-many-times": (2, "do wonder(b)\nrepeat note[b] times: do wonder(b)\ndo look"),
    "while-it-likes": (
        2,
        "do wonder(b)\nrepeat at most 4 times while note[b] == 2: do wonder(b)\ndo look",
    ),
    "until-it-likes": (
        2,
        "do look\nrepeat at most 3 times until note[b] == 2: do wonder(b)\ndo look",
    ),
    "at-the-end": (2, "do look\nif holds(b): do wonder(b)"),
    "between-two": (2, "do look\nif holds(b): do wonder(b)\ndo look\ndo look"),
    "left-early": (2, "do look\ndo wonder_if_held(b)\ndo look"),
    "one-answer": (
        2,
        'if holds(b):\n    ask b "secret" seen by owner:\n        nod\ndo look',
    ),
    "other-questions": (
        2,
        'if holds(b): do wonder(b)\nelse:\n    ask b "other" seen by owner:\n        nod\n'
        "        wink\n    do wonder(b)\ndo look",
    ),
    "partner": (4, "if holds(m): do wonder(m)\ndo look"),
    "each-opponent": (
        4,
        "for p in seats where team(p) != team(dealer):\n    if holds(p): do wonder(p)\ndo look",
    ),
    "all-others": (
        4,
        "for p in seats where p != dealer:\n    if holds(p): do wonder(p)\n    do look",
    ),
    "team": (
        4,
        "if any c in plan[team(b)] has strength(c) > 4: do confer(b)\ndo look",
    ),
    "team-answers": (4, "do confer(b)\nif sign[b] == 2: do confer(partner(b))\ndo look"),
    "team-then-owner": (4, "do confer(b)\nif holds(b) and sign[b] == 2: do wonder(b)\ndo look"),
}
# The same for questions that all seats notice, with hidden answers.
OPEN_PLAYS = {
    "always": (2, "do wonder(b)\ndo look"),
    "each-in-turn": (2, "for p in seats after dealer where p == b:\n    do wonder(p)\n    do look"),
    "all-at-once": (4, "for p in seats where p != dealer: do wonder(p)\ndo look"),
    "signs": (4, "for p in seats where team(p) == team(b):\n    do confer(p)\n    do look"),
}


def _text(name: str, players: int, play: str) -> str:
    own = 'rule play(b, m) "The deal.":\n' + indent(play, "    ") + "\n"
    used = own
    for _ in RULES:  # a part may name another part
        used = own + "".join(text for word, text in RULES.items() if word in used)
    head = HEAD.format(name=name, players=players)
    return head + indent(used + MATCH, "  ")


SECRET_GAMES = {
    name: (players, _text(name, players, play)) for name, (players, play) in SECRET_PLAYS.items()
}
OPEN_GAMES = {
    name: (players, _text(name, players, play)) for name, (players, play) in OPEN_PLAYS.items()
}


def write_game(folder, name):
    """Write a game into a folder; return its path and its number of players."""
    players, text = (SECRET_GAMES | OPEN_GAMES)[name]
    path = folder / f"{name}.yaml"
    path.write_text(text, "utf-8")
    return str(path), players
