"""The letters of bank files: single bytes, digits, capitals and half-width kana (JIS X 0201)."""

from typing import Final
from unicodedata import normalize

_FIRST_KANA: Final = 0xFF61
_LAST_KANA: Final = 0xFF9F
_SHIFT: Final = _FIRST_KANA - 0xA1
_HALF_OF: Final = {
    # NFKC widens a half-width voiced mark to a blank with a mark; these two are handled here.
    normalize("NFKC", chr(code)): bytes([code - _SHIFT])
    for code in range(_FIRST_KANA, _LAST_KANA - 1)
} | {"\u3099": b"\xde", "\u309a": b"\xdf"}
_SMALL: Final = str.maketrans("ァィゥェォッャュョヮヵヶ", "アイウエオツヤユヨワカケ")
_HIRAGANA: Final = {code: chr(code + 0x60) for code in range(0x3041, 0x3097)}
_DASHES: Final = dict.fromkeys(map(ord, "ー‐‑‒–—―−"), "-")
_MARKS: Final = b"\xde\xdf"
_MARKS_ALONE: Final = "\u3099\u309a"

_DIGITS_AND_CAPITALS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OF_NAMES: Final = frozenset(_DIGITS_AND_CAPITALS + " ()-.")
OF_BANKS: Final = frozenset(_DIGITS_AND_CAPITALS + "-")
OF_MESSAGES: Final = frozenset(_DIGITS_AND_CAPITALS + " \\｢｣()-/.")


class UnwritableLetter(ValueError):
    """A character that a field of a bank file cannot hold, such as a kanji or a middle dot."""

    def __init__(self, letter: str, text: str) -> None:
        self.letter, self.text = letter, text
        super().__init__(f"'{letter}' of '{text}' cannot be written in half-width kana")


def bank_bytes(text: str, allowed: frozenset[str] = OF_NAMES) -> bytes:
    """Encode text as the bytes of a field; raise `UnwritableLetter` for a character without a code.

    Full width becomes half width, small kana and letters become large, ヲ becomes オ outside
    messages, a long mark and every dash become a hyphen.
    """
    keeps_wo = allowed is OF_MESSAGES
    wide = normalize("NFKC", text).translate(_HIRAGANA).translate(_SMALL).translate(_DASHES).upper()
    written = bytearray()
    for letter in wide:
        if letter in allowed:
            written += letter.encode("ascii")
            continue
        kana = "オ" if letter == "ヲ" and not keeps_wo else letter
        halves = [_HALF_OF.get(part) for part in normalize("NFD", kana)]
        is_kana = "ア" <= kana <= "ヺ" or kana in _MARKS_ALONE or (keeps_wo and kana in "「」")
        if not all(halves) or not is_kana:
            raise UnwritableLetter(letter, text)
        written += b"".join(half for half in halves if half)
    return bytes(written)


def cut_bytes(written: bytes, longest: int) -> bytes:
    """Cut bytes to a field's length, never between a kana and its voiced mark."""
    if len(written) <= longest:
        return written
    return written[: longest - 1] if written[longest] in _MARKS else written[:longest]


_VALID_BYTES: Final = bytes((*range(0x20, 0x7F), *range(0xA1, 0xE0)))
_LETTER_OF_BYTE: Final = {
    byte: f"<{byte:02X}>" if byte not in _VALID_BYTES else chr(byte + _SHIFT * (byte > 0x7E))
    for byte in range(0x100)
}


def read_bank_bytes(data: bytes) -> tuple[str, bool]:
    """Return the text of a field without trailing blanks, and whether every byte was valid.

    An invalid byte is shown by its number, as in <81>.
    """
    # Read as Latin-1, each byte is the letter with its number.
    text = data.decode("latin-1").translate(_LETTER_OF_BYTE)
    return text.rstrip(" "), not data.translate(None, _VALID_BYTES)


def half_width_length(text: str) -> int:
    """How many bytes a name takes in a bank file; each voiced mark is a byte of its own."""
    return sum(
        1 + sum(mark in "\u3099\u309a" for mark in normalize("NFD", letter))
        for letter in normalize("NFKC", text).rstrip()
    )
