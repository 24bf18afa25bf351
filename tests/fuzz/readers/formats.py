"""The formats: the name, the changes and the reader of each kind of file."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from trutdsl.diagnostics import Rejected
from trutdsl.files import DIGEST, MAGIC, cache_folder, canonical_json, read_cache
from trutdsl.game import BadUsage, DealStart, Game, load_game
from trutdsl.native.jit import read_code
from trutdsl.report.page import write_up
from trutdsl.report.telling import tell_match
from trutdsl.scenario.read import read_scenarios
from trutdsl.scenario.run import Games, run_scenario
from trutdsl.stats.design import Tally, merge_all
from trutdsl.strategy.fitness import check_for, variants_of_script
from trutdsl.strategy.load import load_strategy
from trutdsl.strategy.script import load_script
from trutdsl.streams import Stream, mix_in
from trutdsl.tournaments.folder import open_folder, read_given
from trutdsl.tournaments.load import is_experiment, read_settings
from trutdsl.tournaments.results import fits
from trutdsl.tournaments.schedule import Chunk, MissingSets
from trutdsl.transcript.events import read_transcript
from trutdsl.transcript.replay import replay_match
from trutdsl.variant import load_file, load_variant, read_source
from trutdsl.variant.compose_yaml import read_documents

from . import change_journal, change_json, change_kept, change_rules, change_yaml, corpus
from .change_bytes import HAVOC, Change
from .change_yaml import to_byte_change
from .judge import BrokenPromise, Refused

MOST_STEPS = 300
MOST_GAMES = 20
RUN = Path("run")


@dataclass(frozen=True)
class Format:
    """A kind of file.

    file:    the path of the input in the work folder.
    share:   the weight of this format in the choice of inputs; quick readers have more.
    begin:   returns the corpus.
    read:    reads the file and returns what is printed; raises `BrokenPromise` for a wrong result.
    """

    name: str
    file: str
    share: int
    load_corpus: Callable[[], list[bytes]]
    changes: Sequence[Change]
    read: Callable[[Path], str]


def play(game: Game) -> str:
    """Play a random match in the reference engine, up to a limit; return its state."""
    state, stream = game.start(11, 0), Stream(mix_in(99, 0))
    for _ in range(MOST_STEPS):
        if state.pending is None:
            break
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            state.apply(stream.below(len(state.pending.actions)))
    return f"{game.name}: {state.deals} deals, {state.decisions} decisions, {state.counters()}"


def read_and_play(name: str) -> Callable[[Path], str]:
    """Return a reader that loads, compiles and plays a variant."""

    def read(_path: Path) -> str:
        game = load_game(name, engine="reference")
        _ = game.code
        return play(game)

    return read


def read_module(path: Path) -> str:
    """Read a module alone, then in a variant that uses it."""
    kind = load_file(str(path))[0].kind
    return f"{kind} {read_and_play('around.yaml')(path)}"


def read_yaml(path: Path) -> str:
    """Read YAML documents."""
    return f"{len(read_documents(read_source(path, str(path))))} documents"


_games: Games = {}


def read_scenario(path: Path) -> str:
    """Read scenarios and play them."""
    if len(_games) > MOST_GAMES:
        _games.clear()
    outcomes = [run_scenario(one, path, games=_games) for one in read_scenarios(path, str(path))]
    return "\n".join(f"{o.scenario.name} {'; '.join(o.differences)}" for o in outcomes)


def read_events(path: Path) -> str:
    """Read a transcript and describe its matches."""
    matches = read_transcript(path, str(path))
    return "\n".join(line for recorded in matches for line in tell_match(recorded, None))


def replay(path: Path) -> str:
    """Read a transcript and replay it."""
    return "\n".join(str(replay_match(one)) for one in read_transcript(path, str(path)))


def read_strategy(path: Path) -> str:
    """Find the strategy in a file, without running it."""
    found = load_strategy(str(path))
    return f"{found.name} {found.class_name}"


def read_script(path: Path) -> str:
    """Read a script, and find the variants that it can play."""
    found = load_script(path, str(path))
    return f"{found.name} {[variant.name for variant in variants_of_script(found)]}"


def build_script(path: Path) -> str:
    """Read a script and build its policy for a small game."""
    found = load_script(path, str(path))
    check_for(found, load_game("small.yaml", engine="reference"))
    return found.name


def read_experiment(path: Path) -> str:
    """Read an experiment file."""
    if not is_experiment(str(path)):
        raise Refused("no-experiment", "")
    settings = read_settings(str(path))
    return " ".join(f"{name}={value}" for name, value in sorted(settings.items()))


def read_bot(path: Path) -> str:
    """Read a bot's file, without starting the bot."""
    found = load_strategy(str(path))
    return f"{found.name} {found.summary} {found.text}"


def read_name(path: Path) -> str:
    """Look for a variant, then for a strategy of this name; messages repeat the name."""
    name = os.fsdecode(path.read_bytes())
    found = []
    for load in (load_variant, load_strategy):
        try:
            found.append(load(name).name)
        except (Rejected, BadUsage) as refused:
            found.append(type(refused).__name__)
    return " ".join(found)


def resume_run(path: Path) -> str:
    """Resume the run of this journal or manifest; return its results if it is complete."""
    plan, notes = corpus.experiment(), []
    manifest = corpus.manifest()
    with open_folder(path.parent, manifest, fits(plan, corpus.settings()), notes.append) as journal:
        missing = MissingSets(Chunk(0, corpus.SETS), journal.chunks()).left
        done = sum(chunk.sets for chunk in journal.chunks())
        if notes:
            raise Refused("set-aside", notes[0])
        if done + missing != corpus.SETS:
            raise BrokenPromise(f"{done} sets are done, and {missing} are missing")
        if missing:
            raise Refused("unfinished", f"{done} sets done")
        tally = merge_all(Tally.from_counts(kept["counts"]) for _, kept in journal.rows())
    results = canonical_json(tally.to_counts())
    if results != true_results() and not is_forged(path.parent / "journal.sqlite"):
        raise BrokenPromise(f"results that nobody played: {results[:300]}")
    return results


_true_results: list[str] = []


def true_results() -> str:
    """Return the results of the small tournament."""
    if not _true_results:
        with closing(sqlite3.connect(":memory:")) as db:
            rows = [json.loads(text)["counts"] for *_, text, _ in true_rows(db)]
        _true_results.append(canonical_json(merge_all(map(Tally.from_counts, rows)).to_counts()))
    return _true_results[0]


def true_rows(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return the rows of the small tournament's journal."""
    data = bytearray(corpus.journals()[0])
    data[change_journal.WRITE_VERSION] = b"\1\1"
    db.deserialize(bytes(data))
    return db.execute("SELECT key, first, sets, counts, checksum FROM chunk").fetchall()


def is_forged(path: Path) -> bool:
    """Tell whether all rows that were not played have valid checksums."""
    with closing(sqlite3.connect(":memory:")) as db:
        true = true_rows(db)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT key, first, sets, counts, checksum FROM chunk").fetchall()
    unknown_rows = [row for row in rows if row not in true]
    return bool(unknown_rows) and all(
        row[4] == sha256(" ".join(map(str, row[:4])).encode()).hexdigest() for row in unknown_rows
    )


def read_results(path: Path) -> str:
    """Write the page of a comparison or run; return its length, as it is not for a terminal."""
    return f"{len(write_up(path.parent, 'en', names=read_given(path.parent)))} letters"


def read_entry(path: Path) -> str:
    """Read a cache entry, as bytes and as machine code, without running it."""
    folder = cache_folder()
    assert folder is not None
    folder.mkdir(exist_ok=True)
    entry = shutil.copy(path, folder / corpus.KEY)
    found = read_cache(corpus.KEY)
    code = read_code(corpus.KEY)
    data = path.read_bytes()
    payload = data[len(MAGIC) + 2 * DIGEST :]
    whole = MAGIC + bytes.fromhex(corpus.KEY) + sha256(payload).digest() + payload
    Path(entry).unlink()
    if found is not None and (data != whole or found != payload):
        raise BrokenPromise("what is not whole is used")
    if code is not None and not payload.endswith(code[1]):
        raise BrokenPromise("other machine code than what is kept")
    if found is None:
        raise Refused("not-whole", "")
    return f"{len(found)} bytes, {code and code[0]}"


YAML = (to_byte_change(change_yaml.CHANGES, change_yaml.RARE),)
RULES = (to_byte_change(change_rules.CHANGES, change_rules.RARE),)
JSON = (to_byte_change(change_json.CHANGES),)
BOTH = (*YAML, *RULES * 3)
BYTES = (to_byte_change([change_yaml.replace_word]), *HAVOC)

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("variant", "input.yaml", 36, corpus.variants, BOTH, read_and_play("input.yaml")),
        Format(
            "shipped", "input.yaml", 1, corpus.shipped_variants, BOTH, read_and_play("input.yaml")
        ),
        Format("module", "input.yaml", 6, corpus.modules, BOTH, read_module),
        Format("base", "input.yaml", 10, corpus.bases, BOTH, read_and_play("above.yaml")),
        Format("rules", "input.rules", 24, corpus.rules, RULES, read_and_play("in-two-files.yaml")),
        Format("document", "input.yaml", 60, corpus.documents, YAML, read_yaml),
        Format("scenario", "input.yaml", 10, corpus.scenarios, YAML, read_scenario),
        Format("transcript", "input.jsonl", 70, corpus.transcripts, JSON, read_events),
        Format("replay", "input.jsonl", 30, corpus.replays, JSON, replay),
        Format("strategy", "input.py", 25, corpus.strategies, (*RULES, *BYTES), read_strategy),
        Format("name", "input.name", 12, corpus.names, BYTES, read_name),
        Format(
            "journal", "run/journal.sqlite", 22, corpus.journals, change_journal.CHANGES, resume_run
        ),
        Format("manifest", "run/manifest.json", 22, corpus.manifests, JSON, resume_run),
        Format("script", "input.strategy", 25, corpus.scripts, (*RULES, *BYTES), read_script),
        Format("answers", "input.strategy", 20, corpus.answers, (*RULES, *BYTES), build_script),
        Format("experiment", "input.yaml", 30, corpus.experiments, YAML, read_experiment),
        Format("bot", "input.bot", 15, corpus.bots, (*RULES, *BYTES), read_bot),
        Format("comparison", "compared/comparison.json", 2, corpus.comparisons, JSON, read_results),
        Format("standings", "held/results.json", 2, corpus.standings, JSON, read_results),
        Format("entry", "input.kept", 60, corpus.entries, change_kept.CHANGES, read_entry),
    )
}


def write_input(one: Format, data: bytes) -> Path:
    """Write an input to the path that its reader expects, with the other files of its folder."""
    path = Path(one.file)
    path.parent.mkdir(exist_ok=True)
    if path.parent == RUN:
        shutil.rmtree(RUN, ignore_errors=True)
        RUN.mkdir()
        (RUN / "journal.sqlite").write_bytes(corpus.journals()[0])
    path.write_bytes(data)
    return path
