"""How much rules may do and hold: what the check refuses, and where both engines stop a match.

All are far above any game that people play: the largest of the shipped variants needs less than a
fifth of each. More than so many deals are no mistake of the rules: who never bets may never win.
"""

from __future__ import annotations

# In play.
MOST_DEALS = 10_000  # of a match; one that nobody has won then is unfinished, and drawn
MOST_QUESTIONS = 10_000_000  # of a match
MOST_QUESTIONS_A_DEAL = 5_000  # and from the start of a match to its first deal
MOST_REPEATS = 1_000  # that a question is asked in a row, by `again`
MOST_TURNS = 1_000_000  # of a repetition
MOST_STEPS = 20_000_000  # between two questions or deals, of what can be long, see `analysis.cost`

MOST_STEPS_OF_A_DECISION = 1_000_000  # that a strategy's script can take, see `analysis.cost`

# In a strategy's script, with all that it extends, built for one variant.
MOST_NODES_OF_ANSWERS = 12_000  # of all its answers, with the rules that they do written out
MOST_NODES_OF_AN_ANSWER = 3_000
MOST_MEMORY = 120
MOST_DEFINES = 300

DEEPEST_DEFINES = 30  # that stand inside one another

# In a variant, with all that it builds on.
MOST_NUMBERS = 4_096  # that can be chosen from, where the bounds of what is chosen say no less
MOST_ACTIONS = 16_384  # that a question can have, legal or not
MOST_ACTIONS_IN_ALL = 32_768  # of all questions together
MOST_NODES = 12_000  # of its rules and defines: words with a meaning of their own
MOST_NODES_OF_ONE = 1_500  # of one rule or define
MOST_RULES = 700  # and defines
MOST_QUESTIONS_WRITTEN = 100
MOST_ZONES = 50
MOST_VARIABLES = 120
MOST_COUNTERS = 16
MOST_PARAMETERS = 80

MOST_CARDS = 64  # of a pack
