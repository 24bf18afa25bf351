"""Rules at random, and whether a seat can tell two matches apart that differ in hidden things."""

from random import Random

from trutdsl.game import Game, Question
from trutdsl.ir.types import Kind
from trutdsl.syntax.ast import Audience
from trutdsl.table import RuleError

START = """\
rule match:
    for p in seats:
        repeat 3 times: draw from stock to hand[p]
    draw from stock to crib
    dealer = random from seats
    ask dealer "start":
        begin
"""
MOST_QUESTIONS = 60


class Writer:
    """Writes rules that show no card on purpose, so that hidden ones must leave no trace."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.names = 0
        self.rules = []

    def program(self):
        self.rules = [f"part{i}" for i in range(self.random.randint(0, 2))]
        callable_rules, texts = self.rules, []
        for i, name in enumerate(callable_rules):
            self.rules = callable_rules[i + 1 :]
            inner = self.block(1, (["p"], ["n"]), 3, rule=True)
            texts.append(f"rule {name}(p, n: number) -> number:\n{inner}    return n\n")
        self.rules = callable_rules
        body = self.block(1, ([], []), 6)
        calls = "".join(f"    let r{name} = do {name}(dealer, 1)\n" for name in callable_rules)
        end = "".join(f'    ask next_seat(dealer) "end{i}":\n        pass\n' for i in range(2))
        end += '    for z in seats:\n        ask z "last":\n            pass\n'
        return START + body + calls + end + "    end match drawn\n" + "".join(texts)

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, *choices):
        return self.random.choice(choices)

    def seat(self, names):
        seats, _ = names
        base = self.pick("dealer", "on_lead", *seats, *seats, *seats)
        return self.pick(base, base, base, f"next_seat({base})", f"partner({base})")

    def secret(self, names):
        at = self.seat(names)
        cards = f"hand[{at}]"
        return self.pick(
            f"hint[{at}]",
            f"mates[{at}]",
            f"plan[team({at})]",
            "lost",
            f"size(those c in {cards} where strength(c) > 4)",
            f"size(those c in {cards} where strength(c) > 4)",
            f"(count q in seats_of(team({at})) where hint[q] > 1)",
        )

    def number(self, names):
        known = [*names[1], *names[1], "known", f"size(hand[{self.seat(names)}])"]
        return self.pick(*known, str(self.random.randint(0, 3)), self.secret(names))

    def test(self, names):
        return self.pick(
            f"{self.number(names)} > {self.random.randint(0, 2)}",
            f"{self.number(names)} > {self.random.randint(0, 2)}",
            f"good({self.seat(names)})",
            f"{self.seat(names)} == {self.seat(names)}",
        )

    def block(self, depth, names, most, loop=False, asked=False, rule=False):
        names = (list(names[0]), list(names[1]))
        pad, lines = "    " * depth, []
        for _ in range(self.random.randint(1, most)):
            lines += self.sentence(depth, names, loop, asked, rule)
        lines = lines or ["known += 0"]
        return "".join(
            f"{pad}{line}\n" if not line.startswith("\t") else line[1:] for line in lines
        )

    def inner(self, depth, names, most=2, **inside):
        return "\t" + self.block(depth + 1, names, most, **inside)

    def sentence(self, depth, names, loop, asked, rule):
        seat, number, test = self.seat(names), self.number(names), self.test(names)
        inside = {"loop": loop, "asked": asked, "rule": rule}
        kinds = ["let", "let", "let seat", "set", "set seat", "store", "store", "move", "reveal"]
        kinds += ["dealer", "call"] if self.rules else ["dealer"]
        if depth < 4:
            kinds += ["if", "if", "for", "for", "repeat", "ask", "ask", "ask", "ask"]
        if loop or asked or rule:
            kinds += ["leave", "leave"]
        match self.pick(*kinds):
            case "let":
                name = self.name("n")
                names[1].append(name)
                return [f"let {name} = {number} + 0"]
            case "let seat":
                name = self.name("p")
                names[0].append(name)
                return [f"let {name} = {seat}"]
            case "set" if names[1]:
                own = [n for n in names[1] if n[0] == "n" and n != "n"]
                return [f"{self.pick(*own)} {self.pick('=', '+=')} {number}"] if own else []
            case "set seat" if names[0]:
                own = [n for n in names[0] if n[0] == "p" and n != "p"]
                return [f"{self.pick(*own)} = {seat}"] if own else []
            case "dealer":
                return [f"{self.pick('dealer', 'on_lead', 'on_lead')} = {seat}"]
            case "store":
                where = self.pick(
                    "known", f"hint[{seat}]", f"mates[{seat}]", f"plan[team({seat})]", "lost"
                )
                return [f"{where} = min(3, {number})"]
            case "move":
                sentence = f"move (first c in hand[{seat}]) from hand[{seat}] to crib"
                return [f"if size(hand[{seat}]) > 1: {sentence}"]
            case "reveal":
                return [
                    f"reveal {self.pick('hint', 'mates', 'hand')}[{seat}] to {self.seat(names)}"
                ]
            case "call":
                name = self.name("n")
                names[1].append(name)
                return [f"let {name} = do {self.pick(*self.rules)}({seat}, {number})"]
            case "if":
                lines = [f"if {test}:", self.inner(depth, names, **inside)]
                if self.random.random() < 0.4:
                    lines += ["else:", self.inner(depth, names, **inside)]
                return lines
            case "for":
                name = self.name("e")
                where = self.pick("", "", f" where {test}", f" where team({name}) == team({seat})")
                start = self.pick("", f" from {seat}")
                body = self.inner(depth, ([*names[0], name], names[1]), **{**inside, "loop": True})
                return [f"for {name} in seats{start}{where}:", body]
            case "repeat":
                times = self.pick("2 times", "at most 2 times", f"at most 3 times while {test}")
                return [f"repeat {times}:", self.inner(depth, names, **{**inside, "loop": True})]
            case "ask":
                return self.ask(depth, names, inside)
            case "leave":
                ways = [w for w, ok in (("stop", loop), ("next", loop), ("again", asked)) if ok]
                ways += ["return n"] if rule else []
                return [f"if {test}: {self.pick(*ways)}"]
        return []

    def ask(self, depth, names, inside):
        seen = self.pick("", " seen by owner", " seen by owner", " seen by team")
        pad = "    " * (depth + 1)
        lines = [f'ask {self.seat(names)} "{self.name("q")}"{seen}:']
        for i in range(self.random.randint(1, 3)):
            at, binder = names, ""
            if self.random.random() < 0.4:
                n = self.name("b")
                binder, at = f" {n} from 1 to 3", (names[0], [*names[1], n])
            when = f" when {self.test(at)}" if i and self.random.random() < 0.6 else ""
            body = self.block(depth + 2, at, 2, **{**inside, "asked": True})
            lines.append(f"\t{pad}{'abc'[i]}{binder}{when}" + (f":\n{body}" if body else "\n"))
        return lines


class Odd(Exception):  # noqa: N818 - it is an outcome, not a fault
    """The two matches cannot be compared."""


def told_apart(game, seed, most):
    """Return how a seat tells two matches apart, or None; raises `Odd` if nothing was compared.

    Two matches go the same way for up to `most` questions. Then, in the other one, all is changed
    that some seat may not see, nor will see soon. From there on both go on in the same way as far
    as that seat notices what is done, until it is asked.
    """
    random = Random(seed)
    seat = random.randrange(game.players)
    state, chosen = game.start(seed, 0), []
    for _ in range(random.randint(0, most)):
        chosen.append(random.randrange(count(state)))
        go(state, chosen[-1])
    other = game.start(seed, 0)
    for index in chosen:
        go(other, index)
    pending = question_of(state)
    first = random.randrange(len(pending.actions))
    seen = [(what(pending), pending.actions[first].text)] if noticed(game, pending, seat) else []
    go(state, first)
    asked = 0
    while state.pending is not None and not is_for(state, seat):
        index = random.randrange(count(state))
        if isinstance(state.pending, Question) and noticed(game, state.pending, seat):
            seen.append((what(state.pending), state.pending.actions[index].text))
        asked += 1
        if asked > MOST_QUESTIONS:
            raise Odd
        go(state, index)
    disturb(other, game, seat, random, state._machine, seen)
    met, asked = seen[: noticed(game, pending, seat)], 0
    go(other, first if met else random.randrange(len(pending.actions)))
    while other.pending is not None and not is_for(other, seat):
        index = random.randrange(count(other))
        question = other.pending
        if isinstance(question, Question) and noticed(game, question, seat):
            if len(met) == len(seen) or what(question) != seen[len(met)][0]:
                return f"notices {what(question)} after {met}, else {seen}"
            texts = [a.text for a in question.actions]
            if seen[len(met)][1] not in texts:
                raise Odd
            index = texts.index(seen[len(met)][1])
            met.append(seen[len(met)])
        asked += 1
        if asked > 2 * MOST_QUESTIONS:
            raise Odd
        go(other, index)
    if met != seen:
        return f"notices {met}, else {seen}"
    if state.pending is None or other.pending is None:
        return None if state.pending is other.pending else "the match is over"
    one, two = vars(state.view()), vars(other.view())
    for name, value in one.items():
        if name != "random" and value != two[name]:
            return f"{seat}: {name} is {value}, else {two[name]}"
    return None


def count(state):
    """Return among how many ways to go on there is a choice."""
    if state.pending is None:
        raise Odd
    return len(state.pending.actions) if isinstance(state.pending, Question) else 1


def go(state, index):
    if isinstance(state.pending, Question):
        state.apply(index)
    else:
        state.next_deal()


def question_of(state):
    if not isinstance(state.pending, Question):
        raise Odd
    return state.pending


def is_for(state, seat):
    return isinstance(state.pending, Question) and state.pending.seat == seat


def what(question):
    return question.seat, question.decision


def noticed(game, question, seat):
    same_team = game.teams[question.seat] == game.teams[seat]
    return (
        question.seat == seat
        or question.audience is Audience.ALL
        or (question.audience is Audience.TEAM and same_team)
    )


def disturb(state, game, seat, random, later, seen):
    """Change what the seat may not see: cards change places, values change.

    later: the other match when the seat is asked; what the seat sees by then stays as it is.
    """
    machine = state._machine
    known = {card for _, text in seen for card in text.split()}
    for name in game.program.zones:
        for i, pile in enumerate(later.zones[name]):
            if sees(game, game.program.zones[name], i, seat, later.grants):
                known |= {game.deck.texts[card] for card in pile.cards()}
    hidden = []
    for zone in game.program.zones.values():
        for i, pile in enumerate(machine.zones[zone.name]):
            if not sees(game, zone, i, seat, later.grants):
                hidden += pile.groups
    cards = [c for group in hidden for c in group if game.deck.texts[c] not in known]
    random.shuffle(cards)
    for group in hidden:
        group[:] = sorted(c if game.deck.texts[c] in known else cards.pop() for c in group)
    for variable in game.program.variables.values():
        values = machine.variables[variable.name]
        for i in range(len(values)):
            if not sees(game, variable, i, seat, later.grants):
                values[i] = random.randint(0, 3)


def sees(game, place, index, seat, grants):
    if seat in grants.get((place.name, index), ()) or place.audience is Audience.ALL:
        return True
    if place.audience is Audience.NOBODY:
        return False
    if place.index is Kind.TEAM:
        return index == game.teams[seat]
    if place.audience is Audience.TEAM:
        return game.teams[index] == game.teams[seat]
    return index == seat


def try_rules(variant, program, tries, seed):
    """Return how often matches were compared, and how they were told apart."""
    game = Game(variant, program, 4, {}, "small")
    compared, apart = 0, []
    for i in range(tries):
        try:
            found = told_apart(game, seed * 1000 + i, 4)
        except (Odd, RuleError):
            continue
        compared += 1
        if found:
            apart.append(found)
    return compared, apart
