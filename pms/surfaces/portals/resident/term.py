"""The end of a resident's term: what they want, the notice of the end, and a new term."""

from flask import Response, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.contracts import end_notices, ending_terms, new_terms, term_questions
from pms.contracts.contract_papers import letter_pdf
from pms.contracts.end_notices import WrittenNotice
from pms.contracts.ending_terms import EndingTerm
from pms.foundation.errors import no_such
from pms.rules.term_endings import TermAnswer
from pms.surfaces.fields import DayField, LongTextField, Optional, PickField, Required
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page, pdf_answer
from pms.surfaces.portals.portal import reading
from pms.surfaces.portals.resident import own
from pms.surfaces.portals.resident.own import blueprint
from pms.surfaces.request_scope import today


class OwnTermForm(FlaskForm):
    """What the resident wants when the term ends on the day that was shown."""

    answer = PickField(lazy_gettext("What would you like to do?"), [Required()])
    words = LongTextField(lazy_gettext("Anything to add?"), [Optional()])
    termLastOn = DayField(lazy_gettext("Last day"), [Required()])

    @classmethod
    def of(cls, term: EndingTerm | None, typed: MultiDict[str, str] | None) -> "OwnTermForm":
        """Return the form with its choices and the answer so far."""
        asked = term.question if term else None
        form = cls(
            typed,
            data={
                "answer": asked.answer if asked else None,
                "words": asked.words if asked else None,
                "termLastOn": term.last_on if term else None,
            },
        )
        form.answer.choices = [
            (TermAnswer.STAY.value, lazy_gettext("I would like to stay")),
            (TermAnswer.LEAVE.value, lazy_gettext("I will leave when it ends")),
            (TermAnswer.TALK.value, lazy_gettext("I would like to talk first")),
        ]
        return form


def own_term(reservation_id: str) -> EndingTerm | None:
    """Return the end of the resident's term once they are asked, told or offered something."""
    found = ending_terms.terms_of_residents(reading(), [reservation_id]).get(reservation_id)
    is_due = found is not None and found.ending.remind_on <= today()
    if found is None or not (found.question or found.notice or found.offer or is_due):
        return None
    return found


@blueprint.get("/<reservation_id>/term", endpoint="term")
def show(reservation_id: str) -> Response:
    """Show when the term ends, ask what the resident wants, and lead to notice and new term."""
    term = own_term(reservation_id)
    return _render_term(reservation_id, OwnTermForm.of(term, None), term)


@blueprint.post("/<reservation_id>/term", endpoint="answer_term")
def answer(reservation_id: str) -> Response:
    """Store what the resident wants; it can be changed until the term ends."""
    form = OwnTermForm.of(None, request.form)
    return submitted(
        form,
        act=lambda work: term_questions.answer_about_term(
            work,
            reservation_id=reservation_id,
            answer=TermAnswer(form.answer.data),
            words=form.words.data,
            last_on=form.termLastOn.data,
        ),
        then=lambda _none: go(
            url_for(".term", reservation_id=reservation_id),
            message=_("Thank you. The office has your answer."),
        ),
        again=lambda: _render_term(reservation_id, form, own_term(reservation_id)),
    )


@blueprint.post("/<reservation_id>/term/notices/<notice_id>", endpoint="open_end_notice")
def open_notice(reservation_id: str, notice_id: str) -> Response:
    """Open the notice of the end; the day on which it is first opened is kept."""
    _own_notice(reservation_id, notice_id)
    return submitted(
        FlaskForm(),
        act=lambda work: end_notices.open_end_notice(work, notice_id=notice_id),
        then=lambda _notice: go(
            url_for(".end_notice", reservation_id=reservation_id, notice_id=notice_id)
        ),
        again=lambda: show(reservation_id),
    )


@blueprint.get("/<reservation_id>/term/notices/<notice_id>", endpoint="end_notice")
def show_notice(reservation_id: str, notice_id: str) -> Response:
    """Send the notice of the end as a PDF, once it was opened or arrived otherwise."""
    notice = _own_notice(reservation_id, notice_id)
    if notice.reached_on is None:
        return go(url_for(".term", reservation_id=reservation_id))
    return pdf_answer(letter_pdf(reading(), notice), f"{notice.title}.pdf")


@blueprint.post("/<reservation_id>/term/later/<later_term_id>", endpoint="withdraw_own_term")
def withdraw(reservation_id: str, later_term_id: str) -> Response:
    """Withdraw from a new term before its first day."""
    if new_terms.reservation_of(reading(), later_term_id) != reservation_id:
        raise no_such("term", later_term_id)
    return submitted(
        FlaskForm(),
        act=lambda work: new_terms.withdraw_term(work, term_id=later_term_id),
        then=lambda _term: go(
            url_for(".term", reservation_id=reservation_id),
            message=_("You have withdrawn from the new term."),
        ),
        again=lambda: show(reservation_id),
    )


def _own_notice(reservation_id: str, notice_id: str) -> WrittenNotice:
    """Return a notice of this reservation that is not withdrawn; raise `NotFound` for any other."""
    notice = end_notices.end_notice(reading(), notice_id)
    if notice.reservation_id != reservation_id or notice.withdrawn_at is not None:
        raise no_such("notice", notice_id)
    return notice


def _render_term(reservation_id: str, form: Form, term: EndingTerm | None) -> Response:
    later = [
        each
        for each in new_terms.terms_of(reading(), reservation_id)
        if each.withdrawn_at is None and each.first_on > today()
    ]
    return page(
        "portals/resident/term/term.html",
        tenancy=own.tenancy(reservation_id),
        term=term,
        later=later,
        form=form,
    )
