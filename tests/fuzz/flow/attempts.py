"""Rules that try to show a secret to seats that may not see it.

`S` and `T` stand for seats, `X` and `Y` for new names, `N` for a number, `C` for a public
condition.
"""

import re

from tests.fuzz.flow.picked import PICKS

ATTEMPTS = """
let pX = S
if C: pX = T
hint[S] = hint[pX]

let pX = S
if C: pX = T
ask S "q":
    a when hint[pX] > 1
    pass

let pX = marked
marked = next_seat(marked)
hint[pX] = hint[marked]

let pX = marked
if C: marked = next_seat(marked)
hint[pX] = hint[marked]

let pX = marked
do turn_mark(1)
hint[pX] = hint[marked]

let pX = do next_mark(0)
hint[pX] = hint[marked]

let nX = 0
repeat 3 times:
    known = nX
    nX = hint[S]

let pX = S
repeat 2 times:
    hint[pX] = hint[S]
    pX = next_seat(pX)

let nX = 0
for pX in seats:
    hint[pX] += nX
    nX = hint[pX]

let pX = S
for pY in seats:
    hint[pY] = hint[pX]
    pX = pY

let nX = 0
let nY = 0
repeat 3 times:
    known = nY
    nY = nX
    nX = hint[S]

let nX = 0
ask S "q":
    a when nX == 0:
        nX = hint[T]
        again
    pass

if C: reveal hint[S] to seats
known = hint[S]

reveal hint[S] to T
known = hint[S]

reveal hint[S] to seats
known = hint[T]

if good(S): reveal hint[T] to {S, T}

if good(S): reveal hint[S] to seats_of(team(S))

let nX = 0
if C: nX = hint[S]
known = nX

let nX = hint[S] + 0
nX += 1
known = nX

for pX in seats:
    if good(S): next
    if C: stop
    known += 1

repeat 2 times:
    if C: next
    if good(S): next
    known += 1

if good(S):
    ask S "q":
        pass

if good(S):
    ask S "q" seen by team:
        pass

if good(S):
    ask S "q" seen by owner:
        a openly: known = N
        pass

repeat 2 times:
    if good(S): next
    ask S "q" seen by owner:
        a openly: known = N
        pass
    known += 1

ask S "q" seen by owner:
    a cX from row[S]: move cX to crib

ask S "q" seen by owner:
    a cX from kept[T]: move cX to crib

let nX = 1
ask S "crib" seen by owner:
    a: nX = 4
    b
if size(crib) > 1: move one_of(crib, nX > 2) from crib to shown

if size(down[S]) > 1: move one_of(down[S], luck_in(down[T]) > 0) from down[S] to shown

if size(pool[S]) > 1: move one_of(pool[S], luck_in(pool[T]) > 0) from pool[S] to shown

let pX = picked[S]
if not empty(kept[pX]): swap (first c in crib) from crib with (first c in kept[pX]) from kept[pX]

do tell(S, N)
do tell(S, hint[S])

let nX = do whose(S, S)
let nY = do whose(S, T)
hint[S] = nY

do tell(S, N)
if good(S): do tell(S, N)

let nX = do first_or(S, N)
known = nX

mates[S] = hint[S]

known = size(down[sought])

known = (total hint[q] for q in seats)

let nX = luck_in(down[S])
move all from down[S] to crib
if size(stock) > 1: draw from stock to down[S]
if size(stock) > 1: draw from stock to down[S]
if size(down[S]) > 1: move one_of(down[S], nX > 0) from down[S] to shown

let nX = luck_in(down[S])
if not empty(stock): draw from stock to down[S]
for cY in down[S]:
    draw from stock to crib
    if size(down[S]) > 2: move one_of(down[S], nX > 0) from down[S] to shown

ask S "q" seen by owner:
    a pX from seats: picked[S] = pX
move all from down[picked[S]] to crib

if luck_in(hand[S]) > 1: shuffle one
if not empty(one): draw from one to shown

mates[S] = luck_in(pool[S])
if (total mates[q] for q in seats) > 1: reveal none_sees[S] to seats - S

if luck_in(hand[S]) > 1: reveal none_sees[S] to {S, T}

mates[T] = luck_in(pool[T])
plan[team(S)] = (total mates[q] for q in seats)

for pX in strong_seats: known += N

if luck_in(hand[S]) > 1:
    ask S "q" seen by team:
        a
        pass

ask S "q":
    a bX from 1 to 1 + luck_in(hand[T])
    pass

let nX = luck_in(hand[S])
if C: nX = 0
known = nX

hint[S] = luck_in(hand[S])
hint[T] = luck_in(hand[T])
let pX = T
if C: pX = S
hint[S] = hint[pX]

hint[marked] = luck_in(hand[marked])
hint[next_seat(marked)] = luck_in(hand[next_seat(marked)])
let pX = next_seat(marked)
if size(row[dealer]) > 0: marked = pX
hint[pX] = hint[marked]

for pX in seats:
    if size(row[pX]) == 0: known += 0
    else:
        if luck_in(hand[S]) > 1: next
    known += 1

let nX = luck_in(one)
if not empty(one): draw from one to crib
if size(one) > 1: move one_of(one, nX > 1) from one to shown

let nX = luck_in(one)
do take_one
if size(one) > 1: move one_of(one, nX > 1) from one to shown

let nX = 0
for cY in down[S]:
    if nX > 0: move one_of(down[S], strength(cY) > 5) from down[S] to shown
    move all from down[S] to crib
    repeat 2 times:
        if size(stock) > 1: draw from stock to down[S]
    nX += 1

let cX = first cY in row[T]
for pX in seats: move all from kept[pX] to down[pX]
gather row into two
shuffle two
for pX in seats: draw from two to kept[pX]
repeat 6 times:
    ask S "q":
        pass
sought = first pX in seats where cX in kept[pX]
swap cX from kept[sought] with top(one) from one
reveal kept[S] to seats
"""


ANNOUNCEMENTS = """
let nX = luck_in(hand[S])
announce nX to all
known = nX

let nX = luck_in(hand[S])
announce nX to T
known = nX

let nX = luck_in(hand[S])
announce nX to T
hint[T] = nX

let nX = luck_in(hand[S])
announce nX by S to T
ask T "q":
    a when nX > 1
    pass

let nX = luck_in(hand[S])
announce nX to team(T)
mates[T] = nX

let nX = luck_in(hand[S])
announce nX to team(S)
hint[T] = nX

let nX = luck_in(hand[S])
if C: announce nX to all
known = nX

if good(S): announce N as "number" to all

if good(S): announce N as "number" to S

if good(S): announce N as "number" by T to S

if good(S): announce N as "number" by S to T

announce N as "number" by picked[S] to S

announce N as "number" by picked[S] to all

announce N as "number" to picked[S]

announce N as "number" to (those q in seats where good(q))

let nX = luck_in(hand[S])
let nY = nX
announce nX to all
known = nY

let nX = luck_in(hand[S])
announce nX to all
nX = luck_in(hand[T])
known = nX
"""


def write_attempt(writer, names, pad):
    """Return the lines of one attempt; `pad`: the indentation inside the sentence."""
    ways = ANNOUNCEMENTS if writer.focus == "announcements" else ATTEMPTS
    if writer.picking and writer.pick(True, True, False):
        ways = PICKS
    lines = writer.pick(*ways.strip().split("\n\n")).split("\n")
    new = {"X": writer.name(""), "Y": writer.name("")}
    seats = {
        "S": writer.favourite,
        "T": writer.pick(f"next_seat({writer.favourite})", writer.seat(names)),
    }
    test = writer.pick(
        "size(hand[dealer]) > 2", "size(row[marked]) > 0", "known > 0", "dealer == marked"
    )
    number = str(writer.random.randint(1, 3))
    found = []
    for line in lines:
        line = re.sub(r"\b([pnc])([XY])\b", lambda m: m[1] + new[m[2]], line)
        line = re.sub(r"\b[ST]\b", lambda m: seats[m[0]], line)
        line = re.sub(r"\bC\b", test, re.sub(r"\bN\b", number, line))
        inside = line.startswith("    ")
        found.append(f"\t{pad[4:]}{line}\n" if inside else line)
    return found
