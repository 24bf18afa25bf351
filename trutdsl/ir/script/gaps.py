"""Gaps of a script: the questions that it may leave unanswered, and the errors that name them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from trutdsl.diagnostics import Collector, Note, Span
from trutdsl.ir import nodes
from trutdsl.ir.script.answers import form_of
from trutdsl.language import say


@dataclass(frozen=True)
class Gap:
    """A question that a script may leave unanswered.

    span: the last clauses for it, or the script if there are none (then `is_bare`).
    note: where it is asked, and the options that no clause takes without a condition.
    """

    decision: str
    span: Span
    is_bare: bool
    note: Note


def gap_at(span: Span, is_bare: bool, question: nodes.Ask, covered_options: Container[int]) -> Gap:
    """Return the gap of a question, of whose options clauses without a condition cover some."""
    options = ", ".join(
        f"`{' '.join(filter(None, form_of(option, question.decision)))}`"
        for number, option in enumerate(question.options)
        if number not in covered_options
    )
    text = say("it is asked here; no clause takes {options} without a condition", options=options)
    return Gap(question.decision, span, is_bare, Note(text, question.span))


def report_gaps(gaps: Iterable[Gap], errors: Collector) -> None:
    """Report one error for each place of the script: gaps of the same place have the same cure."""
    places: dict[Span, list[Gap]] = {}
    for gap in gaps:
        places.setdefault(gap.span, []).append(gap)
    for span, group in places.items():
        decisions = list(dict.fromkeys(gap.decision for gap in group))
        help_ = say("end with a clause that always applies, such as `any`")
        if group[0].is_bare:
            help_ = say("answer with `on DECISION:`, or end the script with `otherwise: any`")
        if len(decisions) == 1:
            text = "in some cases no clause answers '{decision}'"
            message = say(text, decision=decisions[0])
            notes = tuple({gap.note.span: gap.note for gap in group}.values())
        else:
            text = "in some cases no clause answers one of these questions: {decisions}"
            message = say(text, decisions=", ".join(decisions))
            notes = ()  # where each is asked would hide what to do
        errors.error("not-covered", message, span, *notes, help=help_)
