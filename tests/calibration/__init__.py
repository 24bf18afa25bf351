"""Calibration: how often the statistics are wrong where the truth is known, as in A/A tests."""
