"""Random sentences with stale looks, secret discards, and questions that one seat notices.

A look is stale if the cards moved after it.
"""

HIDDEN = ("one", "two", "crib")


def write_look(writer, names, pad):
    """Return a look at a place, moves of its cards, and a sentence that depends on the look."""
    seat, pick = writer.favourite, writer.pick
    place = pick(*HIDDEN, *(f"{zone}[{seat}]" for zone in ("down", "down", "kept", "hand", "pool")))
    other = pick("crib", "two", f"kept[{seat}]", f"down[{seat}]", f"down[next_seat({seat})]")
    if other == place:
        other = "shown"
    name, card = writer.name("n"), writer.name("c")
    names[1].append(name)
    lines = [
        f"let {name} = " + pick(
            f"luck_in({place})",
            f"(1 if any c in {place} has strength(c) > {pick('5', '8')} else 0)",
            f"(0 if empty({place}) else strength({_first(pick, place)}))",
        )
    ]  # fmt: skip
    guarded = [f"let {card} = {_first(pick, place)}"]
    named = pick(True, False, False)
    moves = []
    for _ in range(pick(1, 2, 2, 3)):
        moves += _moves(writer, place, other)
    moves += _uses(writer, place, name, card if named else None)
    if named:
        return [*lines, f"if not empty({place}):", *_inside(pad, [*guarded, *moves])]
    return [*lines, *moves]


def _first(pick, place):
    return pick(
        f"(first x in {place} + pack_cards where x in {place})",
        f"(first x in {place})",
        f"(first x in {place} with highest strength(x))",
        f"(first x in {place} with lowest strength(x))",
    )


def _moves(writer, place, other):
    """Return sentences that move cards out of a place or into it."""
    pick = writer.pick
    match pick("one", "out", "out", "all", "in", "in", "swap", "swap", "rule", "gather"):
        case "one":
            return [f"if not empty({place}): move {_first(pick, place)} from {place} to {other}"]
        case "out":
            move = f"move {_first(pick, place)} from {place} to {other}"
            return [f"repeat size({place}) times: {move}"]
        case "all":
            return [f"move all from {place} to {pick(other, 'two')} openly"]
        case "in":
            drawn = f"if size(stock) > 1: draw from stock to {place}"
            shown = f"if size(stock) > 1: draw from stock to {pick('shown', place)}"
            return [
                *[pick(drawn, drawn, shown)] * pick(1, 2, 2),
                *[f"move all from shown to {place}"] * pick(0, 0, 1),
                *[f"move all from row[{writer.favourite}] to {place}"] * pick(0, 0, 1),
            ]
        case "swap":
            way = pick(other, "shown", f"row[{writer.favourite}]")
            tests = f"if not empty({place}) and not empty({way}):"
            swapped = f"{_first(pick, place)} from {place} with {_first(pick, way)} from {way}"
            return [f"{tests} swap {swapped}"]
        case "rule":
            return [f"do {pick('turn_over', 'turn_over', 'lay_out')}({writer.favourite})"]
        case _:
            return [f"gather {pick('row', 'down', 'kept')} into {pick('one', 'two')} openly"]


def _uses(writer, place, name, card):
    """Return a sentence that depends on the look: which card moves, or how many."""
    pick = writer.pick
    test = f"{name} > {writer.random.randint(0, 2)}"
    first, last = _first(pick, place), f"(first x in {place} with lowest strength(x))"
    if card is not None and pick(True, True, False):
        # The named card may have moved.
        return [pick(
            f"move {card} from {place} to shown",
            f"move ({card} if {test} else {last}) from {place} to shown",
            f"if not empty(shown): swap {card} from {place} with top(shown) from shown",
        )]  # fmt: skip
    return [pick(
        f"if size({place}) > 1: move one_of({place}, {test}) from {place} to shown",
        f"if size({place}) > 1: move ({first} if {test} else {last}) from {place} to shown",
        f"if size({place}) > 1: swap one_of({place}, {test}) from {place} "
        f"with (first x in row[{writer.favourite}]) from row[{writer.favourite}]",
        f"for x in {place} where strength(x) > {name}: move x from {place} to shown",
    )]  # fmt: skip


def write_discards(writer, names, pad):
    """Return questions in which a seat discards some cards, which a rule moves."""
    pick, seat = writer.pick, writer.favourite
    decision, lines = pick("q", "r"), []
    seats = [seat, seat, f"next_seat({seat})"]
    rules = [*[pick("put_away", *writer.takers)] * 3, "put_away"]
    for _ in range(pick(2, 2, 3)):
        asked, cards, many = pick(*seats), writer.name("c"), writer.name("n")
        secret = pick(f"luck_in(hand[{asked}])", f"luck_in(kept[{asked}])", f"hint[{asked}]")
        known = pick("1", "1", f"size(row[{asked}])", "2", "known")
        value = pick(secret, f"(2 if {secret} > 0 else 1)", f"(2 if good({asked}) else 1)")
        value = pick(value, value, known, known)
        lines.append(f"let {many}: 0 to 2 = min(2, max({pick('0', '1', '1')}, {value}))")
        names[1].append(many)
        up_to = " to 2" if pick(True, *[False] * 6) else ""
        gone = f"do {pick(*rules)}({asked}, {cards})"
        lines.append(f'ask {asked} "{decision}"{pick(*[" seen by owner"] * 4, "")}:')
        lines.append(f"\t{pad}a {cards} from {many}{up_to} cards of hand[{asked}]: {gone}\n")
        if pick(True, *[False] * 6):
            lines.append(f"\t{pad}pass\n")
    return lines


def write_quiet_question(writer, names, pad):
    """Return a question and its condition, both known only to the asked seat or its team."""
    pick = writer.pick
    seat = pick(writer.favourite, writer.seat(names))
    team = pick(False, False, True)
    zone = pick("hand", "kept", "pool" if team else "hand")
    test = pick(f"luck_in({zone}[{seat}]) > 0", f"good({seat})", f"hint[{seat}] > 0")
    if team:
        test = pick(f"luck_in(pool[{seat}]) > 0", f"mates[{seat}] > 0")
    seen, kept = ("team", f"mates[{seat}]") if team else ("owner", f"hint[{seat}]")
    ask = [f'ask {seat} "{pick("q", "r", "hint")}" seen by {seen}:', f"    a: {kept} += 1", "    b"]
    if pick(True, False, False):
        ask = ["repeat 2 times:", *("    " + line for line in ask)]
    return [f"if {test}:", *_inside(pad, ask)]


def _inside(pad, lines):
    return [f"\t{pad}{line}\n" for line in lines]


RULES = """\
  rule put_away(p, gone: cards):
      for c in gone: move c from hand[p] to crib
  rule throw_out(p, gone: cards):
      for c in gone:
          move c from hand[p] to down[p]
  rule count_out(p, gone: cards):
      known = size(gone)
  rule turn_over(p):
      if not empty(down[p]): move (first c in down[p]) from down[p] to crib
  rule lay_out(p):
      repeat size(kept[p]) times:
          move (first c in kept[p] with lowest strength(c)) from kept[p] to crib
"""
