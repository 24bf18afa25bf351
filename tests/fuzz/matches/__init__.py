"""Random matches: `solve` against plain Python."""
