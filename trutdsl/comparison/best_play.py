"""Variants under best play: solved, unless the policy is stored, and described without scripts."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from trutdsl.comparison.run_comparison import Request, named_game, refuse_equal_labels
from trutdsl.comparison.stored import SOLVED, ComparisonIdentity, check_folder, hold_folder
from trutdsl.diagnostics import BadUsage
from trutdsl.files import own_version
from trutdsl.game import Game
from trutdsl.language import key_of, say
from trutdsl.report.labels import BEST_PLAY, BEST_PLAY_FORMAT, words_by_language
from trutdsl.solve.chain import most_deals
from trutdsl.solve.describe import (
    DEALER,
    OTHER,
    DescribedPlay,
    PlaySums,
    describe_deal,
    describe_match,
)
from trutdsl.solve.labels import LabelledTrees
from trutdsl.solve.match import MatchSolver
from trutdsl.solve.policy_run import ITERATIONS, TARGET, read_match, solve_match, time_to_solve
from trutdsl.solve.positions import Floats, Numbers

QUANTILES = (0.1, 0.5, 0.9)  # of the number of deals in a match
THIRDS, TENTHS = 3, 10  # of all hands, from the weakest
LONGEST_NAME = 160  # of a policy, in bytes; file systems allow 255 with what is appended
DIGITS = 9  # of values that are compared; the others are rounding errors
Estimate = Callable[[str, int, float], None]
MATCHES, POINTS = "matches", "points"  # units of gains
ROLES = {"both": (DEALER, OTHER), "dealer": (DEALER,), "other": (OTHER,)}


def compare_best_play(
    request: Request,
    policies: Path,
    jobs: int = 1,
    tell: Estimate = lambda _name, _scores, _seconds: None,
    show: Callable[[str], None] = lambda _text: None,
    worth: Mapping[str, float] | None = None,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Solve and describe the variants, and return the results as JSON.

    folder: of the results; raises `BadUsage` if it holds something else.
    worth: points of each counter, for one deal instead of the match.
    policies: the folder of their stored policies, which are read if they exist. tell: receives,
    before work begins, the name of a variant, the number of its scores, and the most seconds that
    they can take. A variant that cannot be solved has the reason, as `why_not`.
    """
    games = [named_game(text, request) for text in request.variants]
    refuse_equal_labels([label for label, _ in games], request)
    if folder is not None:
        rules = {name: game.fingerprint for name, game in games}
        given = {
            "parameters": ",".join(request.parameters) or None,
            "deal": None if worth is None else dict(worth),
        }
        for name in check_folder(folder, SOLVED, ComparisonIdentity(tuple(rules), given, rules)):
            text = "{name} has changed since the comparison in {folder}, which is replaced"
            show(say(text, name=name, folder=folder))
    solve = partial(_match, policies=policies, jobs=jobs, tell=tell, show=show)
    describe = solve if worth is None else partial(_deal, worth=worth, jobs=jobs, show=show)
    unit = MATCHES if worth is None else POINTS
    with hold_folder(folder) as refuse_another:
        result = [_describe_variant(name, game, describe) | {"unit": unit} for name, game in games]
        refuse_another()
    return {
        BEST_PLAY: {
            "format": BEST_PLAY_FORMAT,
            "trutdsl": own_version(),
            "players": 2,
            "iterations": ITERATIONS,
            "target": TARGET,
        },
        "given": {
            "variants": list(request.variants),
            "parameters": list(request.parameters),
            "deal": None if worth is None else dict(worth),
        },
        "variants": result,
    }


Description = tuple[DescribedPlay, LabelledTrees, int]  # with the number of scores


def _describe_variant(
    name: str, game: Game, describe: Callable[[str, Game], Description]
) -> dict[str, Any]:
    head = {
        "name": name,
        "title": game.variant.title,
        "variant": game.name,
        "names": words_by_language(game, (), cards=True),
        "parameters": game.parameter_texts(),
        "fingerprint": game.fingerprint,
    }
    try:
        result, trees, scores = describe(name, game)
    except BadUsage as refused:
        return {**head, "why_not": key_of(refused.args[0])}
    proved = key_of(trees.stepper.classes.sentence())
    return {**head, "why_not": None, "scores": scores, "proved": proved, **show_play(result, trees)}


def _match(
    name: str, game: Game, policies: Path, jobs: int, tell: Estimate, show: Callable[[str], None]
) -> Description:
    path = policies / f"{name_of_policy(game)}.policy"
    solver = MatchSolver(game, show, LabelledTrees, jobs)
    trees = solver.deals
    assert isinstance(trees, LabelledTrees)
    if path.exists():
        match = read_match(solver, path)
    else:
        tell(name, len(solver.order), time_to_solve(solver) / jobs)
        policies.mkdir(parents=True, exist_ok=True)
        match = solve_match(solver, path, jobs=jobs, show=show)
    show(say("{name}: describing {number} scores", name=name, number=len(solver.order)))
    return describe_match(match, trees), trees, len(solver.order)


def name_of_policy(game: Game) -> str:
    """Return a game's name for files: that of its variant, and its other values than defaults.

    If the values are long or have other characters, a hash of all values makes the name unique.
    """
    full = "-".join([game.name, *game.changed_parameters()])
    name = re.sub(r"[^\w.=-]", "-", full)
    if name == full and len(full.encode()) <= LONGEST_NAME:
        return full
    return f"{name[: LONGEST_NAME // 4]}-{hashlib.sha256(full.encode()).hexdigest()[:12]}"


def _deal(
    _name: str, game: Game, worth: Mapping[str, float], jobs: int, show: Callable[[str], None]
) -> Description:
    trees = LabelledTrees(game, show=show, alone=True, jobs=jobs)
    return describe_deal(trees, worth, show), trees, 1


def show_play(play: DescribedPlay, trees: LabelledTrees) -> dict[str, Any]:
    """Return the course of a match or deal, as JSON; shares are from 0 to 1, gains in matches."""
    sums, leads = play.sums, set(trees.leads.values())
    dealer = _ratio(sums.dealer, sums.deals - sums.nobody)
    leader = {True: dealer, False: None if dealer is None else 1 - dealer, None: None}
    deals, gain = (sums.hands[name].sum(axis=0) for name in ("deals", "gain"))
    strength = strengths_of_hands(deals, gain)
    return {
        "value": play.value._asdict(),
        "exploitability": play.exploitability,
        "deals": {
            "mean": play.deals,
            "quantiles": [most_deals(play.lengths, q) for q in QUANTILES],
        },
        "dealer": dealer,
        "nobody": sums.nobody / sums.deals,
        "leader": leader[leads.pop()] if len(leads) == 1 else None,
        "dealer_gains": dict(
            zip(trees.counters, (sums.changes / sums.deals).tolist(), strict=True)
        ),
        "answers": list(_answers(play, trees, strength)),
        "bluffs": {
            "bets": _bets(play),
            "worth": {
                role: asdict(one)
                for role, one in zip(("dealer", "other"), play.bluffing, strict=True)
            },
        },
        "hands": list(_hands(sums, trees, strength)),
        "cards": list(_cards(sums, trees)),
    }


def _ratio(part: Floats | float, whole: Floats | float) -> float | None:
    most = float(np.sum(whole))
    return float(np.sum(part)) / most if most > 0 else None


def _shares(part: Floats, whole: Floats, of: Numbers, many: int) -> list[float | None]:
    """Return a ratio for each group of hands; of: the group of each hand."""
    return [_ratio(part[of == group], whole[of == group]) for group in range(many)]


def strengths_of_hands(deals: Floats, gain: Floats) -> Floats:
    """Return, for each hand, the share of hands with less worth, from 0 to 1.

    The worth of a hand is its gain in a deal under best play; deals, gain: their sums over deals.
    Hands of equal worth, the hand itself among them, count half.
    """
    worth = np.round(gain / np.maximum(deals, 1e-300), DIGITS)
    _, place = np.unique(worth, return_inverse=True)
    shares = np.bincount(place, deals) / deals.sum()
    result: Floats = (np.cumsum(shares) - shares / 2)[place]
    return result


def _groups(strength: Floats, many: int) -> Numbers:
    """Return the group of each hand, of so many equal ones; 0 has the weakest hands."""
    return (many * strength + 10.0**-DIGITS).astype(np.int64)


def _answers(
    play: DescribedPlay, trees: LabelledTrees, strength: Floats
) -> Iterator[dict[str, Any]]:
    sums = play.sums
    thirds, tenths = (_groups(strength, many) for many in (THIRDS, TENTHS))
    for (question, option), number in sorted(trees.options.items()):
        if number not in trees.without_card or not sums.answers["offered"][:, :, number].any():
            continue
        row: dict[str, Any] = {
            "question": question,
            "option": option,
            "bet": bool(play.kinds.bets[number]),
            "fold": bool(play.kinds.folds[number]),
        }
        for role, which in ROLES.items():
            offered, answers, won, gain, folds = (
                sums.answers[name][list(which), :, number].sum(axis=0)
                for name in ("offered", "given", "won", "gain", "folded")
            )
            bluffs = sums.bluffs["given"][list(which), :, number]
            row[role] = {
                "offered": float(offered.sum() / sums.deals),
                "rate": _ratio(answers, offered),
                "won": _ratio(won, answers),
                "gain": _ratio(gain, answers),
                "folded": _ratio(folds, answers) if row["bet"] else None,
                "bluffs": _ratio(bluffs, answers) if row["bet"] else None,
                "by_third": _shares(answers, offered, thirds, THIRDS),
                "by_tenth": _shares(answers, offered, tenths, TENTHS),
                "won_by_tenth": _shares(won, answers, tenths, TENTHS),
                "gain_by_tenth": _shares(gain, answers, tenths, TENTHS),
            }
        yield row


def _bets(play: DescribedPlay) -> dict[str, dict[str, Any]]:
    """Return the number of bets and bluffs of each role, and their results."""
    rows: dict[str, dict[str, Any]] = {}
    for role, which in ROLES.items():
        of = {
            what: {
                name: float(table[name][list(which)][:, :, play.kinds.bets].sum())
                for name in ("given", "won", "gain", "folded")
            }
            for what, table in (("bets", play.sums.answers), ("bluffs", play.sums.bluffs))
        }
        bets, bluffs = of["bets"], of["bluffs"]
        rows[role] = {
            "bets": bets["given"] / play.sums.deals,
            "bluffs": bluffs["given"] / play.sums.deals,
            "share": _ratio(bluffs["given"], bets["given"]),
            "bets_folded": _ratio(bets["folded"], bets["given"]),
            **{n: _ratio(bluffs[n], bluffs["given"]) for n in ("folded", "won", "gain")},
        }
    return rows


def _hands(sums: PlaySums, trees: LabelledTrees, strength: Floats) -> Iterator[dict[str, Any]]:
    """Yield the choices and the gain of each hand, the best one first."""
    texts = list(trees.hands)
    total = sums.hands["deals"].sum()
    for number in sorted(range(len(texts)), key=lambda n: (-strength[n], texts[n])):
        deals, won, gain = (sums.hands[name][:, number] for name in ("deals", "won", "gain"))
        yield {
            "hand": trees.hand_text(texts[number]),
            "chance": float(deals.sum() / total),
            "won": _ratio(won, deals),
            "gain": _ratio(gain, deals),
            "answers": {
                f"{question} {option}": _ratio(
                    sums.answers["given"][:, number, place],
                    sums.answers["offered"][:, number, place],
                )
                for (question, option), place in sorted(trees.options.items())
                if place in trees.without_card
            },
            "bluffs": _ratio(sums.bluffs["given"][:, number], deals),
        }


def _cards(sums: PlaySums, trees: LabelledTrees) -> Iterator[Mapping[str, Any]]:
    """Yield each card with the gain of its hands over the mean hand, the best card first."""
    hands = np.array(list(trees.hands))
    deals, won, gain = (sums.hands[name].sum(axis=0) for name in ("deals", "won", "gain"))
    result = [
        {
            "card": trees.card_text(card),
            "won": float(won[has].sum() / deals[has].sum() - won.sum() / deals.sum()),
            "gain": float(gain[has].sum() / deals[has].sum() - gain.sum() / deals.sum()),
        }
        for card in range(hands.shape[1])
        if deals[has := hands[:, card] > 0].sum() > 0
    ]
    return iter(sorted(result, key=lambda row: -float(str(row["gain"]))))
