"""One bank transfer: what it may pay, recording it by hand, and setting it aside."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.bank import transfers
from pms.bank.transfer_records import transfer_record
from pms.bank.transfers import place_as_offered, place_on_bills
from pms.checkouts import open_bills
from pms.checkouts.open_bills import BillToPlace
from pms.foundation.errors import Refused
from pms.foundation.work import Work
from pms.rules.enumerations import TransferState
from pms.surfaces.dashboard.bank import renew_verdicts
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.fields import FlagField, Optional, TextField
from pms.surfaces.forms import QueryForm, submitted
from pms.surfaces.hypermedia import Undo, go, page
from pms.surfaces.request_scope import today

_MOST_NAMED = 101
_MOST_SHOWN, _MOST_SEARCHED = 12, 10_000
_NO, _YES = "no", "yes"
_ALL = "all"


class PlaceTransferForm(FlaskForm):
    """Whether the payer is remembered for the chosen bills, and the reason."""

    learns = FlagField(lazy_gettext("Remember this payer"))
    reason = TextField(lazy_gettext("Reason"), [Optional()])


class BillSearchForm(QueryForm):
    """The name or unit whose bills are searched for."""

    q = TextField(lazy_gettext("Name or unit"), [Optional()])


@dashboard.get("/bank/transfers/<transfer_id>", roles=OFFICE, is_of_all_buildings=True)
def transfer(transfer_id: str) -> Response:
    """Show the transfer with the bills it may pay.

    `q` searches other bills by name or unit; each `bill` is already chosen, for a payer who pays
    several; `learns` says whether the payer will be remembered for them. Where it does not, the
    payer is remembered where name and amount agree.
    """
    record = transfer_record(reading(), transfer_id, today())
    learns = request.args.get("learns") == _YES
    if "learns" not in request.args and record.match is not None:
        learns = any(map(transfers.is_worth_remembering, record.match.offers))
    form = PlaceTransferForm(data={"learns": learns})
    return _render_transfer(transfer_id, form, chosen=_named_bills(request.args))


def _named_bills(values: MultiDict[str, str]) -> list[tuple[str, str]]:
    """Return the bills named in the values, each by its reservation and its entry."""
    named = [mark.partition("/") for mark in values.getlist("bill")[:_MOST_NAMED]]
    return list(dict.fromkeys((mark[0], mark[2]) for mark in named if mark[0]))


@dashboard.post("/bank/transfers/<transfer_id>/offer", roles=OFFICE, is_of_all_buildings=True)
def place_offer(transfer_id: str) -> Response:
    """Record the transfer as one of its offers proposes, if the offer is still valid."""
    form = FlaskForm()
    offered = request.form.get("offer", "")
    return submitted(
        form,
        prepare=renew_verdicts,
        act=lambda work: place_as_offered(work, transfer_id, offered),
        then=lambda _ids: _go_to_day(transfer_id, _("Transfer recorded as a payment.")),
        again=lambda: _render_transfer(transfer_id, PlaceTransferForm(formdata=None), form),
    )


_CHOOSING: Final = frozenset({"search", "add", "without"})
"""The buttons that choose bills and record nothing."""


@dashboard.post("/bank/transfers/<transfer_id>/place", roles=OFFICE, is_of_all_buildings=True)
def place_transfer(transfer_id: str) -> Response:
    """Record the whole transfer for the chosen bills, or first search, add one or leave one out."""
    form = PlaceTransferForm()
    marks = request.form.getlist("bill")
    if _CHOOSING & request.form.keys():
        transfer_record(reading(), transfer_id, today())  # raises where there is none
    if "search" in request.form:
        return go(_choosing_address(transfer_id, form, marks))
    if bill := request.form.get("add"):
        return go(_choosing_address(transfer_id, form, [*marks, bill]))
    if bill := request.form.get("without"):
        return go(_choosing_address(transfer_id, form, [mark for mark in marks if mark != bill]))
    chosen = _named_bills(request.form)
    return submitted(
        form,
        act=lambda work: place_on_bills(work, transfer_id, chosen, learns=bool(form.learns.data)),
        then=lambda _ids: _go_to_day(transfer_id, _("Transfer recorded as a payment.")),
        again=lambda: _render_transfer(transfer_id, form, chosen=chosen if len(chosen) > 1 else ()),
    )


@dashboard.post("/bank/transfers/<transfer_id>/state", roles=OFFICE, is_of_all_buildings=True)
def set_transfer_aside(transfer_id: str) -> Response:
    """Mark the transfer as suspense or as no rent, or let it wait again."""
    form = FlaskForm()
    word = request.form.get("state", "")

    def act(work: Work) -> None:
        if word not in {state.value for state in TransferState}:
            raise Refused("state: '{word}' is not a status of a transfer.", word=word[:40])
        transfers.set_transfer_aside(work, transfer_id, TransferState(word))

    return submitted(
        form,
        act=act,
        then=lambda _none: _go_to_day_with_undo(transfer_id),
        again=lambda: _render_transfer(transfer_id, PlaceTransferForm(formdata=None), form),
    )


@dashboard.post("/bank/transfers/<transfer_id>/off", roles=OFFICE, is_of_all_buildings=True)
def take_off(transfer_id: str) -> Response:
    """Remove the transfer from the bills it paid."""
    form = PlaceTransferForm()
    return submitted(
        form,
        act=lambda work: transfers.take_off(
            work, transfer_id, reason=form.reason.data or _("recorded for the wrong bill")
        ),
        then=lambda _count: go(
            url_for("dashboard.transfer", transfer_id=transfer_id),
            message=_("The transfer is unprocessed again. Its bills are unpaid again."),
        ),
        again=lambda: _render_transfer(transfer_id, form),
    )


def _choosing_address(transfer_id: str, form: PlaceTransferForm, marks: Sequence[str]) -> str:
    """Return the address of the transfer with these bills chosen and the words searched for."""
    return url_for(
        "dashboard.transfer",
        transfer_id=transfer_id,
        bill=marks,
        q=None if request.form.get("search") == _ALL else request.form.get("q") or None,
        learns=_YES if form.learns.data else _NO,
    )


def _go_to_day(transfer_id: str, message: str) -> Response:
    undone = Undo(url_for("dashboard.take_off", transfer_id=transfer_id), {})
    return go(url_for("dashboard.bank_day"), message=message, undo=undone)


def _go_to_day_with_undo(transfer_id: str) -> Response:
    again = {"state": TransferState.WAITING.value}
    undone = Undo(url_for("dashboard.set_transfer_aside", transfer_id=transfer_id), again)
    return go(url_for("dashboard.bank_day"), message=_("Saved."), undo=undone)


class BillReason(NamedTuple):
    """A bill that a transfer may pay, and why it is shown."""

    bill: BillToPlace
    reason: str


def _offered_bills(yen: int, words: str, picked: Sequence[BillToPlace]) -> Sequence[BillReason]:
    """Return the bills that may take the rest of a transfer, without those already picked.

    Found by words, they are what was looked for; else only a bill with a reason is shown: the
    amount, or the resident of a picked one.
    """
    rest = max(yen - sum(bill.open_yen for bill in picked), 0)
    found = open_bills.bills_to_place(
        reading(),
        today(),
        amount_yen=rest,
        words=words,
        most=_MOST_SHOWN if words else _MOST_SEARCHED,
        without=[bill.entry_id for bill in picked],
    )
    residents = {bill.reservation_id for bill in picked}
    offered = []
    for bill in found:
        reason = ""
        if bill.open_yen == rest:
            reason = _("The amount is the same.")
        elif bill.reservation_id in residents:
            reason = _("A further bill of the resident.")
        if reason or words:
            offered.append(BillReason(bill, reason))
    return offered[:_MOST_SHOWN]


def _render_transfer(
    transfer_id: str,
    form: PlaceTransferForm,
    refused: Form | None = None,
    chosen: Sequence[tuple[str, str]] = (),
) -> Response:
    record = transfer_record(reading(), transfer_id, today())
    search = BillSearchForm(request.values)
    words = (search.q.data or "") if search.validate() else ""
    waits = record.state in {TransferState.WAITING, TransferState.KEPT}
    picked = open_bills.bills_by_entry(reading(), today(), chosen) if waits and chosen else ()
    marks = [f"{bill.reservation_id}/{bill.entry_id}" for bill in picked]
    return page(
        "dashboard/bank/transfer.html",
        form=form,
        refused=refused or form,
        record=record,
        search=search,
        picked=picked,
        marks=marks,
        chosen_yen=sum(bill.open_yen for bill in picked),
        bills=_offered_bills(record.yen, words, picked) if waits else (),
    )
