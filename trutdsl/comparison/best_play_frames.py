"""Best play in Python: the results of a comparison of solved variants, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trutdsl.language import ENGLISH, say_key, speaking

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class SolvedComparison:
    """The results of a comparison under best play.

    results: everything, as in `best-play.json`.
    folder:  the folder with the file.
    """

    results: Mapping[str, Any]
    folder: Path | None

    @cached_property
    def variants(self) -> pd.DataFrame:
        """Each variant: its value for the side that deals first, and what a deal is like.

        Columns: variant, unit, mean, low, high, exploitability, deals, dealer, nobody, why_not.
        """
        import pandas as pd

        return pd.DataFrame(list(map(_summary, self.results["variants"])))

    @cached_property
    def answers(self) -> pd.DataFrame:
        """Each answer of each role: variant, question, option, role, and its figures."""
        import pandas as pd

        rows = [
            {"variant": one["name"], "question": answer["question"], "option": answer["option"]}
            | {"role": role}
            | {name: value for name, value in answer[role].items() if "by_t" not in name}
            for one in self._solved_variants()
            for answer in one["answers"]
            for role in ("both", "dealer", "other")
        ]
        return pd.DataFrame(rows)

    @cached_property
    def hands(self) -> pd.DataFrame:
        """Each hand, the best first: variant, hand, chance, won, gain, bluffs."""
        import pandas as pd

        names = ("hand", "chance", "won", "gain", "bluffs")
        rows = [
            {"variant": one["name"]} | {name: hand[name] for name in names}
            for one in self._solved_variants()
            for hand in one["hands"]
        ]
        return pd.DataFrame(rows)

    def _solved_variants(self) -> Iterator[Mapping[str, Any]]:
        return (one for one in self.results["variants"] if not one["why_not"])

    def to_html(self, language: str = "en") -> str:
        """Return the page of `trutdsl report`: one HTML file, in `en` or `fr`."""
        from trutdsl.report.best_play import best_play_page
        from trutdsl.report.page import page_as_html

        return page_as_html(lambda: best_play_page(self.results), language)

    def __repr__(self) -> str:
        names = ", ".join(one["name"] for one in self.results["variants"])
        return f"<{type(self).__name__}: {names}>"

    def __str__(self) -> str:
        from trutdsl.report.best_play import best_play_lines

        with speaking(ENGLISH):
            return "\n".join(best_play_lines(self.results))

    def _repr_html_(self) -> str:
        table = self.variants.to_html(index=False, float_format="{:z.4g}".format)
        return f"{table}\n<pre>{escape(str(self))}</pre>"


def _summary(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a variant; only its name and the reason if it is not solved."""
    value = one.get("value") or dict.fromkeys(("mean", "low", "high"))
    return {
        "variant": one["name"],
        "unit": one.get("unit"),
        **{name: value[name] for name in ("mean", "low", "high")},
        "exploitability": one.get("exploitability"),
        "deals": (one.get("deals") or {}).get("mean"),
        "dealer": one.get("dealer"),
        "nobody": one.get("nobody"),
        "why_not": say_key(one["why_not"]) if one["why_not"] else "",
    }
