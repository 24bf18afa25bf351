"""Information flow: proves that no seat can learn from the rules what it may not see.

`check.check_visibility` is the one entry; what it guarantees stands in `docs/architecture.md`.
"""
