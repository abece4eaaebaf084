"""Reads the pages of the manual from their Markdown, once per process."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pms.surfaces.manual.contents import SLUGS
from pms.surfaces.manual.examples import filled_from, without_marks

ORIGINAL = "en"
_PAGES = Path(__file__).parent / "pages"
_MANUAL_LINK = re.compile(r"\]\(/manual/([\w/-]+)(#[\w-]+)?\)")


@dataclass(frozen=True)
class Page:
    """One page in one language: its Markdown, with the marks of its examples."""

    slug: str
    language: str
    source: str

    @property
    def title(self) -> str:
        """The first heading."""
        return self.source.partition("\n")[0].removeprefix("# ").strip()

    @property
    def summary(self) -> str:
        """The paragraph under the first heading."""
        return self.source.split("\n\n")[1].replace("\n", " ").strip()

    @property
    def plain_summary(self) -> str:
        """The summary without the marks of code."""
        return self.summary.replace("`", "")

    def markdown(self, base_url: str) -> str:
        """The page for programs: whole addresses, and links that lead to Markdown again."""
        plain = without_marks(self.source).replace("{base_url}", base_url)
        suffix = "" if self.language == ORIGINAL else f"?lang={self.language}"
        return _MANUAL_LINK.sub(rf"]({base_url}/manual/\1.md{suffix}\2)", plain)


@cache
def read_page(slug: str, language: str) -> Page:
    """One page of the manual; `slug` must be one of the contents."""
    original = _source(slug, ORIGINAL)
    if language == ORIGINAL:
        return Page(slug, language, original)
    return Page(slug, language, filled_from(original, _source(slug, language)))


def all_pages(language: str) -> tuple[Page, ...]:
    """Every page, in the order of the manual."""
    return tuple(read_page(slug, language) for slug in SLUGS)


def _source(slug: str, language: str) -> str:
    return (_PAGES / language / f"{slug}.md").read_text(encoding="utf-8")
