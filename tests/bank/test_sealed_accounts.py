"""Account numbers of owners, residents and mandates are sealed where they lie, and read as before."""

import json
from datetime import date

import pytest
from sqlalchemy import select, text

from pms.bank.mandates import (
    account_of_owner,
    account_of_resident,
    mandate_of,
    set_owner_account,
    set_resident_account,
    write_mandate,
)
from pms.bank.models import DebitMandate, PayeeAccount
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.migrating import migrate
from pms.foundation.sealing import is_sealed
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import MandateState
from tests.bank.test_debits import account
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("migrations and what lies in the tables")

OWNERS, RESIDENTS, DEBITED = "1111567", "2222567", "3333567"


@pytest.fixture
def house(database: Database, clock: FixedClock, cast: Cast) -> House:
    """The three accounts of a house."""
    house = cast.sumida
    with database.writing(house.workspace_id) as session:
        work = Work(session, clock, "office")
        set_owner_account(
            work, owner_id=house.owner_id, account=account(number=OWNERS), expected_version=0
        )
        set_resident_account(
            work,
            reservation_id=house.resident_id,
            account=account(number=RESIDENTS),
            expected_version=0,
        )
        write_mandate(
            work,
            reservation_id=house.resident_id,
            account=account(number=DEBITED),
            state=MandateState.ACTIVE,
            from_on=date(2026, 11, 1),
        )
    return house


def stored_numbers(settings: Settings) -> list[str]:
    """Return the numbers as they lie in the tables."""
    engine = make_engine(settings, as_owner=True)
    with engine.begin() as connection:
        if not settings.is_sqlite:
            connection.exec_driver_sql("SELECT set_config('app.workspace', '*', true)")
        rows = [
            *connection.scalars(text("SELECT number FROM payee_account ORDER BY owner_id IS NULL")),
            *connection.scalars(text("SELECT number FROM debit_mandate")),
        ]
    engine.dispose()
    return rows


def read(database: Database, house: House) -> list[str]:
    with database.reading(house.workspace_id) as session:
        owner = account_of_owner(session, house.owner_id)
        resident = account_of_resident(session, house.resident_id)
        mandate = mandate_of(session, house.resident_id)
        assert owner and resident and mandate
        return [owner.account.number, resident.account.number, mandate.account.number]


def test_numbers_are_sealed_where_they_lie(
    settings: Settings, database: Database, house: House
) -> None:
    assert all(map(is_sealed, stored_numbers(settings)))
    assert read(database, house) == [OWNERS, RESIDENTS, DEBITED]


def test_the_migration_seals_and_opens_what_there_is(
    settings: Settings, database: Database, house: House
) -> None:
    database.dispose()
    migrate(settings, "0061")
    assert stored_numbers(settings) == [OWNERS, RESIDENTS, DEBITED]
    migrate(settings)
    assert all(map(is_sealed, stored_numbers(settings)))
    assert read(database, house) == [OWNERS, RESIDENTS, DEBITED]


def test_the_audit_has_the_last_digits_that_tell_two_numbers_apart(
    database: Database, clock: FixedClock, house: House
) -> None:
    with database.writing(house.workspace_id) as session:
        set_owner_account(
            Work(session, clock, "office"),
            owner_id=house.owner_id,
            account=account(number="1119567"),
            expected_version=1,
        )
    with database.reading(house.workspace_id) as session:
        events = session.scalars(
            select(AuditRecord)
            .where(
                AuditRecord.audit_event == AuditEvent.PAYEE_ACCOUNT_SET.value,
                AuditRecord.subject_id == house.owner_id,
            )
            .order_by(AuditRecord.at, AuditRecord.id)
        ).all()
        told = [(event.before or {}, event.after or {}) for event in events]
        everything = json.dumps([list(pair) for pair in told])
    assert told[0][1]["number"] == "…567"
    assert told[1] == ({"number": "…1567"}, {"number": "…9567"})
    assert OWNERS not in everything and "1119567" not in everything


def test_an_account_that_is_saved_unchanged_stays_as_it_lies(
    settings: Settings, database: Database, clock: FixedClock, house: House
) -> None:
    before = stored_numbers(settings)
    with database.writing(house.workspace_id) as session:
        set_owner_account(
            Work(session, clock, "office"),
            owner_id=house.owner_id,
            account=account(number=OWNERS),
            expected_version=1,
        )
    assert stored_numbers(settings) == before
    with database.reading(house.workspace_id) as session:
        assert session.scalars(select(PayeeAccount.version)).all()
        assert session.scalars(select(DebitMandate.is_first)).one()
