"""One transfer: what it says, whom it may be of, and placing it by hand."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Any

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms import Form

from pms.bank.bank_day import transfer_record
from pms.bank.transfers import place_as_offered, place_on_bill, set_transfer_aside as set_transfer_aside_verb, take_off as take_off_verb
from pms.checkouts.bills_to_place import bills_to_place
from pms.foundation.errors import Refused
from pms.rules.enumerations import TransferState
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.fields import FlagField, HiddenField, Optional, TextField
from pms.surfaces.hypermedia import Undo, go, page


class PlaceForm(Form):
    """The bill of a resident, and whether the payer is remembered for it."""

    bill = HiddenField()
    learns = FlagField(lazy_gettext("Remember this payer"), default=True)
    reason = TextField(lazy_gettext("Why"), [Optional()])


class SearchForm(Form):
    """Whose bills are looked for."""

    q = TextField(lazy_gettext("Name or unit"), [Optional()])


@dashboard.get("/bank/transfers/<transfer_id>", roles=OFFICE)
def transfer(transfer_id: str) -> Response:
    """Show the transfer with the bills it may pay; `q` looks for others by name or unit."""
    return _shown(transfer_id, PlaceForm())


@dashboard.post("/bank/transfers/<transfer_id>/offer", roles=OFFICE)
def place_offer(transfer_id: str) -> Response:
    """Record the transfer as one of its offers proposes, if the offer still stands."""
    form = Form()
    offered = request.form.get("offer", "")
    return submitted(
        form,
        act=lambda session: place_as_offered(session, clock(), actor(), transfer_id, offered),
        then=lambda _ids: _done(transfer_id, _("The transfer is recorded.")),
        again=lambda: _shown(transfer_id, PlaceForm(), form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/place", roles=OFFICE)
def place_transfer(transfer_id: str) -> Response:
    """Record the whole transfer for one resident, the bill that was chosen first."""
    form = PlaceForm(request.form)
    reservation_id, _slash, entry_id = (form.bill.data or "").partition("/")
    return submitted(
        form,
        act=lambda session: place_on_bill(
            session,
            clock(),
            actor(),
            transfer_id,
            reservation_id=reservation_id,
            entry_id=entry_id,
            learns=bool(form.learns.data),
        ),
        then=lambda _ids: _done(transfer_id, _("The transfer is recorded.")),
        again=lambda: _shown(transfer_id, form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/state", roles=OFFICE)
def set_transfer_aside(transfer_id: str) -> Response:
    """Keep it as suspense, say that it is no rent, or let it wait again."""
    form = Form()
    word = request.form.get("state", "")

    def act(session: Any) -> None:
        if word not in {state.value for state in TransferState}:
            raise Refused("state: '{word}' is no state of a transfer.", word=word[:40])
        set_transfer_aside_verb(session, clock(), actor(), transfer_id, TransferState(word))

    return submitted(
        form,
        act=act,
        then=lambda _none: _aside(transfer_id),
        again=lambda: _shown(transfer_id, PlaceForm(), form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/off", roles=OFFICE)
def take_off(transfer_id: str) -> Response:
    """Take it off the bills it paid."""
    form = PlaceForm(request.form)
    return submitted(
        form,
        act=lambda session: take_off_verb(
            session,
            clock(),
            actor(),
            transfer_id,
            reason=form.reason.data or _("recorded for the wrong bill"),
        ),
        then=lambda _count: go(
            url_for("dashboard.transfer", transfer_id=transfer_id),
            said=_("The transfer waits again; its bills are owed again."),
        ),
        again=lambda: _shown(transfer_id, form),
    )


def _done(transfer_id: str, said: str) -> Response:
    undone = Undo(url_for("dashboard.take_off", transfer_id=transfer_id), {})
    return go(url_for("dashboard.bank_day"), said=said, undo=undone)


def _aside(transfer_id: str) -> Response:
    again = {"state": TransferState.WAITING.value}
    undone = Undo(url_for("dashboard.set_transfer_aside", transfer_id=transfer_id), again)
    return go(url_for("dashboard.bank_day"), said=_("Saved."), undo=undone)


def _shown(transfer_id: str, form: PlaceForm, refused: Form | None = None) -> Response:
    session = reading()
    record = transfer_record(session, transfer_id, today())
    search = SearchForm(request.args)
    words = (search.q.data or "") if search.validate() else ""
    return page(
        "dashboard/bank/transfer.html",
        form=form,
        refused=refused or form,
        record=record,
        search=search,
        bills=bills_to_place(session, today(), amount_yen=record.yen, words=words, most=12)
        if record.state in {TransferState.WAITING, TransferState.KEPT}
        else (),
        search_at=url_for("dashboard.transfer", transfer_id=transfer_id),
    )
