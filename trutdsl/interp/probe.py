"""Probe of the reference engine: how strong a hand is in a match that either engine plays."""

from __future__ import annotations

from trutdsl.interp.compile_expressions import compile_expression
from trutdsl.interp.policy import Player, PolicyCode
from trutdsl.ir import nodes
from trutdsl.ir.policy.probe import STRENGTH
from trutdsl.ir.types import SEAT
from trutdsl.streams import Stream
from trutdsl.table.match import Match
from trutdsl.table.setting import Setting


class Probe:
    """The program's function `STRENGTH`, made ready to be asked at one table."""

    def __init__(self, program: nodes.Program, setting: Setting) -> None:
        define = program.functions[STRENGTH]
        nobody = nodes.Policy(define.span, "measure", None, (), ())
        self._code = PolicyCode(program, nobody, setting)
        seat = nodes.Local(define.span, SEAT, 0, "")
        call = nodes.Call(define.span, define.result, STRENGTH, (seat,))
        self._value = compile_expression(call, self._code)

    def strength(self, match: Match, seat: int) -> int:
        """Return of a thousand hands how many the seat's hand beats now."""
        return int(Player(self._code, match, seat, Stream(0)).value(self._value))
