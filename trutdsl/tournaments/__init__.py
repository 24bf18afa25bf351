"""Tournaments: from settings, through workers and journals, to the results in a folder."""
