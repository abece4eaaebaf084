"""Remembered payers of reservations."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.bank.models import BankPayer
from pms.catalogue.models import Building, Unit
from pms.foundation.audit import note_audit_event, of_reservation
from pms.foundation.db import insert_new
from pms.foundation.errors import Refused, no_such
from pms.foundation.ids import is_id, new_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.foundation.work import Work, locked
from pms.reservations.models import Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.payer_names import company_key


class RememberedPayer(NamedTuple):
    """A payer in the list of a reservation."""

    id: str
    reservation_id: str
    payer: str


def remembered_payers(session: Session) -> Mapping[str, Sequence[RememberedPayer]]:
    """Return the payers of each reservation, in the order in which they were learnt."""
    found: dict[str, list[RememberedPayer]] = {}
    query = select(BankPayer.id, BankPayer.reservation_id, BankPayer.payer).order_by(BankPayer.id)
    for row in session.execute(query):
        payer = RememberedPayer(*row)
        found.setdefault(payer.reservation_id, []).append(payer)
    return found


class PayerShown(NamedTuple):
    """A remembered payer, its reservation, and who added it when."""

    id: str
    payer: str
    reservation_id: str
    name: str
    building: Bilingual
    unit: str
    learnt_at: datetime
    learnt_by: str


class PayerList(NamedTuple):
    """The payers of one page, and the number of all."""

    payers: tuple[PayerShown, ...]
    total: int


def list_payers(session: Session, paging: Paging) -> PayerList:
    """Return remembered payers by name; those of one company are together."""
    rows = session.execute(
        select(
            BankPayer.id,
            BankPayer.payer,
            Reservation.id,
            Reservation.name,
            Building.name,
            Building.name_en,
            Unit.name,
            BankPayer.learnt_at,
            BankPayer.learnt_by,
        )
        .join(Reservation, refers_to(BankPayer.reservation_id, Reservation))
        .join(Reservation.unit)
        .join(Unit.building)
        .order_by(BankPayer.key, BankPayer.form, BankPayer.id)
        .offset(paging.offset)
        .limit(paging.limit)
    )
    total = session.scalar(select(func.count()).select_from(BankPayer)) or 0
    shown = [PayerShown(*row[:4], Bilingual(row[4], row[5]), *row[6:]) for row in rows]
    return PayerList(tuple(shown), total)


def learn_payer(
    work: Work, *, payer: str, reservation_id: str, learnt_from: str | None = None
) -> bool:
    """Remember a payer for a reservation; return whether it is new.

    A payer, such as a company, may be remembered for several reservations.
    """
    key, form = company_key(payer)
    if not key:
        raise Refused("payer: '{payer}' has no name that could be remembered.", payer=payer[:60])
    locked(work.session, Reservation, reservation_id)
    known = select(BankPayer.id).where(
        BankPayer.key == key, BankPayer.form == form, BankPayer.reservation_id == reservation_id
    )
    if work.session.scalar(known) is not None:
        return False
    id_ = new_id()
    facts = {
        "id": id_,
        "reservation_id": reservation_id,
        "payer": payer,
        "key": key,
        "form": form,
        "learnt_from": learnt_from,
        "learnt_at": work.clock.now(),
        "learnt_by": work.actor,
    }
    insert_new(work.session, BankPayer, [facts])
    about = of_reservation(reservation_id)
    note_audit_event(work, AuditEvent.PAYER_LEARNT, about, after={"payer": payer})
    return True


def forget_payer(work: Work, payer_id: str) -> None:
    """Forget a remembered payer; transfers placed by it stay."""
    row = None
    if is_id(payer_id):
        row = work.session.scalar(select(BankPayer).where(BankPayer.id == payer_id))
    if row is None:
        raise no_such("remembered payer", payer_id)
    _delete_payer(work, row)
    work.session.flush()


def forget_learnt_payers(work: Work, transfer_id: str) -> None:
    """Forget the payers learnt from a transfer that was placed wrongly."""
    for row in work.session.scalars(select(BankPayer).where(BankPayer.learnt_from == transfer_id)):
        _delete_payer(work, row)
    work.session.flush()


def _delete_payer(work: Work, row: BankPayer) -> None:
    work.session.delete(row)
    about = of_reservation(row.reservation_id)
    note_audit_event(work, AuditEvent.PAYER_FORGOTTEN, about, before={"payer": row.payer})
