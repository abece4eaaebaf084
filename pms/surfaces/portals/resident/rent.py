"""A rent proposed to the resident: the letter, and the answer."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.contracts import rent_proposals
from pms.contracts.contract_papers import letter_pdf
from pms.contracts.rent_proposals import WrittenProposal
from pms.foundation.errors import no_such
from pms.rules.rent_proposals import RentAnswer
from pms.surfaces.fields import LongTextField, Optional, PickField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, pdf_answer
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import today
from pms.workspaces.queries import policy


class OwnRentForm(FlaskForm):
    """What the resident says to the proposed rent."""

    rentAnswer = PickField(lazy_gettext("Do you agree to the new rent?"), [Required()])
    words = LongTextField(lazy_gettext("Anything to add?"), [Optional()])

    @classmethod
    def of(
        cls, proposal: WrittenProposal | None, typed: MultiDict[str, str] | None
    ) -> "OwnRentForm":
        """Return the form with its choices and the answer so far."""
        form = cls(
            typed,
            data={"rentAnswer": proposal.answer, "words": proposal.words} if proposal else None,
        )
        form.rentAnswer.choices = [
            (RentAnswer.AGREE.value, lazy_gettext("I agree")),
            (RentAnswer.DECLINE.value, lazy_gettext("I do not agree")),
            (RentAnswer.TALK.value, lazy_gettext("I would like to talk first")),
        ]
        return form


def own_proposal(reservation_id: str) -> WrittenProposal | None:
    """Return the newest proposal that is not withdrawn, until its rent has begun."""
    found = rent_proposals.proposals_of(reading(), reservation_id)
    proposal = next((each for each in found if each.withdrawn_at is None), None)
    if proposal is None or (proposal.begun_at is not None and proposal.from_on <= today()):
        return None
    return proposal


@blueprint.get("/<reservation_id>/rent", endpoint="rent")
def show(reservation_id: str) -> Response:
    """Show the proposed rent with its letter, and the form of the answer."""
    proposal = own_proposal(reservation_id)
    return _render_rent(reservation_id, proposal, OwnRentForm.of(proposal, None))


@blueprint.post("/<reservation_id>/rent/<rent_proposal_id>", endpoint="answer_rent")
def answer(reservation_id: str, rent_proposal_id: str) -> Response:
    """Store the answer; agreed, the new rent begins on its day."""
    form = OwnRentForm.of(None, request.form)
    proposal = _find_proposal(reservation_id, rent_proposal_id)
    return submitted(
        form,
        act=lambda work: rent_proposals.answer_rent(
            work,
            proposal_id=rent_proposal_id,
            answer=RentAnswer(form.rentAnswer.data),
            words=form.words.data,
            is_own=True,
        ),
        then=lambda _answered: go(
            url_for(".rent", reservation_id=reservation_id),
            message=_("Thank you. The office has your answer."),
        ),
        again=lambda: _render_rent(reservation_id, proposal, form),
    )


@blueprint.get("/<reservation_id>/rent/<rent_proposal_id>", endpoint="rent_letter")
def show_letter(reservation_id: str, rent_proposal_id: str) -> Response:
    """Send the letter as a PDF."""
    proposal = _find_proposal(reservation_id, rent_proposal_id)
    return pdf_answer(letter_pdf(reading(), proposal), f"{proposal.title}.pdf")


def _find_proposal(reservation_id: str, proposal_id: str) -> WrittenProposal:
    """Return a proposal of this reservation; raise `NotFound` for another or a withdrawn one."""
    proposal = rent_proposals.proposal_of(reading(), proposal_id)
    if proposal.reservation_id != reservation_id or proposal.withdrawn_at is not None:
        raise no_such("proposal", proposal_id)
    return proposal


def _render_rent(reservation_id: str, proposal: WrittenProposal | None, form: Form) -> Response:
    return page(
        "portals/resident/term/rent.html",
        tenancy=own.tenancy(reservation_id),
        proposal=proposal,
        today=today(),
        form=form,
        stays=policy(reading()).declined_rent_stays,
    )
