"""A seat's entry at the table: its policy, and all that is that policy's own, as 64-bit numbers."""

from __future__ import annotations

from trutdsl.ir import Program

FUNCTION = 0  # the address of the policy; 0 for a seat that is waited for
STREAM = 1  # the state of the strategy's luck
AHEAD = STREAM + 1  # the stream's next number, made before it is asked for
KEY = 3  # the two halves of the key of its luck
ANY = 5  # where answers are counted: 1 if the last one was any, as the policy chose none
FAULT = 6  # where policies are scripts: 0, or 1 + the number of the mistake that one made
MEMORY = 7  # from here on what a script remembers: a stamp of its lifetime and a value, each
PLAIN = FAULT  # numbers of an entry without scripts


def entry_size(program: Program) -> int:
    """Return how many numbers an entry has, the same for every seat."""
    if not program.policies:
        return PLAIN
    return MEMORY + 2 * max(len(policy.memory) for policy in program.policies.values())


def memory_place(number: int) -> tuple[int, int]:
    """Return where the stamp and the value of a policy's memory of this number stand."""
    return MEMORY + 2 * number, MEMORY + 2 * number + 1
