"""Random inputs against what the program promises; `python -m tests.fuzz --help`."""
