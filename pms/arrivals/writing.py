"""Writes a planned import at once: all of it, or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.errors import Collision


@contextmanager
def writing_at_once(session: Session) -> Iterator[None]:
    """Flush at the end; what another import or a colleague wrote meanwhile refuses the whole."""
    try:
        yield
        session.flush()
    except IntegrityError as refusal:
        raise Collision(
            "Something else was written to the same records meanwhile: look at the preview again."
        ) from refusal
