"""The next step of a tenancy as the office sees it: one button, and a tag for each open step."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import request, url_for
from flask_babel import LazyString, lazy_gettext, lazy_pgettext, pgettext

from pms.arrivals.tenancy_ways import ReservationWay
from pms.rules.enumerations import ReservationKind
from pms.rules.tenancy_way import Because, MissingStep, OfficeAct, Party, TenancyStep
from pms.surfaces.dashboard.gate import may
from pms.surfaces.labels.formats import brief_day
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.request_scope import today


class StepButton(NamedTuple):
    """The button of the next act: it opens an address, or sends `fields` to it as a form."""

    text: str
    href: str
    fields: Mapping[str, str]
    is_pressing: bool


class _Lead(NamedTuple):
    """Where an act leads: an endpoint of the reservation, a part of its page, and the words."""

    endpoint: str
    text: LazyString
    anchor: str | None = None
    is_form: bool = False


_LEADS: Final[Mapping[OfficeAct, _Lead]] = {
    OfficeAct.SEND_PAPERS: _Lead("move_in_papers", lazy_gettext("Send contract and invoice")),
    OfficeAct.SEND_CONTRACT: _Lead("move_in_papers", lazy_gettext("Send contract")),
    OfficeAct.SEND_INVOICE: _Lead("move_in_papers", lazy_gettext("Send invoice")),
    OfficeAct.AMEND: _Lead("reservation_contracts", lazy_gettext("Check and renew")),
    OfficeAct.SEE_CONTRACT: _Lead("reservation_contracts", lazy_gettext("See contract")),
    OfficeAct.EXPLAIN: _Lead("contract", lazy_gettext("Explain the fixed term")),
    OfficeAct.CORRECT_DATES: _Lead("reservation_dates", lazy_gettext("Correct dates")),
    OfficeAct.TAKE_OVER: _Lead("reservation_opening", lazy_gettext("Enter opening balances")),
    OfficeAct.RECORD_SIGNATURE: _Lead(
        "reservation", lazy_gettext("Record signature on paper"), "signature"
    ),
    OfficeAct.RECORD_PAYMENT: _Lead("new_payment", lazy_gettext("Record payment")),
    OfficeAct.CONFIRM: _Lead("confirm_reservation", lazy_gettext("Confirm booking"), is_form=True),
    OfficeAct.MOVE_IN: _Lead("reservation_no_show", lazy_gettext("Record move-in")),
    OfficeAct.HAND_OVER_KEYS: _Lead("reservation_keys", lazy_gettext("Record keys")),
    OfficeAct.FILE_NOTICE: _Lead("reservation_departure", lazy_gettext("File notice")),
    OfficeAct.MOVE_OUT: _Lead("reservation_move_out", lazy_gettext("Record move-out")),
    OfficeAct.SETTLE: _Lead("reservation_deposit", lazy_gettext("Settle deposit")),
    OfficeAct.SEE_SETTLEMENT: _Lead("reservation_deposit", lazy_gettext("See settlement"), "paper"),
    OfficeAct.SEND_REFUND: _Lead("reservation_deposit", lazy_gettext("Send refund"), "refund"),
}


def next_button(
    way: ReservationWay, reservation_id: str, version: int, back: str | None = None
) -> StepButton | None:
    """Return the button of the next act; None where there is none, or it is not this person's."""
    lead = _LEADS.get(way.next.act)
    if lead is None:
        return None
    endpoint, is_form, text = lead.endpoint, lead.is_form, lead.text
    fields = {"version": str(version)}
    if way.next.act is OfficeAct.MOVE_IN and not way.open_before_move_in:
        # Nothing is open, so there is nothing to ask before it is recorded.
        endpoint, is_form = "move_in_reservation", True
        if way.next.on == today() and not way.has_keys:
            text = lazy_gettext("Record move-in and keys")
            fields |= {"givesKeys": "y", "handedOn": today().isoformat()}
    if way.next.act is OfficeAct.EXPLAIN and way.paper is not None:
        href = url_for("dashboard.contract", contract_id=way.paper.id, _anchor="explanation")
        return (
            None
            if request.path == href.partition("#")[0]
            else StepButton(str(text), href, {}, True)
        )
    if not may(endpoint) or _is_here(endpoint, reservation_id, lead.anchor):
        return None
    href = url_for(
        f"dashboard.{endpoint}",
        reservation_id=reservation_id,
        back=back if is_form else None,
        _anchor=lead.anchor,
    )
    is_patient = way.next.because in (Because.DUE, Because.UNANSWERED)
    is_pressing = way.next.waits_for is Party.OFFICE or not is_patient
    return StepButton(
        str(text),
        href,
        fields if is_form else {},
        is_pressing and way.next.step is not None,
    )


def _is_here(endpoint: str, reservation_id: str, anchor: str | None) -> bool:
    """Whether this page already is that of the act; a button of its name would discard its form."""
    address = url_for(f"dashboard.{endpoint}", reservation_id=reservation_id)
    return request.path == address and (anchor is None or bool(request.args))


_STEP_TAGS: Final[Mapping[TenancyStep, tuple[LazyString, str]]] = {
    TenancyStep.DATES: (lazy_pgettext("next step", "Date unreadable"), "bad"),
    TenancyStep.OPENING: (lazy_pgettext("next step", "No opening balances"), "warn"),
    TenancyStep.AMENDMENT: (lazy_pgettext("next step", "Contract outdated"), "warn"),
    TenancyStep.CONTRACT: (lazy_pgettext("next step", "Contract not sent"), "warn"),
    TenancyStep.EXPLANATION: (lazy_pgettext("next step", "Not explained"), "info"),
    TenancyStep.SIGNATURE: (lazy_pgettext("next step", "Not signed"), "info"),
    TenancyStep.INVOICE: (lazy_pgettext("next step", "Invoice not sent"), "warn"),
    TenancyStep.PAYMENT: (lazy_pgettext("next step", "Not paid"), "info"),
    TenancyStep.CONFIRMATION: (lazy_pgettext("next step", "To confirm"), "warn"),
    TenancyStep.MOVE_IN: (lazy_pgettext("next step", "Record move-in"), "warn"),
    TenancyStep.KEYS: (lazy_pgettext("next step", "Keys not handed over"), "warn"),
    TenancyStep.MOVE_OUT: (lazy_pgettext("next step", "Record move-out"), "warn"),
    TenancyStep.SETTLEMENT: (lazy_pgettext("next step", "Deposit not settled"), "warn"),
    TenancyStep.REFUND: (lazy_pgettext("next step", "Refund not sent"), "warn"),
}


def step_tag(missing: MissingStep, kind: ReservationKind) -> tuple[str, str]:
    """Return the words of an open step for a list, with their tone."""
    step, waits_for, because, on = missing
    day = brief_day(on, today()).striptags() if on else ""
    if because is Because.OVERDUE:
        return _("Overdue since %(day)s", day=day), "bad"
    if because is Because.UNANSWERED:
        return _("Refund from %(day)s, unless agreed earlier", day=day), "soft"
    if because is Because.OBJECTED:
        return _("Objection to the settlement"), "bad"
    if step is TenancyStep.BILLS:
        return _("Payment due %(day)s", day=day), "soft"
    if waits_for is Party.DAY:
        is_guest = kind is ReservationKind.GUEST
        # The list has columns for the days of moving in and out.
        texts = {
            TenancyStep.MOVE_IN: pgettext("next step", "Checks in")
            if is_guest
            else pgettext("next step", "Moves in"),
            TenancyStep.KEYS: _("Arrives %(day)s", day=day),
            TenancyStep.MOVE_OUT: pgettext("next step", "Checks out")
            if is_guest
            else pgettext("next step", "Moves out"),
            TenancyStep.SETTLEMENT: _("Settled after %(day)s", day=day),
        }
        return texts[step], "soft"
    text, tone = _STEP_TAGS[step]
    return str(text), tone


def next_tag(way: ReservationWay) -> tuple[str, str] | None:
    """Return the words of the next step for a list; None if nothing is open."""
    return next(
        (step_tag(each, way.kind) for each in way.missing if each.step is way.next.step), None
    )


_OF_CONTRACT: Final = (
    TenancyStep.AMENDMENT,
    TenancyStep.CONTRACT,
    TenancyStep.EXPLANATION,
    TenancyStep.SIGNATURE,
)
_OF_MONEY: Final = (TenancyStep.OPENING, TenancyStep.INVOICE, TenancyStep.PAYMENT)


def open_tags(way: ReservationWay) -> list[tuple[str, str]]:
    """Return the first open step of the contract and the first one of the money."""
    return [
        step_tag(first, way.kind)
        for group in (_OF_CONTRACT, _OF_MONEY)
        if (first := next((each for each in way.missing if each.step in group), None))
    ]
