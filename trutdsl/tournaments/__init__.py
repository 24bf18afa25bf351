"""Tournaments: from what is asked for, through workers and journals, to the results in a folder."""
