"""The formats: what a changed file is called, how it is changed, and what reads it."""

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
from trutdsl.files import DIGEST, MAGIC, cache_folder, canonical_json, read_kept
from trutdsl.game import BadUsage, DealStart, Game, load_game
from trutdsl.native.jit import read_code
from trutdsl.report.page import write_up
from trutdsl.report.telling import tell_match
from trutdsl.scenario import Games, read_scenarios, run_scenario
from trutdsl.stats.design import Tally, merge_all
from trutdsl.strategy import load_strategy
from trutdsl.strategy.fitness import check_for, variants_of_script
from trutdsl.strategy.script import load_script
from trutdsl.streams import Stream, mixed
from trutdsl.tournaments.folder import open_folder, read_given
from trutdsl.tournaments.load import identity, is_experiment, read_settings
from trutdsl.tournaments.results import fits
from trutdsl.tournaments.schedule import Chunk, MissingSets
from trutdsl.transcript import read_transcript, replay_match
from trutdsl.variant import load_file, load_variant, read_source
from trutdsl.variant.compose_yaml import read_documents

from . import change_journal, change_json, change_kept, change_rules, change_yaml, corpus
from .change_bytes import HAVOC, Change
from .change_yaml import as_bytes
from .judge import Broken, Refused

MOST_STEPS = 300
MOST_GAMES = 20
RUN = Path("run")


@dataclass(frozen=True)
class Format:
    """A kind of file.

    file:    what the input is called, in the folder in which everything is read.
    share:   how often this format is chosen, against the others; more where reading is quick.
    begin:   returns what the changes begin with.
    read:    reads the file and returns what is printed of it; raises `Broken` where that is wrong.
    """

    name: str
    file: str
    share: int
    begin: Callable[[], list[bytes]]
    changes: Sequence[Change]
    read: Callable[[Path], str]


def play(game: Game) -> str:
    """Play a match by chance in the reference engine, up to a bound; return how it stands."""
    state, stream = game.start(11, 0), Stream(mixed(99, 0))
    for _ in range(MOST_STEPS):
        if state.pending is None:
            break
        if isinstance(state.pending, DealStart):
            state.next_deal()
        else:
            state.apply(stream.below(len(state.pending.actions)))
    return f"{game.name}: {state.deals} deals, {state.decisions} decisions, {state.counters()}"


def read_and_play(name: str) -> Callable[[Path], str]:
    """Return what reads a variant, makes it ready and plays it."""

    def read(_path: Path) -> str:
        game = load_game(name, engine="reference")
        _ = game.code
        return play(game)

    return read


def read_module(path: Path) -> str:
    """Read a module by itself, then in a variant around it."""
    kind = load_file(str(path))[0].kind
    return f"{kind} {read_and_play('around.yaml')(path)}"


def read_yaml(path: Path) -> str:
    """Read documents of YAML."""
    return f"{len(read_documents(read_source(path, str(path))))} documents"


_games: Games = {}


def read_scenario(path: Path) -> str:
    """Read scenarios and play them."""
    if len(_games) > MOST_GAMES:
        _games.clear()
    outcomes = [run_scenario(one, path, games=_games) for one in read_scenarios(path, str(path))]
    return "\n".join(f"{o.scenario.name} {'; '.join(o.differences)}" for o in outcomes)


def read_events(path: Path) -> str:
    """Read a transcript and tell it."""
    matches = read_transcript(path, str(path))
    return "\n".join(line for recorded in matches for line in tell_match(recorded, None))


def verify(path: Path) -> str:
    """Read a transcript and play it again."""
    return "\n".join(str(replay_match(one)) for one in read_transcript(path, str(path)))


def read_strategy(path: Path) -> str:
    """Find the strategy in a file, without running it."""
    found = load_strategy(str(path))
    return f"{found.name} {found.class_name}"


def read_script(path: Path) -> str:
    """Read a script, and look which games it is for."""
    found = load_script(path, str(path))
    return f"{found.name} {[variant.name for variant in variants_of_script(found)]}"


def build_answers(path: Path) -> str:
    """Read a script and build what it answers in a small game."""
    found = load_script(path, str(path))
    check_for(found, load_game("small.yaml", engine="reference"))
    return found.name


def read_experiment(path: Path) -> str:
    """Read what an experiment file says."""
    if not is_experiment(str(path)):
        raise Refused("no-experiment", "")
    said = read_settings(str(path))
    return " ".join(f"{name}={value}" for name, value in sorted(said.items()))


def read_bot(path: Path) -> str:
    """Read a bot's file, without starting the bot."""
    found = load_strategy(str(path))
    return f"{found.name} {found.summary} {found.text}"


def read_name(path: Path) -> str:
    """Look for a variant, then for a strategy; what is said repeats the person's own words."""
    name = os.fsdecode(path.read_bytes())
    said = []
    for look in (load_variant, load_strategy):
        try:
            said.append(look(name).name)
        except (Rejected, BadUsage) as refused:
            said.append(type(refused).__name__)
    return " ".join(said)


def go_on(path: Path) -> str:
    """Go on with a run whose journal or manifest this is; return its results if it was complete."""
    plan, told = corpus.experiment(), []
    manifest = corpus.manifest()
    with open_folder(
        path.parent, manifest, identity, fits(plan, corpus.settings()), told.append
    ) as journal:
        missing = MissingSets(Chunk(0, corpus.SETS), journal.chunks()).left
        done = sum(chunk.sets for chunk in journal.chunks())
        if told:
            raise Refused("set-aside", told[0])
        if done + missing != corpus.SETS:
            raise Broken(f"{done} sets are done, and {missing} are missing")
        if missing:
            raise Refused("unfinished", f"{done} sets done")
        tally = merge_all(Tally.from_counts(kept["counts"]) for _, kept in journal.rows())
    results = canonical_json(tally.to_counts())
    if results != true_results() and not is_forged(path.parent / "journal.sqlite"):
        raise Broken(f"results that nobody played: {results[:300]}")
    return results


_true: list[str] = []


def true_results() -> str:
    """Return the results of the small tournament."""
    if not _true:
        with closing(sqlite3.connect(":memory:")) as db:
            rows = [json.loads(text)["counts"] for *_, text, _ in true_rows(db)]
        _true.append(canonical_json(merge_all(map(Tally.from_counts, rows)).to_counts()))
    return _true[0]


def true_rows(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """Return the rows of the small tournament's journal."""
    data = bytearray(corpus.journals()[0])
    data[change_journal.WRITE_VERSION] = b"\1\1"
    db.deserialize(bytes(data))
    return db.execute("SELECT key, first, sets, counts, checksum FROM chunk").fetchall()


def is_forged(path: Path) -> bool:
    """Tell whether a row is not one that was played, but carries a checksum that fits."""
    with closing(sqlite3.connect(":memory:")) as db:
        true = true_rows(db)
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT key, first, sets, counts, checksum FROM chunk").fetchall()
    strange = [row for row in rows if row not in true]
    return bool(strange) and all(
        row[4] == sha256(" ".join(map(str, row[:4])).encode()).hexdigest() for row in strange
    )


def read_results(path: Path) -> str:
    """Make the page of a comparison or run; it is for no terminal: its length is told."""
    return f"{len(write_up(path.parent, 'en', given=read_given(path.parent)))} letters"


def look_up(path: Path) -> str:
    """Look for an entry of the cache, as what is kept and as machine code; nothing is run."""
    folder = cache_folder()
    assert folder is not None
    folder.mkdir(exist_ok=True)
    entry = shutil.copy(path, folder / corpus.KEY)
    found = read_kept(corpus.KEY)
    code = read_code(corpus.KEY)
    data = path.read_bytes()
    payload = data[len(MAGIC) + 2 * DIGEST :]
    whole = MAGIC + bytes.fromhex(corpus.KEY) + sha256(payload).digest() + payload
    Path(entry).unlink()
    if found is not None and (data != whole or found != payload):
        raise Broken("what is not whole is used")
    if code is not None and not payload.endswith(code[1]):
        raise Broken("other machine code than what is kept")
    if found is None:
        raise Refused("not-whole", "")
    return f"{len(found)} bytes, {code and code[0]}"


YAML = (as_bytes(change_yaml.CHANGES, change_yaml.RARE),)
RULES = (as_bytes(change_rules.CHANGES, change_rules.RARE),)
JSON = (as_bytes(change_json.CHANGES),)
BOTH = (*YAML, *RULES * 3)
BYTES = (as_bytes([change_yaml.other_word]), *HAVOC)

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("variant", "input.yaml", 36, corpus.variants, BOTH, read_and_play("input.yaml")),
        Format("shipped", "input.yaml", 1, corpus.shipped, BOTH, read_and_play("input.yaml")),
        Format("module", "input.yaml", 6, corpus.modules, BOTH, read_module),
        Format("base", "input.yaml", 10, corpus.bases, BOTH, read_and_play("above.yaml")),
        Format("rules", "input.rules", 24, corpus.rules, RULES, read_and_play("in-two-files.yaml")),
        Format("document", "input.yaml", 60, corpus.documents, YAML, read_yaml),
        Format("scenario", "input.yaml", 10, corpus.scenarios, YAML, read_scenario),
        Format("transcript", "input.jsonl", 70, corpus.transcripts, JSON, read_events),
        Format("replay", "input.jsonl", 30, corpus.replays, JSON, verify),
        Format("strategy", "input.py", 25, corpus.strategies, (*RULES, *BYTES), read_strategy),
        Format("name", "input.name", 12, corpus.names, BYTES, read_name),
        Format("journal", "run/journal.sqlite", 22, corpus.journals, change_journal.CHANGES, go_on),
        Format("manifest", "run/manifest.json", 22, corpus.manifests, JSON, go_on),
        Format("script", "input.strategy", 25, corpus.scripts, (*RULES, *BYTES), read_script),
        Format("answers", "input.strategy", 20, corpus.answers, (*RULES, *BYTES), build_answers),
        Format("experiment", "input.yaml", 30, corpus.experiments, YAML, read_experiment),
        Format("bot", "input.bot", 15, corpus.bots, (*RULES, *BYTES), read_bot),
        Format("comparison", "compared/comparison.json", 2, corpus.comparisons, JSON, read_results),
        Format("standings", "held/results.json", 2, corpus.standings, JSON, read_results),
        Format("entry", "input.kept", 60, corpus.entries, change_kept.CHANGES, look_up),
    )
}


def write_input(one: Format, data: bytes) -> Path:
    """Write an input where its reader looks for it, with what belongs beside it."""
    path = Path(one.file)
    path.parent.mkdir(exist_ok=True)
    if path.parent == RUN:
        shutil.rmtree(RUN, ignore_errors=True)
        RUN.mkdir()
        (RUN / "journal.sqlite").write_bytes(corpus.journals()[0])
    path.write_bytes(data)
    return path
