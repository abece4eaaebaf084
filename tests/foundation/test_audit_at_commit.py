"""The audit events of a transaction are kept when it commits: all that were done, none that was taken back."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import AuditRecord, note_audit_event, of_workspace
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from tests.cast import LONG_AGO, Cast


def note(session: Session, name: str) -> None:
    about = of_workspace(session)
    note_audit_event(Work(session, FixedClock(LONG_AGO), name), AuditEvent.KEY_ISSUED, about)


def noted(database: Database, home: str) -> list[str]:
    with database.reading(home) as session:
        asked = select(AuditRecord.actor).where(AuditRecord.at == LONG_AGO)
        return list(session.scalars(asked.order_by(AuditRecord.id)))


def test_a_savepoint_that_is_taken_back_takes_back_its_own(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with database.writing(home) as session:
        note(session, "before")
        with session.begin_nested():
            note(session, "kept")
        with pytest.raises(KeyError), session.begin_nested():
            note(session, "lost")
            with session.begin_nested():
                note(session, "lost within")
            raise KeyError
        note(session, "after")
    assert noted(database, home) == ["before", "kept", "after"]


def test_a_transaction_that_is_taken_back_did_nothing(database: Database, cast: Cast) -> None:
    home = cast.sumida.workspace_id
    with pytest.raises(KeyError), database.writing(home) as session:
        note(session, "lost")
        session.flush()
        raise KeyError
    with database.writing(home) as session:
        note(session, "next")
    assert noted(database, home) == ["next"]
