"""Every rule of Truc and Tute has a scenario for each table where it differs."""

import pytest
import yaml

from trutdsl.variant import load_variant

BOTH, ALL = (2, 4), (2, 3, 4)
RULES = {
    "truc-catalan": {
        "K1": (2,),  # the pack
        "K2": BOTH,  # dealer and deal
        "K3": BOTH,  # to cut or not
        "K4": BOTH,  # tricks
        "K5": BOTH,  # who wins the hand
        "K6": BOTH,  # who may bet when
        "K7": BOTH,  # who answers
        "K8": BOTH,  # scoring
        "K9": BOTH,  # one point short
        "K10": (4,),  # signals
        "K11": (2,),  # none with two
    },
    "truc-french": {
        "F1": (2,),  # the packs
        "F2": BOTH,  # as in Catalonia
        "F3": BOTH,  # new cards
        "F4": BOTH,  # who may bet how much
        "F5": BOTH,  # who answers
        "F6": BOTH,  # scoring
        "F7": BOTH,  # the rubber
    },
    "tute": {
        "U1": (2,),  # the pack
        "U2": ALL,  # dealing, trump, who leads
        "U3": (3,),  # the exchange
        "U4": ALL,  # to follow and to beat
        "U5": ALL,  # to trump
        "U6": (3, 4),  # after a ruff; with two nobody plays after it
        "U7": ALL,  # who wins a trick
        "U8": (2,),  # drawing
        "U9": ALL,  # songs
        "U10": ALL,  # tute
        "U11": ALL,  # the end
    },
}
# Each parameter: its default, its choices or bounds, and whether the sources leave it open.
PARAMETERS = {
    "truc-catalan": {
        "goal": (12, (1, 99), False),
        "tied_trick_leader": ("same_leader", ("first_strongest", "same_leader"), False),
        "responder": ("next_opponent", ("next_opponent", "all_opponents"), True),
        "signals": (True, None, False),
        "signal_leak": (250_000, None, True),
    },
    "truc-french": {
        "goal": (12, (1, 99), False),
        "tied_trick_leader": ("same_leader", ("first_strongest", "same_leader"), False),
        "pack": ("32", ("32", "32-eight-high", "32-eight-low", "36"), False),
        "max_redeals": (1, (0, 5), True),
        "rubber": (2, (1, 99), False),
    },
    "tute": {
        "must_beat": ("highest", ("highest", "opponents"), True),
        "free_after_ruff": (True, None, False),
        "follow_while_stock": (True, None, True),
        "end_at_101": (True, None, True),
        "deals_to_win": (1, (1, 99), True),
    },
}


def bounds(parameter):
    return (parameter.least, parameter.most) if parameter.type == "integer" else None


def read_scenarios(root, variant):
    text = (root / f"tests/scenarios/{variant}.yaml").read_text(encoding="utf-8")
    return list(yaml.safe_load_all(text))


@pytest.mark.parametrize("variant", RULES)
def test_every_rule_has_a_scenario_at_every_table(root, variant):
    found = {
        (rule, each["players"]) for each in read_scenarios(root, variant) for rule in each["rules"]
    }
    required = {(rule, players) for rule, tables in RULES[variant].items() for players in tables}
    assert sorted(required - found) == []
    assert {rule for rule, _ in found} == set(RULES[variant])


@pytest.mark.parametrize("variant", RULES)
def test_every_rule_is_cited_in_the_rules(variant):
    cited = {
        source
        for layer in load_variant(variant).layers
        for part in (*layer.rules.rules, *layer.rules.defines)
        for source in (part.cites or "").split()
    }
    assert set(RULES[variant]) - cited <= {"K1", "F1"}  # rules about the pack alone


@pytest.mark.parametrize("variant", PARAMETERS)
def test_parameters_agree_with_the_rules(variant):
    declared = load_variant(variant).parameters
    found = {name: (p.default, p.choices or bounds(p), p.is_choice) for name, p in declared.items()}
    assert found == PARAMETERS[variant]


@pytest.mark.parametrize("variant", PARAMETERS)
def test_every_choice_of_a_parameter_has_a_scenario(root, variant):
    """A scenario sets it, except for the default, which all others use, and for chances."""
    parameters = {
        (name, str(value).lower())
        for each in read_scenarios(root, variant)
        for name, value in each.get("parameters", {}).items()
    }
    for name, (default, allowed, _) in PARAMETERS[variant].items():
        if isinstance(default, bool):
            assert (name, str(not default).lower()) in parameters
        elif isinstance(default, str):
            for choice in set(allowed) - {default}:
                assert (name, choice) in parameters
        elif allowed is not None:
            assert name in dict(parameters)
