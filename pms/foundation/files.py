"""Stores files under the hash of their content; private files sealed, each under a random key."""

import hashlib
import json
import os
import re
import secrets
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.db import Base
from pms.foundation.sealing import (
    FILE_HEAD_LENGTH,
    SealedAnew,
    UnreadableSecretError,
    key_of_bytes,
    opened_bytes,
    sealed_bytes,
)
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer

HAS_FILES: Final = {"has_files": True}
"""The `info` of a column whose texts or JSON name stored files."""
KEPT_UNNAMED: Final = timedelta(days=7)
"""How long a file is kept that no row names."""
_AT_ONCE: Final = 500
_log = structlog.get_logger("pms.foundation.files")
_KEY = re.compile(r"[0-9a-f]{64}\.[a-z0-9]{2,5}")


class Files:
    """The configured file store; keys are hashes or random, so nothing is overwritten."""

    def __init__(self, settings: Settings) -> None:
        settings.files_dir.mkdir(parents=True, exist_ok=True)
        self._folder = settings.files_dir
        self._signer = Signer(settings.secret_key)

    def put(self, content: bytes, suffix: str) -> str:
        """Store bytes and return their key, for instance `9f…e1.webp`."""
        key = f"{hashlib.sha256(content).hexdigest()}.{suffix.lstrip('.')}"
        self._write_file(key, content)
        return key

    def put_alone(self, content: bytes, suffix: str) -> str:
        """Store bytes sealed, under a random key that no other upload shares.

        Used for files that must be deleted one day, such as passports and résumés: deleting one
        does not delete the same bytes stored by another person.
        """
        key = f"{secrets.token_hex(32)}.{suffix.lstrip('.')}"
        self._write_file(key, sealed_bytes(self._signer, key, content))
        return key

    def renew(self, keys: Iterable[str]) -> bool:
        """Keep files that no row names yet for some days more; whether all of them are there."""
        try:
            for key in keys:
                os.utime(self._path_of_key(key))
        except FileNotFoundError:
            return False
        return True

    def delete(self, key: str) -> None:
        """Delete a file stored by `put_alone`; a file that is already gone is no error."""
        if _KEY.fullmatch(key):
            self._path_of_key(key).unlink(missing_ok=True)

    def delete_old(self, before: datetime, but: Container[str], suffix: str = "*") -> int:
        """Delete the files stored before an instant, of a suffix or all; return how many.

        Files with the keys `but` are kept, whatever their age.
        """
        deleted = 0
        for path in self._folder.glob(f"*/*.{suffix.lstrip('.')}"):
            if _KEY.fullmatch(path.name) and path.name not in but:
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime < before.timestamp():
                        path.unlink()
                        deleted += 1
        return deleted

    def get(self, key: str) -> bytes | None:
        """Return the bytes of a key; `None` when it is unknown, malformed, or unreadable.

        Unreadable is a sealed file whose secret key is missing: the log names that key.
        """
        if not _KEY.fullmatch(key):
            return None
        try:
            kept = self._path_of_key(key).read_bytes()
            return opened_bytes(self._signer, key, kept)
        except FileNotFoundError:
            return None
        except UnreadableSecretError:
            _log.error("no key opens a sealed file", file=key, key=key_of_bytes(kept))
            return None

    def seal_anew(self) -> SealedAnew:
        """Reseal every private file that is not sealed under the first key.

        Files stored under the hash of their content are not private: such a name cannot belong to a
        sealed file.
        """
        sums = SealedAnew()
        for key in self._list_keys():
            sums = sums.with_more(self._sealed_anew(key))
        return sums

    def count_unsealed(self) -> int:
        """Return how many private files are not under the first key; only their heads are read.

        A file that is not sealed at all is private when its name is not the hash of its content.
        """
        return sum(1 for key in self._list_keys() if self._is_unsealed(key))

    def _is_unsealed(self, key: str) -> bool:
        try:
            with self._path_of_key(key).open("rb") as file:
                key_id = key_of_bytes(file.read(FILE_HEAD_LENGTH))
                if key_id is not None:
                    return key_id != self._signer.key_ids[0]
                file.seek(0)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            return False
        return not key.startswith(digest)

    def _list_keys(self) -> Iterator[str]:
        for path in sorted(self._folder.glob("*/*")):
            if _KEY.fullmatch(path.name):
                yield path.name

    def _sealed_anew(self, key: str) -> SealedAnew:
        path = self._path_of_key(key)
        try:
            with path.open("rb") as file:
                head = file.read(FILE_HEAD_LENGTH)
                if key_of_bytes(head) == self._signer.key_ids[0]:
                    return SealedAnew()
                content = opened_bytes(self._signer, key, head + file.read())
            if key.startswith(hashlib.sha256(content).hexdigest()):
                return SealedAnew()
            # A file that was deleted meanwhile must not be written again.
            path.stat()
            self._write_file(key, sealed_bytes(self._signer, key, content))
        except FileNotFoundError:
            return SealedAnew()
        except UnreadableSecretError:
            return SealedAnew(unreadable=1)
        return SealedAnew(done=1)

    def _write_file(self, key: str, content: bytes) -> None:
        """Write the file whole or not at all; raise `OSError` when the disk cannot be written."""
        path = self._path_of_key(key)
        path.parent.mkdir(exist_ok=True)
        unfinished = path.with_name(f"{key}.{secrets.token_hex(8)}")
        try:
            unfinished.write_bytes(content)
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)

    def _path_of_key(self, key: str) -> Path:
        return self._folder / key[:2] / key


def columns_with_files() -> Sequence[Any]:
    """Return every column marked `HAS_FILES`."""
    return [
        getattr(mapper.class_, attribute.key)
        for mapper in sorted(Base.registry.mappers, key=lambda mapper: mapper.class_.__name__)
        for attribute in mapper.column_attrs
        if attribute.columns[0].info.get("has_files")
    ]


def named_files(session: Session) -> set[str]:
    """Return the keys of all files that rows name; the session reads across workspaces."""
    found: set[str] = set()
    for column in columns_with_files():
        asked = select(column).where(column.is_not(None)).execution_options(yield_per=_AT_ONCE)
        for kept in session.scalars(asked):
            found |= keys_within(kept)
    return found


def keys_within(kept: Any) -> set[str]:
    """Return the keys of files in a text, or anywhere in JSON."""
    return set(_KEY.findall(kept if isinstance(kept, str) else json.dumps(kept)))


class LooseFile:
    """A stored file that no row names yet."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.is_named = False

    def name(self) -> str:
        """Return the key for a row written in this transaction, whose commit keeps the file."""
        self.is_named = True
        return self.key


@contextmanager
def loose_file(files: Files, content: bytes, suffix: str) -> Iterator[LooseFile]:
    """Store a file; delete it again unless the block succeeds and a row named it.

    The block contains the transaction: storing is slow and happens before one is open.
    """
    loose = LooseFile(files.put_alone(content, suffix))
    try:
        yield loose
    except BaseException:
        files.delete(loose.key)
        raise
    if not loose.is_named:
        files.delete(loose.key)
