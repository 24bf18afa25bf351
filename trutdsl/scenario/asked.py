"""Strategies that are asked along a scenario, and what they choose at its end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from trutdsl.diagnostics import BadUsage, reject
from trutdsl.game import Game, Question, State
from trutdsl.scenario.model import Chosen, Open, Scenario
from trutdsl.shipped_files import SCRIPT
from trutdsl.strategy import ScriptSpec, load_strategy
from trutdsl.strategy.explain import Advisers, Explanation
from trutdsl.strategy.fitness import check_for
from trutdsl.table import PolicyError

SEED = 0


def chosen_by(scenario: Scenario) -> tuple[Chosen, ...]:
    """Return what strategies are expected to choose at the end of a scenario."""
    found = scenario.expect.values.get("choose", ())
    assert isinstance(found, tuple)
    return found


class Asked:
    """Scripts that are asked every question of a scenario, each as if it sat on that seat.

    game: the one to be played. choices: what each script chose last, and why; a text if it failed.
    """

    def __init__(self, game: Game, specs: Mapping[str, ScriptSpec]) -> None:
        """Make the scripts ready, each by what it is called; raises `Rejected` if one misfits."""
        self.specs = specs
        for spec in self.specs.values():
            check_for(spec, game)
        each = tuple(dict.fromkeys(specs.values()))
        self.advisers = Advisers(game, each, SEED, 0) if each else None
        self.game = self.advisers.game if self.advisers else game
        self.question: Question | None = None
        self.choices: dict[str, Explanation | str] = {}

    def ask(self, state: State, question: Question) -> None:
        """Ask every script what it would do."""
        self.question = question
        for text, spec in self.specs.items():
            assert self.advisers is not None
            try:
                self.choices[text] = self.advisers.choose(state, question, spec)
            except PolicyError as failed:
                self.choices[text] = f"{failed.diagnostic.span}: {failed.diagnostic.message}"

    def stops_at(self, question: Question, scenario: Scenario) -> bool:
        """Tell whether a question is the one that scripts are asked in the end.

        It is the first with a choice, of the seat and name that are expected, if any are.
        """
        wanted = scenario.expect.values.get("decision", Open(None, None, None))
        assert isinstance(wanted, Open)
        return (
            bool(self.specs)
            and len(question.actions) > 1
            and wanted.seat in (None, question.seat)
            and wanted.name in (None, question.decision)
        )

    def differences(self, scenario: Scenario) -> list[str]:
        """Return what scripts chose that they were not expected to, a line each."""
        found = []
        for one in chosen_by(scenario):
            choice = self.choices.get(one.strategy)
            if choice is None or self.question is None:
                found.append(f"choose {one.strategy}: nothing was asked")
            elif isinstance(choice, str):
                found.append(f"choose {one.strategy}: it failed, {choice}")
            elif (text := self.question.actions[choice.index].text) != one.action:
                last = choice.looked[-1]
                by = f"by `{last.text}` ({last.span})"
                found.append(
                    f"choose {one.strategy}: expected `{one.action}`, found `{text}`, {by}"
                )
        return found


def load_chosen(scenario: Scenario, file: Path) -> dict[str, ScriptSpec]:
    """Return the scripts that a scenario names; a path starts from the folder of its file."""
    return {one.strategy: _load(one, file) for one in chosen_by(scenario)}


def _load(one: Chosen, file: Path) -> ScriptSpec:
    path, colon, settings = one.strategy.partition(":")
    here = f"{file.parent / path}{colon}{settings}" if path.endswith(SCRIPT) else one.strategy
    try:
        spec = load_strategy(here)
    except BadUsage as bad:
        raise reject("bad-scenario", str(bad), one.span) from None
    if not isinstance(spec, ScriptSpec):
        message = f"'{one.strategy}' is no script, and cannot be asked here"
        raise reject("bad-scenario", message, one.span, help=f"a script's file ends in {SCRIPT}")
    return spec
