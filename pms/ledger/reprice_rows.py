"""Reprices the billed rows of a reservation after its dates changed (Month to month; Stub rule)."""

from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.ledger.rent_facts import RentFacts, rent_facts
from pms.ledger.repricing_plan import RepricedRow, post_repriced, repriced
from pms.reservations.locks import locked_reservation
from pms.rules.month_to_month import Tenancy
from pms.rules.repricing import repriced_rows


def reprice_rows(
    session: Session, clock: Clock, actor: str, reservation_id: str
) -> tuple[RepricedRow, ...]:
    """Append what the tenancy as it stands now makes of the rows; return those that changed.

    Nothing is edited; asked again, nothing changes. Day and instant are the clock's.
    """
    locked_reservation(session, reservation_id)
    changed = _planned(session, rent_facts(session, reservation_id, clock.today()))
    post_repriced(session, clock, changed)
    return changed


def preview_repricing(
    session: Session, clock: Clock, reservation_id: str, tenancy: Tenancy
) -> tuple[RepricedRow, ...]:
    """Return what `reprice_rows` would append if the tenancy became as given."""
    return _planned(session, rent_facts(session, reservation_id, clock.today(), tenancy))


def _planned(session: Session, facts: RentFacts) -> tuple[RepricedRow, ...]:
    after = repriced_rows([standing.row for standing in facts.rows], facts.span)
    return repriced(session, facts, facts.rows, after)
