"""Keeps files under the hash of their content; on disk by default, S3-like stores by address."""

import hashlib
import re
import secrets
from contextlib import suppress

import obstore
from obstore.store import LocalStore

from pms.foundation.settings import Settings

_KEY = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{2,5}")


class Files:
    """The file store of the settings; a key names content or chance, so nothing is overwritten."""

    def __init__(self, settings: Settings) -> None:
        settings.files_dir.mkdir(parents=True, exist_ok=True)
        self._store = LocalStore(settings.files_dir)

    def put(self, content: bytes, suffix: str) -> str:
        """Store bytes and return their key, for instance `9f…e1.webp`."""
        key = f"{hashlib.sha256(content).hexdigest()}.{suffix.lstrip('.')}"
        obstore.put(self._store, _path(key), content)
        return key

    def put_alone(self, content: bytes, suffix: str) -> str:
        """Store bytes under a key of chance, which nobody else's content can share.

        What must be deleted one day is stored so: whoever stored the same bytes keeps theirs.
        """
        key = f"{secrets.token_hex(32)}.{suffix.lstrip('.')}"
        obstore.put(self._store, _path(key), content)
        return key

    def delete(self, key: str) -> None:
        """Delete what was stored alone; a file that is gone already is no error."""
        if _KEY.fullmatch(key):
            with suppress(FileNotFoundError):
                obstore.delete(self._store, _path(key))

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, `None` when it is unknown or no key at all."""
        if not _KEY.fullmatch(key):
            return None
        try:
            return bytes(obstore.get(self._store, _path(key)).bytes())
        except FileNotFoundError:
            return None


def _path(key: str) -> str:
    return f"{key[:2]}/{key}"
