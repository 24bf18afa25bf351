"""Analyses of a program: what its parts read, change and can fail at, and how long they take."""
