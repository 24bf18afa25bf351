"""Solves games for two: exact values of strategies, best responses, equilibrium play."""
