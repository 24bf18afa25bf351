"""Interrupts: what is raised while machine code runs, kept until it has been left."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator

from trutdsl.native.abi import OFTEN

SELDOM = 64 * OFTEN  # most steps between two looks
PAUSE = 0.005  # seconds that should lie between two looks
LOOK = ctypes.CFUNCTYPE(ctypes.c_int64)


class Watch:
    """Looks whether play shall go on.

    raised: what was raised while machine code ran, and is still to be raised outside of it.
    call:   what machine code calls; how many steps to the next look, or 0 if it has to stop.
    """

    def __init__(self) -> None:
        self.raised: list[BaseException] = []
        looks = self._look()
        next(looks)
        # A generator goes on inside its `try`. A function could be left by Ctrl-C before it comes
        # to its own, and what is raised would be lost on the way through machine code.
        self.call = LOOK(looks.__next__)

    def _look(self) -> Iterator[int]:
        steps, last = OFTEN, time.perf_counter()
        try:
            while True:
                yield 0 if self.raised else steps
                before, last = last, time.perf_counter()
                steps = min(2 * steps, SELDOM) if last - before < PAUSE else OFTEN
        except GeneratorExit:
            raise
        except BaseException as e:
            self.raised.append(e)
        yield 0

    @property
    def address(self) -> int:
        """Where the machine code finds what it calls."""
        return ctypes.cast(self.call, ctypes.c_void_p).value or 0

    def raise_if_any(self) -> None:
        """Raise what was raised while machine code ran."""
        if self.raised:
            raise self.raised[0]
