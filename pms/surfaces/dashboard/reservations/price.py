"""The price of a reservation over time: the original, its periods, and a new one."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.arrivals.price_history import PriceHistory, price_history
from pms.foundation.errors import Refused
from pms.foundation.tenancy import WorkspaceSession
from pms.ledger.change_price import change_price as change_price_verb
from pms.ledger.preview_price import PricePreview, preview_price as preview_price_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.reservations.frame import framed
from pms.surfaces.dashboard.reservations.previewing import Shown, shown_or_refused
from pms.surfaces.dashboard.reservations.price_change_form import PriceChangeForm
from pms.surfaces.hypermedia import go


@dashboard.get("/reservations/<reservation_id>/price", roles=OFFICE)
def reservation_price(reservation_id: str) -> Response:
    """Show the timeline, and the form of a new period filled with the price of now."""
    history = price_history(reading(), reservation_id, today())
    form = PriceChangeForm.begun(history.next_from_on, history.amounts, history.offered)
    return _shown(reservation_id, history, form)


@dashboard.post("/reservations/<reservation_id>/price/preview", roles=OFFICE)
def preview_price(reservation_id: str) -> Response:
    """Show what the months not billed yet would cost."""
    history, form = _typed(reservation_id)
    found = Shown[PricePreview]()
    if form.validate():
        found = shown_or_refused(form, lambda: _previewed(reservation_id, history, form))
    return _shown(reservation_id, history, form, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/price", roles=OFFICE)
def change_price(reservation_id: str) -> Response:
    """Begin the new period."""
    history, form = _typed(reservation_id)

    def act(session: WorkspaceSession) -> None:
        try:
            change_price_verb(
                session,
                clock(),
                actor(),
                reservation_id=reservation_id,
                from_on=form.fromOn.data,
                amounts=form.amounts,
                fees=form.charged(history.offered),
            )
        except Refused as problem:
            raise _beside_the_day(problem) from problem

    return submitted(
        form,
        act=act,
        then=lambda _done: go(
            url_for("dashboard.reservation_price", reservation_id=reservation_id),
            said=_("The new price is agreed."),
        ),
        again=lambda: _shown(reservation_id, history, form),
    )


def _typed(reservation_id: str) -> tuple[PriceHistory, PriceChangeForm]:
    history = price_history(reading(), reservation_id, today())
    form = PriceChangeForm(request.form)
    form.name_fees(history.offered)
    return history, form


def _previewed(reservation_id: str, history: PriceHistory, form: PriceChangeForm) -> PricePreview:
    try:
        return preview_price_verb(
            reading(),
            clock(),
            reservation_id=reservation_id,
            from_on=form.fromOn.data,
            amounts=form.amounts,
            fees=form.charged(history.offered),
        )
    except Refused as problem:
        raise _beside_the_day(problem) from problem


def _beside_the_day(problem: Refused) -> Refused:
    """A price is refused for the day it begins on, unless a field of its own is named."""
    return problem if problem.field is not None else problem.beside("fromOn")


def _shown(
    reservation_id: str,
    history: PriceHistory,
    form: PriceChangeForm,
    found: Shown[PricePreview] | None = None,
    block: str = "tab",
) -> Response:
    return framed(
        reservation_id,
        "dashboard/reservations/price.html",
        tab="reservation_price",
        block=block,
        is_preview=block == "preview",
        history=history,
        form=form,
        found=found or Shown(),
    )
