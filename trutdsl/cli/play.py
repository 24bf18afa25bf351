"""`trutdsl play`: a person plays a match against strategies, at the terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from io import StringIO, TextIOWrapper
from itertools import groupby
from operator import itemgetter
from typing import Annotated, TextIO

import typer

from trutdsl.cli.options import EngineName, NoCache, Parameters, Players, Variant, read_seed
from trutdsl.cli.output import open_transcript, stopped_code
from trutdsl.diagnostics import counted, did_you_mean
from trutdsl.game import Action, BadUsage, Game, HistoryEntry, State, View, load_game
from trutdsl.game.view import UNSEEN
from trutdsl.strategy import (
    MONTE_CARLO,
    Spec,
    load_strategies,
    play_match,
    settle_seed,
    split_strategies,
)
from trutdsl.strategy.load import POLICY
from trutdsl.strategy.spec import person, shorten
from trutdsl.table.sight import Hidden
from trutdsl.transcript import Follower, record_to, tell_value
from trutdsl.transcript.events import Event

WIDTH, NO_BREAK = 78, "\N{NO-BREAK SPACE}"
MOST_SHOWN = 60  # actions
ALL, HINT, QUIT = "?", "hint", ("quit", "q")
EMPTY = ("0", "no", "none")  # values of variables that need no mention


class Left(KeyboardInterrupt):
    """The person leaves the match.

    why: the problem with the terminal, if that is the reason.
    """

    def __init__(self, why: OSError | None = None) -> None:
        super().__init__()
        self.why = why


class Hand:
    """A strategy whose choices a person makes.

    answers: the input; input that is no terminal is also printed.
    screen:  the output. A decision with one legal action is made at once.
    advise:  returns the lines of a hint, if there are hints.
    """

    def __init__(
        self,
        follower: Follower,
        answers: TextIO,
        screen: TextIO,
        advise: Callable[[View], Iterable[str]] | None = None,
    ) -> None:
        self._follower, self._answers, self._screen = follower, answers, screen
        self._advise = advise
        self._echo = not answers.isatty()
        # The deal of the last question, and the variables then and at the deal's first question.
        self._deal, self._known, self._first = -1, dict[str, str](), dict[str, str]()

    def watch(self, seat: int) -> Callable[[State], None]:
        """Return a function that prints the events of a stop; raises `Left`."""

        def watched(state: State) -> None:
            try:
                self._tell(state.sight(seat).heard)
            except OSError as why:
                raise Left(why) from None

        return watched

    def choose(self, view: View) -> Action:
        """Return the person's action; raises `Left`."""
        try:
            return self._ask(view)
        except OSError as why:
            raise Left(why) from None

    def _ask(self, view: View) -> Action:
        self._tell(view.history)
        if len(view.actions) == 1:
            self._say(f"  your only choice: {view.actions[0].text}")
            return view.actions[0]
        for line in (*zone_lines(view), *self._news(view), *action_lines(view.actions)):
            self._say(line)
        while True:
            answer = self._read(f"{view.decision}> ")
            if answer == ALL:
                for line in (*all_lines(view), *action_lines(view.actions)):
                    self._say(line)
                continue
            if answer.lower() == HINT and self._advise is not None:
                for line in self._advise(view):
                    self._say(f"  {line}")
                continue
            found = action_for(answer, view.actions)
            if isinstance(found, Action):
                return found
            for line in wrapped(found):
                self._say(line)

    def _tell(self, history: Sequence[HistoryEntry]) -> None:
        for line in self._follower.tell(history):
            self._say(line)

    def _news(self, view: View) -> Iterator[str]:
        """Yield the changes of variables that the seat sees, since its last question.

        At the first question of a deal, numbers are compared with those of the last deal's start.
        """
        shown = shown_values(view)
        if self._deal != view.deal:
            usual = self._first or shown
            self._known = {
                place: text for place, text in usual.items() if text.lstrip("-").isdigit()
            }
            self._deal, self._first = view.deal, shown
        known, self._known = self._known, shown
        news = [
            f"{place}: {text}"
            for place, text in shown.items()
            if text not in EMPTY and known.get(place) != text
        ]
        if news:
            yield from wrapped(f"now {'; '.join(news)}")

    def _read(self, prompt: str) -> str:
        """Return the next line with text; raises `Left` at the end of input."""
        while True:
            self._screen.write(prompt)
            self._screen.flush()
            line = self._answers.readline()
            text = shorten(" ".join(line.split()))
            if self._echo or not line:
                self._say(text)
            if not line or text.lower() in QUIT:
                raise Left
            if text:
                return text

    def _say(self, line: str) -> None:
        self._screen.write(f"{line}\n")


def action_for(answer: str, actions: Sequence[Action]) -> Action | str:
    """Return the action of an answer, or a sentence with the reason if there is none.

    The answer is the whole action, or an end that no other action has, such as `7h`. If no action
    ends in a number of its own, it can be the action's number, from 1.
    """
    wanted = answer.lower()
    for action in actions:
        if action.text.lower() == wanted:
            return action
    numbered = are_numbered(actions)
    if numbered and answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    ends = [action for action in actions if action.text.lower().endswith(f" {wanted}")]
    if len(ends) == 1:
        return ends[0]
    if ends:
        return f"'{answer}' may be {' or '.join(action.text for action in ends)}; write it whole"
    near = did_you_mean(answer, [action.text for action in actions[:MOST_SHOWN]])
    instead = f"write a number from 1 to {len(actions)}" if numbered else "write one of these"
    return f"'{answer}' cannot be done now; {near or instead}"


def are_numbered(actions: Sequence[Action]) -> bool:
    """Tell whether actions have numbers: not if one ends in a number, such as `raise 4`."""
    return not any(_split_number(action.text)[1] for action in actions)


def _split_number(text: str) -> tuple[str, str]:
    """Return a text without its last word if that is a number, and the number or an empty text."""
    *_, last = text.split(" ")
    return (text.removesuffix(last), last) if last.isdecimal() else (text, "")


def action_lines(actions: Sequence[Action]) -> Iterator[str]:
    """Yield the legal actions in full lines, numbered if possible."""
    if are_numbered(actions):
        shown = [f"{number} {one.text}" for number, one in enumerate(actions[:MOST_SHOWN], 1)]
    else:
        shown = _with_ranges([action.text for action in actions])[:MOST_SHOWN]
    yield from wrapped("   ".join(text.replace(" ", NO_BREAK) for text in shown), indent="  ")
    if len(actions) > MOST_SHOWN == len(shown):
        yield f"  and {len(actions) - MOST_SHOWN:,} more, up to {actions[-1].text}"


def _with_ranges(texts: Sequence[str]) -> list[str]:
    found: list[str] = []
    for head, same in groupby(map(_split_number, texts), itemgetter(0)):
        ends = [end for _, end in same]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 and ends == [str(n) for n in range(int(first or 0), int(last or 0) + 1)]:
            found.append(f"{head}{first} to {last}")
        else:
            found += [head + end for end in ends]
    return found


def wrapped(text: str, indent: str = "    ") -> list[str]:
    """Return a text as indented lines; it is not broken at no-break spaces, which become spaces.

    indent: of all lines but the first.
    """
    lines = textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent=indent)
    return [line.replace(NO_BREAK, " ") for line in lines]


def zone_lines(view: View) -> Iterator[str]:
    """Yield the visible cards, place by place."""
    for zone, index, cards, _ in _places(view):
        if cards:
            yield from wrapped(f"{_place(view, zone, index)}: {' '.join(cards)}")


def all_lines(view: View) -> Iterator[str]:
    """Yield all visible cards, variables and counters."""
    yield f"  seat {view.dealer} deals, seat {view.leader} leads, you are seat {view.seat}"
    for zone, index, cards, size in _places(view):
        shown = " ".join(cards) if cards else counted(size, "card") if size else "nothing"
        yield from wrapped(f"{_place(view, zone, index)}: {shown}")
    known = view.to_dict(("variables", "counters"))
    for name, values in (known["variables"] | known["counters"]).items():
        yield from wrapped(f"{name}: {', '.join(map(tell_value, values))}")


def shown_values(view: View) -> dict[str, str]:
    """Return the value of each place of a variable as text, without hidden ones."""
    return {
        _place(view, name, index if len(values) > 1 else None, len(values)): tell_value(value)
        for name, values in view.to_dict(("variables",))["variables"].items()
        for index, value in enumerate(values)
        if value != UNSEEN
    }


def _places(view: View) -> Iterator[tuple[str, int | None, Sequence[str], int]]:
    """Yield each zone's places: its name, the seat or team, the cards seen there, how many lie.

    Those of seats begin with the one that leads.
    """
    for zone, places in view.zones.items():
        begin = view.leader if len(places) == view.players else 0
        for index in ((begin + at) % len(places) for at in range(len(places))):
            seen = places[index]
            cards = () if isinstance(seen, Hidden) else seen
            yield zone, index if len(places) > 1 else None, cards, view.sizes[zone][index]


def _place(view: View, name: str, index: int | None, many: int | None = None) -> str:
    """Return the name of a place: a seat's, or a team's if there are fewer teams than seats.

    many: the number of places; by default that of the zone.
    """
    if index is None:
        return name
    many = many or len(view.zones[name])
    if many not in (view.players, len(set(view.teams))):
        return f"{name} {index}"
    by_seat = many == view.players
    if index == (view.seat if by_seat else view.team):
        return f"your {name}" if by_seat else f"your team's {name}"
    return f"{name} of {'seat' if by_seat else 'team'} {index}"


YOU = "you"


def play(
    variant: Variant,
    strategies: Annotated[
        str,
        typer.Option(metavar="A,B,...", help="One for all other seats, or one for each of them."),
    ] = MONTE_CARLO,
    players: Players = None,
    seat: Annotated[int, typer.Option(metavar="N", help="Where you sit.")] = 0,
    hint: Annotated[
        str | None,
        typer.Option(metavar="FILE.policy", help="The policy that advises you when you type hint."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="What all chance derives from; default: other cards each time.",
            parser=read_seed,
        ),
    ] = None,
    param: Parameters = None,
    transcript: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every event as JSON lines, hidden cards too."),
    ] = None,
    engine: EngineName = "native",
    no_cache: NoCache = False,  # noqa: ARG001 - `Command` reads it
) -> None:
    """Play a match yourself, by any rules, against strategies.

    You are shown what a player at your seat sees, and asked what you do.

    Example: trutdsl play trut --strategies caller
    """
    if transcript == "-":
        raise BadUsage("--transcript needs a file here: standard output is for you to read")
    game = load_game(variant, players, param or [], engine)
    if not 0 <= seat < game.players:
        raise BadUsage(f"--seat {seat}: the seats are 0 to {game.players - 1}")
    follower = Follower(seat)
    advise = None if hint is None else _adviser(game, hint)
    hand = Hand(follower, _answers(), sys.stdout, advise)
    seating = _seat_all(game, strategies, seat, hand)
    seed = settle_seed(seed, seating)
    again, watch = f"the same cards again: --seed {seed}", hand.watch(seat)
    takers: list[Callable[[Event], None]] = [follower]

    def emit(event: Event) -> None:
        for take in takers:
            take(event)

    try:
        with ExitStack() as stack:
            if transcript is not None:
                file = stack.enter_context(open_transcript(transcript, sys.stdout))
                recorder = record_to(file, game, [spec.name for spec in seating], seed, 0)
                stack.callback(recorder.flush)
                takers.append(recorder)
            _say_who(game, seating, seat, hint)
            play_match(game, seating, seed, 0, emit, lambda state, *_: watch(state), watch)
    except Left as left:
        if left.why is not None:
            raise left.why from None
        typer.echo(f"You left the match; {again}")
    except KeyboardInterrupt:
        typer.echo(f"\nYou left the match; {again}")
        raise typer.Exit(stopped_code()) from None
    else:
        typer.echo(again.capitalize())


def _answers() -> TextIO:
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin or StringIO()  # it may be closed


def _seat_all(game: Game, text: str, seat: int, hand: Hand) -> list[Spec]:
    names, others = split_strategies(text), game.players - 1
    if len(names) == 1:
        names *= others
    elif len(names) != others:
        raise BadUsage(
            f"{len(names)} strategies for the {others} other seats; give 1 or {others}"
            if others > 1
            else f"{len(names)} strategies for the other seat; give one"
        )
    seating = list(load_strategies(names, game))
    seating.insert(seat, person(YOU, hand))
    return seating


def _adviser(game: Game, path: str) -> Callable[[View], Iterable[str]]:
    """Return what advises a person by a policy; raises `BadUsage` for anything else."""
    (spec,) = load_strategies((path,), game)
    if not path.endswith(POLICY):
        raise BadUsage(f"--hint {path}: hints come from a policy, the path of a {POLICY} file")
    from trutdsl.cli.hints import hint_lines  # these imports are slow
    from trutdsl.strategy.hints import PolicyAdviser
    from trutdsl.strategy.policy import PolicySpec

    assert isinstance(spec, PolicySpec)
    adviser, name = PolicyAdviser(game, spec), spec.name
    return lambda view: hint_lines(adviser.hint(view), name)


def _say_who(game: Game, seating: Sequence[Spec], seat: int, hint: str | None) -> None:
    typer.echo(f"{game.variant.title or game.name}")
    for place, spec in enumerate(seating):
        who = YOU if place == seat else spec.name
        typer.echo(f"  seat {place}, team {game.teams[place]}: {who}")
    typer.echo("Answer with words, an end of them, or a number; ? shows all that you may know,")
    typer.echo("q or quit ends the match.")
    if hint is not None:
        typer.echo(f"hint tells what {hint} would do, and what each choice loses.")
    typer.echo(f"The rules: trutdsl show {game.ref}")
