"""The page of simulated matches: answers, tiles, figures in groups, and the rules in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trutdsl.files import own_version
from trutdsl.game import Game
from trutdsl.language import figure, say, with_title
from trutdsl.options import NATIVE, SECONDS
from trutdsl.report.answers import MINUTE
from trutdsl.report.blocks import (
    Block,
    Details,
    Heading,
    Items,
    Page,
    Paragraph,
    Section,
    SelfCheck,
    TableBlock,
    Tile,
    Tiles,
    text_rows,
)
from trutdsl.report.book import Chapter, write_book
from trutdsl.report.book_pages import Faces, blocks_of, faces_of, strip_title
from trutdsl.report.checks import each_flag, made_blocks, near
from trutdsl.report.citations import CELLS
from trutdsl.report.labels import Row, who_played
from trutdsl.report.simulation import DEALER
from trutdsl.report.simulation_text import (
    grouped_rows,
    played_blocks,
    result_words,
    simulation_answers,
)
from trutdsl.report.tournament_answers import make_tile
from trutdsl.strategy.load import Spec
from trutdsl.variant import Words, words_of


def simulation_page(
    figures: Mapping[str, Any],
    game: Game,
    seating: Sequence[Spec],
    command: str,
    seconds: float = SECONDS,
) -> Page:
    """Return the page of `simulation_figures`; command: repeats them; seconds: of a choice."""
    words = words_of(game.variant, values=game.parameters)
    parts: list[tuple[str, str, Sequence[Block]]] = [
        ("summary", "In words", list(_summary(figures, words, seconds))),
        ("rules", "The rules", list(_rules(game))),
        ("made", "How this was made", list(_method_blocks(figures, words, game, seating, command))),
    ]
    sections = [Section(key, say(name), blocks) for key, name, blocks in parts]
    title = say("{variant}, {players} players", variant=words.title, players=game.players)
    subtitle = ", ".join(dict.fromkeys(figures["strategies"]))
    return Page(title, subtitle, sections, list(check_simulation(figures, words)))


def command_of_simulation(
    figures: Mapping[str, Any],
    variant: str,
    strategies: str,
    parameters: Sequence[str] = (),
    first: int = 0,
    engine: str = NATIVE,
) -> str:
    """Return the command that repeats a simulation of this variant, as given on a command line."""
    parts = ["trutdsl", "simulate", variant, "--players", str(figures["players"])]
    parts += ["--strategies", strategies, "--matches", str(figures["matches"])]
    parts += ["--seed", str(figures["seed"])]
    parts += each_flag("--param", parameters)
    if (score := figures["score"]) is not None:
        stands = (f"{name}={','.join(map(str, values))}" for name, values in score.items())
        parts += ["--mode", "deals", *each_flag("--score", stands)]
    parts += ["--first", str(first)] if first else []
    parts += ["--engine", engine] if engine != NATIVE else []
    return shlex.join(parts)


def _summary(figures: Mapping[str, Any], words: Words, seconds: float) -> Iterator[Block]:
    answers = simulation_answers(figures, words, seconds)
    yield Items([("", text) for text in answers], large=True)
    yield Tiles(list(_tiles(figures, words, seconds)))
    for group, rows in grouped_rows(figures, words):
        headline = with_title(say(group.title), with_title(rows[0]["title"], rows[0]["text"]))
        yield Details(headline, [Paragraph(say(group.about)), _table(group.title, rows)])
    yield from who_played(dict.fromkeys(figures["strategies"]))


def _table(group: str, rows: Sequence[Row]) -> TableBlock:
    """Return a table of figures; the parts of a whole stand one below the other."""
    several = any(row["parts"] for row in rows)
    columns = [say("what"), *([say("which")] if several else []), say("with its 95 % interval")]
    cells = []
    for row in rows:
        for place, (name, value) in enumerate(row["parts"] or [("", row["text"])]):
            title = "" if place else row["title"]
            cells.append([title, *([name] if several else []), value])
    words = range(len(columns) - 1)
    return TableBlock(say(group), columns, text_rows(cells), tuple(words), titled=True)


def _tiles(figures: Mapping[str, Any], words: Words, seconds: float) -> Iterator[Tile]:
    """Yield how long it takes, what the dealer's side and the best team win, how deals end."""
    if (each := figures["decisions_per_deal"]) is not None and each["mean"]:
        lengths = [(say("a deal"), _scale(each, seconds / MINUTE))]
        if figures["score"] is None:
            whole = _scale(figures["decisions_per_match"], seconds / MINUTE)
            lengths.insert(0, (say("a match"), whole))
        title = say("Minutes at {seconds} s a choice", seconds=figure(seconds, "g"))
        yield make_tile("♠", title, lengths[0][1], lengths)
    winners = figures["deal_winners"]
    if winners:
        shares = [(result_words(who, words), of) for who, of in _shares(winners, DEALER)]
        dealer = winners[DEALER]["share"]
        yield make_tile("♥", say("Deals won by the dealer's side"), dealer, shares, 1.0)
    if figures["score"] is None:
        wins = figures["wins"]
        first = max(range(len(wins)), key=lambda team: wins[team]["mean"])
        teams = [(_team(figures, team), share) for team, share in enumerate(wins)]
        title = say("Matches won by team {team}", team=first + 1)
        yield make_tile("♦", title, wins[first], teams, 1.0)
    ends = sorted(_shares(figures["deal_ends"]), key=lambda end: -end[1]["mean"])
    reasons = [(words.end(reason), of) for reason, of in ends]
    if reasons:
        yield make_tile(
            "♣", say("Deals end: {reason}", reason=reasons[0][0]), reasons[0][1], reasons, 1.0
        )


def _scale(estimate: Mapping[str, Any], factor: float) -> dict[str, float | None]:
    ends = ((end, estimate[end]) for end in ("mean", "low", "high"))
    return {end: None if x is None else x * factor for end, x in ends}


def _shares(counts: Mapping[str, Any], always: str = "") -> list[tuple[str, Mapping[str, Any]]]:
    """Return the shares of what occurred; always: also of this."""
    return [(name, of["share"]) for name, of in counts.items() if of["count"] or name == always]


def _team(figures: Mapping[str, Any], team: int) -> str:
    seats = zip(figures["strategies"], figures["teams"], strict=True)
    names = dict.fromkeys(name for name, of in seats if of == team)
    return say("team {team}: {names}", team=team + 1, names=", ".join(names))


def _rules(game: Game) -> Iterator[Block]:
    """Yield what a variant changes, the parameters that differ from it, and all chapters."""
    book = write_book(game, game.players, example=False)
    faces = faces_of(book)
    if book.differences:
        yield Heading(say("What {variant} changes", variant=book.title))
        yield Items([("", faces.bare(text)) for text in book.differences])
    settings = [(one.help.rstrip("."), one.value) for one in book.settings if one.changed]
    if settings and not book.differences:
        yield Heading(say("Parameters"))
        yield Items(settings)
    strip = [strip_title(book), " ".join(map(faces.written, book.strip))]
    for chapter in book.sections:
        intro = map(Paragraph, strip if chapter.key == "cards" else ())
        yield Details(chapter.title, [*intro, *_chapter(chapter, faces)])


def _chapter(chapter: Chapter, faces: Faces) -> Iterator[Block]:
    for kind, group in blocks_of(chapter):
        texts = [faces.bare(one.text) for one in group]
        if kind == "rows":
            rows = (text.split(CELLS) for text in texts)
            yield Items([(what, ", ".join(values)) for what, *values in rows])
        else:
            yield Items([("", text) for text in texts])


def _method_blocks(
    figures: Mapping[str, Any], words: Words, game: Game, seating: Sequence[Spec], command: str
) -> Iterator[Block]:
    yield from played_blocks(figures, words)
    settings = {
        "trutdsl": own_version(),
        "engine": game.engine,
        "seed": figures["seed"],
        "strategies": {
            name: spec.fingerprint
            for name, spec in zip(figures["strategies"], seating, strict=True)
        },
    }
    parameters = {game.name: figures["parameters"]}
    prints = {game.name: figures["fingerprint"]}
    yield from made_blocks(figures, command, settings, parameters, prints, drawn=False)


def check_simulation(figures: Mapping[str, Any], words: Words) -> Iterator[SelfCheck]:
    """Yield equations that hold in every simulation for any rules, checked in its figures."""
    total = sum(share["mean"] for share in (*figures["wins"], figures["draws"]))
    yield near(say("shares of the teams and of draws add up to 1"), total, 1.0)
    for text, counts in (
        (say("deals by how they end add up to all deals"), figures["deal_ends"]),
        (say("deals by who wins them add up to all deals"), figures["deal_winners"]),
    ):
        if counts:
            many, deals = sum(of["count"] for of in counts.values()), figures["deals"]
            yield SelfCheck(text, many == deals, f"{many} = {deals}")
    for decision, answers in figures["answers"].items():
        text = say("shares of the answers to '{decision}' add up to 1",
                   decision=words.decision(decision))  # fmt: skip
        yield near(text, sum(of["share"]["mean"] for of in answers.values()), 1.0)
