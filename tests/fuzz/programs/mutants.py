"""Mutants: small realistic mistakes in the engines, each a replaced text of a module."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """A mistake; quick: the number of programs until it was found, if the tests look for it."""

    name: str
    module: str
    old: str
    new: str
    quick: int = 0


MUTANTS = (
    Mutant("seats after a seat include it", "native/emit/quantifiers",
           "if domain.after else mask, start", "if False else mask, start"),
    Mutant("div rounds to zero", "native/emit/expressions",
           "b.sub(b.sdiv(left, right), self.wide(below))", "b.sdiv(left, right)"),
    Mutant("mod takes the dividend's sign", "native/emit/expressions",
           "return b.select(below, b.add(rest, right), rest)", "return rest",
           quick=11),
    Mutant("sets are taken away as exclusive or", "native/emit/expressions",
           '"-": self.without', '"-": b.xor'),
    Mutant("lowest as highest, one by one", "native/emit/quantifiers",
           'order = ">" if kind == "highest" else "<"', 'order = ">"'),
    Mutant("lowest as highest, all at once", "native/emit/quantifiers",
           '"smax" if kind == "highest" else "smin"', '"smax"'),
    Mutant("the first of the best is the last", "native/emit/quantifiers",
           "better = b.select(new, element, so_far)",
           'as_good = b.icmp_signed("==", value, most)\n'
           "        better = b.select(b.or_(new, as_good), element, so_far)"),
    Mutant("those with the most forget those before", "native/emit/quantifiers",
           "b.or_(so_far, bit), so_far)", "bit, so_far)"),
    Mutant("those with the most are all", "native/emit/quantifiers",
           "hits = [b.and_(hit, top)", "hits = [b.or_(hit, top)"),
    Mutant("a total forgets who does not count", "native/emit/quantifiers",
           "b.add(result, b.select(counts, value, const(0)))", "b.add(result, value)"),
    Mutant("every stops at what holds", "native/emit/quantifiers",
           'ends = holds if kind == "any" else b.not_(holds)', "ends = holds"),
    Mutant("where of a loop is asked before its turns", "interp/compile_builtins",
           "        for element in first(m, f):\n"
           "            if cost:\n"
           "                m.step(domain.span, cost)\n"
           "            f[slot] = element\n"
           "            if where is None or where(m, f):\n"
           "                yield element\n",
           "        def allowed(element):\n"
           "            f[slot] = element\n"
           "            return where is None or where(m, f)\n\n"
           "        for element in list(filter(allowed, first(m, f))):\n"
           "            if cost:\n"
           "                m.step(domain.span, cost)\n"
           "            f[slot] = element\n"
           "            yield element\n"),
    Mutant("gather forgets from which seat", "native/emit/cards",
           "if count == players and node.start is not None and (told or not loose):", "if False:"),
    Mutant("a pile that is turned over stays as it lies", "native/emit/piles",
           "    else:\n        if under == turned:", "    else:\n        if under:"),
    Mutant("cards of no order are laid from the wrong end", "native/emit/piles",
           "ascending = under == turned", "ascending = not turned"),
    Mutant("under a pile is on top of it", "native/emit/piles", "elif under:", "elif False:"),
    Mutant("a card in the place of another stays", "native/emit/cards",
           "left = code.without(code.load(zone, at), code.bit(card))\n        code.store",
           "left = code.load(zone, at)\n        code.store"),
    Mutant("a drawn card is counted still", "native/emit/piles",
           'code.b.sub(code.load(f"{pile}.many", at), const(1))', 'code.load(f"{pile}.many", at)'),
    Mutant("taken from a group, the group begins anew", "native/emit/piles",
           "high = b.shl(b.or_(over, b.and_(b.and_(stays, const(1)), inside)), place)",
           "high = b.shl(over, place)"),
    Mutant("again goes on without asking", "interp/compile_program",
           "            if signal is not Leave.AGAIN:\n                return signal",
           "            return None if signal is Leave.AGAIN else signal"),
    Mutant("options are worked out once", "interp/compile_program",
           "        for _ in range(MOST_REPEATS):\n"
           "            m.count_question(node.span)\n"
           "            actions = tuple(_legal(m, f, options))\n",
           "        actions = tuple(_legal(m, f, options))\n"
           "        for _ in range(MOST_REPEATS):\n"
           "            m.count_question(node.span)\n"),
    Mutant("choices are numbered the other way round", "native/emit/phases",
           "following = b.add(b.mul(digits, const(choice.size)), digit)",
           "following = b.add(digits, b.mul(digit, const(choice.size)))"),
    Mutant("a trick's state lasts", "native/emit/phases", 'code.start_variables(kind)',
           'kind == "trick" or code.start_variables(kind)',
           quick=5),
    Mutant("a deal's state lasts", "native/emit/phases", 'code.start_variables(kind)',
           'kind == "deal" or code.start_variables(kind)',
           quick=24),
    Mutant("what is revealed stays so", "native/emit/phases",
           'code.store(f"{name}.shown", const(0), const(i))', "pass"),
    Mutant("a match ends without its deal", "native/emit/phases",
           "with code.b.if_then(open_deal):", "with code.b.if_then(code.b.not_(open_deal)):",
           quick=2),
    Mutant("what was known is known after a change", "native/emit/body",
           "if rests_on & names]:", "if False]:"),
    Mutant("what was known is known after a rule", "native/emit/statements",
           "self.memo.forget(self.writes_of(node))\n        self.follow", "self.follow"),
    Mutant("what one branch found is known after it", "native/emit/statements",
           "with self.memo.scope():\n            self.block_of(body)\n        self.go(done)",
           "self.block_of(body)\n        self.go(done)"),
    Mutant("stronger is as strong", "passes/select_cards",
           'name, op, key))', 'name, op.replace("<=", "<"), key))'),
    Mutant("a comparison the other way round is not turned", "passes/select_cards",
           '"<": ">", "<=": ">="', '"<": "<", "<=": "<="'),
    Mutant("other cards are these", "passes/select_cards",
           'op = "-" if self.others else "&"', 'op = "&"'),
    Mutant("what may fail is asked sooner", "ir/effects",
           "return short and not self.can_fail(part)", "return short"),
    Mutant("a variable of the deal is always the same", "passes/__init__",
           "effects.assigned_names())", 'effects.assigned_names() - effects.starting("deal"))'),
    Mutant("a special card has the first suit", "native/emit/builtins",
           "return [NONE if has is None", "return [0 if has is None"),
    Mutant("steps are those of the shorter program", "passes/__init__",
           "steps=work.cost(old)", "steps=0"),
    Mutant("a zone holds one card less", "native/emit/cards",
           'icmp_signed(">", cards, const(most))', 'icmp_signed(">=", cards, const(most))',
           quick=5),
    Mutant("a bounded number ends one lower", "native/llvm/function",
           'b.icmp_signed(">", value, const(high))', 'b.icmp_signed(">=", value, const(high))'),
    Mutant("an argument's lower bound is not looked at", "native/llvm/function",
           'b.icmp_signed("<", value, const(low))', 'b.icmp_signed("<", value, value)'),
    Mutant("chance picks from the other end", "native/emit/rule_writer",
           "return self.pick(luck.one, self.below(self.count_bits(luck.one)))",
           "many = self.count_bits(luck.one)\n"
           "        rank = b.sub(b.sub(many, const(1)), self.below(many))\n"
           "        return self.pick(luck.one, rank)"),
    Mutant("a draw never gives the last card", "native/emit/chance",
           "b.sub(many, const(other)), several)", "b.sub(many, const(other + several)), several)"),
    Mutant("chance is a little too likely", "native/emit/rule_writer",
           'b.icmp_signed("<", self.below(luck.two), luck.one)',
           'b.icmp_signed("<=", self.below(luck.two), luck.one)'),
    Mutant("a loop that deals needs two cards less", "native/emit/loops",
           'cards = b.mul(const(players), rounds)',
           'cards = b.sub(b.mul(const(players), rounds), const(2))'),
    Mutant("the first of two seats is always the start", "native/emit/body",
           "b.select(pair[0], seat, b.select(pair[1], other, const(NONE)))",
           "b.select(b.or_(*pair), seat, const(NONE))"),
    Mutant("a team sees what its partner's own is", "native/play/observation",
           "result = places % teams == team\n", "result = places == own\n"),
    Mutant("a copied match shares its memory", "native/play/__init__",
           "twin.memory = type(self.memory).from_buffer_copy(self.memory)",
           "twin.memory = self.memory",
           quick=2),
    Mutant("who won after the dealer is counted the wrong way", "native/emit/counting",
           "wrapped = self.b.add(distance, const(self._plan.teams))",
           "wrapped = self.b.sub(const(0), behind)"),
    Mutant("memory of a deal lasts the match", "native/emit/policies",
           'deal = self.b.add(self.load("#deals"), const(1))', "deal = const(2)"),
    Mutant("memory of a trick lasts the deal", "native/emit/policies",
           "return self.b.or_(self.b.shl(deal, const(32)), self.load(TRICKS))", "return deal"),
    Mutant("memory is kept out of its bounds", "native/emit/policies",
           "wrong = self.is_outside(number, low, high)\n            message = f\"'{memory.name}'",
           "wrong = self.is_outside(number, low, 2**62)\n            message = f\"'{memory.name}'"),
    Mutant("memory that grows forgets its value", "native/emit/policies",
           "new = self.new_value(op, type_, old, new)", "pass"),
    Mutant("any is always the first", "native/emit/policies",
           "self.b.ret(self.below(self.count))", "self.b.ret(const(0))"),
    Mutant("an illegal choice of several is taken", "native/emit/policies",
           "return self.b.and_(inside, self.has_bit(word, self.b.and_(number, const(63))))",
           "return inside"),
    Mutant("a revealed place is not in sight", "native/emit/builtins",
           "seeing = code.b.or_(seeing, code.load(field, at))", "pass"),
    Mutant("no hand is larger than the set", "native/emit/builtins",
           "numbers = [comb(n, k) for n", "numbers = [max(1, comb(n, k)) for n"),
    Mutant("keys beside a table are its first row", "native/emit/expressions",
           "return b.select(inside, result, const(grid.other))" , "return result"),
    Mutant("the next stronger rank is the next weaker", "native/emit/builtins",
           'deck.beside(above=name == "rank_above")', 'deck.beside(above=name != "rank_above")'),
    Mutant("a script remembers a trick for the deal", "interp/policy",
           "return (self.match.deals, len(self.match.tricks))", "return (self.match.deals,)"),
    Mutant("memory is settled at each question", "interp/policy",
           "if self._stamps.get(memory.name) == lifetime:", "if False:"),
    Mutant("scripts may look anywhere", "ir/script/vocabulary",
           "secrets = hidden_from(binding.label, frozenset({self.reader}))",
           "secrets = hidden_from(PUBLIC, frozenset({self.reader}))"),
    Mutant("hands of others are in sight", "interp/policy",
           "return sees(zone, at, self.seat, setting) or self.seat in self.match.may_see(name, at)",
           "return True"),
    Mutant("scripts draw from a stream of their seat", "native/play/batch",
           "keys = np.array(strategy_key(seed, name), np.uint64)",
           'keys = np.array(strategy_key(seed, "uniform"), np.uint64)'),
)  # fmt: skip
