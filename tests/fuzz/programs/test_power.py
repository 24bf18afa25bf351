"""Mistakes put into the engines are found by random programs: here the quick ones of them."""

import pytest
from extent import extent

from .mutants import MUTANTS
from .power import ROOT, programs_until_found

QUICK = sorted((m for m in MUTANTS if m.quick), key=lambda mutant: mutant.quick)[: extent(3, None)]


@pytest.mark.parametrize("mutant", QUICK, ids=lambda mutant: mutant.name)
def test_a_mistake_is_found(mutant):
    assert programs_until_found(mutant, 60) is not None


def test_every_mutant_is_of_the_text_as_it_is():
    for mutant in MUTANTS:
        text = (ROOT / "trutdsl" / f"{mutant.module}.py").read_text(encoding="utf-8")
        assert text.count(mutant.old) == 1, mutant.name
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 20
