"""Conversions of each value to each type: the check refuses one, or both engines play it alike.

A refusal has a position in the text. In play, both engines give the same result or the same error
in the rules. No other exception may occur.
"""

import textwrap
from dataclasses import replace

import pytest
from both_engines import ENGINES, assert_same, play, random_player
from extent import extent

from trutdsl.diagnostics import Rejected
from trutdsl.game import Game
from trutdsl.ir import build_program
from trutdsl.variant import Library, load_variant

HEAD = """\
variant: conversions
title: Values on their way
players: [2]
teams: {2: 2}
pack: {suits: {h: hearts, s: spades}, ranks: [A, K, Q, J]}
uses: [places]
rules: |
"""
# This is a separate file, so that it is parsed once.
PLACES_OF_VALUES = """\
module: places
title: Places for values
counters: {points: {help: Points.}}
parameters:
  few: {type: integer, min: 0, max: 9, default: 2, help: Few.}
  far: {type: integer, min: 0, max: 1000000000, default: 700000000, help: Far.}
rules: |
"""
DECLARATIONS = """\
type call = one of grande | chica | pares
type level = 0 to few
zone stock: pile, starts with pack_cards, seen by all
zone hand[seat]: seen by all
match state:
    small: 0 to 2
    plain: number = 40
    wide: 0 to 9000000000 = 3000000000
    below: -9000000000 to 5 = -4000000000
    limited: 0 to few
    places[0 to 3]: 0 to 9
    distant[3000000000 to 3000000003]: 0 to 9
    one: seat = first s in seats
    maybe: seat?
    side: team?
    said: call
    some: set of 0 to 3
    calls: set of call
    those_seats: seats
    far_off[seat]: 0 to 9999999999 = 9999999999
rule nobody(s: seat) -> seat?:
    if s == dealer: return none
    return s
rule no_team() -> team?: return none
rule no_card() -> card?: return first c in pack_cards where rank(c) == "A" and suit(c) == none
rule several() -> set of 0 to 20: return {2, 17}
rule a_call() -> call: return pares
rule is_so() -> yes_no: return yes
rule many() -> 0 to 5000000000: return 4000000000
rule little() -> -3 to 3: return 0 - 3
define square(n: number) -> number: n * n
define wider: wide + 1
"""
NUMBERS = (
    "3",
    "0 - 3",
    "plain",
    "wide",
    "below",
    "few",
    "far",
    "wider",
    "far_off[dealer]",
    "wide - 2999999999",
    "wide + wide",
    "wide div 1000000000",
    "below mod 7",
    "below div 7",
    "far * 4000000000",
    "square(7)",
    "4294967297",
    "9999999999",
    "size(stock)",
    "count i in 1 to 100",
    "total i for i in 1 to 100",
    "total wide for s in seats",
    "highest far_off[s] for s in seats",
    "min(wide, 5)",
    "max(wide, plain)",
    "1 if small == 2 else wide",
    "first i in some",
    "roll 1 to 6",
    "roll 3000000000 to 3000000002",
    "roll below to wide",
    "do many",
    "do little",
    "random from {1, 9}",
)
OTHERS = (
    "dealer",
    "maybe",
    "none",
    "first s in seats where s != s",
    "team(dealer)",
    "side",
    "do nobody(dealer)",
    "do nobody(next_seat(dealer))",
    "do no_team",
    "do no_card",
    "random from seats",
    "random from stock",
    'first c in stock where rank(c) == "Z"',
    "suit(top(stock))",
    "said",
    "do a_call",
    "random from calls",
    "{1, 2}",
    "{17}",
    "some + {9}",
    "do several",
    "calls",
    "all of call",
    "all of level",
    "seats",
    "those_seats",
    "stock",
    'those c in stock where rank(c) == "A"',
    "yes",
    "do is_so",
    "chance 1 out of 2",
    "none if small == 2 else dealer",
)
TYPES = (
    "0 to 2",
    "number",
    "-5 to 9999999999",
    "level",
    "0 to far",
    "seat",
    "seat?",
    "team",
    "team?",
    "card",
    "card?",
    "suit",
    "rank?",
    "call",
    "yes_no",
    "set of 0 to 3",
    "set of level",
    "set of call",
    "seats",
    "cards",
)
VARIABLES = (
    "small", "plain", "wide", "limited", "one", "maybe", "side", "said", "some", "calls",
    "those_seats", "points[team(dealer)]", "places[2]", "distant[3000000001]", "far_off[dealer]",
)  # fmt: skip
OPERATIONS = """\
S + 1
S - wide
S * 3
S * S
S div 7
S mod 7
7 div S
0 - S
min(S, 3)
max(S, 9999999999)
{S}
{1} + S
S - {1}
S & {1}
S in {1, 2}
S in S
S == S
S == plain
S < wide
S == none
S != dealer
S if small == 0 else S
S if small == 1 else none
not S
count x in S
first x in S
those x in S where x == S
total x for x in 1 to S
total S for x in 1 to 200
highest S for x in seats
size(S)
team(S)
next_seat(S)
strength(S)
top(S)
seats_of(S)
square(S)"""
PLACES = [
    *(f"let k: {one} = S\nannounce k as \"k\" to all" for one in TYPES),
    'let k = S\nannounce k as "k" to all',
    *(f"{one} {op} S" for one in VARIABLES for op in ("=", "+=", "-=")),
    *(
        f'let k: {one}\nk {op} S\nannounce k as "k" to all'.replace("\n", f" = {start}\n", 1)
        for one, start in (
            ("0 to 2", 1), ("number", 5), ("level", 0), ("0 to 9999999999", 9999999999),
            ("seat", "dealer"), ("seat?", "none"), ("set of 0 to 3", "{1}"), ("call", "chica"),
        )
        for op in ("=", "+=", "-=")
    ),
    'let k = S\nk = plain\nannounce k as "k" to all',
    'let k = wide\nk += S\nannounce k as "k" to all',
    'if let k = S: announce k as "k" to all',
    'if S: announce plain as "k" to all',
    'announce S as "k" to all',
    'announce plain as "k" to S',
    'announce plain as "k" by S to all',
    "places[S] = 1",
    "places[3] = places[S]",
    "distant[S] = 1",
    "draw from stock to hand[S]",
    "move S from stock to hand[dealer]",
    "gather hand from S into stock",
    "reveal plain to S",
    'ask S "q":\n    o\n    p',
    'ask dealer "q":\n    n x from S to S:\n        wide = x\n    o',
    'ask dealer "q":\n    n x from 1 to S:\n        plain = x * x\n    o',
    'ask dealer "q":\n    n x from S:\n        let k = x\n        announce k as "k" to all\n    o',
    'ask dealer "q":\n    n x from S cards of stock\n    o',
    'for i in 1 to S: plain += i',
    'for i in S to S + 2:\n    let k = i * i\n    announce k as "k" to all',
    'for i in S:\n    let k = i\n    announce k as "k" to all',
    "repeat S times: plain += 1",
    "end match won by S",
    *(
        f'let k = {one}\nannounce k as "k" to all'
        for one in OPERATIONS.splitlines()
    ),
]  # fmt: skip
PARAMETER_TYPES = (
    "0 to 2",
    "number",
    "0 to 9999999999",
    "level",
    "seat",
    "team",
    "call",
    "set of 0 to 3",
    "card",
)
SOURCES = (*NUMBERS, *OTHERS)
LINES_BEFORE = HEAD.count("\n")  # lines before the rules of a test
PARTS = 8  # the number of tests that share the sources
EVERY_NTH = extent(24, 1)  # only each 24th way is tested with a source
WAYS_IN_ONE_VARIANT = 40
MATCHES = 3


def indent_by(text, by=4):
    return textwrap.indent(text, " " * by) + "\n"


def ways_of(source):
    """Return each statement that uses a source, with the rules it needs; `@` is a number."""
    ways = [(place.replace("S", source), "") for place in PLACES]
    keep = 'announce k as "k" to all'
    for one in PARAMETER_TYPES:
        ways += [
            (f"do take@({source})", f"rule take@(k: {one}):\n{indent_by(keep)}"),
            (
                f"let k = do give@\n{keep}",
                f"rule give@() -> {one}:\n{indent_by(f'return {source}')}",
            ),
            (f"let k = work@({source})\n{keep}", f"define work@(k: {one}): k\n"),
            (f"let k = made@\n{keep}", f"define made@ -> {one}: {source}\n"),
            (f"let k = told@\n{keep}", f"define told@ -> {one}:\n{indent_by(f'return {source}')}"),
        ]
    return ways


def text_of(ways):
    """Return the text of a variant in which a question chooses one of the ways."""
    rules = 'rule match:\n    ask dealer "which":\n'
    for number, (sentence, _) in enumerate(ways):
        rules += f"        way{number}:\n" + indent_by(sentence.replace("@", f"{number}"), 12)
    rules += "    end match drawn\n"
    for number, (_, needed) in enumerate(ways):
        rules += needed.replace("@", f"{number}")
    return HEAD + indent_by(rules, 2)


def build(ways, folder):
    """Return the variant and its program; some of its rules may be unused."""
    path = folder / "conversions.yaml"
    path.write_text(text_of(ways), encoding="utf-8")
    (folder / "places.yaml").write_text(
        PLACES_OF_VALUES + indent_by(DECLARATIONS, 2), encoding="utf-8"
    )
    variant = replace(load_variant(str(path), library=Library(folder)), partial=True)
    return variant, build_program(variant)


def accepted_ways(sources, folder):
    """Return the ways that the check accepts, after testing the positions of its errors.

    Not all ways of a source are tried, but each way with some of the sources.
    """
    found = []
    for number, source in enumerate(sources):
        for way in ways_of(source)[number % EVERY_NTH :: EVERY_NTH]:
            try:
                build([way], folder)
            except Rejected as refused:
                for one in refused.diagnostics:
                    assert one.span.source.name.endswith("conversions.yaml"), way
                    assert one.span.line > LINES_BEFORE, way
            else:
                found.append(way)
    return found


def observe(game, which, match):
    """Return everything observable in a match that uses the way of this number."""
    answer = random_player(match)

    def choose(state):
        return answer(state) if state.decisions else which

    return play(game, match, True, choose=choose)[0]


@pytest.mark.parametrize("part", range(0, PARTS, extent(4, 1)))
def test_both_engines_play_accepted_conversions_alike(part, tmp_path, monkeypatch):
    monkeypatch.setenv("TRUTDSL_QUICK", "1")
    ways = accepted_ways(SOURCES[part::PARTS], tmp_path)
    assert len(ways) > 12
    for first in range(0, len(ways), WAYS_IN_ONE_VARIANT):
        some = ways[first : first + WAYS_IN_ONE_VARIANT]
        variant, program = build(some, tmp_path)
        games = [Game(variant, program, 2, variant.bind({}), "conversions", e) for e in ENGINES]
        for number, (sentence, needed) in enumerate(some):
            for match in range(MATCHES):
                one, two = (observe(game, number, match) for game in games)
                assert_same(one, two, f"{sentence}\n{needed}")
