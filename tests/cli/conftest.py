import sys
from pathlib import Path

# The fake game stands beside the tests of the arena.
sys.path.insert(0, str(Path(__file__).parent.parent / "arena"))
