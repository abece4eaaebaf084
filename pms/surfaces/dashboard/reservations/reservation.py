"""The overview of one reservation: dates, people, price, state, and what to do next."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response

from pms.arrivals.reservation_facts import reservation_facts
from pms.arrivals.reservation_header import ReservationHeader, reservation_header
from pms.contracts.outdated_papers import outdated_paper_of
from pms.surfaces.dashboard.desk import reading, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.status_form import EsignForm, PaymentForm


@dashboard.get("/reservations/<reservation_id>", roles=OFFICE)
def reservation(reservation_id: str) -> Response:
    """Show the overview."""
    header = reservation_header(reading(), reservation_id, today())
    return overview(header, PaymentForm.of(header), EsignForm.of(header))


def overview(
    header: ReservationHeader, payment_form: PaymentForm, esign_form: EsignForm
) -> Response:
    """Show the overview with its forms as they stand."""
    return framed(
        header.id,
        "dashboard/reservations/overview.html",
        tab="reservation",
        header=header,
        facts=reservation_facts(reading(), header.id, today()),
        payment_form=payment_form,
        esign_form=esign_form,
        stale=outdated_paper_of(reading(), header.id),
    )
