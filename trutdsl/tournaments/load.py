"""Loads experiments: experiment files, settings, variant and strategies, manifests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from trutdsl.diagnostics import Collector, Note, did_you_mean, write_instead
from trutdsl.files import own_version, shipped_folder, source_hash
from trutdsl.game import BadUsage, Game, load_game, play_from
from trutdsl.language import say
from trutdsl.native import ENGINE_SOURCES
from trutdsl.options import (
    BUDGETS,
    DEALS,
    IN_ROUNDS,
    LARGEST,
    MATCHES,
    OPTIONS,
    REQUIRED_KEYS,
    Means,
    Option,
    Settings,
    stored_settings,
)
from trutdsl.stats.design import BY_MATCH, TournamentMetric, parse_metric
from trutdsl.stats.rounds import rounds_of
from trutdsl.strategy.fitness import load_strategies
from trutdsl.strategy.legs import prepare_legs
from trutdsl.strategy.load import settle_seed
from trutdsl.tournaments.schedule import Experiment, arrange, plan_experiment
from trutdsl.variant import Node, Scalar, YamlMapping, read_source
from trutdsl.variant.compose_yaml import read_document
from trutdsl.variant.key_advice import number_meant
from trutdsl.variant.read_values import (
    describe,
    read_boolean,
    read_entries,
    read_fields,
    read_items,
    read_line,
    read_value,
    refuse,
)
from trutdsl.variant.source import refuse_other_ending

ENDINGS = (".yaml", ".yml")
OF_EXPERIMENTS = ("experiment", "strategies", "variants")  # keys that no variant has
FILES = (*ENDINGS, ".py", ".strategy")  # endings of paths in an experiment file
MOST_DIGITS = 40
# Options of one command that are not part of an experiment.
OF_COMMANDS = ("verbose", "json", "seconds_per_choice", "no_cache")
BELONGS = "it belongs on the command line: --{}"
OTHERWISE = {"param": "write them as `parameters: {NAME: VALUE}`"}


def is_experiment(ref: str) -> bool:
    """Tell whether a text is the path of an experiment file, not a variant.

    Raises `Rejected` for a file that is neither.
    """
    if not ref.endswith(ENDINGS):
        if Path(ref).suffix:
            refuse_other_ending(ref, ENDINGS[0])
        return False
    document = read_document(read_source(Path(ref), ref))
    return isinstance(document, YamlMapping) and any(
        k.text in OF_EXPERIMENTS for k, _ in document.entries
    )


def read_settings(ref: str) -> dict[str, Any]:
    """Return the values of an experiment file; raises `Rejected` with all its mistakes."""
    result = read_keys(ref, say("an experiment"), OPTIONS, REQUIRED_KEYS, OF_COMMANDS)
    result["variant"] = beside(ref, result["variant"])
    result["strategies"] = tuple(beside(ref, one) for one in result["strategies"])
    return result


def read_keys(
    ref: str,
    what: str,
    keys: Mapping[str, Option],
    required: Sequence[str],
    other_keys: Sequence[str],
) -> dict[str, Any]:
    """Return the values of a file by key; raises `Rejected` with all its mistakes.

    what: the name of such a file, `an experiment`. other_keys: options of commands only.
    """
    errors = Collector()
    document = read_document(read_source(Path(ref), ref))
    helps = {name: BELONGS.format(name.replace("_", "-")) for name in other_keys} | OTHERWISE
    nodes = read_fields(document, what, errors, tuple(keys), tuple(required), None, helps) or {}
    result = {name: _read(node, name, keys[name], errors) for name, node in nodes.items()}
    for (one, span), (other, again) in pairwise(
        (name, node.span) for name, node in nodes.items() if name in BUDGETS
    ):
        message = say(
            "`{one}` and `{other}` are two ways to say how much is played", one=one, other=other
        )
        first = Note(say("`{one}` is here", one=one), span)
        errors.error("two-budgets", message, again, first, help=say("leave one out"))
    errors.raise_if_any()
    return result


def beside(file: str, ref: str) -> str:
    """Return a path relative to a file as a path from here, and a name unchanged."""
    path, colon, rest = ref.partition(":")
    return str(Path(file).parent / path) + colon + rest if path.endswith(FILES) else ref


def _read(node: Node, name: str, key: Option, errors: Collector) -> Any:
    what = f"`{name}`"
    match key.kind:
        case "text":
            text = read_line(node, what, errors)
            if text is not None and key.choices and text not in key.choices:
                message = say(
                    "{what} must be one of {names}; found '{text}'",
                    what=what,
                    names=", ".join(key.choices),
                    text=text,
                )
                begun = [write_instead(one) for one in key.choices if text.startswith(f"{one} ")]
                near = begun[0] if begun else did_you_mean(text, key.choices)
                errors.error("unknown-name", message, node.span, help=near)
            return text
        case "texts":
            items = read_items(node, what, errors, least=1)
            return tuple(
                read_line(item, say("an entry of {what}", what=what), errors) for item in items
            )
        case "values":
            entries = read_entries(node, what, errors) or ()
            values = [
                (k.text, read_value(v, say("parameter '{k}'", k=k.text), errors))
                for k, v in entries
            ]
            return tuple(f"{name}={value.text}" for name, value in values if value is not None)
        case "boolean":
            return read_boolean(node, what, errors)
        case "integer" | "number":
            return _read_number(node, what, key, errors)


def _read_number(node: Node, what: str, key: Option, errors: Collector) -> int | float | None:
    kind = say("a whole number") if key.kind == "integer" else say("a number")
    if not isinstance(node, Scalar) or node.style != "plain":
        refuse(node, what, kind, errors, number_meant(node))
        return None
    try:
        plain = len(node.text) <= MOST_DIGITS and node.text.isascii() and "_" not in node.text
        number = (int if key.kind == "integer" else float)(node.text if plain else "")
    except ValueError:
        refuse(node, what, kind, errors, number_meant(node))
        return None
    if not (math.isfinite(number) and key.least <= number <= key.most):
        bounds = (
            say("at least {least}", least=key.least)
            if key.most == LARGEST
            else say("from {least} to {most}", least=key.least, most=key.most)
        )
        text = "{what} must be {kind} {bounds}, found {found}"
        message = say(text, what=what, kind=kind, bounds=bounds, found=describe(node))
        errors.error("out-of-range", message, node.span)
        return None
    return number


FORMAT = 5  # of manifests
DEFAULT_SETS = 100
ENDLESS = 10**12  # sets; another budget ends such a run

REPORTS = "reports"


@dataclass(frozen=True)
class Run:
    """A tournament that is ready to play.

    settings: the given ones, always with a seed.
    experiment: its loaded variant and strategies.
    """

    settings: Settings
    experiment: Experiment
    means: Means

    @cached_property
    def folder(self) -> Path:
        if self.means.out is not None:
            return Path(self.means.out)
        name = self.settings.experiment or self.experiment.game.name
        return Path(REPORTS) / f"{name}-{self.experiment.seed}"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Everything that affects its results; equal manifests mean equal results."""
        settings, experiment = self.settings, self.experiment
        game, result = experiment.game, stored_settings(settings)
        result |= {
            "format": FORMAT,
            "kind": "tournament",
            "trutdsl": own_version(),
            "engine": game.engine,
            "engine_hash": source_hash(*ENGINE_SOURCES),
            "title": game.variant.title,
            "variant": {
                "name": game.name,
                "players": game.players,
                "teams": list(game.teams),
                "parameters": game.parameter_texts(),
                "fingerprint": game.fingerprint,
                "vocabulary": game.variant.vocabulary_fingerprint,
            },
            "strategies": {s.name: s.fingerprint for s in experiment.strategies},
            "seed": experiment.seed,
            "score": sorted(settings.score),
            "metric": experiment.metric.name,
            "stop": result["stop"] or None,
        }
        result = {n: value for n, value in result.items() if n not in ("sets", "deals", "time")}
        if settings.format in IN_ROUNDS:  # how much is played in each is part of who meets whom
            rounds = rounds_of(settings.format, len(experiment.entrants), settings.rounds)
            result["meetings"] |= {"rounds": rounds, "sets": experiment.sets}
        elif settings.deals is not None and settings.mode == MATCHES:
            result["deals"] = settings.deals
        elif settings.time is not None:
            result["time"] = settings.time
        elif experiment.sets != ENDLESS:
            result["sets"] = experiment.sets
        return result if self.means.shard is None else result | {"shard": self.means.shard}


def load_run(settings: Settings, means: Means | None = None) -> Run:
    """Load the variant and the strategies of settings.

    Raises `Rejected`, `BadParameter` or `BadUsage` for bad ones.
    """
    game = load_game(settings.variant, settings.players, settings.parameters, settings.engine)
    if settings.mode == DEALS:
        game = play_from(game, settings.score)
    strategies = load_strategies(settings.strategies, game)
    # Compile once here, not in every forked worker.
    prepare_legs(game, strategies)
    names = [spec.name for spec in strategies]
    for name in settings.test or ():
        if name not in names:
            near = did_you_mean(name, tuple(names)) or say(
                "choose from {names}", names=", ".join(sorted(names))
            )
            raise BadUsage(
                say("--test {name}: no such strategy is given; {near}", name=name, near=near)
            )
    if settings.test is not None and settings.against not in (None, *settings.test):
        text = (
            "--test {names}: these two do not meet, as all play against {against}; "
            "name it as one of the two"
        )
        raise BadUsage(say(text, names=",".join(settings.test), against=settings.against))
    seed = settle_seed(settings.seed, strategies)
    plan = plan_experiment(
        game,
        strategies,
        seed,
        1,
        metric=_metric(settings, game),
        sequential=settings.test is not None,
    )
    plan = arrange(plan, settings)
    sets = _sets(settings, plan.design.matches_per_set)
    return Run(replace(settings, seed=seed), replace(plan, sets=sets), means or Means())


def _sets(settings: Settings, matches_per_set: int) -> int:
    """Return the number of sets, or the greatest possible one."""
    if settings.sets is not None:
        return settings.sets  # in rounds, of each of them
    if settings.time is not None:
        return ENDLESS
    # A match has at least one deal, unless it is forfeited.
    least = settings.matches if settings.deals is None else settings.deals
    if least is not None:
        return -(-least // matches_per_set)
    by_rule = settings.precision is not None or settings.test is not None
    return ENDLESS if by_rule else DEFAULT_SETS


def _metric(settings: Settings, game: Game) -> TournamentMetric:
    """Return the metric; raises `BadUsage` for one that the rules do not count.

    For single deals it is their gain. If there is only one kind, it is the default.
    """
    text, kinds = settings.metric, game.count_plan.counters if settings.mode == DEALS else ()
    if settings.mode == DEALS and text == BY_MATCH:
        if not kinds:
            raise BadUsage(
                say("--mode deals: a deal of {game} brings no points; play matches", game=game.name)
            )
        if len(kinds) > 1:
            text = (
                "--mode deals needs --metric: what are {names} worth to each other? For "
                "example '3 {sum}'"
            )
            raise BadUsage(say(text, names=say(" and ").join(kinds), sum=" + ".join(kinds)))
        text = kinds[0]
    try:
        metric = parse_metric(text, settings.mode)
    except ValueError:
        raise BadUsage(
            say(
                "--metric {text}: expected {by_match}, or counters such as '2 longs + petits'",
                text=repr(text),
                by_match=BY_MATCH,
            )
        ) from None
    names = game.count_plan.counters if metric.weights else ()
    for name, _ in metric.weights:
        if name not in names:
            near = did_you_mean(name, names) or say(
                "choose {by_match} or {names}", by_match=BY_MATCH, names=", ".join(names)
            )
            text = "--metric {name}: {game} has no such counter; {near}"
            raise BadUsage(say(text, name=name, game=game.name, near=near))
    return metric


def name_files(experiment: Experiment) -> dict[str, str]:
    """Return the words for the files of rules and strategies, by the manifest's name of each."""
    files = [layer.path for layer in reversed(experiment.game.variant.layers)]
    rules = _join_files(files)
    strategies = {f"strategies.{s.name}": _join_files(s.files) for s in experiment.strategies}
    return {"variant.fingerprint": rules, "variant.vocabulary": rules, **strategies}


def _join_files(files: Sequence[str]) -> str:
    """Return the first of these files, and with it those that are not shipped."""
    shipped = shipped_folder("variants").parent
    others = [file for file in files[1:] if not (shipped / file).is_file()]
    text = "{file} (with {others})"
    return say(text, file=files[0], others=", ".join(others)) if others else files[0]


def output_settings(settings: Settings, means: Means) -> dict[str, Any]:
    """Return the names and the output format as given, which the journal keeps."""
    return {
        "experiment": settings.experiment,
        "variant": settings.variant,
        "parameters": sorted(settings.parameters),
        "strategies": sorted(settings.strategies),
        "csv_style": means.csv_style,
        "lang": means.lang,
        "parquet": means.parquet,
    }


def with_budget(settings: Settings, budget: Mapping[str, float]) -> Settings:
    """Return the settings with another budget, as {option: value}."""
    values: dict[str, Any] = {**dict.fromkeys(BUDGETS), **budget}
    return replace(settings, **values)
