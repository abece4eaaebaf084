"""Changes of a payment or signature status, as a provider or staff report it."""

from typing import Any, Self

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from pms.arrivals import (
    key_handovers,
    lifecycles,
    move_outs,
    reservation_headers,
    reservation_record,
)
from pms.arrivals.key_handovers import TenancyKeys
from pms.arrivals.lifecycles import CancellationPreview
from pms.arrivals.reservation_headers import ReservationHeader
from pms.contracts.signing import state_signature
from pms.foundation.audit import audit_events, of_reservation
from pms.foundation.errors import Refused
from pms.foundation.outbox import mails_to
from pms.ledger import move_in
from pms.ledger.move_in import StatusChange
from pms.rules.cancellation import ESIGN_CHANGES, PAYMENT_CHANGES
from pms.rules.enumerations import EsignStatus, PaymentStatus, ReservationKind
from pms.rules.tenancy_way import Because, TenancyStep
from pms.statements.transfer_account import transfer_of_day
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading, way_back
from pms.surfaces.dashboard.key_handovers import KeysForm, keys_shown, keys_text
from pms.surfaces.dashboard.move_out_notices import VersionForm
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab, way_of
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    LongTextField,
    ManyField,
    Optional,
    Required,
    TextField,
)
from pms.surfaces.forms import asked_paging, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.labels.enumerations import label_of
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.request_scope import clock, today
from pms.upkeep import reporting_residents, ticket_lists


class PaymentStatusForm(FlaskForm):
    """The new status of the move-in payment."""

    paymentStatus = ChoiceField(lazy_gettext("Change payment status to"), [Required()])
    reason = TextField(
        lazy_gettext("Reason"),
        [Optional()],
        description=lazy_gettext("Needed to mark it as paid while the ledger has no payment."),
    )

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask why a move-in invoice counts as paid that no payment in the ledger has paid."""
        is_sound = bool(super().validate(extra_validators))
        if self.paymentStatus.data != PaymentStatus.PAID.value or self.reason.data:
            return is_sound
        self.reason.errors = [_("Say why it counts as paid, or record the payment.")]
        return False

    @classmethod
    def of(cls, header: ReservationHeader, typed: MultiDict[str, str] | None = None) -> Self:
        """Return the form with the allowed statuses, except refunded, which a refund sets."""
        form = cls(typed)
        following = PAYMENT_CHANGES[header.payment_status] - {PaymentStatus.REFUNDED}
        form.paymentStatus.choices = [
            (status.value, label_of(status)) for status in PaymentStatus if status in following
        ]
        return form


class EsignForm(FlaskForm):
    """The new status of the contract's signature."""

    esignStatus = ChoiceField(lazy_gettext("Change contract status to"), [Required()])

    @classmethod
    def of(cls, header: ReservationHeader, typed: MultiDict[str, str] | None = None) -> Self:
        """Return the form with the allowed statuses."""
        form = cls(typed)
        following = ESIGN_CHANGES[header.esign_status]
        form.esignStatus.choices = [
            (status.value, label_of(status)) for status in EsignStatus if status in following
        ]
        return form


@dashboard.get("/reservations/<reservation_id>", roles=OFFICE)
def reservation(reservation_id: str) -> Response:
    """Show the overview of the reservation."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    return overview(header, PaymentStatusForm.of(header), EsignForm.of(header))


def overview(
    header: ReservationHeader, payment_form: PaymentStatusForm, esign_form: EsignForm
) -> Response:
    """Show the overview with the given forms."""
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/overview.html",
        tab="reservation",
        header=header,
        facts=reservation_record.reservation_facts(reading(), header.id, today()),
        transfer=transfer_of_day(reading(), header.id, today()),
        keys=TenancyKeys(
            key_handovers.handovers_in_force(reading(), header.id), header.has_earlier_keys
        ),
        keys_text=keys_text,
        payment_form=payment_form,
        esign_form=esign_form,
    )


@dashboard.post("/reservations/<reservation_id>/payment-status", roles=OFFICE)
def change_payment_status(reservation_id: str) -> Response:
    """Change the status of the move-in payment, if the change is allowed."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = PaymentStatusForm.of(header, request.form)
    return submitted(
        form,
        act=lambda work: move_in.change_payment_status(
            work,
            reservation_id=reservation_id,
            status=PaymentStatus(form.paymentStatus.data),
            reason=form.reason.data,
        ),
        then=lambda change: _change_status(reservation_id, change),
        again=lambda: overview(header, form, EsignForm.of(header)),
    )


@dashboard.post("/reservations/<reservation_id>/signature", roles=OFFICE)
def change_signature(reservation_id: str) -> Response:
    """Change the status of the signature, if the change is allowed."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = EsignForm.of(header, request.form)
    return submitted(
        form,
        act=lambda work: state_signature(
            work,
            reservation_id=reservation_id,
            status=EsignStatus(form.esignStatus.data),
        ),
        then=lambda change: _change_status(reservation_id, change),
        again=lambda: overview(header, PaymentStatusForm.of(header), form),
    )


def _change_status(
    reservation_id: str, change: StatusChange[PaymentStatus] | StatusChange[EsignStatus]
) -> Response:
    message = _("Status changed to %(state)s.", state=label_of(change.after))
    if change.is_confirmed:
        message = " ".join((message, _("The booking is confirmed.")))
    return go(url_for("dashboard.reservation", reservation_id=reservation_id), message=message)


@dashboard.get("/reservations/<reservation_id>/messages", roles=OFFICE)
def reservation_messages(reservation_id: str) -> Response:
    """Show the conversations, and the newest mails to the reservation's address."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    reporting = reporting_residents.reporting_residents(reading(), header.building_id, today())
    written = {header.email, header.email.casefold()} if header.email else set()
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/messages.html",
        header=header,
        is_reporting=reservation_id in {resident.reservation_id for resident in reporting},
        tickets=ticket_lists.tickets_of_reservation(reading(), reservation_id),
        mails=mails_to(reading(), written) if written else (),
    )


@dashboard.get("/reservations/<reservation_id>/history", roles=OFFICE)
def reservation_history(reservation_id: str) -> Response:
    """Show one page of the reservation's audit events, the newest first."""
    paging = asked_paging()
    done = audit_events(
        reading(),
        subject=of_reservation(reservation_id),
        page=paging.page,
        limit=paging.limit,
    )
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/history.html",
        audit_events=done.audit_events,
        total=done.total,
        paging=paging,
    )


class MoveInForm(KeysForm):
    """The open steps that were named before the move-in was recorded, and the keys given with it."""

    handedOn = DayField(lazy_gettext("Handed over on"), [Optional()])
    givesKeys = FlagField(lazy_gettext("Keys are handed over"))
    opens = ManyField(lazy_gettext("Still open"), [Optional()])

    @classmethod
    def of(cls, header: ReservationHeader) -> Self:
        """Return the form as it was sent; the steps it may name are all steps."""
        form = cls()
        form.opens.choices = [(step.value, step.value) for step in TenancyStep]
        return form

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for the day on which keys were handed over."""
        is_sound = bool(super().validate(extra_validators))
        if not self.givesKeys.data or self.handedOn.data or self.handedOn.errors:
            return is_sound
        self.handedOn.errors = [_("Enter the day on which the keys were handed over.")]
        return False


@dashboard.get("/reservations/<reservation_id>/no-show", roles=OFFICE)
def reservation_no_show(reservation_id: str) -> Response:
    """Ask whether somebody moved in whose contract has started: yes, on another day, or never."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    is_first_day = header.start_on == today()
    form = MoveInForm(
        formdata=None,
        data={"givesKeys": is_first_day, "handedOn": today() if is_first_day else None},
    )
    return _render_move_in(header, form)


@dashboard.post("/reservations/<reservation_id>/move-in", roles=OFFICE)
def move_in_reservation(reservation_id: str) -> Response:
    """Record that the resident has moved in; steps that are open have to be named before."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = MoveInForm.of(header)
    is_open = {each.step.value for each in way_of(header).open_before_move_in}
    if not is_open <= set(form.opens.data or ()):
        return mark_unaccepted(_render_move_in(header, form))
    return submitted(
        form,
        act=lambda work: lifecycles.move_in(
            work,
            reservation_id=reservation_id,
            keys=form.keys if form.givesKeys.data else None,
            expected_version=form.version.seen_value,
        ),
        then=lambda _done: go(
            way_back(url_for("dashboard.reservation", reservation_id=reservation_id)),
            message=_("Moved in. What is still open stays on Today.")
            if is_open
            else _("Moved in."),
        ),
        again=lambda: _render_move_in(header, form),
    )


def _render_move_in(header: ReservationHeader, form: MoveInForm) -> Response:
    missing = way_of(header).missing
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/no_show.html",
        tab="reservation",
        header=header,
        form=form,
        is_awaited=any(each.because is Because.STARTED for each in missing),
    )


class MoveOutForm(VersionForm):
    """What was seen at the door."""

    hasKeys = FlagField(lazy_gettext("All keys are returned"))
    meterReading = TextField(lazy_gettext("Meter reading"), [Optional()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])


@dashboard.get("/reservations/<reservation_id>/moving-out", roles=OFFICE)
def reservation_move_out(reservation_id: str) -> Response:
    """Show what to do at the door, with the form for keys and meter."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = MoveOutForm(formdata=None, data={"version": header.version})
    return _render_move_out(header, form)


@dashboard.post("/reservations/<reservation_id>/moving-out", roles=OFFICE)
def move_out_reservation(reservation_id: str) -> Response:
    """Record that the resident has moved out; the deposit can be settled next."""
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    form = MoveOutForm()
    return submitted(
        form,
        act=lambda work: move_outs.move_out(
            work,
            reservation_id=reservation_id,
            has_keys=form.hasKeys.data,
            meter_reading=form.meterReading.data,
            note=form.note.data,
            expected_version=form.version.seen_value,
        ),
        then=lambda _done: go(
            url_for("dashboard.reservation_deposit", reservation_id=reservation_id),
            message=_("Moved out. Settle the deposit next.")
            if header.kind is ReservationKind.RESIDENT
            else _("Moved out."),
        ),
        again=lambda: _render_move_out(header, form),
    )


def _render_move_out(header: ReservationHeader, form: MoveOutForm) -> Response:
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/moving_out.html",
        tab="reservation_departure",
        header=header,
        form=form,
        record=move_outs.move_out_record(reading(), header.id),
        **keys_shown(header.id),
        today=today(),
    )


@dashboard.post("/reservations/<reservation_id>/confirmation", roles=OFFICE)
def confirm_reservation(reservation_id: str) -> Response:
    """Confirm a booking whose contract is signed and whose invoice is paid."""
    form = VersionForm()
    return submitted(
        form,
        act=lambda work: lifecycles.confirm_booking(
            work, reservation_id=reservation_id, expected_version=form.version.seen_value
        ),
        then=lambda _done: go(
            way_back(url_for("dashboard.reservation", reservation_id=reservation_id)),
            message=_("Booking confirmed."),
        ),
        again=lambda: render_reservation_tab(
            reservation_id, "dashboard/reservations/refused.html", tab="reservation", form=form
        ),
    )


@dashboard.get("/reservations/<reservation_id>/cancellation", roles=OFFICE)
def reservation_cancellation(reservation_id: str) -> Response:
    """Show what cancelling the booking would do."""
    return _render_cancellation(reservation_id, VersionForm())


@dashboard.post("/reservations/<reservation_id>/cancellation", roles=OFFICE)
def cancel_reservation(reservation_id: str) -> Response:
    """Cancel the booking."""
    form = VersionForm()
    return submitted(
        form,
        act=lambda work: lifecycles.cancel_booking(
            work, reservation_id=reservation_id, expected_version=form.version.seen_value
        ),
        then=lambda _done: go(
            url_for("dashboard.reservation", reservation_id=reservation_id),
            message=_("Booking cancelled."),
        ),
        again=lambda: _render_cancellation(reservation_id, form),
    )


def _render_cancellation(reservation_id: str, form: VersionForm) -> Response:
    header = reservation_headers.reservation_header(reading(), reservation_id, today())
    preview: CancellationPreview | None = None
    refusal = None
    try:
        preview = lifecycles.preview_cancellation(reading(), clock(), header)
    except Refused as problem:
        refusal = refusal_text(problem)
    return render_reservation_tab(
        reservation_id,
        "dashboard/reservations/cancellation.html",
        tab="reservation",
        header=header,
        form=form,
        preview=preview,
        refusal=refusal,
    )
