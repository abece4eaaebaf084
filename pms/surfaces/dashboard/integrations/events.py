"""Shows one event of a provider, and has a person decide about it."""

from pms.surfaces.dashboard.routes import OPERATOR, dashboard
import json

from flask import Response, request, url_for
from flask_babel import gettext as _
from wtforms import Form

from pms.channels.event_list import EventRecord, event_record
from pms.channels.place_payment_event import place_payment_event as place_payment_event_verb
from pms.channels.set_event_aside import set_event_aside as set_event_aside_verb
from pms.channels.try_event_again import try_event_again as try_event_again_verb
from pms.checkouts.bills_to_place import bills_to_place
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted, today
from pms.surfaces.dashboard.integrations.event_words import reason_words
from pms.surfaces.dashboard.integrations.webhook_form import PlacingForm
from pms.surfaces.hypermedia import go, page


@dashboard.get("/inbound-events/<event_id>", roles=OPERATOR)
def inbound_event(event_id: str) -> Response:
    """Show one event with what it tells."""
    return _shown(event_id, PlacingForm(request.args))


@dashboard.post("/inbound-events/<event_id>/placement", roles=OPERATOR)
def place_payment_event(event_id: str) -> Response:
    """Record the money of an event on a bill."""
    form = PlacingForm(request.form)
    return submitted(
        form,
        act=lambda session: place_payment_event_verb(
            session, clock(), actor(), event_id=event_id, entry_id=form.entry.data or ""
        ),
        then=lambda reservation_id: go(
            url_for("dashboard.reservation_ledger", reservation_id=reservation_id),
            said=_("The payment is recorded."),
        ),
        again=lambda: _shown(event_id, form),
    )


@dashboard.post("/inbound-events/<event_id>/setting-aside", roles=OPERATOR)
def set_event_aside(event_id: str) -> Response:
    """Close an event without any effect."""
    return submitted(
        Form(),
        act=lambda session: set_event_aside_verb(session, clock(), actor(), event_id=event_id),
        then=lambda _none: go(_here(event_id), said=_("The event is set aside.")),
        again=lambda: inbound_event(event_id),
    )


@dashboard.post("/inbound-events/<event_id>/another-try", roles=OPERATOR)
def try_event_again(event_id: str) -> Response:
    """Have an event taken up once more; the worker does it within seconds."""
    return submitted(
        Form(),
        act=lambda session: try_event_again_verb(session, clock(), actor(), event_id=event_id),
        then=lambda _none: go(_here(event_id), said=_("It is tried again now.")),
        again=lambda: inbound_event(event_id),
    )


def _shown(event_id: str, form: PlacingForm) -> Response:
    event = event_record(reading(), event_id)
    return page(
        "dashboard/integrations/event.html",
        event=event,
        form=form,
        bills=_bills(event, form),
        body=json.dumps(event.body, ensure_ascii=False, indent=2),
        reason_words=reason_words,
    )


def _bills(event: EventRecord, form: PlacingForm) -> object:
    if not event.is_to_place or event.payment is None:
        return ()
    words = form.search.data or ""
    return bills_to_place(reading(), today(), amount_yen=event.payment.amount, words=words)


def _here(event_id: str) -> str:
    return url_for("dashboard.inbound_event", event_id=event_id)
