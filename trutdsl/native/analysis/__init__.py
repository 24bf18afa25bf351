"""Analyses for machine code: what whole matches at one table need not keep."""
