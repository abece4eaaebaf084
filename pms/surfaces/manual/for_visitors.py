"""Picks what of the manual helps a visitor of an operator's website.

Why it is so little: docs/decisions/assistant.md.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from pms.rules.enumerations import Locale
from pms.site.passages import Passage, PassageKind
from pms.surfaces.manual.pages import read_page

HELPFUL: Final = ("move-in-invoice", "deposit", "contracts", "month-to-month")
"""Pages whose first paragraph tells a visitor how renting goes; the rest is for the staff."""


@lru_cache(maxsize=4)
def passages_for_visitors(base_url: str) -> Mapping[str, Sequence[Passage]]:
    """Return the first paragraphs of those pages, by language."""
    return {
        locale: tuple(_passage(slug, locale, base_url) for slug in HELPFUL) for locale in Locale
    }


def _passage(slug: str, locale: Locale, base_url: str) -> Passage:
    page = read_page(slug, locale)
    url = f"{base_url}/manual/{slug}?lang={locale}"
    return Passage(PassageKind.MANUAL, page.title, page.plain_summary, url)
