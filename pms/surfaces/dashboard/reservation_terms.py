"""The end of one resident's term: the answer, notices, new terms and proposed rents."""

from typing import Any

from flask import Response, request, url_for
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.contracts import end_notices, new_terms, rent_proposals, term_questions
from pms.contracts import ending_terms as terms
from pms.contracts.contract_papers import letter_pdf
from pms.contracts.ending_terms import EndingTerm
from pms.rules.enumerations import LeaseKind
from pms.rules.rent_proposals import RentAnswer
from pms.rules.term_endings import NoticeWay, TermAnswer
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    DayField,
    LongTextField,
    Optional,
    PickField,
    Required,
    TextField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, pdf_answer
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.request_scope import today
from pms.workspaces.queries import policy


class TermAnswerForm(FlaskForm):
    """What a resident said otherwise than in the portal."""

    answer = PickField(lazy_gettext("What does the resident want?"), [Required()])
    words = LongTextField(lazy_gettext("In their words"), [Optional()])
    termLastOn = DayField(lazy_gettext("Last day"), [Required()])


class NoticeArrivalForm(FlaskForm):
    """The day on which a notice of the end arrived, and the way."""

    reachedOn = DayField(lazy_gettext("Arrived on"), [Required()])
    way = PickField(lazy_gettext("How"), [Required()])


class NoticeReasonForm(FlaskForm):
    """Why a notice of the end is withdrawn."""

    reason = TextField(lazy_gettext("Reason"), [Required()])


class NewTermReasonForm(FlaskForm):
    """Why a new term is withdrawn."""

    termReason = TextField(lazy_gettext("Reason"), [Required()])


class LeaseKindForm(FlaskForm):
    """The kind of the lease, as a contract on paper says."""

    leaseKind = PickField(lazy_gettext("Kind of lease"), [Required()])

    @classmethod
    def of(cls, kind: LeaseKind | None, typed: MultiDict[str, str] | None) -> "LeaseKindForm":
        """Return the form with its choices and the present kind."""
        form = cls(typed, data={"leaseKind": kind})
        form.leaseKind.choices = choices(LeaseKind)
        return form


class RentAnswerForm(FlaskForm):
    """What a resident answered to a proposed rent, on paper or by phone."""

    rentAnswer = PickField(lazy_gettext("What does the resident say?"), [Required()])
    words = LongTextField(lazy_gettext("In their words"), [Optional()])

    @classmethod
    def of(cls, typed: MultiDict[str, str] | None) -> "RentAnswerForm":
        """Return the form with its choices."""
        form = cls(typed)
        form.rentAnswer.choices = choices(RentAnswer)
        return form


class ProposalReasonForm(FlaskForm):
    """Why a proposed rent is withdrawn."""

    proposalReason = TextField(lazy_gettext("Reason"), [Required()])


class DeclinedRentForm(FlaskForm):
    """Why a rent applies without agreement."""

    because = TextField(lazy_gettext("Reason, such as a ruling"), [Required()])


@dashboard.get("/reservations/<reservation_id>/terms", roles=OFFICE)
def reservation_terms(reservation_id: str) -> Response:
    """Show the end of one resident's term, the answer, the notices and the new terms."""
    return render_terms(reservation_id)


def render_terms(reservation_id: str, **refused: Form) -> Response:
    """Show the page with one of its forms as it was refused, named by its keyword."""
    found = terms.terms_of_residents(reading(), [reservation_id]).get(reservation_id)
    forms: dict[str, Any] = {
        "answer_form": _answer_form(found, None),
        "arrival_form": _arrival_form(None),
        "reason_form": NoticeReasonForm(formdata=None),
        "term_reason_form": NewTermReasonForm(formdata=None),
        "kind_form": LeaseKindForm.of(
            terms.lease_kind_of_reservation(reading(), reservation_id), None
        ),
        "rent_answer_form": RentAnswerForm.of(None),
        "proposal_reason_form": ProposalReasonForm(formdata=None),
        "declined_rent_form": DeclinedRentForm(formdata=None),
        **refused,
    }
    return render_reservation_tab(
        reservation_id,
        "dashboard/terms/of_reservation.html",
        tab="reservation_documents",
        term=found,
        notices=end_notices.notices_of(reading(), reservation_id),
        later=new_terms.terms_of(reading(), reservation_id),
        proposals=rent_proposals.proposals_of(reading(), reservation_id),
        stays=policy(reading()).declined_rent_stays,
        refused=next(iter(refused.values()), None),
        **forms,
    )


def _answer_form(term: EndingTerm | None, typed: MultiDict[str, str] | None) -> TermAnswerForm:
    asked = term.question if term else None
    form = TermAnswerForm(
        typed,
        data={
            "answer": asked.answer if asked else None,
            "words": asked.words if asked else None,
            "termLastOn": term.last_on if term else None,
        },
    )
    form.answer.choices = choices(TermAnswer)
    return form


def _arrival_form(typed: MultiDict[str, str] | None) -> NoticeArrivalForm:
    form = NoticeArrivalForm(typed, data={"reachedOn": today(), "way": NoticeWay.HANDED})
    form.way.choices = [each for each in choices(NoticeWay) if each[0] != NoticeWay.OPENED.value]
    return form


@dashboard.post("/reservations/<reservation_id>/terms/kind", roles=OFFICE)
def set_lease_kind(reservation_id: str) -> Response:
    """Correct the kind of the lease."""
    form = LeaseKindForm.of(None, request.form)
    return submitted(
        form,
        act=lambda work: terms.state_lease_kind(
            work, reservation_id=reservation_id, kind=LeaseKind(form.leaseKind.data)
        ),
        then=lambda _none: _return_to_terms(reservation_id, _("Kind of lease saved.")),
        again=lambda: render_terms(reservation_id, kind_form=form),
    )


@dashboard.post("/reservations/<reservation_id>/terms/answer", roles=OFFICE)
def record_term_answer(reservation_id: str) -> Response:
    """Store what a resident said otherwise than in the portal."""
    form = _answer_form(None, request.form)
    return submitted(
        form,
        act=lambda work: term_questions.answer_about_term(
            work,
            reservation_id=reservation_id,
            answer=TermAnswer(form.answer.data),
            words=form.words.data,
            last_on=form.termLastOn.data,
        ),
        then=lambda _none: _return_to_terms(reservation_id, _("Answer recorded.")),
        again=lambda: render_terms(reservation_id, answer_form=form),
    )


@dashboard.get("/end-notices/<end_notice_id>/paper", roles=OFFICE)
def end_notice_paper(end_notice_id: str) -> Response:
    """Give a notice of the end as a PDF."""
    notice = end_notices.end_notice(reading(), end_notice_id)
    return pdf_answer(letter_pdf(reading(), notice), f"{notice.title}.pdf")


@dashboard.post("/end-notices/<end_notice_id>/arrival", roles=OFFICE)
def record_end_notice(end_notice_id: str) -> Response:
    """Store when and how a notice of the end reached the resident."""
    notice, form = end_notices.end_notice(reading(), end_notice_id), _arrival_form(request.form)
    reservation_id = notice.reservation_id
    return submitted(
        form,
        act=lambda work: end_notices.record_reached(
            work,
            notice_id=end_notice_id,
            reached_on=form.reachedOn.data,
            way=NoticeWay(form.way.data),
        ),
        then=lambda _notice: _return_to_terms(reservation_id, _("Arrival recorded.")),
        again=lambda: render_terms(reservation_id, arrival_form=form),
    )


@dashboard.post("/end-notices/<end_notice_id>/withdrawal", roles=OFFICE)
def withdraw_end_notice(end_notice_id: str) -> Response:
    """Withdraw a notice of the end with a reason."""
    notice, form = end_notices.end_notice(reading(), end_notice_id), NoticeReasonForm()
    reservation_id = notice.reservation_id
    return submitted(
        form,
        act=lambda work: end_notices.withdraw_end_notice(
            work, notice_id=end_notice_id, reason=form.reason.data or ""
        ),
        then=lambda _notice: _return_to_terms(reservation_id, _("Notice of the end withdrawn.")),
        again=lambda: render_terms(reservation_id, reason_form=form),
    )


@dashboard.post("/later-terms/<later_term_id>/withdrawal", roles=OFFICE)
def withdraw_new_term(later_term_id: str) -> Response:
    """Take back an offered term, or withdraw a signed one before its first day."""
    reservation_id, form = new_terms.reservation_of(reading(), later_term_id), NewTermReasonForm()
    return submitted(
        form,
        act=lambda work: new_terms.withdraw_term(
            work, term_id=later_term_id, reason=form.termReason.data
        ),
        then=lambda _term: _return_to_terms(reservation_id, _("New term withdrawn.")),
        again=lambda: render_terms(reservation_id, term_reason_form=form),
    )


def _return_to_terms(reservation_id: str, words: str) -> Response:
    return go(url_for("dashboard.reservation_terms", reservation_id=reservation_id), message=words)
