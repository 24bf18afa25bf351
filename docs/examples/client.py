"""A study of a house rule, as a program: which strategies gain by it, and why."""

import sys
from pathlib import Path

import trutdsl
from trutdsl import Action, Comparison, Tournament, View


class Patient:
    """Calls only with two strong cards, and folds on its last card."""

    def __init__(self, enough: int = 12) -> None:
        self.enough = enough

    def choose(self, view: View) -> Action:
        """Return the action for this question."""
        strong = sorted(view.strengths[card] for card in view.cards("hand"))[-2:]
        wanted = ("trut", "accept") if sum(strong) >= self.enough else ("pass", "fold")
        return view.action(*wanted) or view.actions[0]


def meek(view: View) -> Action:
    """Fold whenever it can."""
    return view.action("fold") or view.actions[0]


def study(variant: str, goal: int, sets: int, folder: Path) -> str:
    """Compare a variant with another goal, and return a summary."""
    held: Tournament = trutdsl.tournament(
        variant, ["steady", "caller", Patient, meek], sets=sets, seed=1, out=folder / "all"
    )
    best = held.standings["strategy"].iloc[0]
    found: Comparison = trutdsl.compare(
        variant, f"{variant}:goal={goal}", strategies=["steady", "caller"], sets=sets, seed=1
    )
    lengths = found.difference("length.deals")
    kept = trutdsl.load_run(folder / "all", Tournament)
    match = trutdsl.play_match(trutdsl.load_game(variant, 2), ["steady", meek], seed=1)
    return (
        f"{best} is the best of {len(kept.standings)}; to {goal} a match has "
        f"{lengths['other']:.1f} deals instead of {lengths['base']:.1f}; "
        f"steady against meek: {match.counters['longs']}"
    )


def main() -> int:
    """Print the study of Trut to three longs; the argument is the folder of its files."""
    try:
        print(study("trut", 3, 20, Path(sys.argv[1])))
    except trutdsl.Error as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
