"""Pages with examples: their fenced blocks, and a check of their commands."""

import re
import shlex

from trutdsl.cli.app import run

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.M | re.S)


def blocks(text, kind):
    """Return the text after the kind, and the content, of each block of this kind."""
    return [(more.strip(), body) for found, more, body in FENCE.findall(text) if found == kind]


def run_commands(path, folder, monkeypatch, capsys, update):
    """Write the page's files into a folder, run its commands there, compare their output.

    This follows the order of the page, so a later block may change a file. A block is a file if
    `file=NAME` follows its kind. With `update` the page is rewritten.
    """
    text = path.read_text(encoding="utf-8")
    monkeypatch.chdir(folder)

    def run_console(console):
        lines = []
        for line in console.splitlines():
            if line.startswith("$ trutdsl "):
                run(shlex.split(line)[2:])
                captured = capsys.readouterr()
                lines += [line, *(captured.err + captured.out).splitlines()]
        return "\n".join(lines) + "\n"

    def run_block(block):
        kind, more, body = block.groups()
        if more.startswith(" file="):
            (folder / more.removeprefix(" file=")).write_text(body, encoding="utf-8")
        return f"```console\n{run_console(body)}```" if kind == "console" else block[0]

    new = FENCE.sub(run_block, text)
    if update:
        path.write_text(new, encoding="utf-8")
    assert new == text or update


def rows(text, mark):
    """Return the first two cells of each row of the table below a mark."""
    part = text.split(f"<!-- {mark} -->\n")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", part, re.M))
