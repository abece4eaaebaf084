"""Whose deposits are reported, and why the others are left out."""

from dataclasses import dataclass

from pms.rules.enumerations import DepositExclusion, ReservationKind


@dataclass(frozen=True, slots=True)
class ReportedReservation:
    """What decides about deposit reporting; the balance itself is computed for everyone."""

    kind: ReservationKind = ReservationKind.RESIDENT
    is_imported: bool = False
    has_moved_in: bool = True
    is_move_in_invoice_paid: bool = True
    """True also where there is none, as of a tenancy taken over."""


def exclusion_of(reservation: ReportedReservation) -> DepositExclusion | None:
    """Why a reservation is left out of deposit reporting, or None (Deposit 3)."""
    if reservation.is_imported:
        return DepositExclusion.RENT_ROLL
    if reservation.kind == ReservationKind.OWNER_RESIDENT:
        return DepositExclusion.OWNER_RESIDENT
    if reservation.kind == ReservationKind.GUEST:
        return DepositExclusion.GUEST
    is_onboarded = reservation.has_moved_in or reservation.is_move_in_invoice_paid
    return None if is_onboarded else DepositExclusion.ONBOARDING
