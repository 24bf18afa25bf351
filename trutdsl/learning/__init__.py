"""Reinforcement learning: matches as the environments that libraries of learning agents know.

`encoding` turns what a seat sees into arrays; `zoo` is PettingZoo's form (`trutdsl[rl]`), `vector`
Gymnasium's with many matches side by side, `spiel` OpenSpiel's (`trutdsl[openspiel]`).
"""
