"""Takes the notice back: what that does first, then the deed."""

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.departures.departure_facts import departure_facts
from pms.departures.withdraw_own_notice import withdraw_own_notice
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.move_out.move_out_form import WithdrawalForm


def confirm(reservation_id: str) -> Response:
    """Show what withdrawing does."""
    return _shown(reservation_id, WithdrawalForm())


def withdraw(reservation_id: str) -> Response:
    """Take the notice back."""
    form = WithdrawalForm(request.form)
    return submitted(
        form,
        act=lambda session: withdraw_own_notice(
            session, clock(), own.actor(), reservation_id=reservation_id, version=form.seen
        ),
        then=lambda _notice: go(
            url_for(".move_out", reservation_id=reservation_id),
            said=_("Your notice is taken back. You stay."),
        ),
        again=lambda: _shown(reservation_id, form),
    )


def _shown(reservation_id: str, form: WithdrawalForm) -> Response:
    facts = departure_facts(reading(), reservation_id, today())
    if facts.notice is None:
        return go(url_for(".move_out", reservation_id=reservation_id))
    form.version.data = str(facts.notice.version)
    return page(
        "portals/resident/move_out/withdrawal.html",
        tenancy=own.tenancy(reservation_id),
        notice=facts.notice,
        form=form,
    )
