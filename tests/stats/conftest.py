import sys
from pathlib import Path

from hypothesis import settings

# The fake game stands beside the tests of what plays it.
sys.path.insert(0, str(Path(__file__).parent.parent / "tournaments"))

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of ours
settings.load_profile("untimed")
