"""Information flow: proves that no seat can learn from the rules what it may not see.

`check.check_visibility` is the only entry; `docs/architecture.md` states its guarantee.
"""
