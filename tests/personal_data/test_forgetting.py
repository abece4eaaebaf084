"""A person is forgotten as far as the law lets, and what stays says until when and why."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select, text, update

from pms.bank.models import PayeeAccount
from pms.catalogue.models import Building, Owner
from pms.contracts.models import Contract, ContractSignature
from pms.enquiries.models import Lead, Viewing, WaitlistPlace
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.phrases import Bilingual
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.inbox.models import Enquiry, Ticket, TicketMessage
from pms.jobs.daily_jobs import daily_job, do_daily
from pms.ledger.models import EntryTotal, LedgerEntry
from pms.personal_data.fates import FATES, DataSubject, fate_of
from pms.personal_data.forgetting import RecordPlan, forget_person, plan_forgetting
from pms.personal_data.person_records import find_records
from pms.personal_data.person_rows import models
from pms.reservations.models import CoOccupant, Reservation
from pms.rules.enumerations import Lifecycle, WaitlistState
from pms.rules.retention import KeptBecause, RetentionYears
from pms.workspaces.models import ForgottenRecord
from pms.workspaces.personal_data_terms import set_personal_data_terms
from tests.cast import Cast
from tests.personal_data.conftest import EMAIL, Hanako
from tests.staff import Browser
from tests.surfaces.command_line.conftest import Operator, operator

__all__ = ["operator"]
pytestmark = pytest.mark.differs("deleting along foreign keys")
ENDED = date(2026, 3, 31)


@pytest.fixture
def end_tenancy(database: Database, hanako: Hanako) -> Callable[..., None]:
    """Let Hanako's tenancy be over, signed and settled unless told otherwise."""

    def end(lifecycle: Lifecycle = Lifecycle.REFUNDED, on: date = ENDED) -> None:
        with database.writing(hanako.workspace_id) as session:
            key = (hanako.workspace_id, hanako.reservation_id)
            row = session.get_one(Reservation, key)
            row.lifecycle, row.move_out_date = lifecycle, on

    return end


def add_bill(database: Database, hanako: Hanako, paid_yen: int) -> None:
    """Bill Hanako 93,000 for the last month."""
    with database.writing(hanako.workspace_id) as session:
        entry = LedgerEntry(
            reservation_id=hanako.reservation_id,
            kind="charge",
            period="2026-03",
            round=0,
            label_ja="家賃",
            label_en="Rent",
            issued_on=ENDED,
            due_on=ENDED,
            written_at=datetime(2026, 3, 1, tzinfo=UTC),
            written_by="staff",
        )
        session.add(entry)
        session.flush()
        session.execute(
            update(EntryTotal)
            .where(EntryTotal.id == entry.id)
            .values(billed_yen=93_000, paid_yen=paid_yen, last_on=ENDED)
        )


def sign_contract(database: Database, hanako: Hanako) -> None:
    now = datetime(2025, 4, 1, tzinfo=UTC)
    with database.writing(hanako.workspace_id) as session:
        contract = Contract(
            reservation_id=hanako.reservation_id,
            number=1,
            locale="ja",
            title="契約書",
            body="佐藤 花子",
            body_hash="0" * 64,
            issued_at=now,
            issued_by="staff",
        )
        session.add(contract)
        session.flush()
        session.add(
            ContractSignature(
                contract_id=contract.id,
                signer="resident",
                name="佐藤 花子",
                email=EMAIL,
                signed_at=now,
                document_hash="0" * 64,
                device="phone",
            )
        )


@dataclass(frozen=True)
class Forgetter:
    """Forgets Hanako, or the records that are named."""

    settings: Settings
    database: Database
    clock: FixedClock
    hanako: Hanako

    def __call__(self, *references: str) -> list[RecordPlan]:
        named = references or self.hanako.references
        with self.database.writing(self.hanako.workspace_id) as session:
            work = Work(session, self.clock, "person/aoi")
            return list(forget_person(work, Files(self.settings), named))


@pytest.fixture
def forget(settings: Settings, database: Database, clock: FixedClock, hanako: Hanako) -> Forgetter:
    return Forgetter(settings, database, clock, hanako)


def count(database: Database, hanako: Hanako, model: Any, *where: Any) -> int:
    with database.reading(hanako.workspace_id) as session:
        return session.scalar(select(func.count()).select_from(model).where(*where)) or 0


def test_who_lives_here_and_what_is_open_cannot_be_forgotten(
    database: Database, hanako: Hanako, forget: Forgetter, end_tenancy: Callable[..., None]
) -> None:
    with pytest.raises(Refused, match="has not ended"):
        forget()
    end_tenancy(Lifecycle.MOVED_OUT)
    with pytest.raises(Refused, match=r"deposit of .* is not settled"):
        forget()
    end_tenancy()
    add_bill(database, hanako, paid_yen=0)
    with pytest.raises(Refused, match="still open"):
        forget()
    assert count(database, hanako, Lead) == 1, "nothing goes while one record has to stay"


def test_what_no_law_keeps_goes_and_the_rest_says_until_when(
    hanako: Hanako,
    forget: Forgetter,
    end_tenancy: Callable[..., None],
    clock: FixedClock,
) -> None:
    database = forget.database
    end_tenancy()
    add_bill(database, hanako, paid_yen=93_000)
    sign_contract(database, hanako)
    with database.writing(hanako.workspace_id) as session:
        for sent_at in (clock.now(), None):
            session.add(
                OutboxMail(
                    recipient=EMAIL, subject="鍵", text="…", written_at=clock.now(), sent_at=sent_at
                )
            )
    with database.reading(hanako.workspace_id) as session:
        planned = plan_forgetting(session, hanako.references, clock.today())
    done = forget()
    assert [plan.counted for plan in done] == [plan.counted for plan in planned]
    of_tenancy = done[0]
    assert {(kept.because, kept.until_on) for kept in of_tenancy.kept} == {
        (KeptBecause.LEDGER, date(2033, 5, 31)),
        (KeptBecause.CONTRACT, date(2036, 3, 31)),
    }
    assert of_tenancy.counted[DataSubject.MESSAGES] == 2
    for model in (Enquiry, Lead, Ticket, TicketMessage, PayeeAccount):
        assert count(database, hanako, model) == 0, model
    assert Files(forget.settings).get(hanako.resume_key) is None
    assert count(database, hanako, OutboxMail) == 1, "what still waits is sent"
    assert count(database, hanako, Contract) == 1
    assert count(database, hanako, LedgerEntry) == 1
    with database.reading(hanako.workspace_id) as session:
        row = session.scalars(
            select(Reservation).where(Reservation.id == hanako.reservation_id)
        ).one()
        assert (row.name, row.email, row.phone, row.note) == ("佐藤 花子", None, None, None)
        assert "hanako" not in row.search_text
        noted = session.scalars(
            select(AuditRecord).where(AuditRecord.audit_event == "person.forgotten")
        ).all()
        assert {record.subject_kind for record in noted} == {"reservation", "enquiry", "lead"}
        assert EMAIL not in str([record.after for record in noted])


def test_the_name_goes_with_the_last_that_is_kept(
    database: Database,
    hanako: Hanako,
    forget: Forgetter,
    end_tenancy: Callable[..., None],
    clock: FixedClock,
) -> None:
    end_tenancy()
    add_bill(database, hanako, paid_yen=93_000)
    sign_contract(database, hanako)
    forget(hanako.references[0])

    def run(on: date) -> Reservation:
        clock.advance(datetime(on.year, on.month, on.day, 3, tzinfo=UTC) - clock.now())
        do_daily(daily_job("forget-people"), database, clock, hanako.workspace_id)
        with database.reading(hanako.workspace_id) as session:
            return session.scalars(
                select(Reservation).where(Reservation.id == hanako.reservation_id)
            ).one()

    assert run(date(2033, 6, 1)).name == "佐藤 花子"
    assert count(database, hanako, Contract) == 1
    assert run(date(2036, 4, 1)).name == "—"
    assert count(database, hanako, Contract) == count(database, hanako, ContractSignature) == 0
    assert count(database, hanako, LedgerEntry) == 1
    with database.reading(hanako.workspace_id) as session:
        assert session.scalars(select(ForgottenRecord)).one().next_on is None


def test_a_signed_contract_alone_is_kept_by_the_years_of_the_workspace(
    database: Database,
    hanako: Hanako,
    forget: Forgetter,
    end_tenancy: Callable[..., None],
    clock: FixedClock,
) -> None:
    end_tenancy()
    with database.writing(hanako.workspace_id) as session:
        set_personal_data_terms(
            Work(session, clock, "staff"),
            purpose=Bilingual(None, None),
            years=RetentionYears(contract_years=2),
        )
    sign_contract(database, hanako)
    (plan,) = forget(hanako.references[0])
    assert {kept.until_on for kept in plan.kept} == {date(2028, 3, 31)}


def test_a_co_occupant_is_found_and_goes_when_the_contract_need_not_be_kept(
    database: Database, hanako: Hanako, forget: Forgetter, end_tenancy: Callable[..., None]
) -> None:
    with database.reading(hanako.workspace_id) as session:
        (record,) = find_records(session, "佐藤 次郎")
    assert record.kind == "co_occupant"
    with pytest.raises(Refused, match="has not ended"):
        forget(record.reference)
    end_tenancy()
    forget(record.reference)
    assert count(database, hanako, CoOccupant) == 0
    with database.reading(hanako.workspace_id) as session:
        assert session.get_one(Reservation, (hanako.workspace_id, hanako.reservation_id)).email


def test_an_owner_of_a_building_stays_and_a_former_one_goes(
    database: Database, hanako: Hanako, cast: Cast, forget: Forgetter
) -> None:
    reference = f"owner/{cast.sumida.owner_id}"
    with pytest.raises(Refused, match="still owns a building"):
        forget(reference)
    with database.writing(hanako.workspace_id) as session:
        for building in session.scalars(select(Building)):
            building.owner_id = None
    forget(reference)
    with database.reading(hanako.workspace_id) as session:
        row = session.scalars(select(Owner).where(Owner.id == cast.sumida.owner_id)).one()
        assert (row.name, row.email, row.phone) == ("—", None, None)


def test_records_of_another_workspace_are_not_there(
    settings: Settings, database: Database, clock: FixedClock, cast: Cast, hanako: Hanako
) -> None:
    with database.writing(cast.minato.workspace_id) as session, pytest.raises(NotFound):
        forget_person(Work(session, clock, "staff"), Files(settings), hanako.references)


def test_old_enquiries_viewings_places_and_former_residents_go_every_night(
    database: Database,
    hanako: Hanako,
    cast: Cast,
    end_tenancy: Callable[..., None],
    clock: FixedClock,
) -> None:
    end_tenancy(on=date(2026, 10, 31))
    with database.writing(hanako.workspace_id) as session:
        for state in (WaitlistState.CLOSED, WaitlistState.WAITING):
            session.add(
                WaitlistPlace(
                    unit_id=cast.sumida.free_room_id,
                    name="林 光",
                    wanted_from_on=clock.today(),
                    state=state,
                    added_at=clock.now(),
                    added_by="staff",
                    changed_at=clock.now(),
                    changed_by="staff",
                )
            )
    start = clock.now()

    def run(years: int, days: int) -> None:
        wanted = start.replace(year=start.year + years) + timedelta(days=days)
        clock.advance(wanted - clock.now())
        run_of_day = do_daily(daily_job("forget-people"), database, clock, hanako.workspace_id)
        assert run_of_day is not None
        assert run_of_day.failure is None

    def left() -> list[int]:
        return [count(database, hanako, model) for model in (WaitlistPlace, Enquiry, Viewing)]

    run(0, 1)
    assert left() == [2, 1, 1]
    run(1, 1)
    assert left() == [1, 1, 1], "who waits stays"
    run(3, 2)
    assert left()[:2] == [1, 0]
    is_hers = Reservation.id == hanako.reservation_id
    assert count(database, hanako, Reservation, is_hers, Reservation.email == EMAIL) == 1
    run(5, 1)
    assert count(database, hanako, Reservation, is_hers, Reservation.email == EMAIL) == 0
    with database.reading(hanako.workspace_id) as session:
        noted = session.scalars(
            select(AuditRecord.after).where(AuditRecord.audit_event == "records.forgotten")
        ).all()
    assert {"forgotten_waitlist_place": 1} in noted
    assert {"forgotten_enquiry": 1} in [
        {name: value for name, value in (after or {}).items() if "enquiry" in name}
        for after in noted
    ]


def test_every_named_fate_is_of_a_table_and_empties_columns_that_it_has() -> None:
    for table in FATES:
        assert table in models(), table
        for column in fate_of(table).emptied or ():
            assert column in models()[table].__table__.columns, (table, column)


def test_nothing_is_deleted_that_is_written_once(settings: Settings, database: Database) -> None:
    with database.connection_across_workspaces() as connection:
        tables = models().keys() - {"audit_record"}
        once = {
            table
            for table in tables
            if connection.scalar(
                text(
                    "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name = :name"
                    if settings.is_sqlite
                    else "SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid"
                    " WHERE t.tgname = 'written_once' AND c.relname = :name"
                ),
                {"name": f"{table}_written_once_delete" if settings.is_sqlite else table},
            )
        }
    assert {"ledger_entry", "payment", "settlement"} <= once
    assert [table for table in sorted(once) if fate_of(table).emptied != ()] == []


def test_the_page_shows_before_and_after_what_goes_and_what_stays(
    operator_browser: Browser,
    database: Database,
    hanako: Hanako,
    end_tenancy: Callable[..., None],
) -> None:
    chosen = {"records": hanako.references[:1], "q": EMAIL}
    blocked = operator_browser.post("/personal-data/plan?lang=en", chosen)
    assert "has not ended" in blocked.text
    assert "/personal-data/forgetting" not in blocked.text
    end_tenancy()
    add_bill(database, hanako, paid_yen=93_000)
    before = operator_browser.post("/personal-data/plan?lang=en", chosen).text
    assert "2033-05-31" in before
    assert "books are kept by law" in before
    assert count(database, hanako, Ticket) == 1
    after = operator_browser.post("/personal-data/forgetting?lang=en", chosen).text
    assert "2033-05-31" in after
    assert "Messages (2)" in after
    assert count(database, hanako, Ticket) == 0


def test_the_command_lists_first_and_deletes_with_yes(
    operator: Operator, database: Database, hanako: Hanako, end_tenancy: Callable[..., None]
) -> None:
    end_tenancy()
    listed = operator.asks(f"person forget {EMAIL}")
    assert {row["record"] for row in listed} == set(hanako.references)
    assert count(database, hanako, Lead) == 1
    done = operator.asks(f"person forget {EMAIL} --yes")
    assert done[0]["deleted"]["messages"] == 2
    assert count(database, hanako, Lead) == 0
