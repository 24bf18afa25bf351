"""Random sentences that move cards; most look first whether there are any."""

SHARED_PILES = ("one", "two", "shown", "stock")


def shown_in_the_end(writer):
    """Return sentences that lay some hidden cards open."""
    lines = []
    for place in writer.random.sample(("one", "two", "crib", "down", "kept"), 3):
        if place in SHARED_PILES:
            lines.append(f"if not empty({place}): draw from {place} to shown")
        elif place == "crib":
            x = writer.name("x")
            lines.append(f"if not empty(crib): move (first {x} in crib) from crib to shown")
        else:
            at, x = writer.seat(([], [])), writer.name("x")
            card = f"(first {x} in {place}[{at}])"
            lines.append(f"if not empty({place}[{at}]): move {card} from {place}[{at}] to shown")
    return lines


def card_sentence(writer, names):
    """Return the lines of a sentence that moves cards."""
    pick, seat, test = writer.pick, writer.seat(names), writer.test(names)
    owned = ("hand", "hand", "kept", "down", "row", "pool")

    def zone():
        at = writer.seat(names)
        if writer.cards > 5:
            return pick("one", "one", "two", "crib", f"down[{at}]", f"kept[{at}]", f"hand[{at}]")
        return pick("crib", "one", "two", "shown", f"shared[team({at})]", f"{pick(*owned)}[{at}]")

    def card(place):
        """Return a card of a place: which one may rest on the place, or on other secrets."""
        x = writer.name("x")
        if place in SHARED_PILES:
            return pick(f"top({place})", f"top({place})", f"bottom({place})")
        return pick(
            f"(first {x} in {place})",
            f"(first {x} in {place})",
            f"(first {x} in {place} where strength({x}) == most_in({place}))",
            f"(first {x} in {place} where ({writer.test(names)}) or strength({x}) > 1)",
            f"((first {x} in {place}) if {writer.test(names)} else "
            f"first {x} in {place} where strength({x}) == most_in({place}))",
        )

    def guarded(sentence, *places):
        holds = " and ".join(f"not empty({p})" for p in places)
        return [f"if {holds}: {sentence}"]

    match pick("draw", "draw", "move", "move", "all", "gather", "swap", "swap", "shuffle", "let"):
        case "draw":
            origin = pick("one", "two", "shown", "stock", "stock")
            return guarded(f"draw from {origin} to {zone()}{pick('', '', ' face up')}", origin)
        case "move":
            origin, target = zone(), zone()
            under = pick("to", "to", "to", "under") if target in SHARED_PILES else "to"
            return guarded(f"move {card(origin)} from {origin} {under} {target}", origin)
        case "all":
            origin, target = zone(), pick("one", "two", "shown", zone())
            under = pick("to", "under") if target in SHARED_PILES else "to"
            turned = pick("", " turned over") if origin in SHARED_PILES else ""
            return [f"move all from {origin} {under} {target}{turned}{pick('', ' openly')}"]
        case "gather":
            names_ = pick("row", "row", "hand", "down", "kept", "row, hand", "pool")
            start = pick("", f" from {seat}", f" from {pick('sought', f'picked[{seat}]')}")
            start = pick(start, f" from ({seat} if {test} else next_seat({seat}))")
            return [f"gather {names_}{start} into {pick('one', 'two', 'shown')}{pick('', ' openly')}"]
        case "swap":
            a, b = zone(), zone()
            return guarded(f"swap {card(a)} from {a} with {card(b)} from {b}", a, b) if a != b else []
        case "shuffle":
            return [f"shuffle {pick('one', 'two', 'stock')}"]
        case _:
            name, place = writer.name("n"), zone()
            value = f"strength({card(place)})"
            names[1].append(name)
            return [f"let {name} = 0 if empty({place}) else {value}"]
