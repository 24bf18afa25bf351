"""Strategies: their classes, how to load them, and matches between them."""
