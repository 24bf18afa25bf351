"""The dialogue of a person at a table: questions are shown, and answers are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from typing import TextIO

from trutdsl.cli.screen import MOST_SHOWN, PASS, Screen, have_numbers, names_people, wrap_text
from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.game import Action, HistoryEntry, State, View
from trutdsl.language import figure, say, with_title
from trutdsl.report.people import People
from trutdsl.report.telling import Follower
from trutdsl.strategy.spec import shorten

RED_CARD = re.compile(r"[\w ]*[♥♦]")


class PlayerLeft(KeyboardInterrupt):
    """The person leaves the match.

    why: the problem with the terminal or the input, if that is the reason.
    """

    def __init__(self, why: OSError | BadUsage | None = None) -> None:
        super().__init__()
        self.why = why


class Undone(KeyboardInterrupt):
    """The person takes back the last choice."""


class Hand:
    """A strategy whose choices a person makes.

    follower: receives the events of the match. answers: the input; input that is no terminal is
    also printed. output: where everything is shown.
    advise: returns the lines of a hint, if there are hints. practice: choices can be taken back.
    """

    def __init__(
        self,
        follower: Follower,
        screen: Screen,
        answers: TextIO,
        output: TextIO,
        advise: Callable[[View], Iterable[str]] | None = None,
        practice: bool = False,
    ) -> None:
        self.follower, self._screen, self._advise = follower, screen, advise
        self.answers, self._output, self._practice = answers, output, practice
        self._echo = not answers.isatty()
        self._paint = _painter(output)
        self._silent = False  # while a match is played up to where it was
        # At the last question, and at the deal's first one, see `Screen.state`.
        self._news, self._first = dict[str, str](), dict[str, str]()
        self._deal: int | None = None
        self._choices = 0  # of this deal
        self._passing: set[str] = set()  # decisions that are passed in this deal

    def go_back(self, choices: int) -> None:
        """Play on silently up to the next question; choices: those of the deal until there."""
        self._silent, self._choices = True, choices
        self.follower.forget()
        self._passing.clear()

    def watch(self, seat: int) -> Callable[[State], None]:
        """Return a function that prints the events of a stop; raises `PlayerLeft`."""

        def watched(state: State) -> None:
            try:
                self._tell(state.sight(seat).history)
                if not self._silent and not state.match.deal_open and state.deals and state.pending:
                    self._pause()
            except OSError as why:
                raise PlayerLeft(why) from None

        return watched

    def choose(self, view: View) -> Action:
        """Return the person's action; raises `PlayerLeft` or `Undone`."""
        try:
            return self._ask(view)
        except OSError as why:
            raise PlayerLeft(why) from None

    def _ask(self, view: View) -> Action:
        if self._silent:
            self._tell(view.history)
            self._silent = False
            self._lines(self.follower.opening)
            self._lines(f"  {line}" for line in self.follower.answers)
        self._tell(view.history)
        if view.deal != self._deal:
            self._first = self._screen.state(view)
            self._deal, self._news, self._choices = view.deal, {}, 0
            self._passing.clear()
        actions = view.actions
        if len(actions) == 1:
            if actions[0].text != PASS:
                text = say(
                    "Your only choice: {action}", action=self._screen.people.action(actions[0].text)
                )
                self._say(f"  {text}")
            return actions[0]
        if view.decision in self._passing and (silence := _pass_of(actions)) is not None:
            return silence
        follower = self.follower
        self._lines(self._screen.table(view, follower.announcements, follower.deal))
        self._tell_news(view)
        self._lines(self._screen.actions(actions))
        while True:
            result = self._answer(
                view, self._read(f"{self._screen.words.decision(view.decision)}> ")
            )
            if result is not None:
                self._choices += 1
                return result

    def _answer(self, view: View, answer: str) -> Action | None:
        """Return the action of an answer; None after a command or an impossible answer."""
        word, actions = answer.lower(), view.actions
        result = action_for(answer, actions, self._screen.people)
        if isinstance(result, Action):
            return result
        if word == "?":
            announcements, news = self.follower.answers, self._changes(view)
            self._lines(self._screen.everything(view, announcements, news))
        elif word in ("help", "h", say("help")):
            self._lines(self.help_lines())
            return None
        elif word in ("hint", say("hint")) and self._advise is not None:
            self._lines(line for text in self._advise(view) for line in wrap_text(text))
            return None
        elif word in self._undo_words():
            self._undo()
            return None
        elif word in self._quit_words():
            raise PlayerLeft
        elif word in ("pp", say("pp")) and (silence := _pass_of(actions)) is not None:
            self._passing.add(view.decision)
            return silence
        else:
            self._lines(wrap_text(result))
            return None
        self._lines(self._screen.actions(actions))
        return None

    def _undo(self) -> None:
        if not self._practice:
            self._say("  " + say("Choices can be taken back in practice only: --practice"))
        elif not self._choices:
            self._say("  " + say("You have not chosen anything in this deal yet."))
        else:
            raise Undone

    def help_lines(self) -> Iterator[str]:
        """Yield what a person can type."""
        yield "  " + say("Answer with the words, the last word, or the number if there is one.")
        yield "  " + say("?      the rule in force, and all that you may know")
        yield "  " + say("pp     pass, and pass this question for the rest of the deal")
        if self._advise is not None:
            yield "  " + say("hint   what an adviser would do, and why")
        if self._practice:
            yield "  " + say("undo   take back your last choice of this deal")
        yield "  " + say("quit   leave the match")

    def _tell(self, history: Sequence[HistoryEntry]) -> None:
        for line in self.follower.tell(history):
            if not self._silent:
                self._lines([line] if len(line) <= MOST_LINE else wrap_text(line.strip()))

    def _changes(self, view: View) -> dict[str, str]:
        """Return what differs from the deal's first question, beside cards and counters."""
        state = self._screen.state(view)
        return {name: value for name, value in state.items() if self._first.get(name) != value}

    def _tell_news(self, view: View) -> None:
        """Tell what changed for the whole table since the last question."""
        known, self._news = self._news, self._screen.state(view, indexed=False)
        for meaning, value in self._news.items():
            if known.get(meaning) != value:
                self._lines(wrap_text(with_title(meaning, value)))

    def _pause(self) -> None:
        if not self.answers.isatty():
            return
        while word := self._read(say("Enter: the next deal> "), empty=True).lower():
            if word in self._quit_words():
                raise PlayerLeft
            if word not in self._undo_words():
                return
            self._undo()

    def _quit_words(self) -> tuple[str, ...]:
        return "quit", "q", say("quit")

    def _undo_words(self) -> tuple[str, ...]:
        return "undo", "u", say("undo")

    def _read(self, prompt: str, empty: bool = False) -> str:
        """Return the next line with text; raises `PlayerLeft` at the end of input.

        empty: also a line without text.
        """
        while True:
            self._output.write(prompt)
            self._output.flush()
            line = self.answers.readline(LONGEST_ANSWER + 1)  # a device may have no end of line
            if len(line) > LONGEST_ANSWER:
                text = (
                    "standard input has a line of more than {most} characters, expected an answer"
                )
                raise PlayerLeft(BadUsage(say(text, most=figure(LONGEST_ANSWER, ","))))
            text = shorten(" ".join(line.split()))
            if self._echo or not line:
                self._say(text)
            if not line:
                raise PlayerLeft
            if text or empty:
                return text

    def _lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line)

    def _say(self, line: str) -> None:
        self._output.write(f"{self._paint(line)}\n")


def _pass_of(actions: Sequence[Action]) -> Action | None:
    return next((action for action in actions if action.text == PASS), None)


MOST_LINE = 80
LONGEST_ANSWER = 10_000


def _painter(output: TextIO) -> Callable[[str], str]:
    """Return what colours a line for this output: red suits, the own team, the rules."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=StringIO(), force_terminal=output.isatty())
    if not output.isatty() or console.no_color:
        return lambda line: line

    def paint(line: str) -> str:
        text = Text(line)
        text.highlight_regex(RED_CARD, "bold red")
        text.highlight_regex(r"^ ▶.*", "bold green")
        text.highlight_regex(r"●+", "yellow")
        text.highlight_regex(r"[─╭╮╰╯│▒]+", "dim")
        with console.capture() as capture:
            console.print(text, soft_wrap=True, end="")
        return capture.get()

    return paint


def action_for(answer: str, actions: Sequence[Action], people: People) -> Action | str:
    """Return the action of an answer, or a sentence with the reason if there is none.

    The answer is the whole action, or an end that no other action has, such as `7h` or `7♥`.
    Several cards may come in any order. If no action ends in a number of its own, it can be the
    action's number, from 1.
    """
    word = answer.lower()
    texts = [(action, _spellings(action, people)) for action in actions]
    for action, either in texts:
        if word in either:
            return action
    numbered = have_numbers(actions)
    if numbered and answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(actions):
        return actions[int(answer) - 1]
    words = sorted(word.replace(",", " ").split())
    same = [
        action
        for action, either in texts
        if action.has_several_cards
        and any(sorted(text.split()[-len(words) :]) == words for text in either)
    ]
    if len(same) == 1:
        return same[0]
    ends = [a for a, either in texts if any(text.endswith(f" {word}") for text in either)]
    if len(ends) == 1:
        return ends[0]
    if ends:
        names = say(" or ").join(people.action(action.text) for action in ends)
        return say("'{answer}' may be {actions}; write it whole", answer=answer, actions=names)
    hint = did_you_mean(answer, [people.action(action.text) for action in actions[:MOST_SHOWN]])
    if hint:
        return say("'{answer}' cannot be done now; {near}", answer=answer, near=hint)
    if len(actions) > MOST_SHOWN and actions[0].has_several_cards:
        text = "'{answer}' cannot be done now; write the cards, as in '{example}'"
        return say(text, answer=answer, example=people.action(actions[0].text))
    if numbered:
        text = "'{answer}' cannot be done now; write a number from 1 to {most}, or help"
        return say(text, answer=answer, most=len(actions))
    return say("'{answer}' cannot be done now; write one of these, or help", answer=answer)


def _spellings(action: Action, people: People) -> set[str]:
    """Return the whole answers for an action: as it is shown, and as its text unless of people."""
    shown = people.action(action.text)
    return {text.lower() for text in (shown, shown if names_people(action) else action.text)}
