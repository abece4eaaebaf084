"""The resident's deposit settlement: what was deducted and why, agreeing and objecting."""

from flask import Response, url_for
from flask_babel import gettext as _

from pms.arrivals import settlement_sheets
from pms.bank import mandates
from pms.deposits.settlement_papers import PaperRecord, agree_to_paper, paper_of
from pms.surfaces import settlement_answers
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import today


@blueprint.get("/<reservation_id>/settlement", endpoint="settlement")
def show(reservation_id: str) -> Response:
    """Show the settlement with what may be answered."""
    found = settlement_answers.sent_paper(reading(), reservation_id)
    return _render_settlement(reservation_id, found, settlement_answers.objection_form(found))


def own_settlement(reservation_id: str) -> PaperRecord | None:
    """Return the settlement that was sent, for the home page; None before."""
    found = paper_of(reading(), reservation_id, today())
    return found if found and found.paper and found.paper.sent_on else None


def _render_settlement(reservation_id: str, found: PaperRecord, form: LinkForm) -> Response:
    return page(
        "portals/resident/settlement/settlement.html",
        tenancy=own.tenancy(reservation_id),
        found=found,
        payee=mandates.account_of_resident(reading(), reservation_id),
        form=form,
        fields=settlement_answers.fields_by_position(found, form),
        places=settlement_sheets.photos_of_places(reading(), found),
        bills=settlement_sheets.netted_bills(reading(), found.settled.settlement.id),
    )


@blueprint.post("/<reservation_id>/settlement/agreement", endpoint="agree_to_settlement")
def agree(reservation_id: str) -> Response:
    """Note that the resident agrees."""
    found, form = settlement_answers.sent_paper(reading(), reservation_id), LinkForm()
    return submitted(
        form,
        act=lambda work: agree_to_paper(work, reservation_id=reservation_id),
        then=lambda _none: go(
            url_for(".settlement", reservation_id=reservation_id),
            message=_("Thank you. We have recorded that you agree."),
        ),
        again=lambda: _render_settlement(
            reservation_id, found, settlement_answers.objection_form(found)
        ),
    )


@blueprint.post("/<reservation_id>/settlement/objections", endpoint="object_to_settlement")
def object_to(reservation_id: str) -> Response:
    """Keep what the resident objects to."""
    found = settlement_answers.sent_paper(reading(), reservation_id)
    form = settlement_answers.objection_form(found, is_sent=True)
    return submitted(
        form,
        act=lambda work: settlement_answers.object_as_typed(work, found, form),
        then=lambda _none: go(
            url_for(".settlement", reservation_id=reservation_id),
            message=_("We have received your objection."),
        ),
        again=lambda: _render_settlement(reservation_id, found, form),
    )


@blueprint.get("/<reservation_id>/settlement/paper", endpoint="settlement_paper")
def paper(reservation_id: str) -> Response:
    """Send the settlement as a PDF."""
    found = settlement_answers.sent_paper(reading(), reservation_id)
    return settlement_answers.paper_answer(reading(), found)


@blueprint.get(
    "/<reservation_id>/settlement/photos/<photo_id>/<int:width>", endpoint="settlement_photo"
)
def photo(reservation_id: str, photo_id: str, width: int) -> Response:
    """Send a photo of a place that the settlement is about."""
    found = settlement_answers.sent_paper(reading(), reservation_id)
    return settlement_answers.photo_answer(reading(), found, photo_id, width)
