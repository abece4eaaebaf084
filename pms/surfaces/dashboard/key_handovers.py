"""Keys handed over for a tenancy: recorded, again for a further key, and withdrawn with a reason."""

from collections.abc import Mapping
from typing import Any

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm

from pms.arrivals import key_handovers, reservation_headers
from pms.arrivals.key_handovers import MOST_KEYS, HandedKeys, TenancyKeys
from pms.arrivals.reservation_headers import ReservationHeader
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.move_out_notices import VersionForm
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    DayField,
    LongTextField,
    Optional,
    Required,
    TextField,
    WholeNumberField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go
from pms.surfaces.request_scope import today


class KeysForm(VersionForm):
    """What was handed over, on which day and to whom."""

    handedOn = DayField(lazy_gettext("Handed over on"), [Required()])
    keyCount = WholeNumberField(
        lazy_gettext("Number of keys"), [Optional()], least=1, most=MOST_KEYS
    )
    keyItems = TextField(lazy_gettext("What was handed over"), [Optional()])
    handedTo = TextField(lazy_gettext("Handed over to"), [Optional()])
    note = LongTextField(lazy_gettext("Note"), [Optional()])

    @property
    def keys(self) -> HandedKeys:
        """What was typed; without a day, today."""
        return HandedKeys(
            self.handedOn.data or today(),
            self.keyCount.data,
            self.keyItems.data,
            self.handedTo.data,
            self.note.data,
        )


class ReasonForm(FlaskForm):
    """Why a record of keys is withdrawn."""

    reason = TextField(lazy_gettext("Reason"), [Required()])


def keys_text(key_count: int | None, items: str | None) -> str:
    """Return how many keys were handed over, and what else, as one text."""
    counted = ngettext("%(num)s key", "%(num)s keys", key_count) if key_count else ""
    return str(_(", ").join(filter(None, (counted, items))) or _("Number not recorded"))


@dashboard.get("/reservations/<reservation_id>/keys", roles=OFFICE)
def reservation_keys(reservation_id: str) -> Response:
    """Show the keys that were handed over, and the form for more."""
    header = _header_of(reservation_id)
    facts = {"version": header.version, "handedOn": today()}
    return _render_keys(header, KeysForm(formdata=None, data=facts))


@dashboard.post("/reservations/<reservation_id>/keys", roles=OFFICE)
def hand_over_keys(reservation_id: str) -> Response:
    """Record keys that were handed over."""
    header, form = _header_of(reservation_id), KeysForm()
    return submitted(
        form,
        act=lambda work: key_handovers.hand_over_keys(
            work,
            reservation_id=reservation_id,
            keys=form.keys,
            expected_version=form.version.seen_value,
        ),
        then=lambda _done: go(
            url_for("dashboard.reservation", reservation_id=reservation_id),
            message=_("Keys recorded."),
        ),
        again=lambda: _render_keys(header, form),
    )


@dashboard.get("/key-handovers/<handover_id>/withdrawal", roles=OFFICE)
def key_handover_withdrawal(handover_id: str) -> Response:
    """Ask why a record of keys is wrong."""
    return _render_withdrawal(handover_id, ReasonForm(formdata=None))


@dashboard.post("/key-handovers/<handover_id>/withdrawal", roles=OFFICE)
def withdraw_key_handover(handover_id: str) -> Response:
    """Withdraw a record of keys."""
    form = ReasonForm()
    return submitted(
        form,
        act=lambda work: key_handovers.withdraw_handover(
            work, handover_id=handover_id, because=form.reason.data or ""
        ),
        then=lambda handover: go(
            url_for("dashboard.reservation_keys", reservation_id=handover.reservation_id),
            message=_("Record withdrawn."),
        ),
        again=lambda: _render_withdrawal(handover_id, form),
    )


def _header_of(reservation_id: str) -> ReservationHeader:
    return reservation_headers.reservation_header(reading(), reservation_id, today())


def keys_shown(reservation_id: str) -> Mapping[str, Any]:
    """Return what a page needs to show the keys of a tenancy."""
    keys: TenancyKeys = key_handovers.keys_of_tenancy(reading(), reservation_id)
    return {"keys": keys, "keys_text": keys_text}


def _render_keys(header: ReservationHeader, form: KeysForm) -> Response:
    return render_reservation_tab(
        header.id,
        "dashboard/reservations/keys.html",
        tab="reservation",
        header=header,
        form=form,
        **keys_shown(header.id),
    )


def _render_withdrawal(handover_id: str, form: ReasonForm) -> Response:
    found = key_handovers.key_handover(reading(), handover_id)
    return render_reservation_tab(
        found.reservation_id,
        "dashboard/reservations/keys_withdrawal.html",
        tab="reservation",
        form=form,
        handover=found,
        keys_text=keys_text,
    )
