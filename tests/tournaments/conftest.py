import sys
from pathlib import Path

# Sets made up without playing stand beside the tests of statistics.
sys.path.insert(0, str(Path(__file__).parent.parent / "stats"))
