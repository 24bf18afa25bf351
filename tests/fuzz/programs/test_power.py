"""Random programs find the mutants of the engines; here those that are found soonest."""

import pytest
from extent import extent

from .mutants import MUTANTS
from .power import ROOT, count_programs_until_found

QUICK = sorted((m for m in MUTANTS if m.quick), key=lambda mutant: mutant.quick)[: extent(1, None)]


@pytest.mark.thorough
@pytest.mark.parametrize("mutant", QUICK, ids=lambda mutant: mutant.name)
def test_random_programs_find_a_mutant(mutant):
    assert count_programs_until_found(mutant, 60) is not None


def test_each_mutant_replaces_a_text_that_exists_once():
    for mutant in MUTANTS:
        text = (ROOT / "trutdsl" / f"{mutant.module}.py").read_text(encoding="utf-8")
        assert text.count(mutant.old) == 1, mutant.name
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 20
