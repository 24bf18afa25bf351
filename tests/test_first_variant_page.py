"""`docs/first-variant.md`: its commands print the shown output."""

from documents import run_commands


def test_commands_print_the_shown_output(root, tmp_path, monkeypatch, capsys, request):
    page = root / "docs" / "first-variant.md"
    run_commands(page, tmp_path, monkeypatch, capsys, request.config.getoption("--update"))
    text = page.read_text(encoding="utf-8")
    assert "3 passed, 0 failed" in text
    assert text.count("wrong.yaml:5:") == 1
