"""Combinations of parameters in which every two values of two parameters come together."""

from __future__ import annotations

from itertools import combinations


def values_of(variant):
    """Return parameter -> the texts to try, its default first.

    Both values of a boolean, every choice; of a number the default and the least; never, always
    and the default of a chance; all, none and two of a set of cards.
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
    """Return combinations, name -> value, that hold every pair of values of two names.

    Greedy and always the same: the first takes every first value; each next one begins with the
    first pair that is missing and gives every other name the value that adds most new pairs.
    """
    names = list(options)
    missing = {
        pair: None
        for one, two in combinations(names, 2)
        for pair in [((one, a), (two, b)) for a in options[one] for b in options[two]]
    }
    found = [{name: values[0] for name, values in options.items()}]
    _strike(missing, found[0])
    for name in names if len(names) == 1 else ():
        found += [{name: value} for value in options[name][1:]]
    while missing:
        chosen = dict(next(iter(missing)))
        for name in names:
            if name not in chosen:
                chosen[name] = max(
                    options[name], key=lambda value: _gain(missing, chosen, (name, value))
                )
        found.append({name: chosen[name] for name in names})
        _strike(missing, chosen)
    return found


def _gain(missing, chosen, new):
    return sum((one, new) in missing or (new, one) in missing for one in chosen.items())


def _strike(missing, chosen):
    for pair in combinations(chosen.items(), 2):
        missing.pop(pair, None)
        missing.pop(pair[::-1], None)
