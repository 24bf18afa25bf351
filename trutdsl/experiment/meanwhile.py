"""Prefetching: imports modules on a second thread while this one compiles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Thread


@contextmanager
def importing(*modules: str) -> Iterator[None]:
    """Import modules on another thread; at the end of the block all of them are there.

    LLVM lets other threads run while it compiles, which takes about as long as scipy to load. What
    is wrong with a module is told by whoever imports it next.
    """
    thread = Thread(target=_import, args=modules, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _import(*modules: str) -> None:
    for name in modules:
        try:
            import_module(name)
        except Exception:
            return
