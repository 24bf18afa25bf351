"""A sitting of `trutdsl play`: a person and strategies at a table."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from io import StringIO, TextIOWrapper
from typing import IO, NamedTuple, TextIO

import typer

from trutdsl.cli.explain_choice import hint_lines, script_lines, search_lines
from trutdsl.cli.hand import Hand, PlayerLeft, Undone
from trutdsl.cli.output import note, stopped_code, tell_stopped
from trutdsl.cli.screen import Screen, can_draw
from trutdsl.diagnostics import Rejected
from trutdsl.game import Action, BadUsage, Game, Question, State, View
from trutdsl.language import say
from trutdsl.report.checks import each_flag
from trutdsl.report.people import People
from trutdsl.report.rulebook import option_forms
from trutdsl.report.telling import Follower, RuleTexts
from trutdsl.strategy.explain import follow
from trutdsl.strategy.fitness import load_strategies, split_strategies
from trutdsl.strategy.load import POLICY, Spec, settle_seed
from trutdsl.strategy.match_history import MatchHistory
from trutdsl.strategy.monte_carlo import NAME as MONTE_CARLO
from trutdsl.strategy.monte_carlo import MonteCarloSpec, search_after
from trutdsl.strategy.play import Begin, play_match
from trutdsl.strategy.script import ScriptSpec, table_for
from trutdsl.strategy.solved_policy import SolvedSpec
from trutdsl.strategy.spec import person
from trutdsl.table.chance import StreamChance
from trutdsl.transcript.events import Event, Recorder, record_to
from trutdsl.variant import words_of

ME = "you"  # the name of the person in a transcript
QUICK = 20  # play-outs that the reference engine makes in seconds
ADVISERS = ("steady", "tute-follower", "uniform")  # the first that can play the game


class SittingStart(NamedTuple):
    """Where a sitting begins: a game, its luck, and the answers up to there.

    begin: starts a match at another place than its first deal.
    """

    game: Game
    seed: int | None
    match: int = 0
    answers: tuple[str, ...] = ()
    begin: Begin | None = None


class _Answer(NamedTuple):
    """An answer of the match: the index of its deal, the seat, the action, and if it was chosen."""

    deal: int
    seat: int
    text: str
    chosen: bool


class Sitting:
    """A person and strategies at a table, from the welcome to the end."""

    def __init__(
        self, start: SittingStart, seat: int, strategies: str, hint: str | None, practice: bool
    ) -> None:
        game, self.seat = start.game, seat
        self.start, self.game = start, game
        self.file: IO[str] | None = None
        others = _seat_others(game, strategies)
        names = [spec.name for spec in others]
        names.insert(seat, ME)
        words = words_of(game.variant, values=game.parameters)
        people = People(game.teams, names, seat, words, option_forms(game.program))
        rules = RuleTexts(game, words)
        self.screen = Screen(people, rules, words, can_draw(sys.stdout))
        self.answers: list[_Answer] = []
        advise = self._adviser(hint, practice)
        self.hand = Hand(
            Follower(people, rules), self.screen, _input(), sys.stdout, advise, practice
        )
        self.seating = [*others]
        self.seating.insert(seat, person(ME, self.hand))
        if start.begin and any(isinstance(spec, MonteCarloSpec) for spec in self.seating):
            text = "{name} needs a match from its first deal; name others with --strategies"
            raise BadUsage(say(text, name=MONTE_CARLO))
        if game.engine == "reference" and any(
            isinstance(spec, MonteCarloSpec) and spec.playouts > QUICK for spec in self.seating
        ):
            text = (
                "with --engine reference a decision of {name} takes up to some minutes; with"
                " --strategies {name}:playouts={few} seconds"
            )
            note(say(text, name=MONTE_CARLO, few=QUICK))
        self.seed = settle_seed(start.seed, self.seating)
        self.first_answers = list(start.answers)

    def welcome(self) -> None:
        """Say who sits where, and what to type."""
        people = self.screen.people
        typer.echo(self.screen.words.title)
        for seat in range(self.game.players):
            mine = self.game.teams[seat] == self.game.teams[self.seat] and seat != self.seat
            partner = f" ({say('your partner')})" if mine else ""
            typer.echo(f"  {people.player(seat)}{partner}")
        for line in self.hand.help_lines():
            typer.echo(line)
        typer.echo(say("The rules: {command}", command=_rules_command(self.game)))

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        line = say("The same cards again: {flag}", flag=f"--seed {self.seed}")
        if self.first_answers or self.start.begin:
            self.hand.go_back(0)
        try:
            while not self._play():
                self._go_back()
        except PlayerLeft as left:
            if left.why is not None:
                raise left.why from None
            typer.echo(say("You left the match."))
            typer.echo(line)
        except KeyboardInterrupt:
            tell_stopped(say("stopped"))
            typer.echo(say("You left the match."))
            typer.echo(line)
            raise typer.Exit(stopped_code()) from None
        else:
            typer.echo(line)

    def _play(self) -> bool:
        """Play the given answers and then the match; return False if the person goes back."""
        self.answers.clear()
        takers: list[Callable[[Event], None]] = [self.hand.follower]
        recorder = self._recorder()
        if recorder is not None:
            takers.append(recorder)

        def emit(event: Event) -> None:
            for take in takers:
                take(event)

        watch = self.hand.watch(self.seat)

        def answered(state: State, question: Question, action: Action, _any: bool) -> None:
            chosen = len(question.actions) > 1
            self.answers.append(_Answer(state.deals, question.seat, action.text, chosen))
            watch(state)

        try:
            play_match(
                self.game, self.seating, self.seed, self.start.match, emit, answered, watch,
                answers=self.first_answers, begin=self.start.begin,
            )  # fmt: skip
        except Undone:
            return False
        finally:
            if recorder is not None:
                recorder.flush()
        return True

    def _go_back(self) -> None:
        """Take back the last choice of the person: the next match ends its answers before it."""
        pairs = enumerate(self.answers)
        own = [i for i, one in pairs if one.chosen and one.seat == self.seat]
        deal = self.answers[own[-1]].deal
        self.first_answers = [one.text for one in self.answers[: own[-1]]]
        self.hand.go_back(sum(self.answers[i].deal == deal for i in own) - 1)
        if self.file is not None:
            self.file.seek(0)
            self.file.truncate()

    def _recorder(self) -> Recorder | None:
        """Return what writes the transcript, from its beginning."""
        if self.file is None:
            return None
        names = [spec.name for spec in self.seating]
        return record_to(self.file, self.game, names, self.seed, self.start.match)

    def _adviser(self, hint: str | None, practice: bool) -> Callable[[View], Iterable[str]] | None:
        """Return what advises the person, None if nobody does; raises `BadUsage`."""
        if hint is None and (not practice or self.start.begin):
            return None if not practice else self._script_adviser(usual_script(self.game))
        hint = hint or MONTE_CARLO
        (spec,) = load_strategies((hint,), self.game)
        if isinstance(spec, ScriptSpec):
            return self._script_adviser(spec)
        if isinstance(spec, MonteCarloSpec) and not self.start.begin:
            return self._search_adviser(spec)
        if not hint.endswith(POLICY):
            text = "--hint {hint}: hints come from {search}, a script or a {ending} file"
            if self.start.begin:
                text = "--hint {hint}: after a scenario hints come from a script or a {ending} file"
            raise BadUsage(say(text, hint=hint, search=MONTE_CARLO, ending=POLICY))
        from trutdsl.strategy.hints import SolvedPolicyAdviser  # this import is slow

        assert isinstance(spec, SolvedSpec)
        adviser = SolvedPolicyAdviser(self.game, spec)
        words = words_of(self.game.variant, values=self.game.parameters)
        return lambda view: hint_lines(adviser.hint(view), spec.name, words)

    def _script_adviser(self, spec: ScriptSpec) -> Callable[[View], Iterable[str]]:
        def advise(view: View) -> Iterator[str]:
            begin = self.start.begin
            result = follow(
                self.game.in_engine("reference"), spec, self.seed, self.start.match, view.seat,
                [one.text for one in self.answers],
                begin and (lambda game: begin(game, None)),
            )  # fmt: skip
            return script_lines(spec.name, result, self._texts(view))

        return advise

    def _search_adviser(self, spec: MonteCarloSpec) -> Callable[[View], Iterable[str]]:
        def advise(view: View) -> Iterator[str]:
            table = table_for(self.game, (spec.script_for(self.game),))
            chance = StreamChance(self.seed, self.start.match)
            result = search_after(
                [one.text for one in self.answers], spec, table,
                MatchHistory(table.compiled_game, (view.seat,), chance), view.seat,
                self.seed, self.start.match,
            )  # fmt: skip
            script = spec.script_for(self.game).name
            return search_lines(spec.name, result, self._texts(view), script)

        return advise

    def _texts(self, view: View) -> list[str]:
        return [self.screen.people.action(action.text) for action in view.actions]


def _rules_command(game: Game) -> str:
    """Return the command that prints the rules of a game with its parameters."""
    parts = ["trutdsl", "rules", game.ref, "--players", str(game.players)]
    return shlex.join([*parts, *each_flag("--param", game.changed_parameters())])


def usual_script(game: Game) -> ScriptSpec:
    """Return the first of some shipped scripts that can play a game."""
    for name in ADVISERS:
        try:
            (spec,) = load_strategies((name,), game)
        except (BadUsage, Rejected):
            continue
        if isinstance(spec, ScriptSpec):
            return spec
    raise BadUsage(say("no shipped script plays this game; name one with --hint"))


def _input() -> TextIO:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or StringIO()  # it may be closed


def _seat_others(game: Game, text: str) -> list[Spec]:
    """Return the strategies of the other seats; raises `BadUsage` for another number of them."""
    names, others = split_strategies(text), game.players - 1
    if len(names) == 1:
        names *= others
    elif len(names) != others:
        raise BadUsage(
            say(
                "{number} strategies for the {others} other seats; give 1 or {others}"
                if others > 1
                else "{number} strategies for the other seat; give one",
                number=len(names),
                others=others,
            )
        )
    return list(load_strategies(names, game))
