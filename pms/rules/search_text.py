"""Text folded for searching, so that width, case, kana and dashes make no difference."""

from typing import Final
from unicodedata import normalize

_KATAKANA: Final = range(0x30A1, 0x30F7)
_KANA_SHIFT: Final = 0x60

# Place names are written either way (霞ヶ関, 霞ケ関), and addresses with any dash (1‐2, 1−2).
_FOLDED: Final[dict[int, str]] = {
    **{code: chr(code - _KANA_SHIFT) for code in _KATAKANA},
    **dict.fromkeys(map(ord, "ヵゕ"), "か"),
    **dict.fromkeys(map(ord, "ヶゖ"), "け"),
    **{ord(kata): hira for kata, hira in zip("ヽヾ", "ゝゞ", strict=True)},
    **{ord(kata): f"{hira}\u3099" for kata, hira in zip("ヷヸヹヺ", "わゐゑを", strict=True)},
    **dict.fromkeys(map(ord, "‐‑‒–—―−"), "-"),
}


def fold(text: str) -> str:
    """Text as it is compared (List units, `search`): folding twice changes nothing more.

    Width and compatibility forms (NFKC), case, katakana as hiragana, runs of blanks as one.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Unicode's own caseless match: only so does a second folding change nothing.
    folded = normalize("NFKC", normalize("NFKC", normalize("NFD", text).casefold()).casefold())
    return " ".join(normalize("NFKC", folded.translate(_FOLDED)).split())


def terms(query: str) -> tuple[str, ...]:
    """The folded words of a query, each once, in their order (List units, `search`)."""
    return tuple(dict.fromkeys(fold(query).split()))


def has_terms(folded_text: str, words: tuple[str, ...]) -> bool:
    """Whether a folded text holds every word somewhere, so two Japanese characters suffice."""
    return all(word in folded_text for word in words)
