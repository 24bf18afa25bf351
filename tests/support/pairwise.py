"""Pairwise combinations of parameters: each two values of two parameters occur together."""

from __future__ import annotations

from itertools import combinations


def values_of(variant):
    """Return for each parameter the values to try, as texts, the default first.

    boolean, choice: all values. integer: the default and the least. probability: 0, 1 and the
    default. cards: the default, all, none and every seventh card.
    """
    return {p.name: list(dict.fromkeys(_values(p))) for p in variant.parameters.values()}


def _values(parameter):
    default = parameter.text_of(parameter.default)
    match parameter.type:
        case "boolean":
            return [default, "true", "false"]
        case "choice":
            return [default, *parameter.choices]
        case "probability":
            return [default, "0", "1"]
        case "cards":
            return [default, "all", "none", ",".join(parameter.choices[::7])]
        case "integer":
            least = parameter.least
            return [default, str(least if least < parameter.default else least + 1)]


def all_pairs(options):
    """Return combinations {name: value} that contain every pair of values of two names.

    The greedy algorithm is deterministic. The first combination has the first value of each name.
    Each further one starts with the first missing pair and adds for each other name the value with
    the most new pairs.
    """
    names = list(options)
    missing = {
        pair: None
        for one, two in combinations(names, 2)
        for pair in [((one, a), (two, b)) for a in options[one] for b in options[two]]
    }
    found = [{name: values[0] for name, values in options.items()}]
    _remove_pairs(missing, found[0])
    for name in names if len(names) == 1 else ():
        found += [{name: value} for value in options[name][1:]]
    while missing:
        chosen = dict(next(iter(missing)))
        for name in names:
            if name not in chosen:
                chosen[name] = max(
                    options[name],
                    key=lambda value: _count_new_pairs(missing, chosen, (name, value)),
                )
        found.append({name: chosen[name] for name in names})
        _remove_pairs(missing, chosen)
    return found


def _count_new_pairs(missing, chosen, new):
    return sum((one, new) in missing or (new, one) in missing for one in chosen.items())


def _remove_pairs(missing, chosen):
    for pair in combinations(chosen.items(), 2):
        missing.pop(pair, None)
        missing.pop(pair[::-1], None)
