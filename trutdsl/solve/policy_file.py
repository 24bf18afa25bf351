"""Policy files: the stored play of both seats at every score of a match.

A file begins with a line that names the format, a checksum of the rest, and the length of the
head. Then come the head (JSON), and arrays in little-endian order, each at a multiple of 8 bytes.
Equal arrays lie there once. The file holds numbers only. Before use, the checksum and all sizes are
verified. The file is read as a whole: another process may cut it while it is in use. Forked workers
share what their parent has read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trutdsl.diagnostics import BadUsage, explain_os_error
from trutdsl.files import open_plain, write_whole
from trutdsl.game import Game
from trutdsl.language import mark, say
from trutdsl.shape import LARGEST, from_json
from trutdsl.solve.positions import ONE, Bytes, Masks, Numbers
from trutdsl.solve.scores import DEALER, Score, lasting_variables
from trutdsl.solve.stored import PARTS, WORD, StoredPlay, bits_before, is_whole
from trutdsl.solve.tree import DealTree, score_mark

MAGIC = b"trutdsl policy 5\n"
DIGEST = 16  # bytes
START = len(MAGIC) + DIGEST + 8  # bytes before the head
LARGEST_HEAD, LARGEST_FILE = 1 << 22, 1 << 29
LONGEST_TEXT = 1000
CHUNK = 1 << 24  # bytes that are hashed at once


@dataclass(frozen=True)
class ArraySpan:
    """An array in the file: its first byte after the head, and the number of its elements."""

    at: int
    count: int


@dataclass(frozen=True)
class StoredSeat:
    """The information sets of a seat in a tree: keys, uint64, and numbers of actions, uint8."""

    keys: ArraySpan
    actions: ArraySpan


@dataclass(frozen=True)
class PlayArrays:
    """The places of `StoredPlay` in the file."""

    reached: ArraySpan
    parts: ArraySpan


@dataclass(frozen=True)
class StoredScore:
    """A score: who deals, the lasting variables, its tree, and the play of both seats there.

    start, values: see `Score`. value, best: see `SolvedScore`.
    """

    start: tuple[int, ...]
    values: tuple[int, ...]
    tree: int
    play: tuple[PlayArrays, PlayArrays]
    value: float
    best: tuple[float, float]
    iterations: int

    @property
    def score(self) -> Score:
        return Score(self.start, self.values)


@dataclass(frozen=True)
class PolicyFileHead:
    """The head of a policy file.

    fingerprint: of all inputs of the game. start: the engine's fields in `StoredScore.start`.
    classes: the class of each card. iterations, target: the settings of `solve`.
    """

    variant: str
    players: int
    parameters: tuple[tuple[str, str], ...]
    fingerprint: str
    start: tuple[str, ...]
    classes: tuple[int, ...]
    iterations: int
    target: float
    trees: tuple[tuple[StoredSeat, StoredSeat], ...]
    scores: tuple[StoredScore, ...]
    size: int


def _digest(content: bytes | Bytes) -> bytes:
    digest = blake2b(digest_size=DIGEST)
    for at in range(0, len(content), CHUNK):
        digest.update(bytes(content[at : at + CHUNK]))
    return digest.digest()


class PolicyFileWriter:
    """Collects the arrays of a policy file."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._places: dict[bytes, ArraySpan] = {}

    def add(self, numbers: np.ndarray[Any, np.dtype[Any]]) -> ArraySpan:
        """Add an array, and return its place; equal arrays lie in one place."""
        data = numbers.tobytes()
        digest = _digest(data)
        if digest not in self._places:
            self._places[digest] = ArraySpan(self._size, len(numbers))
            self._parts.append(data + bytes(-len(data) % 8))
            self._size += len(self._parts[-1])
        return self._places[digest]

    def add_tree(self, tree: DealTree) -> tuple[StoredSeat, StoredSeat]:
        """Add the information sets of both seats."""
        first, second = (
            StoredSeat(
                self.add(seat.keys.astype("<u8")), self.add(np.diff(seat.first).astype(np.uint8))
            )
            for seat in tree.seats
        )
        return first, second

    def add_play(self, play: StoredPlay) -> PlayArrays:
        return PlayArrays(self.add(play.reach.astype("<u8")), self.add(play.parts))

    def write(self, path: Path, head: Mapping[str, Any]) -> None:
        """Write the file; the size of the head is filled in."""
        text = json.dumps({**head, "size": self._size}, sort_keys=True, separators=(",", ":"))
        data = text.encode() + b" " * (-(START + len(text.encode())) % 8)
        content = len(data).to_bytes(8, "little") + data + b"".join(self._parts)
        write_whole(path, MAGIC + _digest(content) + content)


class SolvedPolicy:
    """A policy file that was read; a copy of it in another process opens the file again.

    checksum: that of its content, in hexadecimal.
    """

    def __init__(self, path: str) -> None:
        """Raises `BadUsage` for a file that is no policy, or damaged."""
        self.path = path
        self._tables: dict[StoredSeat, tuple[Masks, Numbers, Numbers]] = {}
        try:
            with open_plain(Path(path)) as file:
                fits = os.fstat(file.fileno()).st_size <= LARGEST_FILE + LARGEST_HEAD
                self._data: Bytes = np.fromfile(file, np.uint8, -1 if fits else START)
        except OSError as error:
            reason = mark("{path} cannot be read: {strerror}")
            raise BadUsage(explain_os_error(error, path, reason)) from None
        start = self._data[:START].tobytes()
        length = int.from_bytes(start[-8:], "little")
        if not start.startswith(MAGIC) or length > LARGEST_HEAD:
            raise BadUsage(
                say("{path} is not a policy of this version; `solve` writes one", path=path)
            )
        text = self._data[START:][:length].tobytes()
        self._at = len(start) + length
        size = (len(self._data) - self._at) // 8
        self._words: Masks = self._data[self._at :][: 8 * size].view("<u8")
        try:
            self.head = from_json(PolicyFileHead, json.loads(text))
        except (ValueError, RecursionError):
            raise self._damage() from None
        self.checksum = start[len(MAGIC) : -8].hex()
        self._check()

    def __reduce__(self) -> tuple[Any, ...]:
        return _reopen, (self.path, self.checksum)

    def _damage(self) -> BadUsage:
        return BadUsage(say("{path} is damaged; write it again with `solve`", path=self.path))

    def _check(self) -> None:
        """Raise `BadUsage` unless all sizes fit, so that no read goes beyond the file."""
        head = self.head
        fits = len(self._data) - self._at == head.size <= LARGEST_FILE
        if not fits or _digest(self._data[START - 8 :]).hex() != self.checksum:
            raise self._damage()
        seats = [seat for tree in head.trees for seat in tree]
        plays = [play for score in head.scores for play in score.play]
        wide = [seat.keys for seat in seats] + [play.reached for play in plays]
        narrow = [seat.actions for seat in seats] + [play.parts for play in plays]
        arrays = [(place.at, 8 * place.count) for place in wide]
        arrays += [(place.at, place.count) for place in narrow]
        if len({seat.keys for seat in seats}) < len(set(seats)):
            raise self._damage()
        end = 0  # arrays follow each other, so none takes memory twice
        for at, size in sorted(set(arrays)):
            if at != end or size < 0:
                raise self._damage()
            end = at + size + -size % 8
        if end != head.size or not all(map(self._is_right, head.scores)):
            raise self._damage()
        texts = [head.variant, *(text for pair in head.parameters for text in pair)]
        if not all(text.isprintable() and len(text) <= LONGEST_TEXT for text in texts):
            raise self._damage()
        if not head.scores or len({one.score for one in head.scores}) < len(head.scores):
            raise self._damage()

    def _is_right(self, score: StoredScore) -> bool:
        """Tell whether a score can be read."""
        if not 0 <= score.tree < len(self.head.trees):
            return False
        starts = [self._starts[seat] for seat in self.head.trees[score.tree]]
        shares, numbers = (score.value, *score.best), (*score.start, *score.values)
        return (
            all(is_whole(self.play_at(p), s) for p, s in zip(score.play, starts, strict=True))
            and all(0 <= share <= 1 for share in shares)
            and all(abs(number) <= LARGEST for number in numbers)
        )

    @cached_property
    def _starts(self) -> dict[StoredSeat, Numbers | None]:
        """Where the parts of each set of a seat start, then their number; None for wrong sets."""
        starts: dict[StoredSeat, Numbers | None] = {}
        for seat in {seat for tree in self.head.trees for seat in tree}:
            counts = self.bytes_at(seat.actions).astype(np.int64)
            right = seat.keys.count == len(counts) and (counts >= 2).all()
            starts[seat] = np.append(0, np.cumsum(counts - 1)) if right else None
        return starts

    def check_for(self, game: Game) -> None:
        """Raise `BadUsage` if the policy is for another game, with other parameters or version."""
        head, path = self.head, self.path
        if (head.variant, head.players) != (game.name, game.players):
            text = (
                "{path} is a policy for {variant} with {players} players, not for {game} with {n}"
            )
            values = {"variant": head.variant, "players": head.players, "game": game.name}
            raise BadUsage(say(text, path=path, n=game.players, **values))
        for parameter, value in game.parameter_texts().items():
            other = dict(head.parameters).get(parameter, say("nothing"))
            if other != value:
                text = "{path} is a policy for {parameter}={other}, not for {parameter}={value}"
                raise BadUsage(say(text, path=path, parameter=parameter, other=other, value=value))
        cards, program = len(game.deck.texts), game.program
        lasting = (program.variables[name].index for name in lasting_variables(program))
        sizes = 1, sum(map(game.setting.count, lasting))
        right = len(head.classes) == cards and all(0 <= c < cards for c in head.classes)
        right &= all((len(one.start), len(one.values)) == sizes for one in head.scores)
        if head.fingerprint != game.fingerprint or not right or head.start != (DEALER,):
            text = "{path} is for another version of {variant}; write it again with `solve`"
            raise BadUsage(say(text, path=path, variant=head.variant))

    def holds(self, number: int, tree: DealTree) -> bool:
        """Tell whether a stored tree has the same information sets as this one."""
        for stored_tree, seat in zip(self.head.trees[number], tree.seats, strict=True):
            keys, counts = self._words_at(stored_tree.keys), self.bytes_at(stored_tree.actions)
            if not (
                np.array_equal(keys, seat.keys) and np.array_equal(counts, np.diff(seat.first))
            ):
                return False
        return True

    def bytes_at(self, place: ArraySpan) -> Bytes:
        at = self._at + place.at
        return self._data[at : at + place.count]

    def _words_at(self, place: ArraySpan) -> Masks:
        return self._words[place.at // 8 :][: place.count]

    def play_at(self, places: PlayArrays) -> StoredPlay:
        """Return the play of a seat at a score."""
        return StoredPlay(self._words_at(places.reached), self.bytes_at(places.parts))

    def numbers_of(self, scores: Numbers) -> Numbers:
        """Return the numbers of stored scores, int64 (n,), -1 for others.

        scores: int64 (n, numbers), each as `Score.start` and `Score.values` together.
        """
        places, order, stored_scores = self._stored_scores
        if scores.shape[1] != stored_scores.shape[1]:
            return np.full(len(scores), -1)
        marks = score_mark(scores)
        number = order[np.minimum(np.searchsorted(places, marks), len(places) - 1)]
        return np.where((stored_scores[number] == scores).all(axis=1), number, -1)

    @cached_property
    def _stored_scores(self) -> tuple[Masks, Numbers, Numbers]:
        """Hashes of the scores, ascending; the number of each hash's score; all scores."""
        scores = np.array([[*one.start, *one.values] for one in self.head.scores], np.int64)
        marks = score_mark(scores)
        order = np.argsort(marks)
        return marks[order], order, scores

    @cached_property
    def _trees(self) -> Numbers:
        return np.array([score.tree for score in self.head.scores], np.int64)

    @cached_property
    def _plays(self) -> Numbers:
        """The start of the play of each score and seat, int64 (3, scores, 2).

        The three numbers are: the word of its first bit and the byte of its first part, both in the
        file, and the place of its first word in `_before`.
        """
        plays = [play for score in self.head.scores for play in score.play]
        sizes = [play.reached.count for play in plays]
        first = np.cumsum(sizes) - sizes
        begins = [[p.reached.at // 8 for p in plays], [p.parts.at for p in plays], first]
        return np.array(begins, np.int64).reshape(3, -1, 2)

    @cached_property
    def _before(self) -> NDArray[np.uint32]:
        """For each word of each score and seat, the number of set bits before it."""
        plays = [self._words_at(play.reached) for s in self.head.scores for play in s.play]
        return np.concatenate([bits_before(words).astype(np.uint32) for words in plays])

    def _table(self, tree: int, seat: int) -> tuple[Masks, Numbers, Numbers]:
        """Return a seat's keys, ascending; the first stored part of each, and its actions."""
        stored_tree = self.head.trees[tree][seat]
        if stored_tree not in self._tables:
            keys = self._words_at(stored_tree.keys).astype(np.uint64)
            counts = self.bytes_at(stored_tree.actions).astype(np.int64)
            starts = np.cumsum(counts - 1) - (counts - 1)
            order = np.argsort(keys)
            self._tables[stored_tree] = keys[order], starts[order], counts[order]
        return self._tables[stored_tree]

    def parts(self, scores: Numbers, seat: int, keys: Masks, actions: Numbers) -> Numbers:
        """Return the weight of each action, as a part of its row, int64 (n, most actions).

        scores: int64 (n,), see `numbers_of`; keys, actions: uint64 and int64 (n,), of information
        sets of a seat. In a set that is not in the file, or that its seat never reaches, all
        actions are equally likely.
        """
        tree = np.where(scores >= 0, self._trees[scores], -1)
        first, is_known = np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
        for number in np.unique(tree[tree >= 0]).tolist():
            rows = np.flatnonzero(tree == number)
            stored_keys, starts, counts = self._table(number, seat)
            if not len(stored_keys):
                continue
            places = np.minimum(np.searchsorted(stored_keys, keys[rows]), len(stored_keys) - 1)
            is_known[rows] = (stored_keys[places] == keys[rows]) & (counts[places] == actions[rows])
            first[rows] = starts[places]
        columns = np.arange(int(actions.max(initial=1)))
        is_stored = is_known[:, None] & (columns < actions[:, None] - 1)
        word, bit = np.divmod(np.where(is_stored, first[:, None] + columns, 0), WORD)
        words_at, parts_at, before_at = self._plays[:, scores, seat, None]
        words = self._words[np.where(is_stored, words_at + word, 0)]
        mask = ONE << bit.view(np.uint64)
        is_reached = is_stored & (words & mask > 0)
        before = self._before[np.where(is_reached, before_at + word, 0)]
        before = before + np.bitwise_count(words & (mask - ONE))
        begin = self._at + np.where(is_reached, parts_at + before, 0)
        parts = np.where(is_reached, self._data[begin], 0).astype(np.int64)
        last = columns == actions[:, None] - 1
        rest = np.where(last, PARTS - parts.sum(axis=1)[:, None], 0)
        return np.where(is_reached[:, :1], parts + rest, columns < actions[:, None])


def _reopen(path: str, checksum: str) -> SolvedPolicy:
    """Return the policy of a file that has not changed since it was opened first."""
    policy = SolvedPolicy(path)
    if policy.checksum != checksum:
        raise BadUsage(
            say(
                "{path} has changed since this run opened it; restore it, or begin a new run",
                path=path,
            )
        )
    return policy
