"""A month's journals, including owners': as closed, or by the current ledger."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import func, select, union
from sqlalchemy.orm import Session

from pms.accounting.charts import PROGRAM_ENCODINGS, part_count, preset
from pms.accounting.models import ClosedJournal, MonthClosing
from pms.accounting.money import Owned, Period, money_journals
from pms.accounting.owner_parts import name_owners
from pms.catalogue.models import Unit
from pms.deposits.models import Refund, Settlement
from pms.foundation.audit import AuditRecord
from pms.foundation.kept_figures import SharedAnswers
from pms.foundation.mail_texts import format_month
from pms.foundation.prepared import one_of
from pms.foundation.stored_forms import read_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.translations import translate
from pms.foundation.versions import CATALOGUE, LEDGER, OCCUPANCY, asked_once
from pms.ledger.models import Allocation, LedgerEntry, LedgerLine
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.days import add_months, month_first, month_last
from pms.rules.journal_files import Program
from pms.rules.journals import (
    LEASE_KEY,
    PAYOUT_KEY,
    Journal,
    Posting,
    Sums,
    corrections,
    cost_postings,
    fee_postings,
    lease_postings,
    payout_postings,
    totals,
)
from pms.rules.yen import percent_charge
from pms.statements.lease_rents import lease_rents
from pms.statements.master_leases import leases_in_force
from pms.statements.models import MasterLease, OwnerDeduction, OwnerStatement, OwnerTerms
from pms.statements.owner_figures import payout_of
from pms.workspaces.queries import counters

BuildingMonth = tuple[str, date]


def income_of(journals: Iterable[Journal]) -> dict[BuildingMonth, int]:
    """Return the owners' income by building and month, in whole yen."""
    income: defaultdict[BuildingMonth, int] = defaultdict(int)
    for journal in journals:
        if journal.is_income_of_owner:
            income[journal.building_id, month_first(journal.happened_on)] += journal.owners_yen
    return income


class Percents(NamedTuple):
    """The management fees in percent of the income: by building, each from its day."""

    by_building: Mapping[str, Sequence[tuple[date, Decimal]]]
    newest_at: datetime
    """When the last of them were written."""


def fee_journals(
    terms: Percents, income: Mapping[BuildingMonth, int], owned: Owned
) -> dict[str, Journal]:
    """Return the management fee of each building and month, on the month's last day (Owner)."""
    found = {}
    for (building_id, month_on), yen in income.items():
        on = month_last(month_on)
        fee_yen = percent_charge(
            _find_percent_in_force(terms.by_building.get(building_id, ()), month_on), yen
        )
        if fee_yen and owned.is_owners(building_id, on):
            memo = translate(
                "Management fee {month} {building}",
                "ja",
                "journal",
                month=format_month(month_on, "ja"),
                building=owned.names[building_id],
            )
            key = f"fee/{building_id}/{month_on}"
            found[key] = _owner_journal(key, on, building_id, memo, fee_postings(fee_yen))
    return found


def lease_journals(session: Session, period: Period, owned: Owned) -> dict[str, Journal]:
    """Return the rent to the owner of each building under master lease, on each month's last day."""
    found = {}
    leases = leases_in_force(session, owned.names)
    for building_id, months in lease_rents(session, leases, period.last_on).items():
        for month_on, rents in months.items():
            on = month_last(month_on)
            if period.has(on) and owned.is_owners(building_id, on):
                memo = translate(
                    "Rent of the master lease, {month}: {building}",
                    "ja",
                    month=format_month(month_on, "ja"),
                    building=owned.names[building_id],
                )
                key = f"{LEASE_KEY}{building_id}/{month_on}"
                postings = [line for rent in rents for line in lease_postings(rent.yen, rent.tax)]
                journal = _owner_journal(key, on, building_id, memo, postings)
                if journal.postings:
                    found[key] = journal
    return found


def cost_journals(
    session: Session, period: Period, owned: Owned, since: datetime | None = None
) -> dict[str, Journal]:
    """Return the charges to owners in a period, with `since` only those written after it."""
    query = select(OwnerDeduction).where(OwnerDeduction.deducted_on.between(*period))
    if since is not None:
        query = query.where(OwnerDeduction.written_at >= since)
    found = {}
    for row in session.scalars(query):
        if owned.is_owners(row.building_id, month_last(row.deducted_on)):
            key, name = f"cost/{row.id}", owned.names[row.building_id]
            memo, postings = f"{row.label_ja} {name}", cost_postings(row.amount_yen)
            found[key] = _owner_journal(key, row.deducted_on, row.building_id, memo, postings)
    return found


def payout_journals(
    session: Session, period: Period, owned: Owned, since: datetime | None = None
) -> dict[str, Journal]:
    """Return the payouts of a period by the latest published statements.

    With `since` only those of months with a version published after it.
    """
    # A month is paid out in the next one.
    months = add_months(month_first(period.first_on), -1), period.last_on
    query = select(OwnerStatement).where(OwnerStatement.month_on.between(*months))
    newest: dict[BuildingMonth, OwnerStatement] = {}
    for row in session.scalars(query.order_by(OwnerStatement.version)):
        newest[row.building_id, row.month_on] = row
    found = {}
    for (building_id, month_on), row in newest.items():
        payout = payout_of(row.figures)
        is_asked = since is None or row.published_at >= since
        if payout.yen and is_asked and period.has(payout.payout_on):
            memo = translate(
                "Payout to owner {month} {building}",
                "ja",
                "journal",
                month=format_month(month_on, "ja"),
                building=owned.names[building_id],
            )
            key = f"{PAYOUT_KEY}{building_id}/{month_on}"
            postings = payout_postings(payout.yen)
            found[key] = _owner_journal(key, payout.payout_on, building_id, memo, postings)
    return found


def _owner_journal(
    key: str, on: date, building_id: str, memo: str, postings: Iterable[Posting]
) -> Journal:
    return Journal(key, on, building_id, building_id, memo, list(postings)).combine_postings()


def _read_percents(session: Session) -> Percents:
    found: defaultdict[str, list[tuple[date, Decimal]]] = defaultdict(list)
    newest_at = _LONG_AGO
    asked = select(
        OwnerTerms.building_id,
        OwnerTerms.from_on,
        OwnerTerms.management_percent,
        OwnerTerms.written_at,
    )
    for row in session.execute(asked.order_by(OwnerTerms.from_on)):
        found[row.building_id].append((row.from_on, row.management_percent))
        newest_at = max(newest_at, row.written_at)
    return Percents(found, newest_at)


def _find_percent_in_force(terms: Iterable[tuple[date, Decimal]], month_on: date) -> Decimal:
    in_force = [percent for from_on, percent in terms if from_on <= month_on]
    return in_force[-1] if in_force else Decimal(0)


_BEGINNING: Final = date(1900, 1, 1)
_LONG_AGO: Final = datetime(1900, 1, 1, tzinfo=UTC)
# A transaction that runs while a month is closed may commit after it, so changes written shortly
# before count as later ones. Comparing a reservation twice changes nothing.
_OVERLAP: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class MonthBooks:
    """A month and its journals, in the order of their numbers."""

    month_on: date
    journals: Sequence[Journal]
    closing: MonthClosing | None
    latest: MonthClosing | None
    """The newest closed month."""

    @property
    def totals(self) -> Sequence[Sums]:
        """The debits and credits by role."""
        return totals(self.journals)

    @property
    def total_yen(self) -> int:
        """The sum of all debits, which equals that of all credits."""
        return sum(journal.debit_yen for journal in self.journals)

    @property
    def late(self) -> Sequence[Journal]:
        """The journals that belong to closed months."""
        return [journal for journal in self.journals if journal.is_late]


JOURNALS_A_PAGE: Final = 25
_SHOWN_CLOSINGS: Final = 12


class MonthSummary(NamedTuple):
    """What a page shows of a month: its sums, and its journals in pages, encoded to be small."""

    journals: int
    late: int
    total_yen: int
    totals: Sequence[Sums]
    parts: Mapping[Program, int]
    """Into how many files each program's journals are divided."""
    pages: Sequence[bytes]

    def rows_from(self, offset: int) -> Sequence[Journal]:
        """Return the journals of the page that begins at an offset."""
        place = offset // JOURNALS_A_PAGE
        return _PAGE.decode(self.pages[place]) if place < len(self.pages) else ()


_PAGE: Final = msgspec.msgpack.Decoder(list[Journal])


class AskedMonth(NamedTuple):
    """A month whose summary is asked, with its closing where it is closed."""

    month_on: date
    closing_id: str | None


class ShownMonth(NamedTuple):
    """A month for a page: whether it is closed, the newest closed month, and its summary."""

    closing: MonthClosing | None
    latest: MonthClosing | None
    summary: MonthSummary


def shown_month(session: Session, month_on: date) -> ShownMonth:
    """Return what a page shows of a month.

    A closed month never changes. The journals of an open one are kept until something is written
    that they are made of, all of which raises a counter of the workspace.
    """
    month_on = month_first(month_on)
    state: Hashable = counters(session, CATALOGUE, OCCUPANCY, LEDGER)
    closing, latest = _find_closings(session, month_on)
    question = AskedMonth(month_on, closing.id if closing is not None else None)
    if closing is not None:
        state = None
    summary = SUMMARIES.answer(
        session,
        question,
        state,
        lambda: summarise(_read_journals(session, month_on, closing, latest)),
    )
    return ShownMonth(closing, latest, summary)


SUMMARIES: Final[SharedAnswers[AskedMonth, MonthSummary]] = SharedAnswers(
    "journals",
    AskedMonth,
    MonthSummary,
    lambda session, _, asked: shown_month(session, asked.month_on).summary,
    usual=lambda _, clock: AskedMonth(add_months(month_first(clock.today()), -1), None),
    most=4,
)


def summarise(journals: Sequence[Journal]) -> MonthSummary:
    """Return the summary of the journals of a month."""
    return MonthSummary(
        len(journals),
        sum(journal.is_late for journal in journals),
        sum(journal.debit_yen for journal in journals),
        totals(journals),
        # How many rows a journal takes depends on no name of an account.
        {program: part_count(program, journals, preset()) for program in PROGRAM_ENCODINGS},
        [
            msgspec.msgpack.encode(journals[start : start + JOURNALS_A_PAGE])
            for start in range(0, len(journals), JOURNALS_A_PAGE)
        ],
    )


def month_books(session: Session, month_on: date) -> MonthBooks:
    """Return the journals of a month: as closed, else by the current ledger.

    The first month after the closed ones also contains later changes of those.
    """
    month_on = month_first(month_on)
    closing, latest = _find_closings(session, month_on)
    return MonthBooks(month_on, _read_journals(session, month_on, closing, latest), closing, latest)


def _find_closings(
    session: Session, month_on: date
) -> tuple[MonthClosing | None, MonthClosing | None]:
    """Return the closing in force of a month, and the newest of all."""
    latest = latest_closing(session)
    if latest is None or month_on >= latest.month_on:
        return (latest if latest and latest.month_on == month_on else None), latest
    return closing_of(session, month_on), latest


def _read_journals(
    session: Session, month_on: date, closing: MonthClosing | None, latest: MonthClosing | None
) -> Sequence[Journal]:
    if latest is None or month_on > latest.month_on:
        return _open_journals(session, month_on, latest)
    return closed_journals(session, closing) if closing else ()


def closed_journals(session: Session, closing: MonthClosing) -> Sequence[Journal]:
    """Return the journals of a closed month as they were closed, by number."""
    rows = session.scalars(
        select(ClosedJournal)
        .where(ClosedJournal.closing_id == closing.id)
        .order_by(ClosedJournal.number)
    )
    return [_build_journal(row) for row in rows]


def latest_closing(session: Session) -> MonthClosing | None:
    """Return the newest closed month, or None."""
    newest = newest_closings(session)
    found = next((closing for closing in newest if closing.reopened_at is None), None)
    if found is not None or len(newest) < _SHOWN_CLOSINGS:
        return found
    query = select(MonthClosing).where(MonthClosing.reopened_at.is_(None))
    return session.scalar(query.order_by(MonthClosing.month_on.desc()).limit(1))


def newest_closings(session: Session) -> Sequence[MonthClosing]:
    """Return the closings of the newest months, those that were reopened too, the newest first."""
    return asked_once(session, _ask_newest_closings)


def _ask_newest_closings(session: Session) -> Sequence[MonthClosing]:
    order = MonthClosing.month_on.desc(), MonthClosing.closed_at.desc(), MonthClosing.id.desc()
    return session.scalars(select(MonthClosing).order_by(*order).limit(_SHOWN_CLOSINGS)).all()


def closing_of(session: Session, month_on: date) -> MonthClosing | None:
    """Return the closing in force of a month, or None."""
    return session.scalar(
        select(MonthClosing).where(
            MonthClosing.month_on == month_on, MonthClosing.reopened_at.is_(None)
        )
    )


def first_month(session: Session) -> date | None:
    """Return the first month in which money was billed, moved or deducted, or a lease began."""
    days = [
        session.scalar(select(func.min(column)))
        for column in (
            LedgerLine.posted_on,
            Allocation.allocated_on,
            OwnerDeduction.deducted_on,
            MasterLease.first_on,
        )
    ]
    found = [day for day in days if day is not None]
    return month_first(min(found)) if found else None


def _open_journals(
    session: Session, month_on: date, latest: MonthClosing | None
) -> Sequence[Journal]:
    owned = Owned(session)
    period = Period(month_on, month_last(month_on))
    terms = _read_percents(session)
    found = money_journals(session, period, owned)
    found |= fee_journals(terms, income_of(found.values()), owned)
    found |= cost_journals(session, period, owned) | payout_journals(session, period, owned)
    found |= lease_journals(session, period, owned)
    every = list(found.values())
    if latest is not None and add_months(latest.month_on, 1) == month_on:
        every += _late_journals(session, latest, month_on, owned, terms)
    # An opposite and its replacement stay together, the opposite first.
    places = {id(journal): place for place, journal in enumerate(every)}
    in_order = sorted(
        every,
        key=lambda journal: (
            journal.entered_on,
            not journal.is_late,
            journal.key,
            places[id(journal)],
        ),
    )
    return name_owners(session, in_order, month_on, owned.names)


def _late_journals(
    session: Session, latest: MonthClosing, month_on: date, owned: Owned, terms: Percents
) -> list[Journal]:
    """Return corrections of the closed months, to be entered in the open one."""
    period = Period(_BEGINNING, month_last(latest.month_on))
    since = latest.closed_at - _OVERLAP
    whose = _touched_since(session, latest, period)
    costs = cost_journals(session, period, owned, since)
    payouts = payout_journals(session, period, owned, since)
    # A percentage follows what was billed for closed months, or received in them, ever after.
    rents = lease_journals(session, period, owned)
    # Fees follow from income and terms, so nothing of the closed months can differ.
    if not (whose or costs or payouts or rents or terms.newest_at >= since):
        return []
    now = money_journals(session, period, owned, whose) if whose else {}
    was = _sum_closed_months(session, whose) if whose else {}
    of_owners = _sum_closed_months(session, list(owned.names))
    income = _income_now(session, was, now)
    fees = fee_journals(terms, income, owned)
    now |= fees | costs | payouts | rents
    was |= {
        key: journal
        for key, journal in of_owners.items()
        if key in now or key.startswith(("fee/", LEASE_KEY))
    }
    return list(corrections(was, now, month_on))


_CHANGES_WHOSE_INCOME: Final = (
    AuditEvent.BUILDING_OWNER_NAMED.value,
    AuditEvent.MANAGEMENT_FORM_SET.value,
    AuditEvent.MASTER_LEASE_AGREED.value,
    AuditEvent.MASTER_LEASE_REMOVED.value,
)


def _touched_since(session: Session, latest: MonthClosing, period: Period) -> Collection[str]:
    """Return the reservations whose closed months may have changed by backdated writes."""
    since = latest.closed_at - _OVERLAP
    of_entry = refers_to(Allocation.entry_id, LedgerEntry)
    paid = (
        select(LedgerEntry.reservation_id)
        .join(Allocation, of_entry)
        .where(Allocation.written_at >= since, Allocation.allocated_on <= period.last_on)
    )
    sent = (
        select(Settlement.reservation_id)
        .join(Refund, refers_to(Refund.settlement_id, Settlement))
        .where(Refund.written_at >= since, Refund.sent_on <= period.last_on)
    )
    renamed = select(AuditRecord.subject_id).where(
        AuditRecord.subject_kind == "building",
        AuditRecord.audit_event.in_(_CHANGES_WHOSE_INCOME),
        AuditRecord.at >= since,
    )
    found = set(session.scalars(union(paid, sent)))
    buildings = session.scalars(renamed).all()
    if buildings:
        of_buildings = (
            select(Reservation.id)
            .join(Unit, refers_to(Reservation.unit_id, Unit))
            .where(one_of(Unit.building_id, buildings))
        )
        found |= set(session.scalars(of_buildings))
    return found


def _sum_closed_months(session: Session, subject_ids: Iterable[str]) -> dict[str, Journal]:
    """Return the closed journals of some reservations or buildings, summed by key."""
    rows = session.scalars(
        select(ClosedJournal)
        .join(MonthClosing, refers_to(ClosedJournal.closing_id, MonthClosing))
        .where(MonthClosing.reopened_at.is_(None), one_of(ClosedJournal.subject_id, subject_ids))
        .order_by(MonthClosing.month_on, ClosedJournal.number)
    )
    found: dict[str, Journal] = {}
    for row in rows:
        journal = _build_journal(row)
        if row.key in found:
            journal.postings = [*found[row.key].postings, *journal.postings]
        found[row.key] = journal
    return found


def _income_now(
    session: Session, was: Mapping[str, Journal], now: Mapping[str, Journal]
) -> Mapping[BuildingMonth, int]:
    """Return the owners' present income of all closed months, by building and month.

    A month whose income became 0 is included, so that its fee is corrected.
    """
    income: defaultdict[BuildingMonth, int] = defaultdict(int)
    query = (
        select(
            ClosedJournal.building_id, ClosedJournal.month_on, func.sum(ClosedJournal.income_yen)
        )
        .join(MonthClosing, refers_to(ClosedJournal.closing_id, MonthClosing))
        .where(MonthClosing.reopened_at.is_(None))
        .group_by(ClosedJournal.building_id, ClosedJournal.month_on)
    )
    for building_id, month_on, yen in session.execute(query):
        income[building_id, month_on] += int(yen)
    for sign, journals in ((-1, was), (1, now)):
        for place, yen in income_of(journals.values()).items():
            income[place] += sign * yen
    return income


def _build_journal(row: ClosedJournal) -> Journal:
    return Journal(
        row.key,
        row.happened_on,
        row.subject_id,
        row.building_id,
        row.memo,
        read_stored(list[Posting], row.postings),
        row.entered_on,
        row.is_late,
    )
