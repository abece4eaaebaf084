"""Tells where an imported tenancy stands by its days alone."""

from datetime import date

from pms.arrivals.sheets.resident_rows import ResidentRow
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind


def lifecycle_on(stated: ResidentRow, today: date) -> Lifecycle:
    """Booked or confirmed before the start, then living, notice filed, moved out, refunded."""
    if stated.start_on > today:
        return _before_the_start(stated)
    out_on = stated.move_out_date
    if out_on is None and stated.kind is ReservationKind.GUEST:
        out_on = stated.end_on
        if out_on is not None and out_on >= today:
            return Lifecycle.LIVING
    if out_on is None:
        return Lifecycle.LIVING
    if out_on >= today:
        return Lifecycle.NOTICE_FILED
    is_refunded = stated.payment_status is PaymentStatus.REFUNDED
    return Lifecycle.REFUNDED if is_refunded else Lifecycle.MOVED_OUT


def _before_the_start(stated: ResidentRow) -> Lifecycle:
    is_paid = stated.payment_status is PaymentStatus.PAID
    is_signed = stated.esign_status is EsignStatus.SIGNED
    return Lifecycle.CONFIRMED if is_paid and is_signed else Lifecycle.BOOKED
