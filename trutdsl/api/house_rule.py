"""The texts of a new house rule: its variant file and its first scenario."""

from __future__ import annotations

import json
import os
import re
import shlex
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from trutdsl.diagnostics import BadUsage, Failure, refuse_os_errors
from trutdsl.files import write_whole
from trutdsl.game import Game, load_game
from trutdsl.language import mark, one_by_one, say
from trutdsl.scenario.record import record_scenario, write_scalar
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.play import play_match
from trutdsl.transcript.events import Event, RecordedMatch, Recorder, match_event
from trutdsl.variant import Variant, list_variants, words_of
from trutdsl.variant.manifest import LATEST
from trutdsl.variant.model import Definition, definitions
from trutdsl.variant.read_values import HYPHENATED, LONGEST_NAME

TRIES = 20  # deals that are tried as a scenario
WINDOWS_DEVICES = r"con|prn|aux|nul|(?:com|lpt)[0-9]"
LOOK = "`trutdsl show VARIANT --source RULE`"
SCENARIO_HEAD = (
    mark("# A scenario is a test deal: the cards, the players' actions, and the expected result."),
    mark("# This one was played at random. Change it, and add one for each of your rules,"),
    mark("# with `---` between."),
)


def write_house_rule(
    name: str, base: str, settings: Sequence[str], folder: Path
) -> tuple[Path, Path]:
    """Write a house rule and its scenarios into a folder; return both paths.

    No file is overwritten: raises `BadUsage`, as for a name that a variant cannot have.
    """
    if not re.fullmatch(HYPHENATED.pattern, name) or len(name) > LONGEST_NAME:
        text = (
            "'{name}' cannot be the name of a variant; expected {words}, at most "
            "{longest_name} in all"
        )
        words = say(HYPHENATED.words)
        message = say(text, name=name, words=words, longest_name=LONGEST_NAME)
        bare = name.lower().removesuffix(".yaml")
        plain = unicodedata.normalize("NFKD", bare).encode("ascii", "ignore").decode()
        better = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_0123456789")[:LONGEST_NAME]
        cure = say("write {names}", names=better) if better else None
        raise BadUsage(one_by_one(filter(None, (message, cure))))
    if re.fullmatch(WINDOWS_DEVICES, name, re.IGNORECASE):
        text = "'{name}' cannot be the name of a file on Windows; choose another name"
        raise BadUsage(say(text, name=name))
    if name in list_variants():
        raise BadUsage(say("a shipped variant is called '{name}'; choose another name", name=name))
    game = load_game(base, parameters=settings, engine="reference")
    rules, scenarios = folder / f"{name}.yaml", folder / f"{name}-scenarios.yaml"
    for path in (rules, scenarios):
        with refuse_os_errors(path):
            is_there = path.exists()
        if is_there:
            raise BadUsage(
                say("{path} is there already; choose another name, or remove it", path=path)
            )
    values = dict(text.split("=", 1) for text in settings)
    if base.endswith((".yaml", ".yml")) and not Path(base).is_absolute():
        base = Path(os.path.relpath(base, folder)).as_posix()  # `extends` begins at its own file
    _write(rules, "\n".join(rule_lines(name, base, game.variant, values)) + "\n")
    _write(scenarios, scenario_text(load_game(str(rules), engine="reference")))
    return rules, scenarios


def _write(path: Path, text: str) -> None:
    with refuse_os_errors(path):
        write_whole(path, text)


def rule_lines(name: str, base: str, variant: Variant, values: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a variant file that sets parameters and says how to go on."""
    yield say("# House rules. `trutdsl check {name}.yaml` finds mistakes in this file.", name=name)
    yield f"variant: {name}"
    yield f"language: {LATEST}"
    own = name.replace("-", " ")
    rules = say("{title}, our rules", title=words_of(variant).title)
    title = f"{own[0].upper()}{own[1:]} ({rules})"
    yield f"title: {json.dumps(title, ensure_ascii=False)}"
    yield say("summary: What our table plays otherwise.")
    yield f"extends: {write_scalar(base)}"
    parameters = variant.parameters
    if values:
        yield "set:"
        yield from _settings(variant, values, "  ")
    defaults = {p: one.text_of(one.default) for p, one in parameters.items() if p not in values}
    if defaults:
        yield ""
        yield say("# Other parameters, with the values that they have. To change one, write it")
        yield (
            say("# below `set:` without the '#'.")
            if values
            else say("# below a line `set:`, without the '#'.")
        )
        yield from _settings(variant, defaults, "#   ")
    example = _example(variant)
    if example:
        yield ""
        yield say(
            "# To change a rule, look at it: {replace}",
            replace=LOOK.replace("VARIANT", shlex.quote(base)),
        )
        yield say(
            "# Then write your own version, with `replace` before it. This one changes nothing yet:"
        )
        yield "# rules: |"
        yield from (f"#   {line}" for line in example)


def _settings(variant: Variant, values: Mapping[str, str], indent: str) -> Iterator[str]:
    width = max(len(f"{name}: {text}") for name, text in values.items())
    for name, text in values.items():
        setting = f"{indent}{name}: {text}".ljust(len(indent) + width)
        yield f"{setting}  # {words_of(variant).parameter(name)}"


def _example(variant: Variant) -> list[str]:
    """Return the shortest define with a help text, of the last file that has one, to replace it."""
    defines = [
        versions[-1]
        for versions in definitions(variant).values()
        if versions[-1].kind == "define" and versions[-1].help
    ]
    if not defines:
        return []
    order = [layer.name for layer in variant.layers]
    last = max((one.layer for one in defines), key=order.index)
    texts = [_in_words(one, variant) for one in defines if one.layer == last]
    first, *rest = min(texts, key=lambda lines: (len(lines), sum(map(len, lines))))
    return [f"replace {first}", *rest]


def _in_words(one: Definition, variant: Variant) -> list[str]:
    """Return the lines of a definition, its help text in the current language."""
    translation = words_of(variant).text_of(one)
    help_text = f'"{one.help}"'
    text = one.text.removeprefix("replace ")
    return (
        text if '"' in translation else text.replace(help_text, f'"{translation}"', 1)
    ).splitlines()


def scenario_text(game: Game) -> str:
    """Return a file with the first deal of a match by chance that can be told as a scenario."""
    events: list[Event] = []
    head = "".join(f"{say(line)}\n" for line in SCENARIO_HEAD)
    uniform = load_strategy("uniform")
    events.append(match_event(game, [uniform.name] * game.players, 1, 0))
    play_match(game, [uniform] * game.players, 1, 0, Recorder(events.append))
    record = RecordedMatch(str(game.ref), tuple(events), tuple(range(1, len(events) + 1)))
    for deal in range(TRIES):
        with suppress(BadUsage, Failure):
            text = record_scenario(record, deal, "a-deal-by-chance")
            ref = f"variant: {Path(record.events[0]['variant']).name}"  # beside the scenarios
            return head + re.sub(r"(?m)^variant: .*", ref, text, count=1)
    return head
