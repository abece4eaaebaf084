"""Keeps files under the hash of their content; on disk by default, S3-like stores by address."""

import errno
import hashlib
import os
import re
import secrets
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pms.foundation.settings import Settings

if TYPE_CHECKING:
    from obstore.store import LocalStore

_KEY = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{2,5}")


class Files:
    """The file store of the settings; a key names content or chance, so nothing is overwritten."""

    def __init__(self, settings: Settings) -> None:
        settings.files_dir.mkdir(parents=True, exist_ok=True)
        self._folder = settings.files_dir

    @cached_property
    def _store(self) -> "LocalStore":
        # Imported here and below: most workers list and write rows and never open a file.
        from obstore.store import LocalStore

        return LocalStore(self._folder)

    def put(self, content: bytes, suffix: str) -> str:
        """Store bytes and return their key, for instance `9f…e1.webp`."""
        key = f"{hashlib.sha256(content).hexdigest()}.{suffix.lstrip('.')}"
        self._keep(key, content)
        return key

    def put_alone(self, content: bytes, suffix: str) -> str:
        """Store bytes under a key of chance, which nobody else's content can share.

        What must be deleted one day is stored so: whoever stored the same bytes keeps theirs.
        """
        key = f"{secrets.token_hex(32)}.{suffix.lstrip('.')}"
        self._keep(key, content)
        return key

    def delete(self, key: str) -> None:
        """Delete what was stored alone; a file that is gone already is no error."""
        import obstore

        if _KEY.fullmatch(key):
            with suppress(FileNotFoundError):
                obstore.delete(self._store, _path(key))

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key, `None` when it is unknown or no key at all."""
        import obstore

        if not _KEY.fullmatch(key):
            return None
        try:
            return bytes(obstore.get(self._store, _path(key)).bytes())
        except FileNotFoundError:
            return None

    def _keep(self, key: str, content: bytes) -> None:
        """Write the file; raise `OSError` when the disk takes nothing, as any writing does."""
        import obstore
        from obstore.exceptions import GenericError

        try:
            obstore.put(self._store, _path(key), content)
        except GenericError as error:
            number = errno.ENOSPC if f"os error {errno.ENOSPC}" in str(error) else errno.EIO
            raise OSError(number, os.strerror(number)) from error


def _path(key: str) -> str:
    return f"{key[:2]}/{key}"
