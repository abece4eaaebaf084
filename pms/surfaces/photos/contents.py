"""Reads picture files; the last JPEGs made stay in memory, since making one takes a while."""

from functools import lru_cache

from pms.catalogue.photos import as_jpeg
from pms.foundation.files import Files

_KEPT_JPEGS = 64


class Contents:
    """The bytes of pictures by the key of their WebP file."""

    def __init__(self, files: Files):
        self._files = files
        self._jpeg = lru_cache(maxsize=_KEPT_JPEGS)(self._made_jpeg)

    def of(self, key: str, suffix: str) -> bytes | None:
        """Return the picture as `webp` or `jpg`; `None` when its file is gone."""
        return self._files.get(key) if suffix == "webp" else self._jpeg(key)

    def _made_jpeg(self, key: str) -> bytes | None:
        webp = self._files.get(key)
        return None if webp is None else as_jpeg(webp)
