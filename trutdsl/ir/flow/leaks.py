"""Leaks: diagnostics for secrets that rules would show, and the secrets that moved cards show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from trutdsl.diagnostics import Collector, Edit, Note, Source, Span
from trutdsl.ir import nodes
from trutdsl.ir.flow.labels import (
    EVERYBODY,
    MOST_NOTES,
    PUBLIC,
    UNKNOWN,
    Control,
    Key,
    Label,
    Movement,
    Readers,
    Secret,
    hidden_from,
)
from trutdsl.ir.flow.values import Binding, Env, ValueFlow
from trutdsl.ir.nodes import walk
from trutdsl.ir.types import SHOW
from trutdsl.language import mark, quote_name, say, say_count

NAMES = "\0"  # placeholder in a message for the names of the secrets
OPENLY = "write `openly(...)` around it if the rule makes it known"
CHOSEN = "this runs only if the option is chosen"

LONGEST_SHOWN = 60
DEEPEST = 6  # nested loops and questions; each level multiplies the time of the check


@dataclass
class _Leak:
    """A statement that shows secrets.

    names:  of the secrets in its own value, which are those in `values`.
    new:    older editions of the language did not refuse this.
    causes: a condition, an option or an argument -> the names of its secrets.
    """

    place: str | None
    help: str | None
    new: bool
    names: set[str] = field(default_factory=set)
    values: dict[Span, nodes.Expression] = field(default_factory=dict)
    causes: dict[Note, set[str]] = field(default_factory=dict)


Statements = list[tuple[tuple[str, str, Span], _Leak]]


class Leaks:
    """The leaks found so far.

    place: the rule that is checked now.
    places: the rule of each condition, option and argument.
    calls: the call stack of the current sentence, outermost call first, with the labels of the
           arguments of each call.
    count: how often secrets were found, also in a sentence with a leak.
    secret_questions: the ids of questions where a secret decides whether they are asked, or whom.
    """

    def __init__(self) -> None:
        self.place: str | None = None
        self.places: dict[Span, str | None] = {}
        self.calls: list[tuple[nodes.Do, Sequence[Label]]] = []
        self.leaks: dict[tuple[str, str, Span], _Leak] = {}
        self.count = 0
        self.deep: dict[Span, str | None] = {}
        self.secret_questions: set[int] = set()

    def error(
        self,
        code: str,
        message: str,
        span: Span,
        secrets: Iterable[Secret],
        control: Control,
        help: str | None = None,
        value: nodes.Expression | None = None,
        new: bool = False,
    ) -> None:
        """Record an error if there are secrets; their names replace `NAMES` in the message.

        value: the expression that contains the secrets that are not in `control`.
        new:   older editions of the language did not refuse this.
        help:  what to write instead; by default `openly(...)` around the value or condition.
        """
        for secret in secrets:
            self.count += 1
            leak = self.leaks.setdefault((code, message, span), _Leak(self.place, help, new))
            name = quote_name(secret.name)
            notes = control.get(secret, ())
            if not notes and value is not None:
                argument = self._find_argument(value, secret)
                leak.values[(argument or value).span] = argument or value
                if argument is not None:
                    notes = (Note(say("it is given to the rule here"), argument.span),)
            if not notes:
                leak.names.add(name)
            for note in notes:
                leak.causes.setdefault(note, set()).add(name)

    def because(self, label: Label, message: str, span: Span) -> Control:
        """Return each secret with a note that says why control depends on it."""
        self.places[span] = self.place
        return {secret: (Note(message, span),) for secret in label}

    def _find_argument(self, value: nodes.Expression, secret: Secret) -> nodes.Expression | None:
        """Return the argument that a secret comes from, in the outermost call that passes it on."""
        result = None
        for do, labels in reversed(self.calls):
            slots = {node.slot for node in walk(result or value) if isinstance(node, nodes.Local)}
            args = enumerate(zip(do.args, labels, strict=True))
            one = next((a for n, (a, of) in args if n in slots and secret in of), None)
            if one is None:
                break
            result = one
        return result

    def too_deep(self, span: Span) -> None:
        """Record a loop or question that is nested too deeply to be checked."""
        self.deep.setdefault(span, self.place)

    def report(self, errors: Collector, files: Sequence[Source] = ()) -> None:
        """Report the leaks: a condition only once, at its own position, with what shows it.

        files: those of the variant, bases first. If a statement is in a file that builds on that
               of its condition, the statement is the mistake.
        """
        statements_of: dict[Note, Statements] = {}
        for key, leak in self.leaks.items():
            code, message, span = key
            for cause in leak.causes:
                statements_of.setdefault(cause, []).append((key, leak))
            if leak.names:
                spans = [one for one in leak.values if all(n.span != one for n in leak.causes)]
                help_ = leak.help or _how_to_say_so(spans, leak.values)
                errors.place = leak.place
                sentence = _fill(message, leak.names)
                errors.error(code, sentence, span, help=help_, edits=_edits(leak, spans))
        for cause, statements in statements_of.items():
            self._report_cause(cause, statements, errors, files)
        for span, place in self.deep.items():
            errors.place = place
            message = say("more than {most} loops and questions are nested here", most=DEEPEST)
            errors.error(
                "too-deep", message, span, help=say("make the inner ones a rule of their own")
            )
        errors.place = None

    def _report_cause(
        self, cause: Note, statements: Statements, errors: Collector, files: Sequence[Source]
    ) -> None:
        """Report a condition, option or argument whose secrets these statements show."""
        (code, message, first), leak = statements[0]
        span = cause.span or first
        shown = list(dict.fromkeys(where for (_, _, where), _ in statements))
        notes = [Note(say("this would show it"), where) for where in shown if where != span]
        place, where = self.places.get(span), ""
        if all(_is_later(one, span, files) for one in shown):
            place, where = leak.place, say(" at line {line}", line=span.line)
            notes[0] = cause
        if cause.message == CHOSEN:
            text = "write `openly` after the option{where} if all may know that it is chosen"
            help_ = say(text, where=where)
        else:
            openly = _how_to_say_so([span], leak.values, where)
            helps = {other.help or openly: other.help for _, other in statements}
            help_ = say(", or ").join(sorted(helps, key=lambda text: helps[text] is not None))
        if len(notes) > MOST_NOTES:
            more = len(notes) - MOST_NOTES
            text = say_count(
                more, "{number} more statement would", "{number} more statements would"
            )
            notes[MOST_NOTES:] = [Note(text)]
        names = set[str]().union(*(other.causes[cause] for _, other in statements))
        edits = _edits(leak, [span]) if all(other.new for _, other in statements) else ()
        errors.place = place
        at = first if where else span
        errors.error(code, _fill(message, names), at, *notes, help=help_, edits=edits)


def _fill(message: str, names: set[str]) -> str:
    *others, last = sorted(names)
    return message.replace(NAMES, ", ".join(others) + say(" and ") + last if others else last)


def _is_later(span: Span, other: Span, files: Sequence[Source]) -> bool:
    """Return whether the file of a span builds on that of another one."""
    known = span.source in files and other.source in files
    return known and files.index(span.source) > files.index(other.source)


def _edits(leak: _Leak, spans: Iterable[Span]) -> tuple[Edit, ...]:
    """Return `openly(...)` around the values, where older editions did not need it."""
    edits: list[Edit] = []
    for span in spans:
        if leak.new and span in leak.values:
            start, end = (span.line, span.col), (span.end_line, span.end_col)
            edits.append(Edit(Span(span.source, *start, *start), "openly("))
            edits.append(Edit(Span(span.source, *end, *end), ")"))
    return tuple(edits)


def _how_to_say_so(
    spans: Sequence[Span], values: Mapping[Span, nodes.Expression], where: str = ""
) -> str:
    """Return a help text: where to write `openly` if the rule makes the secrets known."""
    shown = (values.get(span) for span in spans)
    if any(isinstance(one, nodes.Builtin) and one.name in ("top", "bottom") for one in shown):
        return SHOW
    texts = [
        _help_for_openly(span, say("the value" if span in values else "the condition")) + where
        for span in spans
    ]
    if not texts:
        return OPENLY
    *others, text = texts[:3]
    text = ", ".join(others) + say(" and ") + text if others else text
    return say("write {text} if the rule makes it known", text=text)


def _help_for_openly(span: Span, what: str) -> str:
    text = re.sub(r"^let \w+ = ", "", span.text)  # of `if let x = ...`
    return (
        f"`openly({text})`"
        if 0 < len(text) <= LONGEST_SHOWN
        else say("`openly(...)` around {what}", what=what)
    )


SIZES = mark(
    "this depends on {names}, which not all seats may see, but all seats see the size of each zone"
)
CONTENT = mark("this depends on {names}, which a seat that sees these cards may not see")
LATER = mark(
    "this depends on {names}, which not all seats may see; moving these cards would reveal it"
)
WIDER = mark("this shows cards of {names} to seats that may not see them there")
WIDER_HELP = mark("write `openly` at its end if whoever may see '{target}' is to see them")


class CardFlow:
    """The check of one sentence that moves cards; `shrunk_zones`, `in_turn`: see `Movement`."""

    def __init__(self, env: Env, control: Control, values: ValueFlow, leaks: Leaks) -> None:
        self.env, self.control, self.values, self.leaks = env, control, values, leaks
        self.shrunk_zones, self.in_turn = set[str](), set[str]()

    def check(self, node: nodes.CardSentence) -> Movement:
        """Report what the sentence would leak."""
        match node:
            case nodes.Draw(span, origin, target, face_up, slot):
                _, _, index = self._sizes(span, origin, target)
                self.shrunk_zones.add(origin.name)
                if slot is not None:
                    label = PUBLIC if face_up else self.values.own(target.name, index, self.env)
                    self.env.locals[slot] = Binding(self.values.atoms.fresh(), label)
            case nodes.Move(span, card, origin, target):
                own, readers, index = self._sizes(span, origin, target)
                seen = self.values.readers(target.name, index) is EVERYBODY
                self._goes(span, card, origin, own, readers, seen)
            case nodes.MoveAll(span, origin, target, _, _, openly):
                own, _, index = self._sizes(span, origin, target)
                self.shrunk_zones.add(origin.name)
                if not openly:
                    self._wider(span, own, self.values.readers(target.name, index), target.name)
            case nodes.Gather(span, names, start, target, openly):
                _, _, index = self._sizes(span, target, target)
                readers = self.values.readers(target.name, index)
                order = self.values.label(start, self.env)
                self._add(say(LATER, names=NAMES), span, hidden_from(order, EVERYBODY), start)
                self.shrunk_zones.update(names)
                for name in names if not openly else ():
                    if name != target.name or index is not None:
                        content = self.values.own(name, UNKNOWN, self.env)
                        self._wider(span, content, readers, target.name)
            case nodes.Swap():
                self._swap(node)
            case nodes.Shuffle(span, zone):
                _, _, where = self._place(zone)
                secrets = hidden_from(where | set(self.control), EVERYBODY)
                self._add(say(LATER, names=NAMES), span, secrets, zone.index)
            case _:
                assert_never(node)
        return Movement(frozenset(self.shrunk_zones), frozenset(self.in_turn))

    def _place(self, zone: nodes.ZoneCards) -> tuple[Key | None, Readers, Label]:
        """Return a place's key, who sees it, and the secrets that decide which place it is."""
        if zone.index is None:
            return None, self.values.readers(zone.name, None), PUBLIC
        of = self.values.of(zone.index, self.env)
        return of.key, self.values.readers(zone.name, of.key), of.label

    def _sizes(
        self, span: Span, origin: nodes.ZoneCards, target: nodes.ZoneCards
    ) -> tuple[Label, Readers, Key | None]:
        """Check that all seats may know the origin and the target of the cards.

        Return the label of the origin's cards, who sees the origin, and the key of the target.
        """
        key, readers, origin_label = self._place(origin)
        index, _, target_label = self._place(target)
        secrets = hidden_from(origin_label | target_label | set(self.control), EVERYBODY)
        self._add(
            say(SIZES, names=NAMES), span, secrets, origin.index if origin_label else target.index
        )
        return self.values.own(origin.name, key, self.env), readers, index

    def _goes(
        self,
        span: Span,
        card: nodes.Expression,
        origin: nodes.ZoneCards,
        own: Label,
        readers: Readers,
        seen: bool,
    ) -> None:
        """Check what decides which card leaves; `seen`: whether all seats see where it goes.

        The contents of the place may decide: a card that is shown later shows where it came from.
        A seat may pick the card in an option, if all who see the place may know the choice.
        Nothing else may decide, because the card would reveal it.
        """
        of = self.values.of(card, self.env)
        rest = frozenset(
            secret
            for secret in of.label
            if not any(secret.of_same_place(one) for one in own)
            or (secret.shrunk and not of.in_turn)
        )
        if of.picked:
            # If the place may have been revealed to seats, they also see which card leaves it.
            seeing = {
                revelation.reader
                for revelation in self.env.revelations
                if revelation.name == origin.name
            }
            others = frozenset(reader for reader in seeing if reader is not None)
            readers = None if readers is None or None in seeing else readers | others
            self._add(say(CONTENT, names=NAMES), span, hidden_from(rest, readers), card)
        else:
            self._add(say(LATER, names=NAMES), span, hidden_from(rest, EVERYBODY), card)
        selected = of.label and not rest
        if not (selected and seen):
            (self.in_turn if selected and of.in_turn else self.shrunk_zones).add(origin.name)

    def _swap(self, node: nodes.Swap) -> None:
        span, origin, target = node.span, node.origin, node.target
        key, readers, one = self._place(origin)
        index, target_readers, two = self._place(target)
        secrets = hidden_from(one | two | set(self.control), EVERYBODY)
        self._add(say(LATER, names=NAMES), span, secrets, origin.index if one else target.index)
        own = self.values.own(origin.name, key, self.env)
        other = self.values.own(target.name, index, self.env)
        self._goes(span, node.card, origin, own, readers, seen=target_readers is EVERYBODY)
        self._goes(span, node.other, target, other, target_readers, seen=readers is EVERYBODY)

    def _wider(self, span: Span, own: Label, readers: Readers, target: str) -> None:
        help_ = say(WIDER_HELP, target=target)
        self.leaks.error(
            "leak", say(WIDER, names=NAMES), span, hidden_from(own, readers), {}, help_
        )

    def _add(
        self, message: str, span: Span, secrets: Label, value: nodes.Expression | None
    ) -> None:
        new = message == say(CONTENT, names=NAMES)
        self.leaks.error("leak", message, span, secrets, self.control, value=value, new=new)
