"""Puts a person at a table whose input and output a test provides."""

from trutdsl.cli.hand import Hand
from trutdsl.cli.screen import Screen
from trutdsl.report.people import People
from trutdsl.report.telling import Follower, RuleTexts
from trutdsl.variant import words_of


def people_at(game, seat):
    """Return the people of a game; this seat is `you`, all others are `other`."""
    names = ["you" if other == seat else "other" for other in range(game.players)]
    return People(game.teams, names, seat, words_of(game.variant))


def sit(game, seat, answers, output, kind=Hand, drawn=True):
    """Return the hand of a person on a seat; its `follower` receives the events."""
    people = people_at(game, seat)
    rules = RuleTexts(game, people.words)
    screen = Screen(people, rules, people.words, drawn)
    return kind(Follower(people, rules), screen, answers, output)
