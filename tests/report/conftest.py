import sys
from pathlib import Path

# The fake game, and the sets made up without playing, stand beside the tests of their users.
for folder in ("arena", "stats"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))
