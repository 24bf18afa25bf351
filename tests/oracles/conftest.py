import sys
from pathlib import Path

# Sets of results are made up as in the tests of the statistics themselves.
sys.path.insert(0, str(Path(__file__).parents[1] / "stats"))
