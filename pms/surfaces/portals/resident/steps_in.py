"""The steps from an application to the key, as whoever applied sees them."""

from collections.abc import Sequence

from flask_babel import gettext as _

from pms.arrivals.reservation_header import ReservationHeader
from pms.rules.enumerations import EsignStatus, Lifecycle, PaymentStatus, ReservationKind

_BEFORE = (Lifecycle.BOOKED, Lifecycle.CONFIRMED)
Step = tuple[str, str]
"""What it is, and whether it is done, the current one or later."""


def steps_in(header: ReservationHeader) -> Sequence[Step]:
    """Return the steps of a tenancy that has not begun; none once somebody lives there."""
    if header.lifecycle not in _BEFORE or header.kind is not ReservationKind.RESIDENT:
        return ()
    is_paid = header.is_invoice_paid or header.payment_status is PaymentStatus.PAID
    told = (
        (_("Application"), True),
        (_("Contract signed"), header.esign_status is EsignStatus.SIGNED),
        (_("Move-in invoice paid"), is_paid),
        (_("Moving in"), False),
    )
    current = next(place for place, (_words, is_done) in enumerate(told) if not is_done)
    return [
        (str(words), "done" if is_done else "current" if place == current else "later")
        for place, (words, is_done) in enumerate(told)
    ]
