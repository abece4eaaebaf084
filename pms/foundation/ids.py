"""Identifiers: the program's own and those of other systems."""

import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.foundation.errors import Collision


def refuse_known(
    session: Session, column: InstrumentedAttribute[Any], external_id: str | None
) -> None:
    """Raise `Collision` for an external id that another record of this kind already has."""
    if external_id is None:
        return
    if session.scalar(select(column).where(column == external_id).limit(1)) is not None:
        raise _came_before(external_id)


@contextmanager
def known_once(
    session: Session, column: InstrumentedAttribute[Any], external_id: str | None
) -> Iterator[None]:
    """Raise `Collision` for an external id in use, now or when a concurrent write took it first.

    The concurrent write is detected by the table's unique constraint when the rows are flushed;
    what the block did until then is rolled back with the transaction.
    """
    refuse_known(session, column, external_id)
    try:
        yield
        session.flush()
    except IntegrityError as clash:
        if external_id is None or column.key not in str(clash.orig):
            raise
        raise _came_before(external_id) from clash


def _came_before(external_id: str) -> Collision:
    return Collision(
        "externalId: '{external_id}' has already been used for another record.",
        external_id=external_id,
    )


_LONGEST_SLUG = 200
_ID = re.compile(r"[0-9a-f]{32}")


class _Series:
    """Generates ids that sort in their order of creation within one process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._milliseconds = self._random_bits = 0

    def next(self) -> str:
        with self._lock:
            milliseconds = time.time_ns() // 1_000_000
            if milliseconds > self._milliseconds:
                # The highest bit stays free for the increments within this millisecond.
                self._milliseconds, self._random_bits = milliseconds, secrets.randbits(73)
            else:
                self._random_bits += 1 + secrets.randbits(32)
            return shape_id(self._milliseconds, self._random_bits)


_series = _Series()


def new_id() -> str:
    """Return a new id, which sorts after all that this process created before."""
    return _series.next()


def shape_id(milliseconds: int, random_bits: int) -> str:
    """Return the UUIDv7 of an instant (ms since 1970) and 74 bits of randomness."""
    high = (milliseconds & 0xFFFF_FFFF_FFFF) << 80
    version_and_a = (0x7000 | (random_bits >> 62 & 0x0FFF)) << 64
    variant_and_b = 0x8000_0000_0000_0000 | (random_bits & 0x3FFF_FFFF_FFFF_FFFF)
    return f"{high | version_and_a | variant_and_b:032x}"


def is_slug(text: str) -> bool:
    """Whether a text can be a slug: not empty, of bounded length, accepted by databases."""
    return 0 < len(text) <= _LONGEST_SLUG and text.isprintable()


def is_id(text: str) -> bool:
    """Whether a text has the shape of an id; it does not check that a row exists."""
    return _ID.fullmatch(text) is not None
