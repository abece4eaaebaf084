"""The register is kept as long as the law asks, and not a day longer."""

from datetime import UTC, date, datetime, timedelta

import pytest

from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.work import Work
from pms.jobs.daily_jobs import daily_job, do_daily
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.links import GuestRegisterEntry, register_kept_from
from pms.stays.check_in_links import link_stay
from pms.stays.guests import forget_guests, register_guest, send_passport
from pms.stays.models import GuestRegistration
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("time")

ENTRY = GuestRegisterEntry(
    name="Emma Wilson", address="Leeds", contact="e@example.com", has_passport_copy=True
)


def made_guest(database: Database, clock: FixedClock, house: House, *, guests: int = 1) -> str:
    """Register the guests of room 202, who leave on 25 November 2026; return the last file."""
    files = Files(database.settings)
    with database.writing(house.workspace_id) as session:
        link_id = link_stay(
            Work(session, clock, "staff"), reservation_id=house.guest_id, guests=guests
        )
        for position in range(1, guests + 1):
            key = files.put_alone(b"a passport", "webp")
            send_passport(
                Work(session, clock, "guest"), link_id=link_id, position=position, file_key=key
            )
            register_guest(
                Work(session, clock, "guest"), link_id=link_id, position=position, guest=ENTRY
            )
    return key


def rows(database: Database, house: House) -> int:
    with database.reading(house.workspace_id) as session:
        return session.query(GuestRegistration).count()


def test_entries_and_passports_go_after_their_years(
    database: Database, clock: FixedClock, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, files = cast.sumida, Files(database.settings)
    key = made_guest(database, clock, house, guests=3)
    theirs = made_guest(database, clock, cast.minato)
    assert files.get(key) == files.get(theirs) == b"a passport"
    job = daily_job("forget-guests")

    clock.advance(datetime(2029, 11, 25, 3, tzinfo=UTC) - clock.now())
    run = do_daily(job, database, clock, house.workspace_id)
    assert run is not None
    assert run.result.get("done", 0) == 0
    assert rows(database, house) == 3, "the last day of three years counts"

    clock.advance(timedelta(days=1))
    monkeypatch.setattr("pms.jobs.daily_jobs.GUESTS_AT_ONCE", 2)
    do_daily(job, database, clock, house.workspace_id)
    assert rows(database, house) == 0
    assert files.get(key) is None
    assert files.get(theirs) == b"a passport", "the same bytes of somebody else stay"
    with database.reading(house.workspace_id) as session:
        forgotten = session.query(AuditRecord).filter_by(
            audit_event=AuditEvent.REGISTER_FORGOTTEN.value
        )
        parts = sorted(tuple((row.after or {}).items()) for row in forgotten)
    expected = [(("guests", 1),), (("guests", 2),)]
    assert parts == expected, "in parts, each written down without a name"


def test_a_leap_day_ends_with_february() -> None:
    assert register_kept_from(date(2028, 2, 29), 3) == date(2025, 2, 28)


def test_who_cancelled_is_forgotten_after_a_month(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    house, files = cast.sumida, Files(database.settings)
    key = made_guest(database, clock, house)
    with database.writing(house.workspace_id) as session:
        booking = session.query(Reservation).where(Reservation.id == house.guest_id).one()
        booking.cancelled_at = clock.now()
    clock.advance(timedelta(days=30))
    with database.writing(house.workspace_id) as session:
        assert forget_guests(Work(session, clock, "worker"), files) == 0
    clock.advance(timedelta(days=1))
    with database.writing(house.workspace_id) as session:
        assert forget_guests(Work(session, clock, "worker"), files) == 1
    assert files.get(key) is None
