"""Tables with a pack other than the default one, of every shipped variant that declares several."""

from __future__ import annotations

import pytest
from tables import load_unparsed

from trutdsl.variant import list_variants

OTHER_PACKS = [
    pytest.param((variant.name, players, pack), id=f"{variant.name}-{players}p-{choice}")
    for variant in map(load_unparsed, list_variants())
    if variant.differences.pack  # else its base declares the packs
    for pack in variant.pack_choices[1:]
    for choice in pack.values()
    for players in variant.players
]
