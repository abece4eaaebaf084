"""Takes a new status of the payment or the signature, as a provider or staff tell it."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.change_esign_status import change_esign_status
from pms.arrivals.change_payment_status import change_payment_status as change_payment_status_verb
from pms.arrivals.confirming import StatusChange
from pms.arrivals.reservation_header import reservation_header
from pms.contracts.outdated_papers import refuse_outdated
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import EsignStatus, PaymentStatus
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.reservation import overview
from pms.surfaces.dashboard.reservations.status_form import EsignForm, PaymentForm
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import go


@dashboard.post("/reservations/<reservation_id>/payment-status", roles=OFFICE)
def change_payment_status(reservation_id: str) -> Response:
    """Change the status of the move-in payment where the change is allowed."""
    header = reservation_header(reading(), reservation_id, today())
    form = PaymentForm.of(header, request.form)
    return submitted(
        form,
        act=lambda session: change_payment_status_verb(
            session,
            clock(),
            actor(),
            reservation_id=reservation_id,
            status=PaymentStatus(form.paymentStatus.data),
        ),
        then=lambda change: _changed(reservation_id, change),
        again=lambda: overview(header, form, EsignForm.of(header)),
    )


@dashboard.post("/reservations/<reservation_id>/signature", roles=OFFICE)
def change_signature(reservation_id: str) -> Response:
    """Change the status of the signature where the change is allowed."""
    header = reservation_header(reading(), reservation_id, today())
    form = EsignForm.of(header, request.form)
    return submitted(
        form,
        act=lambda session: _state_signature(session, reservation_id, form),
        then=lambda change: _changed(reservation_id, change),
        again=lambda: overview(header, PaymentForm.of(header), form),
    )


def _state_signature(
    session: WorkspaceSession, reservation_id: str, form: EsignForm
) -> StatusChange[EsignStatus]:
    refuse_outdated(session, reservation_id)
    return change_esign_status(
        session,
        clock(),
        actor(),
        reservation_id=reservation_id,
        status=EsignStatus(form.esignStatus.data),
    )


def _changed(
    reservation_id: str, change: StatusChange[PaymentStatus] | StatusChange[EsignStatus]
) -> Response:
    said = _("Now: %(state)s.", state=word(change.after))
    if change.is_confirmed:
        said = f"{said} {_('The booking is confirmed.')}"
    return go(url_for("dashboard.reservation", reservation_id=reservation_id), said=said)
