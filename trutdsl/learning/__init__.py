"""Reinforcement learning: matches as environments of common libraries.

`encoding` turns the view of a seat into arrays. `zoo` is PettingZoo's form (`trutdsl[rl]`),
`vector` Gymnasium's with many matches side by side, `spiel` OpenSpiel's (`trutdsl[openspiel]`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from trutdsl.language import say


@contextmanager
def library_of(extra: str) -> Iterator[None]:
    """Import a library; if it is missing, the ModuleNotFoundError names the extra to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        text = "{name} is not installed, which agents need to learn; write: {command}"
        command = f"pip install 'trutdsl[{extra}]'"
        message = say(text, name=missing.name, command=command)
        raise ModuleNotFoundError(message, name=missing.name) from None


def check_ready(environment: Any, call: str, is_reset: bool = True) -> None:
    """Raise an error of Gymnasium for a call after `close()`, or before `reset()`."""
    from gymnasium import error  # an extra

    if environment.closed:
        raise error.ClosedEnvironmentError(f"{call}() after close(); make a new environment")
    if not is_reset:
        raise error.ResetNeeded(f"{call}() before reset(), or after the end; call reset() first")
