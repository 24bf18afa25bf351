"""Tables with another pack than the default one: of every shipped variant that declares several."""

from __future__ import annotations

import pytest
from tables import declared

from trutdsl.variant import list_variants

OTHER_PACKS = [
    pytest.param((variant.name, players, pack), id=f"{variant.name}-{players}p-{choice}")
    for variant in map(declared, list_variants())
    if variant.differences.pack  # or it plays with the packs of its base
    for pack in variant.pack_choices[1:]
    for choice in pack.values()
    for players in variant.players
]
