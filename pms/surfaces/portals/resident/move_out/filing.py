"""The three pages of leaving: the day, what it costs, the receipt; and another day later on."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.departures.departure_facts import DepartureFacts, departure_facts
from pms.departures.file_own_notice import file_own_notice, own_preview
from pms.departures.own_notice import OwnNotice, own_notice_of
from pms.departures.preview_notice import NoticePreview
from pms.departures.shown_figures import shown_figures
from pms.foundation.errors import Refused
from pms.foundation.ids import new_id
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.portals.portal import clock, key_of_form, place, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.move_out.move_out_form import MoveOutForm


def show(reservation_id: str) -> Response:
    """Show where the departure stands: a day to choose, the receipt, or why neither."""
    facts = departure_facts(reading(), reservation_id, today())
    return _first_page(reservation_id, facts, MoveOutForm(data={"moveOutDate": _offered(facts)}))


def preview(reservation_id: str) -> Response:
    """Show what leaving on the day of the address costs, and why."""
    form = MoveOutForm(request.args)
    found = _previewed(reservation_id, form)
    if found is None:
        facts = departure_facts(reading(), reservation_id, today())
        response = _first_page(reservation_id, facts, form)
        response.status_code = UNACCEPTED
        return response
    form.once.data = new_id()
    return _second_page(reservation_id, form, found)


def file(reservation_id: str) -> Response:
    """File the notice for the figures that were shown, or show how they changed."""
    form = MoveOutForm(request.form)
    return submitted(
        form,
        act=lambda session: file_own_notice(
            session,
            clock(),
            own.actor(),
            reservation_id=reservation_id,
            move_out_on=form.moveOutDate.data,
            seen=form.figures.data,
            key=key_of_form(),
        ),
        then=lambda _done: go(
            url_for(".move_out", reservation_id=reservation_id), said=_("Your notice is filed.")
        ),
        again=lambda: _again(reservation_id, form),
    )


def _again(reservation_id: str, form: MoveOutForm) -> Response:
    found = _previewed(reservation_id, form) if not form.moveOutDate.errors else None
    if found is not None:
        return _second_page(reservation_id, form, found)
    return _first_page(reservation_id, departure_facts(reading(), reservation_id, today()), form)


def _previewed(reservation_id: str, form: MoveOutForm) -> NoticePreview | None:
    if not form.validate():
        return None
    try:
        return own_preview(
            reading(), clock(), reservation_id=reservation_id, move_out_on=form.moveOutDate.data
        )
    except Refused as problem:
        place(form, problem)
        form.form_errors = list(dict.fromkeys(form.form_errors))
        return None


def _offered(facts: DepartureFacts) -> object:
    return facts.notice.move_out_on if facts.notice else facts.free_on


def _first_page(reservation_id: str, facts: DepartureFacts, form: MoveOutForm) -> Response:
    state = own_notice_of(reading(), reservation_id, today())
    template = "filed" if state is OwnNotice.FILED and facts.notice else "day"
    return page(
        f"portals/resident/move_out/{template}.html",
        tenancy=own.tenancy(reservation_id),
        state=state,
        facts=facts,
        form=form,
        now_on=today(),
    )


def _second_page(reservation_id: str, form: MoveOutForm, found: NoticePreview) -> Response:
    form.figures.data = shown_figures(found)
    return page(
        "portals/resident/move_out/preview.html",
        tenancy=own.tenancy(reservation_id),
        form=form,
        preview=found,
    )
