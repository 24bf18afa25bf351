"""Turns a tournament's summary into a table and into files that are the same everywhere."""
