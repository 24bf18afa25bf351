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


def clauses_of(module, *rows):
    """Return the mutants of a module, given as (name, old text, new text)."""
    return [(name, module, old, new) for name, old, new in rows]


CLAUSES = [
    # cards: what seats see when cards move
    *clauses_of(
        "leaks",
        (
            "sizes-control",
            "origin_label | target_label | set(self.control), EVERYBODY",
            "origin_label | target_label, EVERYBODY",
        ),
        (
            "sizes-origin",
            "origin_label | target_label | set(self.control)",
            "target_label | set(self.control)",
        ),
        (
            "sizes-target",
            "origin_label | target_label | set(self.control)",
            "origin_label | set(self.control)",
        ),
        ("gather-order", "hidden_from(order, EVERYBODY)", "PUBLIC"),
        ("shuffle", "hidden_from(where | set(self.control), EVERYBODY)", "PUBLIC"),
        ("which-card", "hidden_from(rest, EVERYBODY), card", "PUBLIC, card"),
        ("picked-card", "hidden_from(rest, readers), card", "PUBLIC, card"),
        ("shown", "for revelation in self.env.revelations\n", "for revelation in ()\n"),
        ("shown-to-one", "else readers | others", "else readers"),
        ("shown-to-all", "readers is None or None in seeing", "readers is None"),
        ("swap-control", "one | two | set(self.control), EVERYBODY", "one | two, EVERYBODY"),
        ("swap-place", "one | two | set(self.control), EVERYBODY", "set(self.control), EVERYBODY"),
        (
            "drawn-card",
            "PUBLIC if face_up else self.values.own(target.name, index, self.env)",
            "PUBLIC",
        ),
    ),
    # labels: the owner of a secret
    *clauses_of(
        "labels",
        (
            "one-of-nobody",
            "(self.name, self.at) == (other.name, other.at)",
            "self.name == other.name",
        ),
        ("chosen-as-place", "same and not self.chosen and not other.chosen", "same"),
        ("unknown-reader", "        if not reader.known:\n            return False\n", ""),
        ("one-reader", "if not all(s.known_to(r)", "if not any(s.known_to(r)"),
        ("partner-is-owner", "not reader.team and Reader(True", "Reader(True"),
        ("next-is-same", "return SeatOffset(seat, by) if by else seat", "return seat"),
    ),
    # expressions: the secrets that a value depends on
    *clauses_of(
        "values",
        ("index", "of.label | self.own(name, of.key, env))", "self.own(name, of.key, env))"),
        ("stored-seat", "self.own(name, None, env))", "PUBLIC)"),
        (
            "which-size",
            "Binding(self.atoms.fresh(), self.label(index, env))",
            "Binding(self.atoms.fresh(), PUBLIC)",
        ),
        (
            "team-of-secret",
            "Binding(team_of(of.key or UNKNOWN), of.label)",
            "Binding(team_of(of.key or UNKNOWN), PUBLIC)",
        ),
        ("next-of-secret", "STEPS[name]), of.label)", "STEPS[name]), PUBLIC)"),
        ("choice-test", "self.label(test, env) | a.label | b.label", "a.label | b.label"),
        (
            "choice-value",
            "self.label(test, env) | a.label | b.label",
            "self.label(test, env) | a.label",
        ),
        ("quantifier-where", "inner = domain_label | where |", "inner = domain_label |"),
        ("quantifier-value", "| where | self.label(node.value, env)", "| where"),
        ("team-as-owner", "if place.audience is Audience.TEAM:", "if False:"),
        ("revealed-to-one", "if None in viewers:", "if viewers:"),
        ("revealed-elsewhere", "f.name == name and f.index == key != UNKNOWN", "f.name == name"),
        ("operands", "result |= self.label(child, env)", "result = self.label(child, env)"),
    ),
    # statements: the conditions that control them
    *clauses_of(
        "statements",
        ("store-control", "label = value.label | set(self.control)", "label = value.label"),
        ("store-added", 'env.locals[target.slot].label if node.op != "=" else PUBLIC', "PUBLIC"),
        (
            "store-seat",
            "        if holds_seat(target):\n            env.stored_keys[target.name] = key\n",
            "",
        ),
        ("store-index", "index, whose = where.key, where.label", "index = where.key"),
        ("return-control", "label = binding.label | set(control)", "label = binding.label"),
        ("leave", "        env.taint(what, self.control)\n", ""),
        ("condition", "pc = both(pc, because(label,", "(pc, because(label,"),
        (
            "loop-turns",
            "return both(because(label, TURNS, domain.items.span), because(where, TURNS, span))",
            "return because(where, TURNS, span)",
        ),
        (
            "loop-where",
            "return both(because(label, TURNS, domain.items.span), because(where, TURNS, span))",
            "return because(label, TURNS, span)",
        ),
        (
            "repeat-test",
            "return both(because(times, TURNS, node.times.span), because(test, TURNS, span))",
            "return {}",
        ),
        (
            "loop-once",
            "entry.widen(end, mark)\n            if entry == old:\n",
            "entry.widen(end, mark)\n            if True:\n",
        ),
        ("end-control", "known = label_of_winner | set(control)", "known = label_of_winner"),
        ("end-winner", "known = label_of_winner | set(control)", "known = set(control)"),
        (
            "reveal-control",
            "self.values.label(node.seats, env) | set(self.control)",
            "self.values.label(node.seats, env)",
        ),
        ("reveal-place", "label |= where.label if where is not None else PUBLIC", "pass"),
    ),
    # announcements
    *clauses_of(
        "statements",
        ("told-control", "set(self.control) | self.values", "self.values"),
        (
            "told-whom",
            "set(self.control) | self.values.label(node.seats, env)",
            "set(self.control)",
        ),
        ("told-by-whom", "hidden_from(who.label, hearers)", "PUBLIC"),
        (
            "told-to-speaker",
            "            hearers |= {Reader(False, who.key or UNKNOWN)}\n",
            "            pass\n",
        ),
    ),
    *clauses_of(
        "labels",
        (
            "told-to-one",
            "    if readers is None:\n        return PUBLIC\n    return frozenset(replace(s, also",
            "    if True:\n        return PUBLIC\n    return frozenset(replace(s, also",
        ),
    ),
    # questions
    *clauses_of(
        "statements",
        ("ask-control", "binding.label | set(self.control), _noticing", "binding.label, _noticing"),
        (
            "ask-seat",
            "binding.label | set(self.control), _noticing",
            "set(self.control), _noticing",
        ),
        (
            "ask-team",
            "return frozenset({Reader(True, team_of(seat.key))})",
            "return frozenset({seat})",
        ),
        ("ask-all", "            return EVERYBODY\n", "            return frozenset({seat})\n"),
        ("choices", "_legality(binder.items.span, label,", "_legality(binder.items.span, PUBLIC,"),
        (
            "when",
            "_legality(option.condition.span, label,",
            "_legality(option.condition.span, PUBLIC,",
        ),
        (
            "chosen",
            "Binding(env.locals[binder.slot].key, choice, True,",
            "Binding(env.locals[binder.slot].key, PUBLIC, True,",
        ),
        (
            "option-control",
            "pc = both(pc, self.leaks.because(choice, CHOSEN, option.span))",
            "pass",
        ),
        ("asked-again", "        if not repeats:\n", "        if True:\n"),
    ),
    # rules
    *clauses_of(
        "check",
        (
            "rule-control",
            "self.sentences.control if isinstance(node, nodes.Do) else NO_CONTROL",
            "NO_CONTROL",
        ),
        ("rule-stored", "            env.stored_keys |= outcome.stored_keys\n", ""),
    ),
    *clauses_of(
        "values",
        (
            "rule-result",
            "label = PUBLIC.union(*(r.label for r in self.result))",
            "label = self.result[0].label if self.result else PUBLIC",
        ),
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
    *clauses_of(
        "check",
        ("summary-what", "(what, canonical(", "(None, canonical("),
        ("widest-facts", "frozenset(), revelations)", "situation.facts, revelations)"),
        ("widest-shown", "frozenset(), revelations)", "frozenset(), frozenset())"),
        ("widest-shown-again", "            or revelations != old.revelations\n", ""),
    ),
    # joins of paths
    *clauses_of(
        "values",
        (
            "join-labels",
            "label=PUBLIC.union(*(b.label for b in bindings))",
            "label=bindings[0].label",
        ),
        (
            "join-keys",
            "_either(bindings, first.key if same else atoms.fresh())",
            "_either(bindings, first.key)",
        ),
        (
            "join-stored",
            "if not all(e.stored_keys[name] == key != UNKNOWN for e in alive):",
            "if False:",
        ),
        (
            "join-facts",
            "        result.facts &= env.facts\n",
            "        result.facts |= env.facts\n",
        ),
        (
            "join-shown",
            "result.revelations |= env.revelations",
            "result.revelations &= env.revelations",
        ),
        (
            "join-taints",
            "    for env in envs:\n        for what",
            "    for env in envs[:1]:\n        for what",
        ),
        (
            "loop-labels",
            "result.locals[slot] = _either((binding, other), key)",
            "result.locals[slot] = replace(_either((binding, other), key), label=binding.label)",
        ),
        (
            "loop-keys",
            "key = binding.key if binding.key == other.key != UNKNOWN else None",
            "key = binding.key",
        ),
    ),
    *(
        (
            f"either-{one.name}",
            "values",
            "    counts = [b.count_label for b in bindings if b.count_label is not None]\n",
            f"    bindings = [replace(b, {one.name}=bindings[0].{one.name}) for b in bindings]\n"
            "    counts = [b.count_label for b in bindings if b.count_label is not None]\n",
        )
        for one in fields(Binding)
        if one.name != "key"
    ),
    *clauses_of(
        "values",
        (
            "loop-stored",
            "result.stored_keys[name] = key if key == old.stored_keys[name] != UNKNOWN else None",
            "result.stored_keys[name] = key",
        ),
        ("loop-facts", "        result.facts &= old.facts\n", ""),
        ("loop-shown", "        result.revelations |= old.revelations\n", ""),
        (
            "loop-taints",
            "        for what, control in old.taints.items():\n"
            "            result.taint(what, control)\n",
            "",
        ),
    ),
    # highest and lowest, several cards at once
    *clauses_of(
        "values",
        (
            "with-highest",
            "inner = domain_label | where | self.label(node.value, env)",
            "inner = domain_label | where | "
            "(PUBLIC if node.order else self.label(node.value, env))",
        ),
    ),
    *clauses_of(
        "statements",
        (
            "how-many-allowed",
            "label = values.label(binder.items, env) | values.label(binder.last, env)",
            "label = values.label(getattr(binder.items, 'cards', binder.items), env)",
        ),
        ("how-many-moved", "how_many = values.label(binder.items.size, env)", "how_many = PUBLIC"),
        (
            "how-many-chosen",
            "if isinstance(binder.items, nodes.Hands) and binder.items.last is None:",
            "if isinstance(binder.items, nodes.Hands):",
        ),
    ),
    # cards that have left a place
    *clauses_of(
        "leaks",
        (
            "gone-all",
            "                self.shrunk_zones.add(origin.name)\n                if not openly:",
            "                if not openly:",
        ),
        (
            "gone-drawn",
            "                self.shrunk_zones.add(origin.name)\n                if slot",
            "                if slot",
        ),
    ),
    *clauses_of(
        "check",
        ("gone-by-rule", "            self.sentences.move(outcome.movement, env)\n", ""),
    ),
    *clauses_of(
        "statements",
        (
            "gone-in-loop",
            "binding = state.locals[items_slot]\n",
            "binding = Binding(None, items, in_turn=in_turn)\n",
        ),
    ),
    *(
        (f"moves-{one.name}", "labels", f"self.{one.name} | other.{one.name}", f"self.{one.name}")
        for one in fields(Movement)
    ),
    *clauses_of(
        "labels",
        ("left", "if secret.name in self.shrunk_zones:", "if False:"),
        ("left-in-turn", "if secret.name in self.in_turn else secret", "if False else secret"),
    ),
    *clauses_of(
        "leaks",
        ("left-selected", "if not (selected and seen):", "if not selected:"),
        ("left-gathered", "                self.shrunk_zones.update(names)\n", ""),
        ("shrunk", "            or (secret.shrunk and not of.in_turn)\n", ""),
    ),
]
