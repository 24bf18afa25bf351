"""Random whole programs, played in both engines and all forms, and shrunk if these differ.

See README.md beside this file.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "support"))  # the modules that several tests share
