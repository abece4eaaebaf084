"""Texts kept in Japanese and English."""

from typing import NamedTuple

from pms.rules.layout_words import is_japanese


class Bilingual(NamedTuple):
    """One text in both languages; a missing one is said in the other."""

    ja: str | None
    en: str | None

    def said(self, locale: str) -> str | None:
        """Return the text in a language, else in the other, `None` when there is neither."""
        first, second = (self.ja, self.en) if locale == "ja" else (self.en, self.ja)
        return first or second

    def lang(self, locale: str) -> str | None:
        """Return the language of what is said, where it is not the reader's.

        Letters, digits and signs alone, such as a name typed as Maison K, are of every language.
        """
        said = self.said(locale)
        if not said:
            return None
        if locale == "ja":
            return "en" if not self.ja and not is_japanese(said) else None
        return "ja" if is_japanese(said) else None
