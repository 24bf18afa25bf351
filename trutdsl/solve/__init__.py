"""Solves games: exact values of strategies, over all deals instead of some."""
