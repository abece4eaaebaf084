"""The terms that end: asked about, their end told, new terms offered, for one resident or for many."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from flask import Response, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.contracts import end_notices, new_terms, templates, term_questions
from pms.contracts import ending_terms as terms
from pms.contracts.ending_terms import EndingTerm
from pms.contracts.new_terms import PlannedTerm, TermWishes
from pms.foundation.work import Work
from pms.ledger.charges import chargeable_fees
from pms.rules.term_endings import EndingState, NoticeWay, TermAnswer
from pms.surfaces.dashboard.contracts import signing_page
from pms.surfaces.dashboard.gate import OFFICE, dashboard, reading
from pms.surfaces.dashboard.listing import (
    ListColumn,
    Listing,
    Spot,
    Tags,
    ValueKind,
    ask,
    listing,
)
from pms.surfaces.dashboard.record_choices import building_choices
from pms.surfaces.dashboard.reservation_prices import render_reservation_tab
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    LongTextField,
    Optional,
    PickField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page, page_or_block, pdf_answer
from pms.surfaces.labels.enumerations import choices, label_of, tone
from pms.surfaces.labels.refusals import refusal_text
from pms.surfaces.page_templates import gettext as _
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import clock, today

MOST_AT_ONCE: Final = 200
"""The most residents that one press asks, tells or offers a term."""


class EndingTermsForm(QueryForm):
    """The building whose terms are listed."""

    building = ChoiceField(lazy_gettext("Building"), [Optional()])


class NewTermForm(FlaskForm):
    """What is offered: the length, the change of the rent, a fee, and the contract's template."""

    months = WholeNumberField(
        lazy_gettext("Length (months)"), [Required()], least=1, most=new_terms.MOST_MONTHS
    )
    rentChange = ChoiceField(lazy_gettext("Base rent from the new term"))
    rentChangeYen = YenField(lazy_gettext("Change a month"), [Optional()])
    feeCode = ChoiceField(lazy_gettext("Fee"), [Optional()])
    templateId = ChoiceField(lazy_gettext("Template"), [Optional()])

    @classmethod
    def of(cls, ids: Sequence[str], typed: MultiDict[str, str] | None) -> "NewTermForm":
        """Return the form with its choices; twelve months at the same rent by default."""
        form = cls(typed, data={"months": 12, "rentChange": "keep"})
        form.rentChange.choices = [
            ("keep", lazy_gettext("Unchanged")),
            ("raise", lazy_gettext("Raise by")),
            ("lower", lazy_gettext("Lower by")),
        ]
        fees = chargeable_fees(reading(), clock(), ids[0]) if ids else ()
        form.feeCode.choices = [("", lazy_gettext("No fee"))] + [
            (fee.code, fee.label.in_language(chosen_language())) for fee in fees
        ]
        form.templateId.choices = [("", lazy_gettext("Default template"))] + [
            (each.id, f"{each.name} ({label_of(each.lease_kind)})")
            for each in templates.contract_templates(reading())
            if each.archived_at is None
        ]
        return form

    @property
    def wishes(self) -> TermWishes:
        """The offer as the use case takes it."""
        change_yen = self.rentChangeYen.data or 0
        signs = {"raise": 1, "lower": -1}
        return TermWishes(
            months=self.months.data,
            change_yen=signs.get(self.rentChange.data or "", 0) * change_yen,
            fee_code=self.feeCode.data or None,
            template_id=self.templateId.data or None,
        )


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


def _tags_of_notice(term: EndingTerm) -> Tags:
    """Return the state of the notice of the end, with what is late by law."""
    ending = term.ending
    if ending.is_late_on(today()):
        return [(_("Late by law"), "bad")]
    if term.waits_for_notice and term.notice is not None and term.notice.reached_on is None:
        return [(_("Sent, not opened"), "warn")]
    return [(label_of(ending.state), tone(ending.state))]


def _tags_of_answer(term: EndingTerm) -> Tags:
    if term.offer is not None:
        return [(_("New term offered"), "info")]
    if term.answer is not None:
        return [(label_of(term.answer), tone(term.answer))]
    if term.question is None or term.question.asked_at is None:
        return []
    if term.is_silent_on(today()):
        return [(_("No answer"), "bad")]
    return [(_("Reminded"), "warn") if term.question.reminded_at else (_("Asked"), "info")]


def _describe_end(term: EndingTerm) -> str | None:
    if term.ending.state is EndingState.LATE and term.ending.holds_on:
        return _("holds from %(day)s", day=term.ending.holds_on.isoformat())
    return None


TERMS: Final[Listing[EndingTerm]] = listing(
    "ending_terms",
    lazy_gettext("Terms that end"),
    ListColumn(
        "resident",
        lazy_gettext("Resident"),
        lambda term: term.name,
        spot=Spot.NAME,
        href=lambda term: url_for(
            "dashboard.reservation_terms", reservation_id=term.reservation_id
        ),
    ),
    ListColumn(
        "unit",
        lazy_gettext("Unit"),
        lambda term: f"{term.building.in_language(chosen_language())} {term.unit}",
        spot=Spot.PLACE,
    ),
    ListColumn(
        "end",
        lazy_gettext("Last day"),
        lambda term: term.last_on,
        ValueKind.DAY,
        Spot.DAY,
        note=_describe_end,
    ),
    ListColumn("notice_by", lazy_gettext("Notice by"), lambda term: term.notice_by, ValueKind.DAY),
    ListColumn(
        "notice", lazy_gettext("Notice of the end"), _tags_of_notice, ValueKind.TAGS, Spot.STATE
    ),
    ListColumn("answer", lazy_gettext("Answer"), _tags_of_answer, ValueKind.TAGS),
    ListColumn(
        "kind",
        lazy_gettext("Kind"),
        lambda term: label_of(term.kind),
        is_first_shown=False,
    ),
)


@dashboard.get("/terms", roles=OFFICE)
def ending_terms() -> Response:
    """Show the terms that end, the earliest first, or give them as a file."""
    form, asked = EndingTermsForm(request.args), ask(TERMS)
    form.building.choices = [("", lazy_gettext("All buildings")), *building_choices()]
    is_sound = form.validate()
    found = terms.ending_terms(reading(), today(), form.building.data or None) if is_sound else ()
    in_order = asked.in_order(found)
    if asked.file_type:
        return asked.file_of(in_order)
    response = page_or_block(
        "dashboard/terms/list.html",
        "results",
        form=form,
        asked=asked,
        rows=asked.page_of(in_order),
        total=len(found),
        counts=_count_states(found),
        is_filtered=bool(form.building.data),
    )
    return response if is_sound else mark_unaccepted(response)


def _count_states(found: Sequence[EndingTerm]) -> list[tuple[str, int, str]]:
    """Return how many are late by law, and how many gave each answer or none."""
    late = sum(1 for term in found if term.ending.is_late_on(today()))
    silent = sum(1 for term in found if term.is_silent_on(today()))
    counts = [(_("Late by law"), late, "bad"), (_("No answer"), silent, "bad")]
    for answer in TermAnswer:
        count = sum(1 for term in found if term.answer is answer)
        counts.append((label_of(answer), count, tone(answer)))
    return [each for each in counts if each[1]]


def _asked_ids() -> list[str]:
    """Return the chosen residents, as the list and its forms name them."""
    return list(dict.fromkeys(request.values.getlist("reservation")))[:MOST_AT_ONCE]


def _render_check(template: str, form: Form, ids: Sequence[str], **facts: Any) -> Response:
    found = terms.terms_of_residents(reading(), ids)
    chosen = [found[id_] for id_ in ids if id_ in found]
    return page(f"dashboard/terms/{template}.html", form=form, chosen=chosen, **facts)


@dashboard.get("/terms/questions", roles=OFFICE)
def check_term_questions() -> Response:
    """Show who would be asked."""
    return _render_check("questions", FlaskForm(), _asked_ids())


@dashboard.post("/terms/questions", roles=OFFICE)
def ask_about_terms() -> Response:
    """Mail the chosen residents one link each: stay, leave or talk."""
    form, ids = FlaskForm(), _asked_ids()
    return submitted(
        form,
        act=lambda work: term_questions.ask_about_terms(work, reservation_ids=ids),
        then=lambda asked: go(
            url_for("dashboard.ending_terms"),
            message=ngettext(
                "%(num)d resident is being asked by email.",
                "%(num)d residents are being asked by email.",
                asked,
            ),
        ),
        again=lambda: _render_check("questions", form, ids),
    )


@dashboard.get("/terms/notices", roles=OFFICE)
def check_end_notices() -> Response:
    """Show whose notice of the end would be written."""
    return _render_check("notices", FlaskForm(), _asked_ids())


@dashboard.post("/terms/notices", roles=OFFICE)
def send_end_notices() -> Response:
    """Write the notices of the end, and mail a link to those with an address."""
    form, ids = FlaskForm(), _asked_ids()
    return submitted(
        form,
        act=lambda work: end_notices.send_end_notices(work, reservation_ids=ids),
        then=lambda written: go(
            url_for("dashboard.ending_terms"),
            message=ngettext(
                "%(num)d notice of the end has been written.",
                "%(num)d notices of the end have been written.",
                written,
            ),
        ),
        again=lambda: _render_check("notices", form, ids),
    )


@dashboard.get("/terms/offers", roles=OFFICE)
def check_new_terms() -> Response:
    """Show the new terms that would be offered."""
    ids = _asked_ids()
    return _render_offers(NewTermForm.of(ids, None), ids)


@dashboard.post("/terms/offers/preview", roles=OFFICE)
def preview_new_terms() -> Response:
    """Show the new terms with what was typed, and offer nothing."""
    ids = _asked_ids()
    form = NewTermForm.of(ids, request.form)
    is_sound = form.validate_on_submit()
    response = _render_offers(form, ids)
    return response if is_sound else mark_unaccepted(response)


@dashboard.post("/terms/offers", roles=OFFICE)
def offer_new_terms() -> Response:
    """Write a contract for each new term that is possible, and mail it for signature."""
    ids = _asked_ids()
    form = NewTermForm.of(ids, request.form)
    return submitted(
        form,
        act=partial(_offer_terms, ids, form),
        then=lambda offered: go(
            url_for("dashboard.ending_terms"),
            message=ngettext(
                "%(num)d new term has been offered.",
                "%(num)d new terms have been offered.",
                offered,
            ),
        ),
        again=lambda: _render_offers(form, ids),
    )


def _offer_terms(ids: Sequence[str], form: NewTermForm, work: Work) -> int:
    planned = new_terms.plan_new_terms(work.session, work.clock, ids, form.wishes)
    possible = [each.reservation_id for each in planned if each.refusal is None]
    for reservation_id in possible:
        link = signing_page(reservation_id)
        new_terms.offer_term(work, reservation_id=reservation_id, wishes=form.wishes, link=link)
    return len(possible)


def _render_offers(form: NewTermForm, ids: Sequence[str]) -> Response:
    planned: Sequence[PlannedTerm] = ()
    if not form.errors:
        planned = new_terms.plan_new_terms(reading(), clock(), ids, form.wishes)
    lines = [(each, refusal_text(each.refusal) if each.refusal else None) for each in planned]
    return page("dashboard/terms/offers.html", form=form, ids=ids, lines=lines)


@dashboard.get("/reservations/<reservation_id>/terms", roles=OFFICE)
def reservation_terms(reservation_id: str) -> Response:
    """Show the end of one resident's term, the answer, the notices and the new terms."""
    return _render_terms(reservation_id)


def _render_terms(reservation_id: str, **refused: Form) -> Response:
    found = terms.terms_of_residents(reading(), [reservation_id]).get(reservation_id)
    forms: dict[str, Any] = {
        "answer_form": _answer_form(found, None),
        "arrival_form": _arrival_form(None),
        "reason_form": NoticeReasonForm(formdata=None),
        "term_reason_form": NewTermReasonForm(formdata=None),
        **refused,
    }
    return render_reservation_tab(
        reservation_id,
        "dashboard/terms/of_reservation.html",
        tab="reservation_documents",
        term=found,
        notices=end_notices.notices_of(reading(), reservation_id),
        later=new_terms.terms_of(reading(), reservation_id),
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
        again=lambda: _render_terms(reservation_id, answer_form=form),
    )


@dashboard.get("/end-notices/<end_notice_id>/paper", roles=OFFICE)
def end_notice_paper(end_notice_id: str) -> Response:
    """Give a notice of the end as a PDF."""
    notice = end_notices.end_notice(reading(), end_notice_id)
    return pdf_answer(end_notices.end_notice_pdf(reading(), notice), f"{notice.title}.pdf")


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
        again=lambda: _render_terms(reservation_id, arrival_form=form),
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
        again=lambda: _render_terms(reservation_id, reason_form=form),
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
        again=lambda: _render_terms(reservation_id, term_reason_form=form),
    )


def _return_to_terms(reservation_id: str, words: str) -> Response:
    return go(url_for("dashboard.reservation_terms", reservation_id=reservation_id), message=words)
