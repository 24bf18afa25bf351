"""How much is played where engines are compared: `DIFFERENTIAL` in the environment, in decisions.

A table plays until so many decisions were taken; where rules ask little, a fifth as many deals.
`TRUTDSL_CHECKED=1` plays other matches than the form that is shipped, so that more are compared.
"""

import os

DECISIONS = int(os.environ.get("DIFFERENTIAL", "3000"))
DEALS = DECISIONS // 5
EVERYTHING = DECISIONS >= 50_000  # and no combination of parameters is left out
FIRST = 1_000_000 if os.environ.get("TRUTDSL_CHECKED") else 0  # match
