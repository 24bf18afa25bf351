"""Rules that try to leak a secret pick, or the secrets that decide a pick; see `attempts`."""

PICKS = """
let pX: seat = first q in seats with highest luck_in(hand[q])
public[pX] = 1

let pX: seat = first q in seats from S with lowest luck_in(hand[q])
hint[T] = hint[pX]

known = size(those q in seats with highest luck_in(hand[q]))

let nX = luck_in(hand[T])
if size(row[S]) > 0: known = strength(first c in row[S] with highest (strength(c) * nX))

if size(down[S]) > 0: move (first c in down[S] with highest strength(c)) from down[S] to shown

let nX = luck_in(hand[T])
if size(down[S]) > 1: move (first c in down[S] with lowest strength(c) * nX) from down[S] to shown

ask S "q" seen by owner:
    a cX from 1 cards of hand[S]:
        for cY in cX: move cY from hand[S] to crib

ask S "q" seen by owner:
    a cX from 1 to 2 cards of hand[S]:
        for cY in cX: move cY from hand[S] to crib

ask S "q":
    a cX from min(2, max(1, hint[T])) cards of hand[S]
    pass

ask S "q" seen by owner:
    a cX from min(2, max(0, hint[S])) cards of hand[S]:
        for cY in cX: move cY from hand[S] to crib

ask S "q" seen by owner:
    a cX from 1 cards of hand[T]

ask S "q" seen by owner:
    a cX from 1 cards of hand[S]:
        known = (total strength(c) for c in cX)

ask S "q" seen by owner:
    a cX from 2 cards of hand[S]:
        for cY in cX where strength(cY) > 5: move cY from hand[S] to crib

ask any pX in (those q in seats where good(q)) "q":
    a
    b

ask any pX in seats_of(team(S)) "q" seen by owner:
    a: known += 1

ask any pX in seats "q" seen by owner:
    a
    b openly: known += 1

ask any pX in seats "q":
    a when good(pX)
    b

ask any pX in seats_of(team(S)) "q":
    a when good(S)
    b

ask any pX in seats_of(team(S)) from (S if good(S) else T) "q":
    a

ask any pX in seats_of(team(S)) "q" seen by team:
    a
    b: mates[S] += 1
"""
