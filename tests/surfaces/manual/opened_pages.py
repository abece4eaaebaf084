"""Pages of the manual, fetched once for all the tests that look at them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from flask import Flask
from werkzeug.test import TestResponse

from pms.surfaces.manual.contents import SLUGS

LANGUAGES = ("en", "ja")
_ID = re.compile(r' id="([^"]+)"')


@dataclass(frozen=True)
class Opened:
    """One address, as a reader of one language got it."""

    address: str
    language: str
    answer: TestResponse
    text: str

    def __str__(self) -> str:
        return f"{self.address} ({self.language})"

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the elements, in their order."""
        return _ID.findall(self.text)


class OpenedPages:
    """Opens each address once for each language; who asks again gets the same answer."""

    def __init__(self, app: Flask) -> None:
        self._client = app.test_client(use_cookies=False)
        self._kept: dict[tuple[str, str], Opened] = {}

    def open(self, address: str, language: str) -> Opened:
        """Open an address of the service, without what stands behind `#`."""
        if (address, language) not in self._kept:
            answer = self._client.get(address, headers={"Accept-Language": language})
            text = "" if answer.mimetype == "image/webp" else answer.text
            self._kept[address, language] = Opened(address, language, answer, text)
        return self._kept[address, language]

    def page(self, slug: str, language: str) -> Opened:
        """Open a page of the manual."""
        return self.open(f"/manual/{slug}", language)

    def each(self, suffix: str = "") -> Iterator[tuple[str, Opened]]:
        """Open every page in both languages; with the suffix ".md" its Markdown."""
        for slug in SLUGS:
            for language in LANGUAGES:
                yield slug, self.page(f"{slug}{suffix}", language)
