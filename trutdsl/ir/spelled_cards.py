"""Cards, ranks and suits as people write them: in words, with signs, or the suit first."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

SAME_RANK = {  # names of the same rank in English, French, Catalan and Spanish packs
    "1": "A As", "A": "1 As", "As": "A 1", "T": "10", "X": "10",
    "R": "K", "D": "Q", "V": "J", "K": "R", "Q": "D C", "J": "V S", "S": "J", "C": "Q",
}  # fmt: skip
# Words for ranks and suits, in English and French, and the signs of suits.
RANK_WORDS = {
    **dict.fromkeys(("ace", "as", "one", "un"), "A"),
    **dict.fromkeys(("king", "roi"), "K"),
    **dict.fromkeys(("queen", "dame", "reine"), "Q"),
    **dict.fromkeys(("jack", "knave", "valet"), "J"),
    **dict.fromkeys(("ten", "dix"), "10"),
    **dict.fromkeys(("nine", "neuf"), "9"),
    **dict.fromkeys(("eight", "huit"), "8"),
    **dict.fromkeys(("seven", "sept"), "7"),
    **dict.fromkeys(("six",), "6"),
    **dict.fromkeys(("five", "cinq"), "5"),
    **dict.fromkeys(("four", "quatre"), "4"),
    **dict.fromkeys(("three", "trois"), "3"),
    **dict.fromkeys(("two", "deux"), "2"),
}
SUIT_WORDS = {
    **dict.fromkeys(("hearts", "heart", "cœur", "coeur", "cœurs", "coeurs", "♥", "♡"), "hearts"),
    **dict.fromkeys(("spades", "spade", "pique", "piques", "♠", "♤"), "spades"),
    **dict.fromkeys(("diamonds", "diamond", "carreau", "carreaux", "♦", "♢"), "diamonds"),
    **dict.fromkeys(("clubs", "club", "trèfle", "trèfles", "trefle", "♣", "♧"), "clubs"),
}
CARD = re.compile(r"(\w+?)\s*(?:of|de|d\'|\s|-)?\s*([^\W\d_]+|[♥♡♠♤♦♢♣♧])", re.IGNORECASE)


def suit_meant_by(text: str, letters: Mapping[str, str]) -> str | None:
    """Return the letter of the suit that a word or sign means; letters: by the names of suits."""
    word = text.strip().lower()
    by_word = {SUIT_WORDS.get(name, name): letter for name, letter in letters.items()}
    return letters.get(word) or by_word.get(SUIT_WORDS.get(word, word))


def card_meant_by(text: str, cards: Collection[str], letters: Mapping[str, str]) -> str | None:
    """Return the card that a text means, such as `7 of hearts`, `7♥` or `h7`; None if unclear."""
    written = text.replace("\ufe0f", "").strip()
    turned = written[1:] + written[:1].lower()
    if turned in cards:
        return turned
    hit = CARD.fullmatch(written)
    if hit is None:
        return None
    suit = suit_meant_by(hit[2], letters)
    rank = RANK_WORDS.get(hit[1].lower(), hit[1].upper())
    ranks = (rank, *SAME_RANK.get(rank, "").split())
    return next((rank + suit for rank in ranks if suit and rank + suit in cards), None)
