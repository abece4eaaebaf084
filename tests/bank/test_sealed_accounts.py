"""Account numbers are sealed where they lie, and read as before."""

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import inspect, select, text

from pms.bank.accounts import AccountFacts, add_account, find_account
from pms.bank.mandates import (
    account_of_owner,
    account_of_resident,
    mandate_of,
    set_owner_account,
    set_resident_account,
    write_mandate,
)
from pms.bank.models import DebitFile, DebitMandate, PayeeAccount
from pms.bank.orders import client_of, office_to_order, stored_office
from pms.foundation.audit import AuditNumber, AuditRecord, audit_events, note_audit_event
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import make_engine
from pms.foundation.ids import new_id
from pms.foundation.migrating import migrate
from pms.foundation.sealing import is_sealed, opened_text, sealed_text
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.jobs.resealing import count_unsealed, seal_anew
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import MandateState
from pms.statements.models import OwnerStatement
from pms.statements.owner_figures import read_with_account
from pms.statements.owner_publishing import publish_statement
from pms.statements.owner_terms import agree_terms, terms_of_building
from pms.workspaces.office_bank import office_bank, set_office_bank
from tests.bank.test_debits import account
from tests.cast import Cast, House

pytestmark = pytest.mark.differs("migrations and what lies in the tables")

OWNERS, RESIDENTS, DEBITED = "1111567", "2222567", "3333567"
OFFICES, LISTED = "4444567", "5555567"
AGREED = "すみれ銀行 向島支店 普通 ６６６６567"
FIXED = "6666567"
EVERYWHERE = (OWNERS, RESIDENTS, DEBITED, OFFICES, LISTED, "６６６６567", "7777567")


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


@pytest.fixture
def kept(database: Database, clock: FixedClock, house: House) -> House:
    """The same house with the office's own accounts, terms, a published month and bank files."""
    with database.writing(house.workspace_id) as session:
        work = Work(session, clock, "office")
        set_office_bank(
            work,
            expected_version=0,
            account=account(number=OFFICES),
            debit_client="1234567890",
            payout_client="1234567890",
            needs_second_person=False,
            debit_attempts=2,
        )
        add_account(work, AccountFacts("家賃口座", "0001", "001", "1", LISTED))
        agree_terms(
            work,
            building_id=house.building_id,
            from_on=date(2026, 1, 1),
            management_percent=Decimal(5),
            payout_day=15,
            payout_account=AGREED,
        )
        publish_statement(work, building_id=house.building_id, month_on=date(2026, 10, 1))
        facts = office_to_order(session)
        session.add(
            DebitFile(
                id=new_id(),
                due_on=date(2026, 11, 27),
                **stored_office(session, facts, "1234567890"),
                count=1,
                total_yen=1,
                made_at=clock.now(),
                made_by="office",
            )
        )
    return house


def everything_stored(settings: Settings) -> str:
    """Return all that lies in the tables, as one text."""
    engine, found = make_engine(settings, as_owner=True), []
    with engine.begin() as connection:
        if not settings.is_sqlite:
            connection.exec_driver_sql("SELECT set_config('app.workspace', '*', true)")
        for name in inspect(connection).get_table_names():
            found += [
                str(tuple(row)) for row in connection.execute(text(f'SELECT * FROM "{name}"'))
            ]
    engine.dispose()
    return "\n".join(found)


def read_again(database: Database, house: House) -> list[object]:
    with database.reading(house.workspace_id) as session:
        bank, file = office_bank(session), session.scalars(select(DebitFile)).one()
        statement = session.scalars(select(OwnerStatement)).one()
        listed = find_account(session, LISTED)
        assert bank and listed
        return [
            bank.facts.account.number,
            client_of(file).account.number,
            find_account(session, f"0001-001-1-{LISTED}") is listed,
            listed.number,
            terms_of_building(session, house.building_id)[0].payout_account,
            read_with_account(session, statement).figures.payout_account,
            [
                (event.before, event.after)
                for event in audit_events(session, limit=100).audit_events
            ],
        ]


def test_no_table_has_an_account_number_in_clear_and_all_are_read(
    settings: Settings, database: Database, kept: House
) -> None:
    stored = everything_stored(settings)
    assert [number for number in EVERYWHERE if number in stored] == []
    assert read_again(database, kept)[:-1] == [OFFICES, OFFICES, True, LISTED, AGREED, AGREED]


def test_the_audit_of_earlier_releases_is_shortened_and_comes_back(
    settings: Settings, database: Database, clock: FixedClock, kept: House
) -> None:
    """What a release before wrote in clear, whole numbers in the audit too, survives both ways."""
    told: dict[AuditEvent, tuple[Any, Any]] = {
        AuditEvent.OFFICE_BANK_SET: ({"number": OFFICES}, {"number": "7777567"}),
        AuditEvent.BANK_ACCOUNT_SET: (None, {"number": f"0001-001-1-{LISTED}", "name": LISTED}),
        AuditEvent.TERMS_AGREED: (None, {"payout_account": AGREED, "payout_day": 15}),
        AuditEvent.BANK_FILE_IMPORTED: (None, {"account": f"スミレ {LISTED}", "new_rows": 1}),
        AuditEvent.DEPOSIT_SETTLED: (None, {"number": "7777567"}),
    }
    with database.writing(kept.workspace_id) as session:
        for event, (before, after) in told.items():
            work = Work(session, clock, "earlier")
            note_audit_event(
                work, event, ("workspace", kept.workspace_id), before=before, after=after
            )
    database.dispose()
    migrate(settings, "0066")
    assert {OFFICES, LISTED, "６６６６567"} <= {
        one for one in EVERYWHERE if one in everything_stored(settings)
    }
    migrate(settings)
    with database.reading(kept.workspace_id) as session:
        found = audit_events(session, actor="earlier").audit_events
    shown = {event.audit_event: (event.before, event.after) for event in found}
    assert shown[AuditEvent.OFFICE_BANK_SET] == ({"number": "…4567"}, {"number": "…7567"})
    assert shown[AuditEvent.BANK_ACCOUNT_SET] == (
        {},
        {"number": "…567", "name": "…5567"},
    )
    assert shown[AuditEvent.TERMS_AGREED][1] == {
        "payout_account": "すみれ銀行 向島支店 普通 …567",
        "payout_day": 15,
    }
    assert shown[AuditEvent.BANK_FILE_IMPORTED][1] == {"account": "スミレ …5567", "new_rows": 1}
    # A number that is no account's stays.
    assert shown[AuditEvent.DEPOSIT_SETTLED][1] == {"number": "7777567"}
    found_before = read_again(database, kept)
    database.dispose()
    migrate(settings, "0066")
    stored = everything_stored(settings)
    for whole in (f"0001-001-1-{LISTED}", f" {LISTED}", "7777567"):
        assert whole in stored
    migrate(settings)
    assert read_again(database, kept) == found_before


def test_a_changed_key_seals_all_of_them_anew(
    settings: Settings, database: Database, kept: House
) -> None:
    """Also those of audit records of earlier releases, which themselves never change."""
    with database.writing(kept.workspace_id) as session:
        event = session.scalars(select(AuditRecord)).first()
        assert event is not None
        sealed = sealed_text(session, OFFICES)
        session.add(
            AuditNumber(id=new_id(), audit_id=event.id, is_before=False, fact="number", text=sealed)
        )
    before = read_again(database, kept)
    old = settings.secret_key
    both = replace(settings, secret_key=f"{'n' * 64},{old}")
    turned = Database(both)
    assert count_unsealed(turned) >= 8
    seal_anew(turned)
    assert count_unsealed(turned) == 0
    turned.dispose()
    alone = Database(replace(settings, secret_key="n" * 64))
    assert read_again(alone, kept) == before
    with alone.reading(kept.workspace_id) as session:
        assert opened_text(session, session.scalars(select(AuditNumber.text)).one()) == OFFICES
    alone.dispose()
