"""Texts kept in Japanese and English."""

from typing import NamedTuple


class Bilingual(NamedTuple):
    """One text in both languages; a missing one is said in the other."""

    ja: str | None
    en: str | None

    def said(self, locale: str) -> str | None:
        """Return the text in a language, else in the other, `None` when there is neither."""
        first, second = (self.ja, self.en) if locale == "ja" else (self.en, self.ja)
        return first or second
