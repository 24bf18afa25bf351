"""Random sentences that move cards; most check first that there are any."""

SHARED_PILES = ("one", "two", "shown", "stock")


def write_final_reveals(writer):
    """Return sentences that show some hidden cards at the end."""
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


def write_card_sentence(writer, names, pad):
    """Return the lines of a sentence that moves cards."""
    pick = writer.pick
    owned = ("hand", "hand", "kept", "down", "row", "pool")

    def zone():
        at = writer.seat(names)
        if writer.focus == "cards":
            return pick("one", "one", "two", "crib", f"down[{at}]", f"kept[{at}]", f"hand[{at}]")
        return pick("crib", "one", "two", "shown", f"shared[team({at})]", f"{pick(*owned)}[{at}]")

    def card(place):
        """Return an expression for a card of a place; other secrets may decide which one it is."""
        x = writer.name("x")
        if place in SHARED_PILES:
            return pick(f"top({place})", f"top({place})", f"bottom({place})")
        first, most = f"first {x} in {place}", f"where strength({x}) == most_in({place})"
        ways = ["first", "first", "most", "where", "either", *["extreme"] * 3 * writer.picking]
        match pick(*ways):
            case "extreme":
                worth = pick("strength({})", "(strength({}) if {} else 0)")
                test = f"({writer.test(names)})"
                return f"({first} with {writer.pick_order()} {worth.format(x, test)})"
            case "first":
                return f"({first})"
            case "most":
                return f"({first} {most})"
            case "where":
                return f"({first} where ({writer.test(names)}) or strength({x}) > 1)"
            case _:
                return f"(({first}) if {writer.test(names)} else {first} {most})"

    def guarded(sentence, *places):
        holds = " and ".join(f"not empty({p})" for p in places)
        return [f"if {holds}: {sentence}"]

    match pick("draw", "draw", "move", "move", "all", "gather", "swap", "swap", "shuffle", "let"):
        case "draw":
            origin = pick("one", "two", "shown", "stock", "stock")
            drawn = f"draw from {origin} to {zone()}{pick('', '', ' face up')}"
            if pick(True, True, False):
                return guarded(drawn, origin)
            card = writer.name("c")
            store = f"{pick('known', f'public[{writer.seat(names)}]')} = strength({card})"
            return [f"if not empty({origin}):", f"\t{pad}{drawn} as {card}\n", f"\t{pad}{store}\n"]
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
            seat, start = writer.seat(names), ""
            if pick(True, True, False):
                start = f" from {seat}"
                if pick(True, False):
                    start = f" from ({seat} if {writer.test(names)} else next_seat({seat}))"
            return [
                f"gather {names_}{start} into {pick('one', 'two', 'shown')}{pick('', ' openly')}"
            ]
        case "swap":
            a, b = zone(), zone()
            return (
                guarded(f"swap {card(a)} from {a} with {card(b)} from {b}", a, b) if a != b else []
            )
        case "shuffle":
            return [f"shuffle {pick('one', 'two', 'stock')}"]
        case _:
            name, place = writer.name("n"), zone()
            value = f"strength({card(place)})"
            names[1].append(name)
            return [f"let {name} = 0 if empty({place}) else {value}"]
