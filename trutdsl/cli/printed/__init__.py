"""What commands print with `--json`, as types, from which `trutdsl schema` makes JSON Schemas."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

# Each command that prints JSON, with its type as MODULE:NAME of this package.
TYPES = {
    "check": "rules:Messages",
    "list": "rules:Listed",
    "show": "rules:DescribedVariant",
    "diff": "rules:DifferingVariants",
    "migrate": "rules:MigratedFiles",
    "scenario": "rules:PlayedScenarios",
    "coverage": "rules:PrintedCoverage",
    "simulate": "play:Simulation",
    "replay": "play:VerifiedTranscript",
    "explain-choice": "play:ExplainedChoices",
    "exact": "play:PrintedExactResult",
    "solve": "play:Solved",
    "exploit": "play:Responses",
    "tournament": "tournaments:RunResults",
    "plan": "tournaments:Forecast",
    "compare": "comparisons:Compared",
    "sweep": "comparisons:PrintedSweep",
    "ambiguities": "comparisons:Ambiguities",
    "resume": "tournaments:RunResults",
    "extend": "tournaments:RunResults",
    "merge": "tournaments:RunResults",
    "verify": "tournaments:VerifiedRun",
    "results": "tournaments:RunResults",
    "bench": "tournaments:Benchmark",
}


def printed_schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints with `--json`."""
    from trutdsl.cli.printed.schemas import schema_of

    return schema_of(resolve_name(f"trutdsl.cli.printed.{TYPES[command]}"))
