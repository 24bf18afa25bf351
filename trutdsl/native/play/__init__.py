"""Matches in machine code, as Python plays and reads them: one, many, or many side by side."""
