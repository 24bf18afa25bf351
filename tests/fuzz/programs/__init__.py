"""Random whole programs: written, played in both engines in every form, and made small.

See README.md beside this file.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "support"))  # where lies what several tests use
