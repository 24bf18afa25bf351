"""Rules at a table: a variant with its players, parameters and engine."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from trutdsl.arguments import check_arguments, check_kind, check_range
from trutdsl.diagnostics import BadUsage, OlderLanguage, did_you_mean, render
from trutdsl.game.legend import Legend, make_legend
from trutdsl.game.state import State, check_counter, near_counter
from trutdsl.interp import CompiledProgram, Machine, compile_program
from trutdsl.interp.policy import Probe
from trutdsl.ir import Deck, Program, build_program, make_deck
from trutdsl.ir.editions import bring_up
from trutdsl.ir.transforms import MARK, ProbedPart, Score, add_entry, add_probes, add_single_deal
from trutdsl.ir.types import STRENGTH
from trutdsl.language import one_by_one, say
from trutdsl.native.jit import StepCode
from trutdsl.native.play import NativeMatch
from trutdsl.native.play.runs import CountCode, RunCode
from trutdsl.native.play.search import SearchCode
from trutdsl.table.actions import AskPlan, plan_actions
from trutdsl.table.chance import Chance, CheckedChance, OpenChance, StreamChance
from trutdsl.table.counts import CountPlan, Counts, declare_counts
from trutdsl.table.faults import RuleError
from trutdsl.table.match import Arrangement
from trutdsl.table.setting import SeatedPlayer, Setting
from trutdsl.variant import Value, Variant, load_variant
from trutdsl.variant.model import check_once, was_right

ENGINES = ("native", "reference")
SEMANTICS = "4"  # incremented when the same rules and seed lead to other events


class Game:
    """A game that can be played: immutable, and picklable for worker processes.

    ref:         how the person calls the variant; `name` is the variant's own name.
    teams:       the team of each seat.
    parameters:  every parameter's value; a probability in millionths.
    score:       if a match is a single deal, the counters that it starts from; else None.
    fingerprint: SHA-256 in hexadecimal over everything that decides play.
    """

    def __init__(
        self,
        variant: Variant,
        program: Program | None,
        players: int,
        parameters: Mapping[str, Value],
        ref: str,
        engine: str = "reference",
        score: Score | None = None,
    ) -> None:
        self.variant, self.score = variant, score
        self._build: Callable[[], Program] | None = None
        if program is not None:
            self.program = program
        self.ref, self.engine = ref, engine
        self.name, self.players = variant.name, players
        self.parameters = dict(parameters)
        self.team_count = variant.teams[players]
        self.teams = tuple(seat % self.team_count for seat in range(players))
        self.deck: Deck = make_deck(variant.pack_for(self.parameters))
        self.strengths = dict(zip(self.deck.texts, self.deck.strength, strict=True))
        self.setting = Setting(players, self.team_count, self._engine_parameters(), self.deck)
        decides = [SEMANTICS, variant.fingerprint, players, sorted(self.parameters.items())]
        if score is not None:
            decides.append(sorted((name, list(values)) for name, values in score.items()))
        self.fingerprint = _hash_of(decides)

    @cached_property
    def program(self) -> Program:
        """The program of the rules; raises `Rejected` for rules with errors."""
        if self._build:
            return self._build()
        program = build_program(self.variant)
        return program if self.score is None else add_single_deal(program, self.score)

    @cached_property
    def optimized(self) -> Program:
        """The program after all passes, the source of all machine code."""
        from trutdsl import passes  # not needed for cached machine code

        return passes.optimize(self.program, self.setting)

    @cached_property
    def code(self) -> CompiledProgram:
        """The program compiled for the reference engine, once a process."""
        return compile_program(self.program, self.setting)

    @cached_property
    def steps(self) -> StepCode:
        """The program compiled for step-by-step play, once a process.

        With policies it also contains search, which plays out worlds with them.
        """
        return SearchCode(self) if self.program.policies else StepCode(self)

    @cached_property
    def runs(self) -> RunCode:
        """The program compiled to play many matches at once, once a process."""
        return RunCode(self)

    @cached_property
    def plans(self) -> list[AskPlan]:
        """The numbers of each question's actions, see `State.legal`."""
        return list(plan_actions(self.program, self.setting).values())

    @cached_property
    def secret_questions(self) -> frozenset[int]:
        """The numbers of questions that some seat cannot notice."""
        from trutdsl.ir.flow.check import find_secret_questions  # rarely needed

        return find_secret_questions(self.program)

    @cached_property
    def legends(self) -> list[Legend]:
        """The meaning of each seat's sights."""
        seats, parameters = range(self.players), self.parameters
        return [make_legend(self.program, self.setting, parameters, seat) for seat in seats]

    @cached_property
    def counting(self) -> CountCode:
        """The program compiled to play many matches at once and count them, once a process."""
        return CountCode(self)

    @cached_property
    def counting_briefly(self) -> CountCode:
        """The same as `counting`, for what `simulate` prints alone, which is faster."""
        return CountCode(self, brief=True)

    @property
    def counting_kept(self) -> bool:
        """Tell whether the machine code for counting is in the cache."""
        return CountCode.is_kept(self)

    def count(
        self,
        seating: Sequence[SeatedPlayer],
        seed: int,
        first: int,
        count: int,
        brief: bool = False,
    ) -> Counts:
        """Return the counts of matches in machine code; raises as `RunCode.rows` does.

        brief: only of what `simulate` prints.
        """
        code = self.counting_briefly if brief else self.counting
        return code.count(seating, seed, first, count)

    @cached_property
    def count_plan(self) -> CountPlan:
        """The layout of this game's counts."""
        return declare_counts(self.program, self.setting)

    def take_plan_of(self, other: Game) -> None:
        """Take `count_plan` from the same game with scripts, if its machine code is cached.

        Then the rules need not be parsed.
        """
        if "program" not in vars(self) and other.counting_kept:
            self.count_plan = other.counting.plan

    def in_engine(self, engine: str) -> Game:
        """Return the same game in another engine."""
        return self._like(self.__dict__.get("program"), engine, self.score)

    def with_program(self, program: Program) -> Game:
        """Return the same game in the reference engine, with a program of the same meaning.

        Machine code would not come from this program: its key in the cache is the same.
        """
        return self._like(program, "reference", self.score)

    @check_arguments
    def one_deal(self, score: Mapping[str, Sequence[int]] = MappingProxyType({})) -> Game:
        """Return the game whose match is a single deal, from these counters.

        score: counter -> its value for each team; others start as usual. A match is
               drawn unless that one deal ends it.
        Raises `BadUsage` for an unknown counter, or values out of its bounds.
        """
        for name, values in score.items():
            check_counter(self.program, self.team_count, name, values)
        return self._like(None, self.engine, dict(score))

    @cached_property
    def whole_match(self) -> Game:
        """The same game whose matches have all their deals, if they are single deals here."""
        return self if self.score is None else self._like(None, self.engine, None)

    def _like(
        self, program: Program | None, engine: str, score: Score | None, *more: object
    ) -> Game:
        """Return the same game with these; more: what identifies it beside its own fingerprint."""
        game = Game(self.variant, program, self.players, self.parameters, self.ref, engine, score)
        if more:
            game.fingerprint = _hash_of([self.fingerprint, *more])
        return game

    def measuring(self) -> Game:
        """Return the same game with a function for the strength of hands, if its program allows it.

        Then `count_plan` has bets.
        """
        return self.with_build(partial(_add_probe, self), STRENGTH)

    def with_build(self, build: Callable[[], Program], *more: str) -> Game:
        """Return the same game with another program, such as one with policies.

        build: makes the program, if its machine code is not cached. more: identifies what is added,
               such as the fingerprints of the policies' scripts.
        """
        vocabulary = self.variant.vocabulary_fingerprint
        game = self._like(None, self.engine, self.score, vocabulary, *more)
        game._build = build
        return game

    @cached_property
    def probe(self) -> Probe | None:
        """The probe for the strength of hands, None if the program has none."""
        measured = STRENGTH in self.program.functions
        return Probe(self.program, self.setting) if measured else None

    def with_history(self, programs: Sequence[Program]) -> Game:
        """Return the same game that also records the past, as the last of these programs does.

        programs: each of them records all that those before it record, and has policies, too.
        """
        # What a script adds to the rules depends only on the new variables.
        names = [
            sorted(program.variables.keys() - before.variables.keys())
            for before, program in pairwise([self.program, *programs])
        ]
        last = programs[-1]
        program = replace(self.program, variables=last.variables, rules=last.rules)
        return self._like(program, self.engine, self.score, *names)

    def with_entry(self, rule: str | None, names: Sequence[str]) -> Game:
        """Return the same game, open to an arrangement of zones and variables when a rule begins.

        rule: None for the start of a deal; see `trutdsl.ir.transforms`.
        """
        program = add_entry(self.program, rule, names)
        return self._like(program, self.engine, self.score, rule, *names)

    @cached_property
    def with_counters(self) -> tuple[Game, Mapping[str, ProbedPart]]:
        """The same game with counters of executed parts of the rules; see `ir.transforms`."""
        program, probes = add_probes(self.program)
        return self._like(program, self.engine, self.score, MARK), probes

    def __repr__(self) -> str:
        what = "one deal" if self.score is not None else "matches"
        return f"<Game: {self.name}, {self.players} players, {what}, {self.engine} engine>"

    def __deepcopy__(self, _memo: object) -> Game:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Leave out all cached properties except the program."""
        again = {
            name for name, attribute in vars(Game).items() if isinstance(attribute, cached_property)
        }
        return {n: value for n, value in vars(self).items() if n == "program" or n not in again}

    def parameter_texts(self) -> dict[str, str]:
        """Return every parameter's value as files and command lines write it."""
        parameters = self.variant.parameters
        return {name: parameters[name].text_of(value) for name, value in self.parameters.items()}

    def changed_parameters(self) -> list[str]:
        """Return NAME=VALUE for each parameter that does not have its default."""
        known, texts = self.variant.parameters, self.parameter_texts()
        return [
            f"{n}={texts[n]}" for n, value in self.parameters.items() if value != known[n].default
        ]

    def _engine_parameters(self) -> dict[str, int | bool | str | frozenset[int]]:
        """Return the parameters in the engines' form: a set of cards as indices."""
        indices = {text: index for index, text in enumerate(self.deck.texts)}
        parameters = self.variant.parameters
        return {
            name: frozenset(indices[c] for c in parameters[name].cards_in(value) if c in indices)
            if parameters[name].type == "cards"
            else value
            for name, value in self.parameters.items()
        }

    def start(
        self,
        seed: int,
        match: int,
        emit: Callable[[dict[str, Any]], None] | None = None,
        arrangement: Arrangement | None = None,
        chance: Chance | None = None,
        open_chance: bool = False,
        pauses: bool = True,
    ) -> State:
        """Return a match at its first stop.

        seed, match: decide all chance; match is the index of the match under this seed.
        emit:        receives every event at once.
        arrangement: replaces the `setup` blocks that it settles.
        chance:      decides instead of the seed. It and the arrangement must be such that
                     `copy.deepcopy` copies them, which `State.clone` does.
        open_chance: the match stops at each chance event, also in a `setup`; its `pending` is
                 then a `ChanceNode`. Seed and match decide nothing.
        pauses:      the match stops before each deal; otherwise native play continues.
        Raises `BadUsage` if chance is both given and open, and for a wrong argument.
        """
        if open_chance and chance is not None:
            raise BadUsage(say("chance is either given or open"))
        if emit is not None:
            check_kind("emit", emit, "Callable")
        if chance is not None:
            check_kind("chance", chance, "Chance")
        check_kind("open_chance", open_chance, "bool")
        check_kind("pauses", pauses, "bool")
        check_kind("match", match, "int")
        check_range("match", match, 0)

        def make_chance() -> Chance:
            return OpenChance(self.setting) if open_chance else StreamChance(seed, match)

        source = make_chance() if chance is None else CheckedChance(chance)
        if self.engine == "reference":
            return State(self, Machine(self.code, source, emit, arrangement))

        def again() -> Machine:
            return Machine(self.code, make_chance())

        known = again if chance is None and arrangement is None else None
        try:
            return State(self, NativeMatch(self.steps, source, emit, arrangement, pauses), known)
        except RuleError:
            if known is not None:
                known()
            raise


def _hash_of(decides: list[Any]) -> str:
    return sha256(json.dumps(decides).encode()).hexdigest()


def _add_probe(game: Game) -> Program:
    from trutdsl.ir.script.vocabulary import add_probe  # not needed for cached machine code

    return add_probe(game.variant, game.program)


@check_arguments
def load_game(
    ref: str | Path,
    players: int | None = None,
    parameters: Sequence[str] | Mapping[str, Any] = (),
    engine: str = "native",
) -> Game:
    """Return a game from a shipped variant's name or a file.

    players:    the variant's smallest number if None.
    parameters: texts NAME=VALUE as on the command line, or values by name.
    A variant that this program version has already checked is built only on demand.
    Raises `Rejected` for a faulty file, `BadParameter` or `BadUsage` for a request it cannot meet.
    """
    variant = load_variant(ref, known=was_right)
    if engine not in ENGINES:
        near = did_you_mean(engine, ENGINES)
        text = "there is no engine '{engine}'; {near}"
        raise BadUsage(say(text, engine=engine, near=near or "choose " + ", ".join(ENGINES)))
    if players is None:
        players = variant.players[0]
    if players not in variant.players:
        known = ", ".join(map(str, variant.players))
        text = "{variant} is for {known} players, not {players}"
        raise BadUsage(say(text, variant=variant.name, known=known, players=players))
    if not was_right(variant):
        variant = bring_up(variant)
        for older in variant.older:
            warnings.warn(render(older), OlderLanguage, stacklevel=2)
    values = parameters if isinstance(parameters, Mapping) else _split(parameters)
    bound = variant.bind(values)
    game = Game(variant, None, players, bound, str(ref), engine)
    check_once(variant, lambda _: game.program)
    return game


def _split(texts: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = map(str.strip, text.partition("="))
        if not equals or not name:
            message = say("a parameter is set by NAME=VALUE, not by '{text}'", text=text)
            if hit := re.fullmatch(r"(\w+)\s*[: ]\s*(\S+)", text):
                message = one_by_one((message, say("write {names}", names=f"{hit[1]}={hit[2]}")))
            raise BadUsage(message)
        if several := re.fullmatch(r"([^,=]+)((?:,\w+=[^,=]+)+)", value):
            apart = f"{name}={several[1]}{several[2].replace(',', ' --param ')}"
            raise BadUsage(
                say("parameters are set one by one: write --param {values}", values=apart)
            )
        if name in values:
            raise BadUsage(say("the parameter '{name}' is set twice", name=name))
        values[name] = value
    return values


def play_from(game: Game, score: Iterable[str]) -> Game:
    """Return the game of single deals from a score; raises `BadUsage` for an impossible one.

    score: texts COUNTER=A,B, a counter and each team's value; other counters are 0.
    """
    result: dict[str, tuple[int, ...]] = {}
    names = game.count_plan.counters
    for text in score:
        name, _, values = text.partition("=")
        texts = [value.strip() for value in values.split(",")]
        if not all(map(re.compile(r"-?[0-9]{1,9}").fullmatch, texts)):
            raise BadUsage(
                say("--score {text}: expected a counter and numbers, COUNTER=A,B", text=text)
            )
        if name not in names:
            near = near_counter(name, names)
            raise BadUsage(
                say(
                    "--score {text}: {game} has no counter '{name}'; {near}",
                    text=text,
                    game=game.name,
                    name=name,
                    near=near,
                )
            )
        if name in result:
            raise BadUsage(say("--score {text}: '{name}' is given twice", text=text, name=name))
        result[name] = tuple(map(int, texts))
    try:
        return game.one_deal({name: result.get(name, (0,) * game.team_count) for name in names})
    except ValueError as wrong:
        raise BadUsage(f"--score: {wrong}") from None
