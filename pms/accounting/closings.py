"""Closing a month, and reopening the newest closed one."""

import io
import zipfile
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.accounting.charts import (
    PROGRAM_ENCODINGS,
    Chart,
    chart_of,
    chart_of_closing,
    journal_file,
    part_count,
    stored_chart,
)
from pms.accounting.models import ClosedJournal, MonthClosing
from pms.accounting.months import MonthBooks, first_month, latest_closing, month_books
from pms.foundation.audit import note_audit_event
from pms.foundation.errors import Collision, Refused
from pms.foundation.ids import new_id
from pms.foundation.numbering import lock_series
from pms.foundation.work import Work, find_row
from pms.ledger.posting import write_rows
from pms.rules.audit_events import AuditEvent
from pms.rules.days import add_months, month_first, month_last
from pms.rules.journal_files import Program
from pms.rules.journals import Journal

_SERIES = "closing"
_LONGEST_REASON = 500


class Seen(NamedTuple):
    """What the person who closes a month was shown of it."""

    journals: int
    total_yen: int


def months_to_close(
    session: Session, month_on: date, latest: MonthClosing | None
) -> Sequence[date]:
    """Return the months that are closed together: this one and every open one after the latest."""
    first_on = add_months(latest.month_on, 1) if latest else first_month(session)
    found, each = [], min(first_on or month_on, month_on)
    while each <= month_on:
        found.append(each)
        each = add_months(each, 1)
    return found


def close_month(work: Work, *, month_on: date, seen: Seen | None = None) -> MonthClosing:
    """Close a month and every open one before it; return its closing.

    Its journals then never change: later changes are entered in the open month. Raises `Refused`
    for a month that is not over or is closed, and `Collision` when it differs from what was seen.
    """
    month_on = month_first(month_on)
    if work.clock.today() <= month_last(month_on):
        raise Refused(
            "month: {month_on:%Y-%m} is not over yet. Close it after its last day.",
            month_on=month_on,
        )
    lock_series(work.session, _SERIES, date(2000, 1, 1))
    latest = latest_closing(work.session)
    if latest is not None and month_on <= latest.month_on:
        raise Refused("month: {month_on:%Y-%m} is already closed.", month_on=month_on)
    chart = chart_of(work.session)
    closing = None
    for each in months_to_close(work.session, month_on, latest):
        books = month_books(work.session, each)
        if each == month_on and seen not in (None, Seen(len(books.journals), books.total_yen)):
            raise Collision(
                "The journals have changed since you opened this page. Check them again."
            )
        closing = _write_closing(work, books, chart)
    assert closing is not None
    return closing


def _write_closing(work: Work, books: MonthBooks, chart: Chart) -> MonthClosing:
    accounts, taxes = stored_chart(chart)
    closing = MonthClosing(
        id=new_id(),
        month_on=books.month_on,
        accounts=accounts,
        taxes=taxes,
        journals=len(books.journals),
        total_yen=books.total_yen,
        closed_at=work.clock.now(),
        closed_by=work.actor,
    )
    work.session.add(closing)
    try:
        work.session.flush()
    except IntegrityError as second:
        raise Collision("A colleague closed the month at the same time.") from second
    rows = [
        {"closing_id": closing.id, "number": number, **_columns_of(journal)}
        for number, journal in enumerate(books.journals, start=1)
    ]
    write_rows(work.session, ClosedJournal, rows)
    facts = {
        "month_on": books.month_on,
        "journals": closing.journals,
        "amount_yen": closing.total_yen,
    }
    about = ("month_closing", closing.id)
    note_audit_event(work, AuditEvent.MONTH_CLOSED, about, after=facts)
    work.session.flush()
    return closing


def _columns_of(journal: Journal) -> dict[str, Any]:
    closed_forms: list[list[str | int]] = []
    for posting in journal.postings:
        # A posting in the form of a closed month; a named owner comes last.
        role, yen, tax, owner = posting
        closed_forms.append([role, yen, tax.value, *([owner] if owner else [])])
    return {
        "key": journal.key,
        "subject_id": journal.subject_id,
        "building_id": journal.building_id,
        "month_on": month_first(journal.happened_on),
        "happened_on": journal.happened_on,
        "entered_on": journal.entered_on,
        "is_late": journal.is_late,
        "memo": journal.memo,
        "postings": closed_forms,
        "income_yen": journal.owners_yen if journal.is_income_of_owner else 0,
    }


def reopen_month(work: Work, *, closing_id: str, reason: str) -> MonthClosing:
    """Reopen the newest closed month, so that its journals come from the ledger again.

    The closing and its files stay as they were. Raises `Refused` for an earlier month, and without
    a reason.
    """
    note = reason.strip()
    if not note or len(note) > _LONGEST_REASON or not note.isprintable():
        raise Refused(
            "reason: enter the reason in one line of at most {most_characters} characters.",
            most_characters=_LONGEST_REASON,
        )
    lock_series(work.session, _SERIES, date(2000, 1, 1))
    closing = closing_by_id(work.session, closing_id)
    latest = latest_closing(work.session)
    if latest is None or latest.id != closing.id:
        raise Refused(
            "month: {month_on:%Y-%m} cannot be reopened. Only the last closed month can.",
            month_on=closing.month_on,
        )
    closing.reopened_at, closing.reopened_by, closing.reason = work.clock.now(), work.actor, note
    about, facts = ("month_closing", closing.id), {"month_on": closing.month_on, "note": note}
    note_audit_event(work, AuditEvent.MONTH_REOPENED, about, after=facts)
    work.session.flush()
    return closing


def closing_by_id(session: Session, closing_id: str) -> MonthClosing:
    """Return a closing; raise `NotFound` for an unknown id."""
    return find_row(session, MonthClosing, closing_id)


_ZIP_DAY = (1980, 1, 1, 0, 0, 0)
"""The day of every file of an archive: the same journals give the same bytes."""


def year_archive(session: Session, year: int, program: Program, through: date) -> bytes:
    """Return a zip with the files of each month of a year up to a day, for one program.

    A closed month is as it was closed. One that is not closed yet says so in its name; months without
    journals are left out.
    """
    encoding, packed = PROGRAM_ENCODINGS[program][0], io.BytesIO()
    months = (date(year, month, 1) for month in range(1, 13))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for month_on in (month_on for month_on in months if month_on <= through):
            books = month_books(session, month_on)
            if not books.journals:
                continue
            chart = chart_of_closing(books.closing) if books.closing else chart_of(session)
            state = "" if books.closing else "-open"
            parts = part_count(program, books.journals, chart)
            for part in range(1, parts + 1):
                number = f"-{part}" if parts > 1 else ""
                name = f"journals-{month_on:%Y-%m}-{program}{number}{state}.csv"
                content = journal_file(program, encoding, books.journals, chart, part)
                archive.writestr(zipfile.ZipInfo(name, _ZIP_DAY), content)
    return packed.getvalue()
