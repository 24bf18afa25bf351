"""Random scripts for a random program, which name its options, zones, variables and messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from .names import MOST, SINGLE, Define, Name, Names, Number
from .sentences import Inside, Lines, Sentences, indent
from .tables import MOODS, Table, Variable, Zone

SCRIPTS = ("one.strategy", "two.strategy")
LIVES = ("match", "deal", "trick")
LOOKED_UP = "keys.csv"


class ScriptWriter(Sentences):
    """Writes two scripts; the second one extends the first."""

    in_define = True  # nothing is made known
    missing = False

    def __init__(self, table: Table, random: Random) -> None:
        super().__init__(table)
        self.random, self.memory = random, list[Variable]()
        self.rules, self.bodies, self.chances = [], {}, list[str]()
        self.names = [Name("me", "seat")]
        self.revealed, self.reasons = list[Zone](), list[str]()
        self.over, self.keys = False, list[str]()

    def files(self) -> dict[str, str]:
        """Return the texts of both scripts, and of the table that they look numbers up in."""
        if self.odds(0.5):
            more = ["yes_no", "number", *[MOODS] * self.typed]
            self.keys = ["number", *more[: self.random.randint(0, 3)]]
        one = ["strategy one:", *indent(self.declare()), *indent(self.answers())]
        if self.odds(0.3):
            one += indent(["after deal:", *indent(self.notes())])
        two = ['strategy two extends "one.strategy":', *indent(self.replacements())]
        two += indent(self.answers(base=True))
        texts = dict(zip(SCRIPTS, (one, two), strict=True)) | {LOOKED_UP: self.table_rows()}
        named = {name: "\n".join(lines) + "\n" for name, lines in texts.items()}
        if self.typed:
            named = {name: text.replace(MOODS, "mood") for name, text in named.items()}
        return named

    def table_rows(self) -> Lines:
        """Return the rows of a table, without some combinations of keys."""
        ways = {"number": ("-1", "1", "3", "7"), "yes_no": ("yes", "no"), MOODS: ("calm", "cold")}
        rows = [row for row in product(*(ways[kind] for kind in self.keys)) if self.odds(0.8)]
        head = [f"key_{number}" for number, _ in enumerate(self.keys)]
        numbers = ([*row, str(self.random.randint(-9, 99))] for row in rows)
        return [",".join(row) for row in ([*head, "number"], *numbers)]

    # ---------------------------------------------------------------- declarations

    def declare(self) -> Lines:
        """Declare parameters, memory, defines and rules."""
        lines = ["parameter bold: probability = 0.25", "parameter most: 0 to 9 = 4"]
        lines += ["parameter sure: yes_no = yes", "parameter way: one of early | late = late"]
        lines += ['table looked from "keys.csv" else 5'] * bool(self.keys)
        self.chances = ["bold"]
        self.names += [Name("most", "number"), Name("sure", "yes_no")]
        self.names.append(Name("way", "one of early | late"))
        kinds = ["number", "number", "yes_no", "seat?", "card?", "cards", "seats", "suit?", MOODS]
        for life in LIVES:
            lines.append(f"{life} memory:")
            for _ in range(self.random.randint(1, 2)):
                kind, name = self.pick(*kinds), self.fresh("m")
                index = self.pick("", "", "seat", "team") or None
                low, high = self.random.choice([(0, 1), (0, 2), (0, 9), (-2, 3), (0, MOST)])
                one = Variable(name, index, kind, low, high, life)
                lines.append(f"    {self.place_of(one)}: {self.written(one)}{self.start(one)}")
                self.memory.append(one)
        self.variables += self.memory
        for _ in range(self.random.randint(0, 3)):
            lines += self.define()
        for _ in range(self.random.randint(0, 1)):
            lines += self.rule()
        return lines

    def place_of(self, one: Variable) -> str:
        """Return a memory with its index, as it is declared."""
        return f"{one.name}[{one.index}]" if one.index else one.name

    def written(self, one: Variable) -> str:
        """Return the type of a memory."""
        return f"{one.low} to {one.high}" if one.kind == "number" else one.kind

    def start(self, one: Variable) -> str:
        """Return the initial value of a memory, if there is one."""
        if self.odds(0.5):
            return ""
        if one.kind == "number":
            some = f"max({one.low}, min({one.high}, {self.number(1).text}))"
            return f" = {self.pick(some, some, '1', 'roll 0 to 2')}"
        if one.kind == "yes_no" and self.odds(0.5):
            return " = chance bold"
        if one.kind in ("seat?", "suit?") and self.odds(0.5):
            return f" = random from {one.kind[:-1]}s"
        return f" = {self.value(one.kind, 1)}"

    def define(self) -> Lines:
        """Return a define; later parts may use it."""
        takes = self.random.sample(["seat", "card", "number", "cards"], self.random.choice([0, 1]))
        names = [Name(self.fresh("p"), kind) for kind in takes]
        gives = self.pick("number", "number", "yes_no", "card?", "seat", "cards")
        one = Define(self.fresh("e"), tuple(takes), gives)
        inside = ", ".join(f"{n.text}: {n.kind}" for n in names)
        with self.bind(*names):
            lines = [f"define {one.name}{f'({inside})' if inside else ''} -> {gives}:"]
            body = [self.value(gives, 2)]
            if self.odds(0.3):
                body = self.block(2, Inside(gives=gives, pure=True, depth=1))
                body.append(f"return {self.value(gives, 1)}")
            lines += indent(body)
        self.defines = [*self.defines, one]
        return lines

    def rule(self) -> Lines:
        """Return a rule with clauses."""
        kinds = self.random.sample(["seat", "card", "number"], self.random.choice([0, 1]))
        names = [Name(self.fresh("p"), kind) for kind in kinds]
        one = Define(self.fresh("s"), tuple(kinds), None)
        inside = ", ".join(f"{n.text}: {n.kind}" for n in names)
        with self.bind(*names):
            lines = [f"rule {one.name}{f'({inside})' if inside else ''}:"]
            lines += indent(self.steps("", 1))
        self.rules = [*self.rules, one]
        return lines

    def replacements(self) -> Lines:
        """Replace some declarations of the first script."""
        lines: Lines = [f"replace parameter most: 0 to 9 = {self.pick('4', '7')}"]
        memory = [m for m in self.memory if m.kind == "yes_no"]
        if memory and self.odds(0.5):
            one = self.random.choice(memory)
            lines += [f"{one.life} memory:", f"    replace {self.place_of(one)}: yes_no = yes"]
        return lines

    # ---------------------------------------------------------------- answers

    def answers(self, base: bool = False) -> Lines:
        """Return answers to some decisions; base: they may do what they replace."""
        lines: Lines = []
        for decision in dict.fromkeys(f.decision for f in self.forms if f.decision):
            if self.odds(0.4 if base else 0.7):
                steps = [*self.count_memory(), *self.parity(decision), *self.steps(decision, 3)]
                steps += ["do base"] * (base and f"on {decision}:" in self.bodies["base"])
                lines += [f"on {decision}:", *indent(steps)]
        self.bodies["base"] = lines
        return lines if base else [*lines, "otherwise: any"]

    def steps(self, decision: str, most: int, depth: int = 0) -> Lines:
        """Return clauses and sentences between them."""
        ways: list[Callable[[str | None, int], Lines]] = [self.clause] * 4 + [self.set_memory] * 2
        if depth < 2:
            ways += [self.if_choice, self.for_choice, self.mix, self.do_rule]
        lines: Lines = []
        with self.bind():
            for _ in range(self.random.randint(1, most)):
                if self.odds(0.15):
                    lines += self.let(Inside(pure=True))
                lines += self.random.choice(ways)(decision, depth)
        return lines

    def parity(self, decision: str) -> Lines:
        """Return a choice by a number that only scripts know, which shows any change of it."""
        if self.odds(0.4):
            return []
        test = f"{self.known_number().text} mod 2 == 0"
        return [f"if {test}:", *indent(self.clause(decision, 0))]

    def notes(self) -> Lines:
        """Return sentences that only set memory, about a deal that is over."""
        self.over = True
        seat, lines = self.fresh("x"), self.set_memory("", 0)
        with self.bind(Name(seat, "seat")):
            each = [f"for {seat} in seats:", *indent(self.set_memory("", 0))]
        test = self.pick("winner == team(me)", "winner == none", self.yes_no(1))
        test = self.pick(test, *(f"reason == {word}" for word in self.reasons))
        lines += [f"if {test}:", *indent(self.set_memory("", 0)), *each]
        self.over = False
        return lines

    def clause(self, decision: str, _depth: int) -> Lines:
        """Return a clause for an option of a decision."""
        forms = [f for f in self.forms if not decision or f.decision in ("", decision)]
        if not forms or self.odds(0.1):
            return [f"any{self.test_of('when', 0.8)}{self.likely()}"]
        form = self.random.choice(forms)
        names = [replace(n, text=self.fresh("b"), lies=None) for n in form.names]
        text = replace(form, names=tuple(names)).text()
        with self.bind(*names):
            if names and self.odds(0.4):
                text += self.test_of("where", 1)
            if names and self.odds(0.6):
                text += self.key(names)
        text += self.test_of("when", 0.4) + self.likely()
        if self.odds(0.3):
            with self.bind(*names):
                text += ":\n    " + self.set_memory(decision, 0)[0]
        return text.split("\n")

    def key(self, names: Sequence[Name]) -> str:
        """Return which of several choices a clause takes."""
        if self.odds(0.25):
            return " at random"
        keys = []
        for _ in range(self.random.choice([1, 1, 2])):
            name = self.random.choice(names)
            each = self.number_of(name.text, name.kind, 1).text
            keys.append(f"{self.pick('lowest', 'highest')} {each}")
        return f" with {' then '.join(keys)}"

    def test_of(self, word: str, share: float) -> str:
        """Return a condition behind a word, with a probability."""
        return f" {word} {self.yes_no(1)}" if self.odds(share) else ""

    def likely(self) -> str:
        """Return the probability of a clause in some cases."""
        if self.odds(0.75):
            return ""
        once = f" once a {self.pick(*LIVES)}" if self.odds(0.5) else ""
        return f"{once} with probability {self.pick('bold', '1 out of 3', '0.75', '20 %')}"

    def set_memory(self, _decision: str, _depth: int) -> Lines:
        """Return an assignment to a memory."""
        one = self.random.choice(self.memory)
        return [self.store(self.place(one.name, one.index, 1), one)]

    def count_memory(self) -> Lines:
        """Increase a number in memory by 1, mostly within its bounds."""
        numbers = [m for m in self.memory if m.kind == "number"]
        if not numbers or self.odds(0.3):
            return []
        one = self.random.choice(numbers)
        where = self.place(one.name, one.index, 0)
        more = f"{where} = min({one.high}, {where} + 1)"
        safe = self.odds(0.75) or (one.high < 9 and self.avoids())
        return [more if safe else f"{where} += 1"]

    def if_choice(self, decision: str, depth: int) -> Lines:
        """Return clauses under a condition."""
        kind, name, test = self.pick(*SINGLE), self.fresh("v"), self.yes_no(2)
        known = [*self.known_values(f"{kind}?", 1), self.first(kind, 1)]
        given = [Name(name, kind)] * self.odds(0.3)
        test = f"let {name} = {self.pick(*known)}" if given else test
        with self.bind(*given):
            lines = [f"if {test}:", *indent(self.steps(decision, 2, depth + 1))]
        other = ["else:", *indent(self.steps(decision, 2, depth + 1))]
        return [*lines, *other * self.odds(0.4)]

    def for_choice(self, decision: str, depth: int) -> Lines:
        """Return clauses in a loop."""
        kind = self.pick("seat", "card", "team", "number")
        with self.bind_domain(kind, 1) as (name, domain):
            body = self.steps(decision, 2, depth + 1)
            if self.odds(0.3):
                body = [f"if {self.yes_no(1)}: {self.pick('stop', 'next')}", *body]
        return [f"for {name} in {domain}:", *indent(body)]

    def mix(self, decision: str, depth: int) -> Lines:
        """Return parts of which one is drawn."""
        once = f" once a {self.pick(*LIVES)}" if self.odds(0.4) else ""
        weights = [self.pick("20 %", "1", "0", f"({self.number(1).text})") for _ in range(3)]
        lines = [f"mix{once}:"]
        for weight in weights[: self.random.randint(2, 3)]:
            lines += indent([f"{weight}:", *indent(self.steps(decision, 1, depth + 1))])
        return lines

    def do_rule(self, decision: str, depth: int) -> Lines:
        """Do a rule of the script."""
        if not self.rules:
            return self.clause(decision, depth)
        return [f"do {self.call(self.random.choice(self.rules), 1)}"]

    # ---------------------------------------------------------------- values

    def number_of_kind(self, kind: str, depth: int) -> Number:
        """Return a number, often one that only scripts know."""
        if self.forms and self.odds(0.2):
            return self.known_number()
        return super().number_of_kind(kind, depth)

    def known_number(self) -> Number:
        """Return a number about the past, a table or the own hand."""
        words = [f.words for f in self.forms]
        seat = "me" if self.table.hidden else self.one("seat", 0)
        word = self.pick(*words)
        heard = [words for words, kind, by in self.said if words == "a number" and by]
        ways = ["said", "rate", "opportunities", "looked", "looked", "hands", "hands", "announced"]
        match self.pick(*ways, *["sight"] * (3 if self.revealed else 1)):
            case "rate" | "opportunities" as which:
                prior = self.pick("", " prior 1 out of 3") if which == "rate" else ""
                at = [f.decision for f in self.forms if f.words == word and f.decision]
                where = f' at "{self.pick(*at)}"' if at and self.odds(0.5) else ""
                return Number(f'({which} of "{word}" by {seat}{where}{prior})', 0, 10**6)
            case "looked" if self.keys and not self.over:
                keys = (self.key_of_table(kind) for kind in self.keys)
                return Number(f"looked({', '.join(keys)})", -9, 99)
            case "hands" if self.inside == 0:
                return self.number_of_hands()
            case "sight":
                return Number(f"size({self.in_sight()})", 0, 1000)
            case "announced" if heard and not self.over:
                return Number(f'announced({seat}, "{self.pick(*heard)}")', -MOST, MOST)
        return Number(f'said({seat}, "{word}")', 0, 5000)

    def key_of_table(self, kind: str) -> str:
        """Return a key, also one that the table lacks, or one that may fail."""
        if kind != "number":
            return self.value(kind, 0)
        card = self.one("card", 0) if self.avoids() else f"top({self.zone(0)[1]})"
        key = self.pick(self.number(0).text, f"strength({card})")
        return self.pick("-2", "-1", "1", "7", "8", f"max(-3, min(12, {key}))")

    def number_of_hands(self) -> Number:
        """Return a number about all hands of a size."""
        name, size = self.fresh("x"), self.pick("0", "1", "2", "3", "4", "(size(hand[me]) - 1)")
        domain = f"{name} in hands of {size} from hand[me]"
        self.inside += 2
        with self.bind(Name(name, "cards")):
            test = self.pick(f"size({name} & pack_cards) > 1", self.yes_no(0))
            each = f"(total strength(y) for y in {name})"
        self.inside -= 2
        domain += f" where {test}" if self.odds(0.5) else ""
        text = self.pick(
            f"(count {domain})",
            f"(total {each} for {domain})",
            self.if_any(f"({self.pick('highest', 'lowest')} {each} for {domain})", domain, "3"),
            f"(1 if {self.pick('any', 'every')} {domain} has {test} else 2)",
        )
        return Number(text, -(10**6), 10**6)

    def known_values(self, kind: str, depth: int) -> list[str]:
        """Return values of a type, such as one that a seat announced."""
        found = super().known_values(kind, depth)
        words = f"a {kind.removesuffix('?')}"
        if any(by for said, _, by in self.said if said == words) and not self.over:
            found.append(f'announced({self.pick("me", "dealer", "on_lead")}, "{words}")')
        return found

    def yes_no(self, depth: int = 2) -> str:
        """Return a condition, sometimes one about what was heard."""
        numbers = [m for m in self.memory if m.kind == "number"]
        if numbers and self.odds(0.25):
            one = self.random.choice(numbers)
            op = self.pick("==", ">", "<=")
            return f"({self.place(one.name, one.index, 0)} {op} {self.pick('0', '1', '2', '3')})"
        if self.forms and self.odds(0.2):
            return f"({self.known_number().text} mod 2 == 0)"
        spoken = [words for words, _, by in self.said if by]
        if spoken and not self.over and self.odds(0.1):
            return f'heard({self.one("seat", 0)}, "{self.pick(*spoken)}")'
        return super().yes_no(depth)

    def several(self, kind: str, depth: int = 2) -> str:
        """Return a set, often of cards that the seat knows."""
        if kind == "card" and self.odds(0.3):
            shown = f"shown[{self.one('seat', 0)}]"
            return self.pick("shown", shown, "hand[me]", self.in_sight())
        return super().several(kind, depth)

    def in_sight(self) -> str:
        """Return the cards in a zone if the seat sees them; often a zone that rules reveal."""
        zone = self.random.choice(self.revealed or self.zones)
        return f"in_sight({self.place(zone.name, zone.index, 0)})"


def write_vocabulary(seed: int, writer: Names, used: str) -> str:
    """Return the vocabulary of a program, with the strength of a hand; used: as for a script."""
    scripts = script_writer(seed, writer, used)
    scripts.defines, scripts.daring = [], 0  # it does not fail
    lines = ["vocabulary: |", f"  define hands_beaten -> number: {scripts.number(2).text}"]
    text = "\n".join(lines) + "\n"
    return text.replace(MOODS, "mood") if writer.typed else text


def write_scripts(seed: int, writer: Names, used: str) -> dict[str, str]:
    """Return scripts for the program of a writer; used: the text of the rules that run."""
    return script_writer(seed, writer, used).files()


def script_writer(seed: int, writer: Names, used: str) -> ScriptWriter:
    """Return a writer of scripts for a program; they mostly name what all seats see."""
    table = writer.table
    scripts = ScriptWriter(table, Random(f"scripts {seed}"))
    scripts.typed, scripts.name_count = writer.typed, writer.name_count
    scripts.daring = writer.daring
    scripts.forms = [f for f in writer.forms if f'"{f.decision}"' in used or not f.decision]
    scripts.said = [one for one in writer.said if f'as "{one[0]}"' in used]
    scripts.zones = [z for z in writer.zones if z.seen == "all"]
    scripts.zones += [z for z in writer.zones if z.name == "hand" and z.seen != "all"]
    shown = set(re.findall(r"reveal (\w+)", used))
    scripts.reasons = sorted(set(re.findall(r"because (\w+)", used)))
    scripts.revealed = [z for z in writer.zones if z.name in shown and z.seen != "all"]
    scripts.variables = [v for v in writer.variables if v.seen == "all"]
    scripts.defines = [] if table.hidden else list(writer.defines)
    return scripts
