"""Imports on another thread during compilation."""

import sys
import threading

from trutdsl.tournaments.load import importing


def test_modules_are_imported_on_another_thread(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = "import threading\nthread = threading.get_ident()\n"
    (tmp_path / "one_of_them.py").write_text(source)
    (tmp_path / "faulty_of_them.py").write_text("1 / 0\n")
    with importing("one_of_them", "faulty_of_them"):
        pass
    assert sys.modules.pop("one_of_them").thread != threading.get_ident()
    assert "faulty_of_them" not in sys.modules  # a later import reports its error
