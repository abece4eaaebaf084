"""The forms that take a new status of the payment or the signature, by the allowed changes."""

from typing import Self

from flask_babel import lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.arrivals.reservation_header import ReservationHeader
from pms.rules.enumerations import EsignStatus, PaymentStatus
from pms.rules.status_changes import ESIGN_CHANGES, PAYMENT_CHANGES
from pms.surfaces.enumeration_words import word
from pms.surfaces.fields import ChoiceField, Required


class PaymentForm(Form):
    """What the payment of the move-in invoice becomes."""

    paymentStatus = ChoiceField(lazy_gettext("Move-in payment becomes"), [Required()])

    @classmethod
    def of(cls, header: ReservationHeader, typed: MultiDict[str, str] | None = None) -> Self:
        """Return the form with what the status may become; a refund is sent, not stated."""
        form = cls(typed)
        following = PAYMENT_CHANGES[header.payment_status] - {PaymentStatus.REFUNDED}
        form.paymentStatus.choices = [
            (one.value, word(one)) for one in PaymentStatus if one in following
        ]
        return form


class EsignForm(Form):
    """What the signature of the contract becomes."""

    esignStatus = ChoiceField(lazy_gettext("Contract becomes"), [Required()])

    @classmethod
    def of(cls, header: ReservationHeader, typed: MultiDict[str, str] | None = None) -> Self:
        """Return the form with what the status may become."""
        form = cls(typed)
        following = ESIGN_CHANGES[header.esign_status]
        form.esignStatus.choices = [
            (one.value, word(one)) for one in EsignStatus if one in following
        ]
        return form
