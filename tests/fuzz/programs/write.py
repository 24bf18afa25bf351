"""Random whole programs: a module, a variant that uses it, and a variant that extends that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from random import Random

from tests.fuzz.nodes.write import draw_cells

from .deals import Deals
from .names import KINDS, SINGLE, Define, Form, Name
from .play import PLAIN
from .scripts import write_scripts, write_vocabulary
from .sentences import Inside, Lines, indent
from .tables import DIGITS, MOODS, Table, draw_table

TOP = "drawn.yaml"
SCRIPTED = 4  # one in so many programs has scripts
CAREFUL = 0.05  # how often two thirds of them do what may end a match with an error
LARGE = ((DIGITS, "set of 0 to 63"), ("{0, 3, 9}", "{0, 3, 63}"), ("min(9, max(0", "min(63, max(0"))
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Program:
    """A variant in three files, and its table.

    files:      name -> text; the variant is `drawn.yaml`.
    parameters: name -> value, as on the command line.
    """

    seed: int
    files: dict[str, str]
    players: int
    parameters: dict[str, str]
    hidden: bool


def write_program(seed: int) -> Program:
    """Return the program of a seed. One in ten consists of texts of `nodes.forms`."""
    if seed % 10 == 9:
        return Program(seed, {TOP: draw_cells(seed)}, 4, {}, False)
    table = draw_table(Random(seed))
    writer = Writer(table)
    if seed % SCRIPTED == 2 and seed % 3:
        writer.daring = CAREFUL
    files = writer.files()
    if seed % SCRIPTED == 1:
        files[TOP] += write_vocabulary(seed, writer, writer.used)
    if seed % SCRIPTED == 2:
        files |= write_scripts(seed, writer, writer.used)
    return Program(seed, files, table.players, table.row, table.hidden)


class Writer(Deals):
    """Writes the files of one program; used: the text of the rules that can run."""

    used = ""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.rules, self.bodies = [], {"play_trick": []}
        self.questions, self.typed = 5, self.odds(0.4)

    def files(self) -> dict[str, str]:
        """Return the texts of the files."""
        places = [*self.declare_zones(), *self.declare_variables()]
        defines = [self.define() for _ in range(self.random.randint(0, 4))]
        groups = self.group() if self.odds(0.4) else []
        rules = [self.rule("match") for _ in range(self.random.choice([0, 1, 1, 2]))]
        rules.append(self.give())
        deals = self.deal_rules()
        match = self.match()
        module = ["module: pieces", "title: Pieces", "rules: |"]
        base = ["variant: base", "title: Base", "uses: [pieces.yaml]", *self.table.head, "rules: |"]
        top = ["variant: drawn", "title: Drawn", "extends: base.yaml"]
        parts = [self.text_of(part) for part in (*defines, *rules, *deals)]
        hooks = self.hooks() if self.odds(0.2) else []
        written = [*match, *hooks, *chain(*parts)]
        done = find_used([*defines, *rules, *deals], [*match, *hooks, *groups])
        groups = groups if any(self.uses_group(line) for line in written) else []
        module += _rules([*places, *groups, *chain(*parts)])
        base += _rules([*match, *hooks])
        asked = [*match, *hooks, *chain(*(lines for _, _, lines in done))]
        self.groups = self.groups if any(self.uses_group(line) for line in asked) else ()
        changes = [
            *self.changes(done, any('"turn":' in line for line in asked)),
            *self.replace_declarations(),
        ]
        top += ["rules: |", *_rules(changes)] if changes else []
        self.used = "\n".join([*asked, *groups, *changes])
        files = {"pieces.yaml": module, "base.yaml": base, TOP: top}
        texts = {name: "\n".join(lines) + "\n" for name, lines in files.items()}
        if self.odds(0.2):  # the greatest number that a set can have
            for small, large in LARGE:
                texts = {name: text.replace(small, large) for name, text in texts.items()}
        if self.typed:  # replace the type by its name in all files
            named = {name: text.replace(MOODS, "mood") for name, text in texts.items()}
            declared = f"rules: |\n  type mood = {MOODS}\n"
            texts = named | {"pieces.yaml": named["pieces.yaml"].replace("rules: |\n", declared)}
        return texts

    # ---------------------------------------------------------------- rules and defines

    def parameters(self) -> tuple[list[Name], list[str]]:
        """Return the parameters of a rule or define, and their types."""
        kinds = ["seat", "seat", "number", "team", "card", "cards", "seat?"]
        kinds += ["1 to 5", "-2 to 3", "2 to 4"]
        taken = self.random.sample(kinds, self.random.choice([0, 1, 1, 2]))
        names = [Name(self.fresh("p"), "number" if " to " in k else k) for k in taken]
        return names, taken

    def define(self) -> tuple[Define, str, Lines]:
        """Return a define, its head and its lines."""
        names, takes = self.parameters()
        gives = self.random.choice([*KINDS, *["yes_no", "number"] * 3, "seats", "cards", "seat?"])
        definition = Define(self.fresh("d"), tuple(takes), gives)
        head = f"define {definition.name}{_parameter_list(names, takes)} -> {gives}:"
        self.in_define = True
        with self.bind(*names):
            if self.odds(0.6):
                body = [self.value(gives, 2)]
            else:
                body = self.block(2, Inside(gives=gives, pure=True, depth=1))
                body.append(f"return {self.value(gives, 1)}")
        self.in_define = False
        self.defines = [*self.defines, definition]
        return definition, head, body

    def rule(self, life: str) -> tuple[Define, str, Lines]:
        """Return a rule that can be called during a match, deal or trick."""
        names, takes = self.parameters()
        gives = self.random.choice(KINDS) if self.odds(0.4) else None
        definition = Define(self.fresh("r"), tuple(takes), gives)
        bounds = gives
        if gives == "number" and self.odds(0.3) and not self.avoids():
            bounds = self.pick("-9 to 9999", "-9 to 9999", "0 to 9", "-1 to 2147483648")
        result = f" -> {bounds}" if gives else ""
        head = f"rule {definition.name}{_parameter_list(names, takes)}{result}:"
        with self.bind(*names):
            body = self.block(4, Inside(life=life, gives=gives or ""))
            body += self.count_on() if self.odds(0.5) else []
            if gives:
                body.append(f"return {self.result(gives, bounds or gives)}")
        self.rules = [*self.rules, definition]
        self.bodies[definition.name] = body
        return definition, head, body

    def result(self, gives: str, bounds: str) -> str:
        """Return the result of a rule; in some cases by chance or by another rule."""
        value = self.publish_value(gives)
        if gives not in ("number", *SINGLE, DIGITS) or self.odds(0.6):
            return value
        return self.source(gives, value if bounds == gives else f"min(9, max(0, {value}))")

    def deal_rules(self) -> list[tuple[Define, str, Lines]]:
        """Return rules that are called within tricks and deals; called rules come first."""
        plain = self.rules
        tricks = [self.rule("trick")] if self.odds(0.4) else []
        self.rules = [*plain, *(definition for definition, _, _ in tricks)]
        trick = Define("play_trick", (), None), "rule play_trick:", self.trick()
        self.rules = [*plain, Define("play_trick", (), None)]
        deals = [self.rule("deal")] if self.odds(0.5) else []
        self.in_deals, self.rules = [*self.rules], plain
        return [*tricks, trick, *deals]

    def trick(self) -> Lines:
        """Return a trick: each seat plays a card, if it has any."""
        inside, seat = Inside(life="trick", depth=1), self.fresh("x")
        body: Lines = self.block(1, inside) if self.odds(0.5) else []
        zone = next(z for z in self.zones if z.name == "table")
        turn = [f'ask {seat} "turn":', f"    play c from hand[{seat}]:",
                f"        move c to table[{seat}]"]  # fmt: skip
        self.asked, self.decision = seat, "turn"
        self.forms.append(Form("turn", "play", (Name("c", "card"),), ("",)))
        with self.bind(Name(seat, "seat")):
            turn += indent(self.option(1, inside, False))
        self.asked, self.decision = "dealer", ""
        room = f" and size(table[{seat}]) < {zone.most}" if zone.most else ""
        turn = [f"if not empty(hand[{seat}]){room}:", *indent(turn)]
        order = self.pick("from on_lead", "from on_lead", "after dealer")
        body += [f"for {seat} in seats {order}:", *indent(turn)]
        if self.odds(0.6):
            body.append("let best = highest size(table[w]) for w in seats")
            body.append("on_lead = first w in seats from on_lead where size(table[w]) == best")
        body += self.block(1, inside) if self.odds(0.5) else []
        return ["trick on table:", *indent([*body, self.end_trick()])]

    def match(self) -> Lines:
        """Return the rule `match`: a few deals."""
        with self.bind():
            deal = self.deal()
        before = self.block(2, Inside()) if self.odds(0.5) else []
        if self.odds(0.4):
            before += ["setup dealer:", "    dealer = random from seats"]
        between = ["dealer = next_seat(dealer)"] * self.odds(0.6)
        between += self.block(1, Inside(loop=True, depth=1)) if self.odds(0.4) else []
        times = self.pick("2", "3", "at most 3")
        lines = [*before, f"repeat {times} times:", *indent(["deal:", *indent(deal), *between])]
        lines += self.block(1, Inside()) if self.odds(0.3) else []
        won = f"end match won by {self.publish(self.one('team', 1))}"
        return ["rule match:", *indent([*lines, self.pick(won, won, "end match drawn")])]

    def deal(self) -> Lines:
        """Return the sentences of a deal."""
        deal: Lines = []
        whole = self.odds(0.75)
        if whole:
            others = [z.name for z in self.zones if z.name != "stock"]
            start = self.pick("", " from dealer") if self.odds(0.5) else ""
            openly = " openly" if self.table.hidden else ""
            deal += [f"gather {', '.join(others)}{start} into stock{openly}"]
        deal += ["shuffle stock"] * self.odds(0.85) + self.dealing(whole)
        plain, self.rules = self.rules, self.in_deals
        inside = Inside(life="deal", depth=1)
        deal += chain(*(self.probe(inside) for _ in range(3)))
        deal += self.lay(inside) if self.odds(0.3) else []
        deal += self.do(inside) if self.odds(0.6) else []
        deal += self.block(3, inside)
        if self.odds(0.7):
            deal += [f"repeat {self.pick('1', '2')} times: do play_trick"]
        deal += chain(*(self.probe(inside) for _ in range(3)))
        deal += self.block(2, inside)
        deal += [self.end_deal()]
        self.rules = plain
        return deal

    def hooks(self) -> Lines:
        """Return hooks, which run when a deal or the match is over."""
        lines: Lines = []
        for event in self.pick(("a deal",), ("a deal", "the match"), ("the match",)):
            with self.bind():
                body = self.block(2, Inside())
            test = self.pick("reason == match_over", "if let", "winner == none")
            body += [
                "if let w = winner: noted = (noted + 7) mod 9973"
                if test == "if let"
                else f"if {test}: noted = (noted + 5) mod 9973"
            ]
            lines += [f"when {event} is over:", *indent(body)]
        return lines

    # ---------------------------------------------------------------- layers

    def text_of(self, part: tuple[Define, str, Lines]) -> Lines:
        """Return the lines of a rule or define."""
        return [part[1], *indent(part[2])]

    def group(self) -> Lines:
        """Return a group of options that questions share."""
        name, group = Name(self.fresh("x"), "seat"), self.fresh("o")
        lines: Lines = []
        with self.bind(name):
            self.asked = name.text
            for word in ("share", "split")[: self.random.randint(1, 2)]:
                lines += indent(self.option(1, PLAIN, False, word))
        self.asked, self.groups = "dealer", (group,)
        return [f"options {group}({name.text}):", *lines]

    def uses_group(self, line: str) -> bool:
        """Tell whether a line adds a group of options to a question."""
        return any(f"options {group}(" in line for group in self.groups)

    def changes(self, parts: list[tuple[Define, str, Lines]], turns: bool) -> Lines:
        """Return the changes of the variant to its base: replacements and additions.

        parts: its rules and defines. turns: whether it has the question "turn".
        """
        lines: Lines = []
        self.rules, self.defines = [], []
        for definition, head, _ in parts:
            if self.odds(0.75):
                continue
            base = "base"
            if definition.takes and self.odds(0.3):
                base = f"base({', '.join(self.argument(kind, 1) for kind in definition.takes)})"
            if head.startswith("define"):
                lines += [
                    f"replace {head}",
                    "    " + self.change_result(definition.gives or "", base),
                ]
            elif definition.gives is None:
                way = self.pick("before", "after", "replace")
                based = [f"do {base}"] * (way == "replace")
                lines += [f"{way} {head}", *indent(self.block(1, PLAIN) + based)]
            else:
                name = self.fresh("v")
                back = f"return {self.pick(name, self.publish_value(definition.gives))}"
                lines += [
                    f"replace {head}",
                    f"    let {name}: {definition.gives} = do {base}",
                    f"    {back}",
                ]
        return [*lines, *self.more_options(turns)]

    def replace_declarations(self) -> Lines:
        """Return the declarations of the base that the variant replaces."""
        lines: Lines = []
        if self.typed and self.odds(0.3):
            lines.append(f"replace type mood = one of grim | {MOODS.removeprefix('one of ')}")
        if self.odds(0.1) and not self.avoids():
            zone = self.random.choice([z for z in self.zones if z.name not in ("hand", "table")])
            place = f"{zone.name}[{zone.index}]" if zone.index else zone.name
            lines.append(f"replace zone {place}: up to {self.pick('20', '64')} cards")
        numbers = [v for v in self.variables if 0 <= v.low < v.high <= 70]
        if numbers and self.odds(0.2):
            one = self.random.choice(numbers)
            place = f"{one.name}[{one.index}]" if one.index else one.name
            more = f"{place}: {one.low} to {one.high + 5} = {one.low + 1}"
            lines += [f"{one.life} state:", f"    replace {more}"]
        return lines

    def more_options(self, turns: bool) -> Lines:
        """Return options that the variant adds to a question, directly or by a group."""
        name, group = Name(self.fresh("x"), "seat"), self.fresh("o")
        with self.bind(name):
            self.asked, self.decision = name.text, "turn"
            option = indent(self.option(1, PLAIN, False, "more"))
        lines: Lines = []
        if self.groups and self.odds(0.5):
            kept = [f"    options base({name.text})"] * self.odds(0.8)
            lines += [f"replace options {self.groups[0]}({name.text}):", *kept, *option]
        if not turns or self.odds(0.6):
            return lines
        if self.odds(0.5):
            return [*lines, f'add to ask {name.text} "turn":', *option]
        return [
            *lines,
            f"options {group}({name.text}):",
            *option,
            'add to ask other "turn":',
            f"    options {group}(other){self.pick('', ': again')}",
        ]

    def change_result(self, kind: str, base: str) -> str:
        """Return the new result of a replaced define, computed from its base."""
        if kind == "number":
            return f"min(50, max(-50, {base})) {self.pick('+', '-', '*')} {self.number(1).text}"
        if kind == "yes_no":
            return f"{base} {self.pick('and', 'or')} {self.yes_no(1)}"
        other = self.value(kind, 1)
        return f"{base} if {self.yes_no(1)} else {other}" if kind != MOODS else base


def find_used(
    parts: list[tuple[Define, str, Lines]], match: Lines
) -> list[tuple[Define, str, Lines]]:
    """Return the rules and defines that are reachable from the rule `match`."""
    found: list[tuple[Define, str, Lines]] = []
    words = set(WORD.findall("\n".join(match)))
    for part in reversed(parts):  # each uses those before it
        if part[0].name in words:
            found.insert(0, part)
            words |= set(WORD.findall("\n".join(part[2])))
    return found


def _parameter_list(names: list[Name], takes: list[str]) -> str:
    inside = ", ".join(f"{n.text}: {k}" for n, k in zip(names, takes, strict=True))
    return f"({inside})" if inside else ""


def _rules(lines: Lines) -> Lines:
    return ["  " + line for line in lines]
