"""Gives an entry its invoice: a number of the year, no gap before it, and the day it is issued."""

import re
from datetime import date
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.foundation.audit import note_deed, of_reservation
from pms.foundation.clock import Clock
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.numbering import lock_series, take_number
from pms.foundation.wording import said_yen
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.deeds import Deed
from pms.rules.enumerations import EntryKind
from pms.statements.entry_lines import count_of_lines, entry_lines, total_yen
from pms.statements.models import Invoice
from pms.statements.parties import operator_of

SERIES: Final = "invoice"
_QUALIFIED: Final = re.compile(r"T[0-9]{13}")


def issue_invoice(session: Session, clock: Clock, actor: str, entry_id: str) -> Invoice:
    """Return the invoice of an entry; a second call returns the same one.

    Raises `NotFound` for an unknown entry, `Refused` for one that bills nothing.
    """
    question = select(LedgerEntry).where(LedgerEntry.id == entry_id)
    entry = session.scalar(question) if is_id(entry_id) else None
    if entry is None:
        raise NotFound("There is no entry '{entry_id}'.", entry_id=entry_id[:60])
    return _issued(session, entry_id) or _issue(session, clock, actor, entry)


def _issue(session: Session, clock: Clock, actor: str, entry: LedgerEntry) -> Invoice:
    today = clock.today()
    _refuse(session, entry, today)
    # Whoever issues the same invoice at this moment is waited for, and then found.
    lock_series(session, SERIES, today)
    issued = _issued(session, entry.id)
    if issued is not None:
        return issued
    invoice = Invoice(
        entry_id=entry.id,
        number=take_number(session, SERIES, today),
        issued_on=today,
        locale=_locale_of(session, entry.reservation_id),
        issued_lines=count_of_lines(session, entry.id),
        written_at=clock.now(),
        written_by=actor,
    )
    session.add(invoice)
    about, told = of_reservation(entry.reservation_id), {"number": invoice.number}
    note_deed(session, clock, actor, Deed.INVOICE_ISSUED, about, after=told)
    session.flush()
    return invoice


def _refuse(session: Session, entry: LedgerEntry, today: date) -> None:
    if entry.kind == EntryKind.OPPOSITE:
        raise Refused("entry: an opposite entry voids another one and has no invoice.")
    if session.scalar(select(LedgerEntry.id).where(LedgerEntry.opposes_id == entry.id)):
        raise Refused("entry: it was voided, so there is nothing to invoice.")
    total = total_yen(entry_lines(session, entry.id, today))
    if total <= 0:
        raise Refused(
            "entry: its total is {total}; an invoice asks for ¥1 or more.", total=said_yen(total)
        )
    number = operator_of(session).qualified_invoice_number
    if number and not _QUALIFIED.fullmatch(number):
        raise Refused(
            "qualified invoice number: '{number}' is not T and 13 digits.", number=number[:40]
        )


def _issued(session: Session, entry_id: str) -> Invoice | None:
    return session.scalar(select(Invoice).where(Invoice.entry_id == entry_id))


def _locale_of(session: Session, reservation_id: str) -> str:
    return session.scalars(select(Reservation.locale).where(Reservation.id == reservation_id)).one()
