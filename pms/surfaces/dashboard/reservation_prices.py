"""The price of a reservation over time: the original price, its periods, and a new one."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar

from flask import Response, current_app, request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms import Form

from pms.arrivals import (
    dates,
    price_changes,
    price_history,
    reservation_headers,
    reservation_record,
    tenancy_ways,
)
from pms.arrivals.dates import CorrectedFacts, DatesPreview
from pms.arrivals.price_changes import PricePreview
from pms.arrivals.price_history import PriceHistory
from pms.arrivals.reservation_headers import ReservationHeader
from pms.arrivals.reservation_record import ReservationFacts
from pms.arrivals.tenancy_ways import ReservationWay
from pms.foundation.errors import Collision, Refused
from pms.foundation.work import Work
from pms.offers import offers
from pms.rules.days import CorruptDay, RecordedDay, readable
from pms.surfaces.dashboard.gate import OFFICE, dashboard, may, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.dashboard.next_steps import next_button
from pms.surfaces.dashboard.reservation_list import PriceChangeForm
from pms.surfaces.fields import DayField, Optional
from pms.surfaces.forms import place_problem, submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, today

Preview = TypeVar("Preview")


@dataclass(frozen=True)
class ShownPrices(Generic[Preview]):
    """The preview of a form; None if it was not asked for or is refused."""

    preview: Preview | None = None
    is_refused: bool = False


def show_or_refuse(form: Form, ask: Callable[[], Preview]) -> ShownPrices[Preview]:
    """Return the preview, or put the refusal into the form."""
    try:
        return ShownPrices(ask())
    except (Refused, Collision) as problem:
        place_problem(form, problem)
        return ShownPrices(is_refused=True)


_TABS: Final = (
    ("reservation", lazy_gettext("Overview")),
    ("reservation_dates", lazy_gettext("Dates")),
    ("reservation_price", lazy_gettext("Price")),
    ("reservation_ledger", lazy_gettext("Ledger")),
    ("reservation_deposit", lazy_gettext("Deposit")),
    ("reservation_documents", lazy_gettext("Documents")),
    ("reservation_people", lazy_pgettext("reservation", "People")),
    ("reservation_messages", lazy_gettext("Messages")),
    ("reservation_departure", lazy_gettext("Departure")),
    ("reservation_history", lazy_gettext("History")),
)


class PriceTab(NamedTuple):
    """One tab as a link; the fields are in the order of the tabs macro."""

    text: LazyString
    href: str
    is_current: bool


def render_reservation_tab(
    reservation_id: str,
    template: str,
    *,
    tab: str | None = None,
    header: ReservationHeader | None = None,
    block: str = "tab",
    **shown: Any,
) -> Response:
    """Show a template that extends `dashboard/reservations/frame.html`, or its `tab` block.

    `tab` is the endpoint of the page's tab, if the page is not a tab itself, and `block` the block
    for htmx, if that is smaller than the tab.
    """
    found = header or reservation_headers.reservation_header(reading(), reservation_id, today())
    tabs = tabs_of(reservation_id, tab or (request.endpoint or "").rpartition(".")[2])
    current = next((each.text for each in tabs if each.is_current), "")
    damaged = refusal_text(found.damaged) if found.damaged else None
    facts = {"header": found, "damaged": damaged, "tabs": tabs, "tab_text": current}
    way = way_of(found)
    facts |= {"way": way, "step_button": next_button(way, found.id, found.version)}
    return page_or_block(template, block, **facts, **shown)


def way_of(header: ReservationHeader) -> ReservationWay:
    """Return the steps of a reservation, starting with its offer if it came from one."""
    from_offer = [header.id] if offers.is_from_offer(reading(), header.id) else []
    ways = tenancy_ways.reservation_ways(reading(), [header.way_record], header.today, from_offer)
    return ways[header.id]


def tabs_of(reservation_id: str, current: str) -> tuple[PriceTab, ...]:
    """Return the tabs that exist and that this person may open."""
    tabs: list[PriceTab] = []
    for endpoint, text in _TABS:
        if f"dashboard.{endpoint}" in current_app.view_functions and may(endpoint):
            href = url_for(f"dashboard.{endpoint}", reservation_id=reservation_id)
            tabs.append(PriceTab(text, href, endpoint == current))
    return tuple(tabs)


class DatesForm(FlaskForm):
    """The corrected dates; an empty field removes a correction."""

    overrideMoveInDate = DayField(lazy_gettext("Corrected move-in"), [Optional()])
    overrideContractEndDate = DayField(lazy_gettext("Corrected contract end"), [Optional()])
    arrivalDate = DayField(lazy_gettext("Arrival"), [Optional()])

    @classmethod
    def of(cls, facts: ReservationFacts) -> Self:
        """Return the form filled with the recorded dates; a damaged one is left empty."""
        return cls(
            formdata=None,
            data={
                "overrideMoveInDate": readable(facts.override_move_in_on),
                "overrideContractEndDate": readable(facts.override_contract_end_on),
                "arrivalDate": readable(facts.arrival_on),
            },
        )

    def corrections(self, facts: ReservationFacts) -> CorrectedFacts:
        """Return the typed dates; a damaged date whose field was left empty is not changed."""
        corrections: CorrectedFacts = {}
        if _is_stated(self.overrideMoveInDate.data, facts.override_move_in_on):
            corrections["override_move_in_date"] = self.overrideMoveInDate.data
        if _is_stated(self.overrideContractEndDate.data, facts.override_contract_end_on):
            corrections["override_contract_end_date"] = self.overrideContractEndDate.data
        if _is_stated(self.arrivalDate.data, facts.arrival_on):
            corrections["arrival_date"] = self.arrivalDate.data
        return corrections


def _is_stated(typed: date | None, recorded: RecordedDay) -> bool:
    return typed is not None or not isinstance(recorded, CorruptDay)


_TEMPLATE = "dashboard/reservations/dates.html"


@dashboard.get("/reservations/<reservation_id>/dates", roles=OFFICE)
def reservation_dates(reservation_id: str) -> Response:
    """Show the form of the dates."""
    facts = reservation_record.reservation_facts(reading(), reservation_id, today())
    return _render_dates(reservation_id, facts, Edit.of(DatesForm.of(facts), facts.version))


@dashboard.post("/reservations/<reservation_id>/dates/preview", roles=OFFICE)
def preview_dates(reservation_id: str) -> Response:
    """Show what the typed dates would add, remove and reprice."""
    form = DatesForm()
    edit = Edit.from_typed(form, request.form)
    facts = reservation_record.reservation_facts(reading(), reservation_id, today())
    found = ShownPrices[DatesPreview]()
    if form.validate():
        found = show_or_refuse(
            form,
            lambda: dates.preview_dates(
                reading(), clock(), reservation_id=reservation_id, **form.corrections(facts)
            ),
        )
    return _render_dates(reservation_id, facts, edit, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/dates", roles=OFFICE)
def correct_dates(reservation_id: str) -> Response:
    """Correct the dates and everything that was billed with the wrong ones."""
    form = DatesForm()
    edit = Edit.from_typed(form, request.form)

    def act(work: Work) -> None:
        now = reservation_record.reservation_facts(work.session, reservation_id, today())
        recorded = Edit.of(DatesForm.of(now), now.version)
        edit.merge(work, recorded, subject=("reservation", reservation_id))
        dates.correct_dates(
            work,
            reservation_id=reservation_id,
            expected_version=now.version,
            **form.corrections(now),
        )

    return edit.save(
        act,
        url_for("dashboard.reservation_dates", reservation_id=reservation_id),
        again=lambda: _render_dates(
            reservation_id,
            reservation_record.reservation_facts(reading(), reservation_id, today()),
            edit,
        ),
        words=_("Dates corrected."),
    )


def _render_dates(
    reservation_id: str,
    facts: ReservationFacts,
    edit: Edit,
    found: ShownPrices[DatesPreview] | None = None,
    block: str = "tab",
) -> Response:
    return render_reservation_tab(
        reservation_id,
        _TEMPLATE,
        tab="reservation_dates",
        block=block,
        is_preview=block == "preview",
        facts=facts,
        edit=edit,
        form=edit.form,
        found=found or ShownPrices(),
    )


@dashboard.get("/reservations/<reservation_id>/price", roles=OFFICE)
def reservation_price(reservation_id: str) -> Response:
    """Show the timeline, and the form of a new period filled with the current price."""
    history = price_history.price_history(reading(), reservation_id, today())
    form = PriceChangeForm.prefill(history.next_from_on, history.amounts, history.offered)
    return _render_price_change(reservation_id, history, form)


@dashboard.post("/reservations/<reservation_id>/price/preview", roles=OFFICE)
def preview_price(reservation_id: str) -> Response:
    """Show what the unbilled months would cost."""
    history, form = _typed_form(reservation_id)
    found = ShownPrices[PricePreview]()
    if form.validate():
        found = show_or_refuse(form, lambda: _preview_price(reservation_id, history, form))
    return _render_price_change(reservation_id, history, form, found, block="preview")


@dashboard.post("/reservations/<reservation_id>/price", roles=OFFICE)
def change_price(reservation_id: str) -> Response:
    """Start the new period."""
    history, form = _typed_form(reservation_id)

    def act(work: Work) -> None:
        try:
            price_changes.change_price(
                work,
                reservation_id=reservation_id,
                from_on=form.fromOn.data,
                amounts=form.amounts,
                fees=form.charged_fees(history.offered),
            )
        except Refused as problem:
            raise _beside_the_day(problem) from problem

    return submitted(
        form,
        act=act,
        then=lambda _done: go(
            url_for("dashboard.reservation_price", reservation_id=reservation_id),
            message=_("New price saved."),
        ),
        again=lambda: _render_price_change(reservation_id, history, form),
    )


def _typed_form(reservation_id: str) -> tuple[PriceHistory, PriceChangeForm]:
    history = price_history.price_history(reading(), reservation_id, today())
    form = PriceChangeForm()
    form.name_fees(history.offered)
    return history, form


def _preview_price(
    reservation_id: str, history: PriceHistory, form: PriceChangeForm
) -> PricePreview:
    try:
        return price_changes.preview_price(
            reading(),
            clock(),
            reservation_id=reservation_id,
            from_on=form.fromOn.data,
            amounts=form.amounts,
            fees=form.charged_fees(history.offered),
        )
    except Refused as problem:
        raise _beside_the_day(problem) from problem


def _beside_the_day(problem: Refused) -> Refused:
    """Return the refusal on the first day, unless it names another field."""
    return problem if problem.field is not None else problem.beside("fromOn")


def _render_price_change(
    reservation_id: str,
    history: PriceHistory,
    form: PriceChangeForm,
    found: ShownPrices[PricePreview] | None = None,
    block: str = "tab",
) -> Response:
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/price.html",
        tab="reservation_price",
        block=block,
        is_preview=block == "preview",
        history=history,
        form=form,
        found=found or ShownPrices(),
    )
