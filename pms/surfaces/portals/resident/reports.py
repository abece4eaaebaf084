"""A problem in the home, reported by its resident."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_babel import lazy_pgettext as worded

from pms.foundation.ids import new_id
from pms.rules.resident_reports import no_reporting
from pms.surfaces.fields import HiddenField, LongTextField, Optional, PickField, Required
from pms.surfaces.forms import key_of_form, submitted
from pms.surfaces.hypermedia import UNACCEPTED, go, page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.blueprint import blueprint
from pms.surfaces.portals.resident.own import PARAMETER
from pms.surfaces.portals.resident.pictures import MOST_BYTES, PicturesForm
from pms.surfaces.request_scope import today
from pms.upkeep import reported_words, requests
from pms.upkeep.reported_words import SimilarReport

KINDS: Final[Mapping[str, Any]] = {
    "water": worded("kind of problem", "Water, drain"),
    "climate": worded("kind of problem", "Heating, air conditioning"),
    "power": worded("kind of problem", "Electricity, light"),
    "door": worded("kind of problem", "Door, key, window"),
    "appliance": worded("kind of problem", "Appliance, furniture"),
    "network": worded("kind of problem", "Internet"),
    "other": worded("kind of problem", "Something else"),
}
MAY_ENTER, STAY_OUT = "yes", "no"


class ReportForm(PicturesForm):
    """A problem; its kind is put before the text, in the language of the text."""

    kind = PickField(lazy_gettext("What is it about?"), [Optional()], choices=list(KINDS.items()))
    what = LongTextField(lazy_gettext("What is wrong?"), [Required()])
    mayEnter = PickField(
        lazy_gettext("May we enter when you are out?"),
        [Required()],
        choices=[
            (MAY_ENTER, lazy_gettext("Yes, enter with your own key")),
            (STAY_OUT, lazy_gettext("No, arrange a time with me")),
        ],
    )
    another = HiddenField()

    @property
    def words(self) -> str | None:
        """The text of the report."""
        kind = KINDS.get(self.kind.data or "")
        if kind is None or self.kind.data == "other" or not self.what.data:
            return self.what.data
        return f"{kind}: {self.what.data}"


@blueprint.get("/<reservation_id>/report", endpoint="report_problem")
def show(reservation_id: str) -> Response:
    """Show the form, or why nothing can be reported here."""
    return _shown(reservation_id, ReportForm(formdata=None, data={"once": new_id()}))


@blueprint.post("/<reservation_id>/report", endpoint="send_report", most_bytes=MOST_BYTES)
def send(reservation_id: str) -> Response:
    """Save the report and show its conversation; ask first if the problem seems to be known."""
    form = ReportForm()
    if form.validate() and not form.another.data:
        found = reported_words.similar_reports(
            reading(), reservation_id=reservation_id, text=form.what.data or ""
        )
        if found:
            return _asked(reservation_id, form, found)
    return submitted(
        form,
        act=lambda work: requests.report_own_problem(
            work,
            reservation_id=reservation_id,
            what=form.words,
            may_enter=form.mayEnter.data == MAY_ENTER,
            photos=form.sized,
            key=key_of_form(),
        ),
        then=lambda ticket_id: _report_message(reservation_id, ticket_id),
        again=lambda: _shown(reservation_id, form),
    )


def _report_message(reservation_id: str, ticket_id: str | None) -> Response:
    message = _("Your report has been sent. Follow its progress here.")
    if ticket_id is None:
        return go(url_for(".tickets", reservation_id=reservation_id), message=message)
    return go(
        url_for(".ticket", reservation_id=reservation_id, ticket_id=ticket_id), message=message
    )


def _asked(reservation_id: str, form: ReportForm, found: Sequence[SimilarReport]) -> Response:
    form.another.data = "1"
    response = _shown(reservation_id, form, found)
    response.status_code = UNACCEPTED
    return response


def _shown(
    reservation_id: str, form: ReportForm, similar: Sequence[SimilarReport] = ()
) -> Response:
    tenancy = own.tenancy(reservation_id)
    return page(
        "portals/resident/report.html",
        tenancy=tenancy,
        form=form,
        similar=similar,
        unable=no_reporting(tenancy.lifecycle, tenancy.starts_on, today()),
    )


_HERE = f"/<{PARAMETER}>/report"
