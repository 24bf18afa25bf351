"""What was said and told in each of many matches side by side, and who noticed it."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from trutdsl.syntax.ast import Audience

Numbers = NDArray[np.int64]
AUDIENCES = list(Audience)
HEARERS = len(AUDIENCES)  # from here up: the mask of those who were told


class History:
    """The answers of the deal that is going on in each of many matches, and what was told."""

    def __init__(self, count: int) -> None:
        # Seat, decision, action, who noticed; of what was told, the value is the action.
        self.said = np.zeros((count, 16, 4), np.int64)
        self.count = np.zeros(count, np.int64)
        self.deals = np.zeros(count, np.int64)  # how many had begun when the last was noted

    def clone(self) -> History:
        """Return a copy."""
        twin = copy(self)
        twin.said, twin.count = self.said.copy(), self.count.copy()
        twin.deals = self.deals.copy()
        return twin

    def forget(self, rows: Numbers) -> None:
        """Forget what was said in these matches."""
        self.count[rows] = 0

    def add(self, rows: Numbers, deals: Numbers, said: Numbers) -> None:
        """Note something in each of these matches; what is of an earlier deal is forgotten."""
        at = self._counts(rows, deals)
        if at.max(initial=0) >= self.said.shape[1]:
            self.said = np.concatenate([self.said, np.zeros_like(self.said)], axis=1)
        self.said[rows, at] = said
        self.count[rows], self.deals[rows] = at + 1, deals

    def noticed(self, rows: Numbers, deals: Numbers, seat: Numbers, teams: int) -> Numbers:
        """Return what the asked seats have noticed, see `Batch.history`."""
        counts = self._counts(rows, deals)
        said = self.said[rows, : counts.max(initial=0)]
        who, audience = said[..., 0], said[..., 3]
        known = (who == seat[:, None]) | (audience == AUDIENCES.index(Audience.ALL))
        same_team = who % teams == (seat % teams)[:, None]
        known |= same_team & (audience == AUDIENCES.index(Audience.TEAM))
        hearers = np.maximum(audience - HEARERS, 0)
        known &= audience < HEARERS
        known |= hearers >> seat[:, None] & 1 == 1
        known &= np.arange(said.shape[1]) < counts[:, None]
        order = np.argsort(~known, axis=1, kind="stable")[:, : known.sum(axis=1).max(initial=0)]
        kept = np.take_along_axis(
            np.where(known[..., None], said[..., :3], -1), order[..., None], 1
        )
        return np.ascontiguousarray(kept)

    def _counts(self, rows: Numbers, deals: Numbers) -> Numbers:
        return np.where(self.deals[rows] == deals, self.count[rows], 0)
