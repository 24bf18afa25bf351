"""A/A tournaments: how often the statistics are wrong where the truth is known."""
