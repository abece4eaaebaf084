"""The list of terms that end: many are asked, their end told, and new terms offered."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from flask import Response, request, url_for
from flask_babel import lazy_gettext, ngettext
from flask_wtf import FlaskForm
from werkzeug.datastructures import MultiDict

from pms.contracts import end_notices, new_terms, templates, term_questions
from pms.contracts import ending_terms as terms
from pms.contracts.ending_terms import EndingTerm
from pms.contracts.new_terms import PlannedTerm, TermWishes
from pms.foundation.work import Work
from pms.ledger.charges import chargeable_fees
from pms.rules.term_endings import EndingState, TermAnswer
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
from pms.surfaces.fields import (
    ChoiceField,
    Optional,
    Required,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, mark_unaccepted, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.labels.enumerations import label_of, tone
from pms.surfaces.labels.formats import list_day
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


def _tags_of_rent(term: EndingTerm) -> Tags:
    if term.proposal is None:
        return []
    answer = term.proposal.answer
    return [(_("Proposed"), "info") if answer is None else (label_of(answer), tone(answer))]


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
    ListColumn("rent", lazy_gettext("Rent proposal"), _tags_of_rent, ValueKind.TAGS),
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


class TermMailing(NamedTuple):
    """What is sent to many residents about the end of their terms, after a page that names them."""

    title: Any
    lead: Any
    hint: Any
    button: Any
    action: str
    state: Callable[[EndingTerm], str]
    send: Callable[..., int]
    message: Callable[[int], str]


def _check_mailing(mailing: TermMailing) -> Response:
    """Show to whom something would be sent."""
    ids = _asked_ids()
    found = terms.terms_of_residents(reading(), ids)
    return page(
        "dashboard/terms/check.html",
        form=FlaskForm(),
        mailing=mailing,
        chosen=[(found[id_], mailing.state(found[id_])) for id_ in ids if id_ in found],
    )


def _send_mailing(mailing: TermMailing) -> Response:
    """Send it to the chosen residents and return to the list."""
    ids = _asked_ids()
    return submitted(
        FlaskForm(),
        act=lambda work: mailing.send(work, reservation_ids=ids),
        then=lambda sent: go(url_for("dashboard.ending_terms"), message=mailing.message(sent)),
        again=lambda: _check_mailing(mailing),
    )


def _describe_question(term: EndingTerm) -> str:
    if term.answer is not None:
        return label_of(term.answer)
    return _("Will be asked") if term.email else _("no address")


def _describe_notice(term: EndingTerm) -> str:
    if term.waits_for_notice and term.notice_by is not None:
        return _("must arrive by %(day)s", day=list_day(term.notice_by))
    return label_of(term.ending.state)


_QUESTIONS: Final = TermMailing(
    lazy_gettext("Ask residents"),
    lazy_gettext(
        "Each gets one link: stay, leave or talk. Residents without an answer are reminded after "
        "two weeks."
    ),
    lazy_gettext("Residents who have answered and those without an address get no email."),
    lazy_gettext("Send emails"),
    "dashboard.ask_about_terms",
    _describe_question,
    term_questions.ask_about_terms,
    lambda asked: ngettext(
        "%(num)d resident is being asked by email.",
        "%(num)d residents are being asked by email.",
        asked,
    ),
)
_NOTICES: Final = TermMailing(
    lazy_gettext("Notice of the end"),
    lazy_gettext(
        "The notice counts from the day on which the resident opens it signed in, or on which you "
        "record that it arrived."
    ),
    lazy_gettext(
        "A notice is written where one is needed and none has arrived in time. Print and hand over "
        "those without an address."
    ),
    lazy_gettext("Write and send notices"),
    "dashboard.send_end_notices",
    _describe_notice,
    end_notices.send_end_notices,
    lambda written: ngettext(
        "%(num)d notice of the end has been written.",
        "%(num)d notices of the end have been written.",
        written,
    ),
)


@dashboard.get("/terms/questions", roles=OFFICE)
def check_term_questions() -> Response:
    """Show who would be asked."""
    return _check_mailing(_QUESTIONS)


@dashboard.post("/terms/questions", roles=OFFICE)
def ask_about_terms() -> Response:
    """Mail the chosen residents one link each: stay, leave or talk."""
    return _send_mailing(_QUESTIONS)


@dashboard.get("/terms/notices", roles=OFFICE)
def check_end_notices() -> Response:
    """Show whose notice of the end would be written."""
    return _check_mailing(_NOTICES)


@dashboard.post("/terms/notices", roles=OFFICE)
def send_end_notices() -> Response:
    """Write the notices of the end, and mail a link to those with an address."""
    return _send_mailing(_NOTICES)


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
