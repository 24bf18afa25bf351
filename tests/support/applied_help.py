"""What the help for a mistake says to write, applied to the file."""

from trutdsl.cli.app import run


def assert_help_is_accepted(path, capsys, wrong, help_, right):
    """Check that a wrong file has one error, with this help, and the right one none."""
    path.write_text(wrong)
    assert run(["check", str(path)]) == 2
    output = "".join(capsys.readouterr())
    assert output.count(": error: ") == 1
    assert help_ in output
    if right:
        path.write_text(right)
        assert run(["check", str(path)]) == 0, "".join(capsys.readouterr())
