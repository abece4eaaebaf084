"""Keeps the budget in a folder of small files, one a bucket, so that no database can stall it."""

import hashlib
import os
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import unquote, urlsplit

from pms.foundation.budget.ring import Ring
from pms.foundation.budget.rolling_window import RollingWindowStorage
from pms.foundation.budget.standing import Tally

SCHEMES = ["budget+files"]
MOST_OPEN: Final = 512
_SUFFIX: Final = ".ring"


class FilesBudget(RollingWindowStorage):
    """The storage for one machine; safe for many processes and threads on that machine."""

    STORAGE_SCHEME = SCHEMES

    def __init__(
        self, uri: str, wrap_exceptions: bool = False, **options: float | str | bool
    ) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._folder = Path(unquote(urlsplit(uri).path))
        self._rings: OrderedDict[str, Ring] = OrderedDict()
        self._lock, self._pid = Lock(), os.getpid()

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        return (OSError,)

    def record(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        with self._alone():
            return self._ring(bucket).record(limit, now_us, window_us)

    def instants(self, bucket: str) -> list[int]:
        with self._alone():
            return self._ring(bucket).instants() if self._is_known(bucket) else []

    def newest(self, buckets: list[str]) -> dict[str, int]:
        with self._alone():
            known = [bucket for bucket in buckets if self._is_known(bucket)]
            newest = ((bucket, self._ring(bucket).newest()) for bucket in known)
            return {bucket: at_us for bucket, at_us in newest if at_us is not None}

    def check(self) -> bool:
        try:
            self._make_folder()
        except OSError:
            return False
        return os.access(self._folder, os.R_OK | os.W_OK | os.X_OK)

    def clear(self, key: str) -> None:
        with self._alone():
            self._ring(key).clear()

    def reset(self) -> None:
        with self._alone():
            for path in self._folder.glob(f"*{_SUFFIX}"):
                ring = Ring(path)
                ring.clear()
                ring.close()

    def close(self) -> None:
        with self._alone():
            while self._rings:
                self._rings.popitem()[1].close()

    def _alone(self) -> Lock:
        """Return what keeps the threads of this process apart."""
        if self._pid != os.getpid():
            # A lock taken on a file that was inherited would be the parent's as well.
            self._rings, self._lock, self._pid = OrderedDict(), Lock(), os.getpid()
        return self._lock

    def _ring(self, bucket: str) -> Ring:
        ring = self._rings.get(bucket)
        if ring is not None:
            self._rings.move_to_end(bucket)
            return ring
        self._make_folder()
        ring = self._rings[bucket] = Ring(self._path(bucket))
        if len(self._rings) > MOST_OPEN:
            self._rings.popitem(last=False)[1].close()
        return ring

    def _is_known(self, bucket: str) -> bool:
        self._make_folder()
        return bucket in self._rings or self._path(bucket).exists()

    def _path(self, bucket: str) -> Path:
        return self._folder / f"{hashlib.sha256(bucket.encode()).hexdigest()[:32]}{_SUFFIX}"

    def _make_folder(self) -> None:
        try:
            self._folder.mkdir(parents=True)
        except FileExistsError:
            if not self._folder.is_dir():
                raise
        else:
            # How it was kept before; an hour later it means nothing.
            for old in self._folder.parent.glob("budget.sqlite3*"):
                old.unlink(missing_ok=True)
