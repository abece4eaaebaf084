"""Who the people in arrears are, where they live, and when they were last written to."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.foundation.bilingual import Bilingual
from pms.foundation.prepared import one_of
from pms.ledger.models import LedgerEntry
from pms.reservations.models import Reservation
from pms.rules.enumerations import Lifecycle
from pms.statements.models import Invoice


class Debtor(NamedTuple):
    """A resident as a list of debts shows them; the instants are those of mails about bills."""

    name: str
    name_kana: str | None
    email: str | None
    lifecycle: Lifecycle
    building: Bilingual
    unit: str
    invoiced_at: datetime | None
    reminded_at: datetime | None


def debtors(session: Session, reservation_ids: Sequence[str]) -> Mapping[str, Debtor]:
    """Return the people of reservations in two questions, however many."""
    ids = list(reservation_ids)
    written = _written_to(session, ids)
    return {
        id_: Debtor(
            name,
            kana,
            email,
            Lifecycle(lifecycle),
            Bilingual(building, building_en),
            unit,
            *written.get(id_, (None, None)),
        )
        for id_, name, kana, email, lifecycle, unit, building, building_en in session.execute(
            select(
                Reservation.id,
                Reservation.name,
                Reservation.name_kana,
                Reservation.email,
                Reservation.lifecycle,
                Unit.name,
                Building.name,
                Building.name_en,
            )
            .join(Reservation.unit)
            .join(Unit.building)
            .where(one_of(Reservation.id, ids))
        )
    }


def _written_to(
    session: Session, ids: list[str]
) -> Mapping[str, tuple[datetime | None, datetime | None]]:
    found = session.execute(
        select(LedgerEntry.reservation_id, func.max(Invoice.sent_at), func.max(Invoice.reminded_at))
        .join(
            Invoice,
            (Invoice.workspace_id == LedgerEntry.workspace_id)
            & (Invoice.entry_id == LedgerEntry.id),
        )
        .where(one_of(LedgerEntry.reservation_id, ids))
        .group_by(LedgerEntry.reservation_id)
    )
    return {id_: (sent_at, reminded_at) for id_, sent_at, reminded_at in found}
