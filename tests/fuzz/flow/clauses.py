"""Mutants of the information-flow check: each removes one clause.

(name, module, old text, new text); the old text occurs once in the module. The mutants of summary
keys and joins are generated from the fields of their data classes.
"""

from dataclasses import fields

from trutdsl.ir.flow.check import Situation
from trutdsl.ir.flow.labels import Movement, PossibleRevelation, Reader, Secret
from trutdsl.ir.flow.values import Binding, Revelation

# All fields of a summary's key; each new field needs a program, too.
FIELDS = [
    (holder, one.name)
    for holder in (Situation, Binding, Revelation, PossibleRevelation, Reader, Secret)
    for one in fields(holder)
]
CLAUSES = [
    # cards: what seats see when cards move
    (
        "sizes-control",
        "leaks",
        "here | there | set(self.control), EVERYBODY",
        "here | there, EVERYBODY",
    ),
    ("sizes-origin", "leaks", "here | there | set(self.control)", "there | set(self.control)"),
    ("sizes-target", "leaks", "here | there | set(self.control)", "here | set(self.control)"),
    ("gather-order", "leaks", "hidden_from(order, EVERYBODY)", "PUBLIC"),
    ("shuffle", "leaks", "hidden_from(where | set(self.control), EVERYBODY)", "PUBLIC"),
    ("which-card", "leaks", "hidden_from(rest, EVERYBODY), card", "PUBLIC, card"),
    ("picked-card", "leaks", "hidden_from(rest, readers), card", "PUBLIC, card"),
    ("shown", "leaks", "for shown in self.env.shown if", "for shown in () if"),
    ("shown-to-one", "leaks", "else readers | others", "else readers"),
    ("shown-to-all", "leaks", "readers is None or None in seeing", "readers is None"),
    ("swap-control", "leaks", "one | two | set(self.control), EVERYBODY", "one | two, EVERYBODY"),
    (
        "swap-place",
        "leaks",
        "one | two | set(self.control), EVERYBODY",
        "set(self.control), EVERYBODY",
    ),
    (
        "drawn-card",
        "leaks",
        "PUBLIC if face_up else self.values.own(target.name, index, self.env)",
        "PUBLIC",
    ),
    # labels: the owner of a secret
    (
        "one-of-nobody",
        "labels",
        "(self.name, self.at) == (other.name, other.at)",
        "self.name == other.name",
    ),
    ("chosen-as-place", "labels", "named and not self.chosen and not other.chosen", "named"),
    ("unknown-reader", "labels", "        if not reader.known:\n            return False\n", ""),
    ("one-reader", "labels", "if not all(s.known_to(r)", "if not any(s.known_to(r)"),
    ("partner-is-owner", "labels", "not reader.team and Reader(True", "Reader(True"),
    ("next-is-same", "labels", "return SeatOffset(seat, by) if by else seat", "return seat"),
    # expressions: the secrets that a value depends on
    (
        "index",
        "values",
        "of.label | self.own(name, of.key, env))",
        "self.own(name, of.key, env))",
    ),
    ("stored-seat", "values", "self.own(name, None, env))", "PUBLIC)"),
    (
        "which-size",
        "values",
        "Binding(self.atoms.fresh(), self.label(index, env))",
        "Binding(self.atoms.fresh(), PUBLIC)",
    ),
    (
        "team-of-secret",
        "values",
        "Binding(team_of(of.key or UNKNOWN), of.label)",
        "Binding(team_of(of.key or UNKNOWN), PUBLIC)",
    ),
    ("next-of-secret", "values", "STEPS[name]), of.label)", "STEPS[name]), PUBLIC)"),
    (
        "choice-test",
        "values",
        "self.label(test, env) | a.label | b.label",
        "a.label | b.label",
    ),
    (
        "choice-value",
        "values",
        "self.label(test, env) | a.label | b.label",
        "self.label(test, env) | a.label",
    ),
    ("quantifier-where", "values", "inner = found | where |", "inner = found |"),
    ("quantifier-value", "values", "| where | self.label(node.value, env)", "| where"),
    ("team-as-owner", "values", "if place.audience is Audience.TEAM:", "if False:"),
    ("revealed-to-one", "values", "if None in revealed:", "if revealed:"),
    (
        "revealed-elsewhere",
        "values",
        "f.name == name and f.index == key != UNKNOWN",
        "f.name == name",
    ),
    (
        "operands",
        "values",
        "found |= self.label(child, env)",
        "found = self.label(child, env)",
    ),
    # statements: the conditions that control them
    (
        "store-control",
        "statements",
        "label = value.label | set(self.control)",
        "label = value.label",
    ),
    (
        "store-added",
        "statements",
        'env.locals[target.slot].label if node.op != "=" else PUBLIC',
        "PUBLIC",
    ),
    (
        "store-seat",
        "statements",
        "        if holds_seat(target):\n            env.stored[target.name] = key\n",
        "",
    ),
    (
        "store-index",
        "statements",
        "index, whose = where.key, where.label",
        "index = where.key",
    ),
    ("return-control", "statements", "label = found.label | set(control)", "label = found.label"),
    ("leave", "statements", "        env.taint(what, self.control)\n", ""),
    ("condition", "statements", "pc = both(pc, notes(found,", "(pc, notes(found,"),
    (
        "loop-turns",
        "statements",
        "return both(notes(given, TURNS, domain.items.span), notes(where, TURNS, behind))",
        "return notes(where, TURNS, behind)",
    ),
    (
        "loop-where",
        "statements",
        "return both(notes(given, TURNS, domain.items.span), notes(where, TURNS, behind))",
        "return notes(given, TURNS, behind)",
    ),
    (
        "repeat-test",
        "statements",
        "return both(notes(times, TURNS, node.times.span), notes(test, TURNS, span))",
        "return {}",
    ),
    (
        "loop-once",
        "statements",
        "entry.widen(back, mark)\n            if entry == before:\n",
        "entry.widen(back, mark)\n            if True:\n",
    ),
    ("end-control", "statements", "known = found_winner | set(control)", "known = found_winner"),
    ("end-winner", "statements", "known = found_winner | set(control)", "known = set(control)"),
    (
        "reveal-control",
        "statements",
        "self.values.label(node.seats, env) | set(self.control)",
        "self.values.label(node.seats, env)",
    ),
    ("reveal-place", "statements", "label |= where.label if where is not None else PUBLIC", "pass"),
    # announcements
    ("told-control", "statements", "set(self.control) | self.values", "self.values"),
    (
        "told-whom",
        "statements",
        "set(self.control) | self.values.label(node.seats, env)",
        "set(self.control)",
    ),
    ("told-by-whom", "statements", "hidden_from(who.label, hearers)", "PUBLIC"),
    (
        "told-to-speaker",
        "statements",
        "            hearers |= {Reader(False, who.key or UNKNOWN)}\n",
        "            pass\n",
    ),
    (
        "told-to-one",
        "labels",
        "    if readers is None:\n        return PUBLIC\n    return frozenset(replace(s, also",
        "    if True:\n        return PUBLIC\n    return frozenset(replace(s, also",
    ),
    # questions
    (
        "ask-control",
        "questions",
        "asked.label | set(self.control), _noticing",
        "asked.label, _noticing",
    ),
    (
        "ask-seat",
        "questions",
        "asked.label | set(self.control), _noticing",
        "set(self.control), _noticing",
    ),
    (
        "ask-team",
        "questions",
        "return frozenset({Reader(True, team_of(seat.key))})",
        "return frozenset({seat})",
    ),
    (
        "ask-all",
        "questions",
        "            return EVERYBODY\n",
        "            return frozenset({seat})\n",
    ),
    (
        "choices",
        "questions",
        "_legality(binder.items.span, found,",
        "_legality(binder.items.span, PUBLIC,",
    ),
    (
        "when",
        "questions",
        "_legality(option.condition.span, found,",
        "_legality(option.condition.span, PUBLIC,",
    ),
    (
        "chosen",
        "questions",
        "Binding(env.locals[binder.slot].key, chosen, True,",
        "Binding(env.locals[binder.slot].key, PUBLIC, True,",
    ),
    ("option-control", "questions", "pc = both(pc, notes(chosen, CHOSEN, option.span))", "pass"),
    ("asked-again", "questions", "        if not asked_again:\n", "        if True:\n"),
    # rules
    (
        "rule-control",
        "check",
        "self.sentences.control if isinstance(node, nodes.Do) else NO_CONTROL",
        "NO_CONTROL",
    ),
    ("rule-stored", "check", "            env.stored |= outcome.stored\n", ""),
    (
        "rule-result",
        "questions",
        "label = PUBLIC.union(*(r.label for r in self.result))",
        "label = self.result[0].label if self.result else PUBLIC",
    ),
    *(
        (
            f"summary-{holder.__name__.lower()}-{name}",
            "check",
            "in field_values(value).values()",
            "in (v for name, v in field_values(value).items() "
            f"if (type(value).__name__, name) != {(holder.__name__, name)})",
        )
        for holder, name in FIELDS
    ),
    ("summary-what", "check", "(what, canonical(", "(None, canonical("),
    ("widest-labels", "check", "labels = [a | b.label for", "labels = [a for"),
    ("widest-control", "check", "{**control, **before.control}", "dict(control)"),
    ("widest-facts", "check", "frozenset(), shown)", "situation.facts, shown)"),
    ("widest-shown", "check", "frozenset(), shown)", "frozenset(), frozenset())"),
    ("widest-shown-before", "check", "            shown |= before.shown\n", ""),
    ("widest-shown-again", "check", "            or shown != before.shown\n", ""),
    # joins of paths
    (
        "join-labels",
        "values",
        "label=PUBLIC.union(*(b.label for b in bindings))",
        "label=bindings[0].label",
    ),
    (
        "join-keys",
        "values",
        "_either(bindings, first.key if same else atoms.fresh())",
        "_either(bindings, first.key)",
    ),
    (
        "join-stored",
        "values",
        "if not all(e.stored[name] == key != UNKNOWN for e in alive):",
        "if False:",
    ),
    (
        "join-facts",
        "values",
        "        result.facts &= env.facts\n",
        "        result.facts |= env.facts\n",
    ),
    ("join-shown", "values", "result.shown |= env.shown", "result.shown &= env.shown"),
    (
        "join-taints",
        "values",
        "    for env in envs:\n        for what",
        "    for env in envs[:1]:\n        for what",
    ),
    (
        "loop-labels",
        "values",
        "result.locals[slot] = _either((binding, other), key)",
        "result.locals[slot] = replace(_either((binding, other), key), label=binding.label)",
    ),
    (
        "loop-keys",
        "values",
        "key = binding.key if binding.key == other.key != UNKNOWN else None",
        "key = binding.key",
    ),
    *(
        (
            f"either-{one.name}",
            "values",
            "    counted = [b.counted for b in bindings if b.counted is not None]\n",
            f"    bindings = [replace(b, {one.name}=bindings[0].{one.name}) for b in bindings]\n"
            "    counted = [b.counted for b in bindings if b.counted is not None]\n",
        )
        for one in fields(Binding)
        if one.name != "key"
    ),
    (
        "loop-stored",
        "values",
        "result.stored[name] = key if key == old.stored[name] != UNKNOWN else None",
        "result.stored[name] = key",
    ),
    ("loop-facts", "values", "        result.facts &= old.facts\n", ""),
    ("loop-shown", "values", "        result.shown |= old.shown\n", ""),
    (
        "loop-taints",
        "values",
        "        for what, control in old.taints.items():\n"
        "            result.taint(what, control)\n",
        "",
    ),
    # highest and lowest, several cards at once
    (
        "with-highest",
        "values",
        "inner = found | where | self.label(node.value, env)",
        "inner = found | where | (PUBLIC if node.order else self.label(node.value, env))",
    ),
    (
        "how-many-allowed",
        "questions",
        "found = values.label(binder.items, env) | values.label(binder.last, env)",
        "found = values.label(getattr(binder.items, 'cards', binder.items), env)",
    ),
    (
        "how-many-moved",
        "questions",
        "how_many = values.label(binder.items.size, env)",
        "how_many = PUBLIC",
    ),
    (
        "how-many-chosen",
        "questions",
        "if isinstance(binder.items, nodes.Hands) and binder.items.last is None:",
        "if isinstance(binder.items, nodes.Hands):",
    ),
    # cards that have left a place
    (
        "gone-all",
        "leaks",
        "                self.left.add(origin.name)\n                if not openly:",
        "                if not openly:",
    ),
    (
        "gone-drawn",
        "leaks",
        "                self.left.add(origin.name)\n                if slot",
        "                if slot",
    ),
    ("gone-by-rule", "check", "            self.sentences.move(outcome.movement, env)\n", ""),
    (
        "gone-in-loop",
        "statements",
        "now = state.locals[through]\n",
        "now = Binding(None, items, in_turn=in_turn)\n",
    ),
    *(
        (f"moves-{one.name}", "labels", f"self.{one.name} | other.{one.name}", f"self.{one.name}")
        for one in fields(Movement)
    ),
    ("left", "labels", "if secret.name in self.left:", "if False:"),
    (
        "left-in-turn",
        "labels",
        "if secret.name in self.in_turn else secret",
        "if False else secret",
    ),
    ("left-selected", "leaks", "if not (selected and seen):", "if not selected:"),
    ("left-gathered", "leaks", "                self.left.update(names)\n", ""),
    ("shrunk", "leaks", "            or (secret.shrunk and not of.in_turn)\n", ""),
]
