"""Stores the budget in an SQLite file of its own, so that no lock on the tables can delay it."""

import json
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pms.foundation.budget.rolling_window import RollingWindowStorage, Tally, kept_at_most
from pms.foundation.db import IdleConnections

SCHEMES = ["budget+sqlite"]
PATIENCE_SECONDS = 2.0
OPENING_PAUSE_SECONDS = 0.01
STROKE = 100  # excess rows are deleted once in this many requests

# Rows are numbered within a bucket without gaps, so counting is a subtraction. A row also stores
# the oldest request that counted when it was made: most requests then read one row and add one.
TABLE = """
CREATE TABLE IF NOT EXISTS request (
  bucket TEXT NOT NULL, number INTEGER NOT NULL, at_us INTEGER NOT NULL,
  oldest_number INTEGER NOT NULL, oldest_us INTEGER NOT NULL,
  PRIMARY KEY (bucket, number)
) WITHOUT ROWID
"""
LATEST = """
SELECT number, at_us, oldest_number, oldest_us FROM request
WHERE bucket = ?1 ORDER BY number DESC LIMIT 1
"""
OLDEST = "SELECT number, at_us FROM request WHERE bucket = ?1 ORDER BY number LIMIT 1"
# Instants never decrease within a bucket: the search stops at the first row that still counts.
FORGET_EXPIRED = """
DELETE FROM request WHERE bucket = ?1 AND number < coalesce(
  (SELECT number FROM request WHERE bucket = ?1 AND at_us > ?2 ORDER BY number LIMIT 1),
  9223372036854775807)
"""
FORGET_FUTURE = "DELETE FROM request WHERE bucket = ?1 AND at_us > ?2"
FORGET_SURPLUS = "DELETE FROM request WHERE bucket = ?1 AND number <= ?2"
RECORD = "INSERT INTO request VALUES (?1, ?2, ?3, ?4, ?5)"
NUMBERED = "SELECT at_us FROM request WHERE bucket = ?1 AND number = ?2"
NEWEST = """
SELECT wanted.value, request.at_us FROM json_each(?1) AS wanted
JOIN request ON request.bucket = wanted.value AND request.number = (
  SELECT max(number) FROM request WHERE bucket = wanted.value)
"""


class SqliteBudget(RollingWindowStorage):
    """The storage for one machine; safe for many processes and threads on that machine."""

    STORAGE_SCHEME = SCHEMES

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._path = Path(unquote(urlsplit(uri).path))
        self._connections = IdleConnections(self._open_connection)
        self._in_memory: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        return (sqlite3.Error, OSError)

    def record(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        request = (bucket, limit, now_us, window_us)
        try:
            return self._record_in_file(*request)
        except sqlite3.OperationalError as failure:
            family = failure.sqlite_errorcode & 0xFF
            is_disk_full = family in (
                sqlite3.SQLITE_FULL,
                sqlite3.SQLITE_IOERR,
                sqlite3.SQLITE_READONLY,
            )
            if not is_disk_full:
                raise
            return self._record_in_memory(*request)

    def _record_in_file(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        connection = self._connections.take()
        try:
            connection.execute("BEGIN IMMEDIATE")
            tally = _record_request(connection, bucket, limit, now_us, window_us)
            connection.execute("COMMIT")
        except BaseException:
            connection.close()  # which also rolls back
            raise
        self._connections.give_back(connection)
        return tally

    def _record_in_memory(self, bucket: str, limit: int, now_us: int, window_us: int) -> Tally:
        """Count in this process's memory while the disk is full, so that reading still works."""
        with self._lock:
            if self._in_memory is None:
                self._in_memory = _open_prepared(":memory:")
            return _record_request(self._in_memory, bucket, limit, now_us, window_us)

    def instants(self, bucket: str) -> list[int]:
        rows = self._run_statement(
            "SELECT at_us FROM request WHERE bucket = ?1 ORDER BY number", bucket
        )
        return [row[0] for row in rows]

    def newest(self, buckets: list[str]) -> dict[str, int]:
        return dict(self._run_statement(NEWEST, json.dumps(buckets)))

    def check(self) -> bool:
        try:
            return bool(self._run_statement("SELECT 1"))
        except self.base_exceptions:
            return False

    def clear(self, key: str) -> None:
        self._run_statement("DELETE FROM request WHERE bucket = ?1", key)

    def reset(self) -> None:
        self._run_statement("DELETE FROM request")

    def close(self) -> None:
        self._connections.close()
        if self._in_memory is not None:
            self._in_memory.close()
            self._in_memory = None

    def _run_statement(self, statement: str, *values: str) -> list[Any]:
        connection = self._connections.take()
        try:
            rows = connection.execute(statement, values).fetchall()
        except BaseException:
            connection.close()
            raise
        self._connections.give_back(connection)
        return rows

    def _open_connection(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        give_up_at = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return _open_prepared(self._path)
            except sqlite3.OperationalError as failure:
                # Two processes create the file at once: SQLite does not wait here by itself.
                if not _is_busy(failure) or time.monotonic() > give_up_at:
                    raise
                time.sleep(OPENING_PAUSE_SECONDS)


def _is_busy(failure: sqlite3.OperationalError) -> bool:
    return failure.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY  # the low byte is the family


def _open_prepared(path: Path | str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        # Each request writes one or two whole pages: small pages are cheaper to write.
        connection.execute("PRAGMA page_size=1024")
        # NORMAL: a power cut may lose the last requests but never damages the file.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(TABLE)
    except BaseException:
        connection.close()
        raise
    return connection


def _record_request(
    connection: sqlite3.Connection, bucket: str, limit: int, now_us: int, window_us: int
) -> Tally:
    latest = connection.execute(LATEST, (bucket,)).fetchone()
    if latest and latest[1] > now_us + window_us:
        # The clock ran far ahead and was corrected; its requests would count for too long.
        connection.execute(FORGET_FUTURE, (bucket, now_us + window_us))
        latest = connection.execute(LATEST, (bucket,)).fetchone()
        # Rows that expired under the wrong clock are deleted, but this row still names one as the
        # oldest.
        latest = latest and (*latest[:2], *connection.execute(OLDEST, (bucket,)).fetchone())
    last, last_us, first, oldest_us = latest or (0, now_us, 1, now_us)
    number, at_us = last + 1, max(now_us, last_us)
    kept = kept_at_most(limit)
    if oldest_us <= at_us - window_us or number - first >= kept + STROKE:
        connection.execute(FORGET_EXPIRED, (bucket, at_us - window_us))
        connection.execute(FORGET_SURPLUS, (bucket, number - kept))
        oldest = connection.execute(OLDEST, (bucket,)).fetchone()
        first, oldest_us = oldest or (number, at_us)
    connection.execute(RECORD, (bucket, number, at_us, first, oldest_us))
    if number - first >= limit:
        row = connection.execute(NUMBERED, (bucket, number - limit + 1)).fetchone()
        turning_us = None if row is None else int(row[0])
    else:
        turning_us = None
    return Tally(number - first + 1, oldest_us, turning_us)
