"""Indentation as tokens: `_INDENT` where a block starts, `_DEDENT` where it ends."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

DEEPEST_LAYOUT = 24
DEEPEST_PARENTHESES = 40


class LayoutError(Exception):
    """Indentation or parentheses that do not fit together.

    token: where it shows. help: what to write instead, if there is something to say.
    """

    def __init__(self, code: str, message: str, token: Token, help: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.token, self.help = code, message, token, help


class MisindentedError(LayoutError):
    """A line indented to where no block stands.

    found:  its columns from the left edge of the rules.
    blocks: the blocks around it, outermost first: the line that begins one, and its columns.
    """

    def __init__(self, token: Token, found: int, blocks: list[tuple[int, int]]) -> None:
        super().__init__("indentation", "", token)
        self.found, self.blocks = found, blocks

    def told(self, indent: int, down: int) -> tuple[str, str]:
        """Return message and help, where the rules begin `indent` columns and `down` lines in."""
        message = f"this line is indented by {self.found + indent} spaces"
        line, less = next(b for b in reversed(self.blocks) if b[1] < self.found)
        inner, more = next(b for b in self.blocks if b[1] > self.found)
        outer = f"the block of line {line + down}" if line else "a new rule"
        return f"{message}, which fits no block above it", (
            f"indent it by {less + indent} spaces for {outer}, "
            f"or by {more + indent} for the block of line {inner + down}"
        )


class IndentLexer:
    """The post-lexer that Lark runs over the tokens.

    Line ends inside brackets do not count, nor those behind a word or sign that wants more, or of
    a value with `if` that wants its `else`, if what follows is indented.
    """

    always_accept = ("_NL",)
    OPEN = frozenset({"LPAR", "LBRACE", "LSQB"})
    UNFINISHED = frozenset(
        "AND OR NOT PLUS MINUS TIMES DIV MOD COMMON COMPARE IN COMMA EQUALS ADD_TO TAKE_FROM "  # noqa: SIM905
        "WHERE HAS WHEN WITH".split()
    )
    CLOSE = frozenset({"RPAR", "RBRACE", "RSQB"})
    SENTENCE_BEGINS = frozenset({"_NL", "_INDENT", "_DEDENT", "COLON", "ELSE"})  # behind these

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with indentation made explicit; raises `LayoutError`."""
        columns = [(0, 0)]
        open_brackets: list[Token] = []
        last: Token | None = None
        choices = 0  # values of this line with an `if` that have no `else` yet
        for token in stream:
            before, last = last, token
            if token.type == "IF" and before and before.type not in self.SENTENCE_BEGINS:
                choices += 1
            elif token.type == "ELSE" and choices:
                choices -= 1
            if token.type == "_NL":
                deeper = len(token.rsplit("\n", 1)[1]) > columns[-1][1]
                unfinished = before is not None and before.type in self.UNFINISHED
                if not open_brackets and not (deeper and (unfinished or choices)):
                    choices = 0
                    yield from self._line_end(token, columns, (before.line if before else 0) or 0)
                continue
            if token.type in self.OPEN:
                open_brackets.append(token)
                if len(open_brackets) > DEEPEST_PARENTHESES:
                    raise LayoutError(
                        "too-deep",
                        f"brackets stand more than {DEEPEST_PARENTHESES} deep",
                        token,
                        "give the inner part a name with `define`",
                    )
            elif token.type in self.CLOSE and open_brackets:
                open_brackets.pop()
            yield token
        if open_brackets:
            raise LayoutError("syntax", f"'{open_brackets[-1]}' is never closed", open_brackets[-1])
        for _ in columns[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last) if last else Token("_DEDENT", "")

    def _line_end(
        self, token: Token, columns: list[tuple[int, int]], above: int
    ) -> Iterator[Token]:
        """Yield what a line end stands for.

        columns: of each open block the line that begins it, and how far it is indented.
        """
        yield token
        column = len(token.rsplit("\n", 1)[1])
        here = Token("_INDENT", "", line=token.end_line, column=column + 1,
                     end_line=token.end_line, end_column=column + 1)  # fmt: skip
        if column > columns[-1][1]:
            columns.append((above, column))
            if len(columns) > DEEPEST_LAYOUT:
                raise LayoutError(
                    "too-deep",
                    f"blocks stand more than {DEEPEST_LAYOUT} deep",
                    here,
                    "move the inner block into a rule of its own",
                )
            yield here
            return
        blocks = list(columns)
        while column < columns[-1][1]:
            columns.pop()
            yield here.update(type="_DEDENT")
        if column != columns[-1][1]:
            raise MisindentedError(here, column, blocks)
