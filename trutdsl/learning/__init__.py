"""Reinforcement learning: matches as environments of common libraries.

`encoding` turns the view of a seat into arrays. `zoo` is PettingZoo's form (`trutdsl[rl]`),
`vector` Gymnasium's with many matches side by side, `spiel` OpenSpiel's (`trutdsl[openspiel]`).
"""
