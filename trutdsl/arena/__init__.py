"""Plays the matches of an experiment: who meets whom, on which seeds, where, and what is kept.

What is counted of the matches is decided above (`stats`); here it is a function that is handed in.
"""
