"""What can be asked of a tournament: every key of an experiment file, which is also a flag."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, Literal, TypeAlias

from trutdsl.diagnostics import did_you_mean
from trutdsl.game import BadUsage
from trutdsl.report.language import ENGLISH, FRENCH
from trutdsl.stats.design import BY_MATCH
from trutdsl.stats.rounds import FORMATS as IN_ROUNDS
from trutdsl.streams import LARGEST_SEED

Kind: TypeAlias = Literal["text", "texts", "integer", "number", "boolean", "values"]
AT_ONCE = ("round-robin", "one-against-all", "partnerships")
PLAIN = "plain"
FORFEIT, STOP = "forfeit", "stop"
FORMATS = (*AT_ONCE, *IN_ROUNDS)
MATCHES, DEALS = "matches", "deals"
LOCAL, DASK = "local", "dask"
BUDGETS = ("sets", "matches", "deals", "time")  # at most one of them is given
LARGEST = 10**15


@dataclass(frozen=True)
class Key:
    """A key of an experiment file.

    kind:    of its value; `values` is a mapping of names to values.
    least, most: bounds of a number; choices: the texts that it can be, if they are few.
    """

    kind: Kind
    help: str
    least: int | float = 0
    most: int | float = LARGEST
    choices: tuple[str, ...] = ()


KEYS: dict[str, Key] = {
    "experiment": Key("text", "its name, after which its folder is called"),
    "variant": Key("text", "a shipped variant's name, or a path relative to this file"),
    "players": Key("integer", "seats at the table; by default the fewest", 1, 16),
    "parameters": Key("values", "parameters of the variant"),
    "strategies": Key("texts", "names of shipped strategies, or paths relative to this file"),
    "format": Key("text", "who meets whom; by default round-robin", choices=FORMATS),
    "against": Key("text", "who plays all others, for one-against-all"),
    "rounds": Key("integer", "how many rounds, for swiss and ladder", 1, 1000),
    "mode": Key("text", "what is played: whole matches, or single deals", choices=(MATCHES, DEALS)),
    "score": Key("values", "in deals: counter -> where each team's stands; by default 0"),
    "sets": Key("integer", "sets of deals; each is played by all, under every seating", 1),
    "matches": Key("integer", "as many sets as it takes to come to so many matches", 1),
    "deals": Key("integer", "as many sets as it takes to come to so many deals", 1),
    "time": Key("number", "as many sets as can be begun in so many seconds", 0.1, 10**7),
    "metric": Key("text", "what is compared: matches won, or counters, such as `2 longs + petits`"),
    "precision": Key("number", "stop once every difference is known so well, plus or minus", 1e-6),
    "test": Key("texts", "stop once it is decided whether the first of these two is better"),
    "margin": Key("number", "how much better, for `test`", 1e-6),
    "seed": Key(
        "integer",
        "what all chance derives from; by default 1, or a random one where a program plays",
        0,
        LARGEST_SEED,
    ),
    "engine": Key("text", "what plays the rules", choices=("native", "reference")),
    "move_timeout": Key("number", "seconds of processor time for one decision", 0.1, 86_400),
    "on_error": Key(
        "text",
        "what becomes of a strategy that fails: its match or the run",
        choices=(FORFEIT, STOP),
    ),
    "out": Key("text", "the run's folder; by default reports/NAME-SEED"),
    "jobs": Key(
        "integer", "worker processes, at most 8 for each usable CPU; by default one for each", 1
    ),
    "start_method": Key("text", "how workers are started", choices=("fork", "forkserver", "spawn")),
    "executor": Key(
        "text", "what plays: processes here, or a cluster of Dask", choices=(LOCAL, DASK)
    ),
    "scheduler": Key("text", "the address of the cluster's scheduler, such as tcp://host:8786"),
    "chunk": Key("integer", "sets in a chunk of work; by default by the time that it takes", 1),
    "csv_style": Key(
        "text",
        "how tables are written: with commas, or as in France with semicolons and decimal commas",
        choices=(PLAIN, "fr"),
    ),
    "parquet": Key("boolean", "write the tables as Parquet, too, which takes pyarrow"),
    "lang": Key("text", "the language of what is shown", choices=(ENGLISH, FRENCH)),
    "shard": Key("text", "the part K/N of the sets to play here, such as 3/8"),
}
REQUIRED = ("experiment", "variant", "strategies")


@dataclass(frozen=True)
class Settings:
    """What decides a tournament's results; see `KEYS` for what each is.

    parameters: texts NAME=VALUE; score: texts NAME=A,B, a value for each team. Of `BUDGETS` at most
    one is given; 100 sets by default. seed: None for what `settle_seed` says.
    """

    variant: str
    strategies: tuple[str, ...]
    experiment: str | None = None
    players: int | None = None
    parameters: tuple[str, ...] = ()
    format: str = FORMATS[0]
    against: str | None = None
    rounds: int | None = None
    mode: str = MATCHES
    score: tuple[str, ...] = ()
    sets: int | None = None
    matches: int | None = None
    deals: int | None = None
    time: float | None = None
    metric: str = BY_MATCH
    precision: float | None = None
    test: tuple[str, ...] | None = None
    margin: float | None = None
    seed: int | None = None
    engine: str = "native"
    move_timeout: float = 10.0
    on_error: str = FORFEIT

    def __post_init__(self) -> None:
        given = [f"--{name}" for name in BUDGETS if getattr(self, name) is not None]
        if len(given) > 1:
            raise BadUsage(
                f"{' and '.join(given)} are two ways to say how much is played; give one"
            )
        if self.score and self.mode != DEALS:
            raise BadUsage("--score is where single deals start from; it needs --mode deals")
        if (self.against is not None) != (self.format == "one-against-all"):
            raise BadUsage("--format one-against-all and --against A go together: who is A?")
        if self.rounds is not None and self.format not in ("swiss", "ladder"):
            raise BadUsage(f"--rounds is for --format swiss and ladder, not {self.format}")
        if self.format in IN_ROUNDS and {*given, *self._rules} - {"--sets"}:
            other = sorted({*given, *self._rules} - {"--sets"})[0]
            raise BadUsage(f"--format {self.format} takes --sets, for each round, and no {other}")
        if (self.test is None) != (self.margin is None):
            raise BadUsage(
                "--test A,B and --margin go together: how much better is A to be than B?"
            )
        if self.test is not None and len(set(self.test)) != 2:
            raise BadUsage(f"--test needs two strategies, not {','.join(self.test)!r}")
        if self.test is not None and self.format == "partnerships":
            raise BadUsage("--test is for two strategies that meet; in partnerships pairs do")
        if self.test is not None and self.precision is not None:
            raise BadUsage("--precision and --test are two rules for when to stop; give one")
        check(self)

    @property
    def _rules(self) -> list[str]:
        return [f"--{name}" for name in ("precision", "test") if getattr(self, name) is not None]


@dataclass(frozen=True)
class Means:
    """How a tournament is played and told, which changes nothing in its results; see `KEYS`.

    csv_style, lang, parquet: None where nothing is said: as the run has it, else plain, English and
    no.
    """

    out: str | None = None
    jobs: int | None = None
    start_method: str | None = None
    chunk: int | None = None
    shard: str | None = None
    csv_style: str | None = None
    lang: str | None = None
    executor: str = LOCAL
    scheduler: str | None = None
    parquet: bool | None = None

    def __post_init__(self) -> None:
        check(self)
        if (self.executor == DASK) != (self.scheduler is not None):
            raise BadUsage("--executor dask and --scheduler ADDRESS go together")
        if self.executor == DASK and (self.jobs is not None or self.start_method is not None):
            raise BadUsage("--jobs and --start-method are for this machine, not for a cluster")


def check(what: Settings | Means) -> None:
    """Raise `BadUsage` for a number out of its bounds or a text that is none of the choices."""
    for name in (one.name for one in fields(what)):
        value, key = getattr(what, name), KEYS[name]
        flag = "--" + name.replace("_", "-")
        if value == "":
            raise BadUsage(f"{flag} is empty; leave it out, or write what is meant")
        if isinstance(value, int | float) and not key.least <= value <= key.most:
            above = f"from {key.least} to {_shown(key.most)}"
            bounds = f"at least {key.least}" if key.most == LARGEST else above
            raise BadUsage(f"{flag} must be {bounds}, not {value}")
        if key.choices and value is not None and value not in key.choices:
            near = did_you_mean(value, key.choices)
            raise BadUsage(f"{flag} {value}: {near or 'choose ' + ', '.join(key.choices)}")


def _shown(most: int | float) -> str:
    return "2**128-1" if most == LARGEST_SEED else str(most)


def split(given: dict[str, Any]) -> tuple[Settings, Means]:
    """Return what was given by key as settings and means; None is what was not given."""
    given = {name: value for name, value in given.items() if value is not None}
    means = {one.name for one in fields(Means)}
    return (
        Settings(**{name: value for name, value in given.items() if name not in means}),
        Means(**{name: value for name, value in given.items() if name in means}),
    )


# The JSON Schema of experiment files, for editors that check a file while it is written.

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}


def experiment_schema() -> dict[str, Any]:
    """Return the schema; `experiment.settings.json` beside this module holds the same."""
    return {
        "$schema": DIALECT,
        "title": "An experiment of trutdsl",
        "type": "object",
        "properties": {
            name: {"description": key.help, **_shape(key)} for name, key in KEYS.items()
        },
        "required": list(REQUIRED),
        "additionalProperties": False,
        "not": {"anyOf": [{"required": [*two]} for two in combinations(BUDGETS, 2)]},
    }


def _shape(key: Key) -> dict[str, Any]:
    match key.kind:
        case "text":
            return (
                {"enum": list(key.choices)} if key.choices else {"type": "string", "minLength": 1}
            )
        case "texts":
            return {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1}
        case "boolean":
            return {"type": "boolean"}
        case "values":
            one = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}
            return {"type": "object", "additionalProperties": one}
        case "integer" | "number":
            bounds: dict[str, Any] = {"type": key.kind, "minimum": key.least}
            return bounds if key.most == LARGEST else {**bounds, "maximum": key.most}
