"""The instants of one bucket's requests, in a ring of a mapped file that processes share."""

import fcntl
import mmap
import os
import time
from pathlib import Path
from typing import Final

from pms.foundation.budget.standing import Tally, kept_at_most

PATIENCE_SECONDS = 2.0
_PAUSE_SECONDS: Final = 0.0002
_KNOWN: Final = 0x504D5352494E4731  # "PMSRING1": begun, and by this program
_WORD: Final = 8
# The head of the file, in words: what it is, how many instants have room, the number of the
# latest request, and of the oldest that is kept. Requests are numbered from 1 without gaps, so
# counting is a subtraction; number n lies in place n modulo the room.
_IS, _ROOM, _LATEST, _OLDEST = range(4)
_HEAD: Final = 8


class DamagedRing(OSError):
    """The file is not one of ours, or was cut."""


class Ring:
    """One bucket's file, opened and mapped; every step is taken under the lock of the file."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._map: mmap.mmap | None = None
        self._words = memoryview(b"").cast("q")
        try:
            self._lock()
            if os.fstat(self._file).st_size:
                self._open()
            else:
                self._begin(kept_at_most(0), [])
            self._unlock()
        except BaseException:
            self.close()
            raise

    def record(self, limit: int, now_us: int, window_us: int) -> Tally:
        """Count one request: at most as many instants stay as `kept_at_most` tells."""
        self._lock()
        try:
            return self._recorded(limit, now_us, window_us)
        finally:
            self._unlock()

    def instants(self) -> list[int]:
        """Return what is kept, the oldest first."""
        self._lock()
        try:
            self._see_growth()
            return self._kept()
        finally:
            self._unlock()

    def newest(self) -> int | None:
        """Return the instant of the latest request that is kept."""
        self._lock()
        try:
            self._see_growth()
            latest = self._words[_LATEST]
            return self._at(latest) if latest >= self._words[_OLDEST] else None
        finally:
            self._unlock()

    def clear(self) -> None:
        """Forget every request."""
        self._lock()
        try:
            self._words[_OLDEST] = self._words[_LATEST] + 1
        finally:
            self._unlock()

    def close(self) -> None:
        """Give the file back."""
        self._words.release()
        if self._map is not None:
            self._map.close()
        os.close(self._file)

    def _recorded(self, limit: int, now_us: int, window_us: int) -> Tally:
        self._see_growth()
        kept = kept_at_most(limit)
        if kept > self._words[_ROOM]:
            self._begin(kept, self._kept())
        words, room = self._words, self._words[_ROOM]
        latest, oldest = words[_LATEST], words[_OLDEST]
        if latest >= oldest and words[_HEAD + latest % room] > now_us + window_us:
            # A clock that ran far ahead was set right; its requests would count for too long.
            latest = self._first_after(now_us + window_us, oldest, latest) - 1
        at_us = now_us
        if latest >= oldest:
            at_us = max(now_us, words[_HEAD + latest % room])
            oldest = self._still_counting(at_us - window_us, oldest, latest)
        latest += 1
        oldest = max(oldest, latest - kept + 1)
        # In this order a process that dies on the way leaves a ring that is right.
        words[_HEAD + latest % room] = at_us
        words[_OLDEST] = oldest
        words[_LATEST] = latest
        counted = latest - oldest + 1
        turning = words[_HEAD + (latest - limit + 1) % room] if counted > limit > 0 else None
        return Tally(counted, words[_HEAD + oldest % room], turning)

    def _still_counting(self, floor_us: int, oldest: int, latest: int) -> int:
        """Return the number of the first request after an instant; mostly it is the oldest."""
        if self._words[_HEAD + oldest % self._words[_ROOM]] > floor_us:
            return oldest
        return self._first_after(floor_us, oldest, latest)

    def _first_after(self, at_us: int, low: int, high: int) -> int:
        """Return the first number whose instant is later; instants never fall within a ring."""
        words, room = self._words, self._words[_ROOM]
        high += 1
        while low < high:
            middle = (low + high) // 2
            if words[_HEAD + middle % room] > at_us:
                high = middle
            else:
                low = middle + 1
        return low

    def _at(self, number: int) -> int:
        return self._words[_HEAD + number % self._words[_ROOM]]

    def _kept(self) -> list[int]:
        words, room = self._words, self._words[_ROOM]
        return [words[_HEAD + n % room] for n in range(words[_OLDEST], words[_LATEST] + 1)]

    def _see_growth(self) -> None:
        """Map the file anew when another process made it larger."""
        if self._words[_ROOM] > len(self._words) - _HEAD:
            self._open()

    def _begin(self, room: int, kept: list[int]) -> None:
        """Lay the ring out with so much room; whoever dies on the way leaves it to begin anew."""
        # Room on the disk is taken now: a mapped page that finds none would end the process.
        os.posix_fallocate(self._file, 0, (_HEAD + room) * _WORD)
        self._map_file()
        self._words[_IS] = 0
        for number, at_us in enumerate(kept, start=1):
            self._words[_HEAD + number % room] = at_us
        self._words[_ROOM] = room
        self._words[_LATEST] = len(kept)
        self._words[_OLDEST] = 1
        self._words[_IS] = _KNOWN

    def _open(self) -> None:
        self._map_file()
        if len(self._words) > _HEAD and self._words[_IS] == 0:
            self._begin(len(self._words) - _HEAD, [])
        if self._words[_IS] != _KNOWN or self._words[_ROOM] > len(self._words) - _HEAD:
            raise DamagedRing("This file holds no instants of requests.")

    def _map_file(self) -> None:
        size = os.fstat(self._file).st_size
        if size < (_HEAD + 1) * _WORD or size % _WORD:
            raise DamagedRing("This file is too short, or was cut.")
        self._words.release()
        if self._map is not None:
            self._map.close()
        self._map = mmap.mmap(self._file, size)
        self._words = memoryview(self._map).cast("q")

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._wait_for_lock()

    def _wait_for_lock(self) -> None:
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while True:
            time.sleep(_PAUSE_SECONDS)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > give_up_at:
                    raise
            else:
                return

    def _unlock(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)
