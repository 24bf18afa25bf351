"""Options of tournaments and comparisons: one table for commands, files, Python and manifests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from trutdsl.diagnostics import BadUsage, did_you_mean
from trutdsl.language import figure, languages, say
from trutdsl.shape import from_json
from trutdsl.streams import LARGEST_SEED

AT_ONCE = ("round-robin", "one-against-all", "partnerships")
IN_ROUNDS = ("swiss", "knock-out", "ladder")
FORMATS = (*AT_ONCE, *IN_ROUNDS)
MATCHES, DEALS = "matches", "deals"
FORFEIT, STOP = "forfeit", "stop"
LOCAL, DASK = "local", "dask"
NATIVE = "native"
PLAIN = "plain"
BUDGETS = ("sets", "matches", "deals", "time")  # at most one of these is given
LARGEST = 10**15
SECONDS = 4.0  # that a choice takes at a table

# The table. Each field of `Settings` and `Means` is an option: the field has its name, type and
# default, an `Option` the rest.

KINDS = {
    "str": "text",
    "tuple[str, ...]": "texts",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
}


@dataclass(frozen=True)
class Option:
    """An option of commands, also a key of experiment files and a keyword in Python.

    kind:    text, texts, values (texts NAME=VALUE, a mapping in a file), integer, number, boolean.
    about:   its text in the schema of experiment files; empty if it is no key there.
    help, metavar: its text and the name of its value in a command's help.
    least, most: bounds of a number; choices: all values of a text, if they are few.
    place:   its path in a manifest; default: its name. The journal adds `given`.
    flag:    its name on the command line; default: `--name`.
    short:   its name of one letter, such as `-j`.
    usual:   the default that a command's help shows.
    """

    name: str
    kind: str
    about: str
    help: str = ""
    metavar: str | None = None
    least: int | float = 0
    most: int | float = LARGEST
    choices: tuple[str, ...] = ()
    place: str = ""
    flag: str = ""
    default: Any = None
    usual: Any = None
    short: str = ""

    def __post_init__(self) -> None:
        if not self.flag:
            object.__setattr__(self, "flag", "--" + self.name.replace("_", "-"))

    def check(self, value: Any) -> None:
        """Raise `BadUsage` for a number outside its bounds or a text outside its choices."""
        flag = self.flag.partition("/")[0]  # of `--parquet/--no-parquet` the first one
        if value == "":
            raise BadUsage(say("{flag} is empty; leave it out, or write what is meant", flag=flag))
        if isinstance(value, int | float) and not self.least <= value <= self.most:
            most = "2**128-1" if self.most == LARGEST_SEED else self.most
            bounds = say("from {least} to {most}", least=self.least, most=most)
            if self.most == LARGEST:
                bounds = say("at least {least}", least=self.least)
            raise BadUsage(
                say("{flag} must be {bounds}, not {value}", flag=flag, bounds=bounds, value=value)
            )
        if self.choices and value is not None and value not in self.choices:
            hint = did_you_mean(value, self.choices)
            raise BadUsage(f"{flag} {value}: {hint or 'choose ' + ', '.join(self.choices)}")


def option(about: str, help: str = "", metavar: str | None = None, **more: Any) -> Any:
    """Return a field of `Settings` or `Means` with these fields of its `Option`."""
    default = more.pop("default", None)
    more |= {"about": about, "help": help, "metavar": metavar}
    return field(default=default, metadata=more)


def options_of(record: type) -> Iterator[Option]:
    for one in fields(record):
        values: dict[str, Any] = {
            "name": one.name,
            "kind": KINDS[str(one.type).removesuffix(" | None")],
            "place": one.name,
            "default": None if one.default is MISSING else one.default,
        }
        yield Option(**(values | dict(one.metadata)))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options that decide a tournament's results.

    parameters: texts NAME=VALUE; score: texts COUNTER=A,B, a value for each team. At most one of
    `BUDGETS` is given; the default is 100 sets. seed: `settle_seed` replaces None.
    """

    experiment: str | None = option(
        "its name, after which its folder is called", place="given.experiment"
    )
    variant: str = option(
        "a shipped variant's name, or a path relative to this file",
        place="given.variant",
        default=MISSING,
    )
    players: int | None = option(
        "seats at the table; by default the fewest",
        "Seats at the table; default: the fewest.",
        "N",
        least=1,
        most=16,
        place="variant.players",
    )
    parameters: tuple[str, ...] = option(
        "parameters of the variant",
        "Set a variant's parameter; repeatable.",
        "NAME=VALUE",
        kind="values",
        flag="--param",
        place="given.parameters",
        default=(),
    )
    strategies: tuple[str, ...] = option(
        "names of shipped strategies, or paths relative to this file",
        "Who plays; names or files, separated by commas.",
        "A,B,...",
        place="given.strategies",
        default=MISSING,
    )
    format: str = option(
        "who meets whom; by default round-robin",
        "round-robin, one-against-all, partnerships, swiss, knock-out or ladder.",
        "NAME",
        choices=FORMATS,
        place="meetings.format",
        default=FORMATS[0],
    )
    against: str | None = option(
        "the strategy that meets all others in one-against-all",
        "The strategy that meets all others in one-against-all.",
        "A",
        place="meetings.against",
    )
    rounds: int | None = option(
        "how many rounds, for swiss and ladder",
        "The number of rounds in a swiss or a ladder.",
        "N",
        least=1,
        most=1000,
        place="meetings.rounds",
    )
    mode: str = option(
        "what is played: whole matches, or single deals",
        "Play matches or single deals; default: matches.",
        "WHAT",
        choices=(MATCHES, DEALS),
        default=MATCHES,
    )
    score: tuple[str, ...] = option(
        "in deals: counter -> where each team's stands; by default 0",
        "Where single deals start; default: 0. Repeatable.",
        "COUNTER=A,B",
        kind="values",
        default=(),
    )
    sets: int | None = option(
        "sets of deals; each is played by all, under every seating",
        "Sets of deals to play; each under every seating.",
        "N",
        least=1,
    )
    matches: int | None = option(
        "the number of matches, rounded up to whole sets",
        "Matches to play; rounded up to whole sets.",
        "N",
        least=1,
        place="",
    )
    deals: int | None = option(
        "the number of deals, rounded up to whole sets",
        "Deals to play; rounded up to whole sets.",
        "N",
        least=1,
    )
    time: float | None = option(
        "the seconds to play; no set begins later",
        "Time to play; no set begins later.",
        "SECONDS",
        least=0.1,
        most=10**7,
    )
    metric: str = option(
        "what is compared: matches won, or counters, such as `2 longs + petits`",
        "Compare counters, not matches: '2 longs + petits'.",
        "WHAT",
        default=MATCHES,
    )
    precision: float | None = option(
        "stop once every difference is known so well, plus or minus",
        "Stop once every difference is known to +- X.",
        "X",
        least=1e-6,
        place="stop.precision",
    )
    test: tuple[str, ...] | None = option(
        "stop once it is decided whether the first of these two is better",
        "Stop once it is decided whether A is better than B.",
        "A,B",
        place="stop.test",
    )
    margin: float | None = option(
        "the difference that `test` looks for",
        "The difference that --test looks for, such as 0.02.",
        "X",
        least=1e-6,
        place="stop.margin",
    )
    seed: int | None = option(
        "the seed of all random numbers; by default 1, or a random one if a program plays",
        "The seed of all random numbers, or `random`; default: 1, or a random one if a "
        "strategy is a program (.py, .bot).",
        "N",
        most=LARGEST_SEED,
    )
    engine: str = option(
        "the engine that plays the rules",
        "The engine that plays the rules; default: native.",
        choices=(NATIVE, "reference"),
        default=NATIVE,
    )
    move_timeout: float = option(
        "seconds of processor time for one decision",
        "Processor time for one decision; default: 10.",
        "SECONDS",
        least=0.1,
        most=86_400,
        default=10.0,
    )
    on_error: str = option(
        "whether a strategy that fails forfeits its match, or stops the run",
        "If a strategy fails: forfeit its match, or stop the run.",
        "HOW",
        choices=(FORFEIT, STOP),
        default=FORFEIT,
    )

    def __post_init__(self) -> None:
        budgets = [f"--{name}" for name in BUDGETS if getattr(self, name) is not None]
        rules = [f"--{name}" for name in ("precision", "test") if getattr(self, name) is not None]
        if len(budgets) > 1:
            text = "{names} each say how much is played; give one"
            raise BadUsage(say(text, names=say(" and ").join(budgets)))
        if self.score and self.mode != DEALS:
            raise BadUsage(say("--score is where single deals start from; it needs --mode deals"))
        if (self.against is not None) != (self.format == "one-against-all"):
            raise BadUsage(say("--format one-against-all and --against A go together: who is A?"))
        if self.rounds is not None and self.format not in ("swiss", "ladder"):
            raise BadUsage(
                say("--rounds is for --format swiss and ladder, not {format}", format=self.format)
            )
        if self.format in IN_ROUNDS and (other := sorted({*budgets, *rules} - {"--sets"})):
            text = "--format {format} takes --sets, for each round, and no {other}"
            raise BadUsage(say(text, format=self.format, other=other[0]))
        if (self.test is None) != (self.margin is None):
            raise BadUsage(
                say("--test A,B and --margin go together: how much better is A to be than B?")
            )
        for name in ("margin", "precision"):
            check_difference(name, getattr(self, name), self.mode)
        if self.test is not None and len(set(self.test)) != 2:
            raise BadUsage(
                say("--test needs two strategies, not {names}", names=repr(",".join(self.test)))
            )
        if self.test is not None and self.format == "partnerships":
            raise BadUsage(say("--test is for two strategies that meet; in partnerships pairs do"))
        if self.test is not None and self.precision is not None:
            raise BadUsage(say("--precision and --test are two rules for when to stop; give one"))
        check(self)


@dataclass(frozen=True, kw_only=True)
class Means:
    """How a tournament is played and reported; this does not change its results.

    csv_style, lang, parquet: None means as in the run's folder, else plain, English and no.
    """

    out: str | None = option(
        "the run's folder; by default reports/NAME-SEED",
        "The folder of the results; default: reports/NAME-SEED.",
        "DIR",
        short="-o",
    )
    jobs: int | None = option(
        "worker processes, at most 8 for each usable CPU; by default one for each",
        "Workers; default: one for each CPU.",
        "N",
        least=1,
        short="-j",
    )
    start_method: str | None = option(
        "how workers are started",
        "Start workers by fork, forkserver or spawn.",
        "HOW",
        choices=("fork", "forkserver", "spawn"),
    )
    executor: str = option(
        "where matches are played: in processes here, or on a cluster of Dask",
        "Where matches are played: local, or dask.",
        "WHAT",
        choices=(LOCAL, DASK),
        default=LOCAL,
    )
    scheduler: str | None = option(
        "the address of the cluster's scheduler, such as tcp://host:8786",
        "The address of Dask's scheduler: tcp://HOST:PORT.",
        "ADDRESS",
    )
    chunk: int | None = option(
        "sets in a chunk of work; by default by the time that it takes",
        "Sets in a chunk of work; default: by time.",
        "N",
        least=1,
    )
    csv_style: str | None = option(
        "how tables are written: with commas, or as in France with semicolons and decimal commas",
        "CSV as plain, or fr: semicolons, decimal commas.",
        "STYLE",
        choices=(PLAIN, "fr"),
    )
    parquet: bool | None = option(
        "write the tables as Parquet, too, which takes pyarrow",
        "Write the tables as Parquet, too; takes pyarrow.",
        flag="--parquet/--no-parquet",
    )
    lang: str | None = option(
        "the language of what is shown",
        "The language: en or fr; default: that of the machine.",
        "LANG",
        choices=tuple(languages()),
    )
    shard: str | None = option(
        "the part K/N of the sets to play here, such as 3/8",
        "Play part K of N, to be merged.",
        "K/N",
    )

    def __post_init__(self) -> None:
        check(self)
        if (self.executor == DASK) != (self.scheduler is not None):
            raise BadUsage(say("--executor dask and --scheduler ADDRESS go together"))
        if self.executor == DASK and (self.jobs is not None or self.start_method is not None):
            raise BadUsage(say("--jobs and --start-method are for this machine, not for a cluster"))


def check_difference(name: str, value: float | None, mode: str) -> None:
    """Raise `BadUsage` for a difference, in shares of matches, that is more than all of them."""
    if value is not None and value > 1 and mode == MATCHES:
        text = "--{name} {value} is more than all matches, which are 1: 5 of 100 matches are 0.05"
        raise BadUsage(say(text, name=name, value=figure(value, "g")))


def check(record: Settings | Means) -> None:
    """Raise `BadUsage` for an option whose value is outside its bounds or choices."""
    for one in options_of(type(record)):
        one.check(getattr(record, one.name))


OPTIONS = {one.name: one for record in (Settings, Means) for one in options_of(record)}
REQUIRED_KEYS = ("experiment", "variant", "strategies")  # keys of an experiment file


def split(options: Mapping[str, Any]) -> tuple[Settings, Means]:
    """Return settings and means from options by name; None means an option was not given."""
    return Settings(**_fields_given(Settings, options)), means_of(options)


def means_of(options: Mapping[str, Any]) -> Means:
    """Return the means among options by name; None means an option was not given."""
    return Means(**_fields_given(Means, options))


def _fields_given(record: type, options: Mapping[str, Any]) -> dict[str, Any]:
    names = (one.name for one in fields(record))
    return {name: options[name] for name in names if options.get(name) is not None}


def stored_settings(settings: Settings) -> dict[str, Any]:
    """Return the settings as a stored manifest has them, without `given` and without None."""
    result: dict[str, Any] = {"variant": {}, "meetings": {}, "stop": {}, "given": {}}
    for one in options_of(Settings):
        value, (*outer, name) = getattr(settings, one.name), one.place.split(".")
        if value is not None and one.place:
            plain = list(value) if isinstance(value, tuple) else value
            (result[outer[0]] if outer else result)[name] = plain
    del result["given"]
    return result


def settings_of(manifest: Mapping[str, Any]) -> Settings:
    """Return the settings of a run from its manifest, including its `given`.

    Raises KeyError, TypeError, ValueError or AttributeError for anything else.
    """
    whole, result = {**manifest, "stop": manifest["stop"] or {}}, dict[str, Any]()
    for one in options_of(Settings):
        *outer, name = one.place.split(".")
        holder = whole[outer[0]] if outer else whole
        result[one.name] = holder.get(name) if one.default is None else holder[name]
    if result["format"] in IN_ROUNDS:
        result["sets"] = whole["meetings"]["sets"]
    if result["format"] == "knock-out":
        result["rounds"] = None
    return from_json(Settings, result)
