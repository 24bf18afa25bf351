"""Modules are imported on another thread while this one compiles."""

import sys
import threading

from trutdsl.tournaments.load import importing


def test_modules_are_there_at_the_end_and_were_imported_elsewhere(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    begun = "import threading\nthread = threading.get_ident()\n"
    (tmp_path / "one_of_them.py").write_text(begun)
    (tmp_path / "faulty_of_them.py").write_text("1 / 0\n")
    with importing("one_of_them", "faulty_of_them"):
        pass
    assert sys.modules.pop("one_of_them").thread != threading.get_ident()
    assert "faulty_of_them" not in sys.modules  # whoever imports it is told what is wrong
