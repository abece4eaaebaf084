"""Explaining a fixed term to whom signs it: the paper, what they chose, and one tap to record it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self, TypedDict

from flask import Response, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from flask_wtf import FlaskForm

from pms.access.members import members
from pms.contracts import merged_documents
from pms.contracts.explanation_records import Explanation
from pms.foundation.errors import Refused
from pms.offers import offer_documents
from pms.offers.offer_documents import OfferedExplanation
from pms.offers.offers import offer_record
from pms.rules.days import JAPAN
from pms.rules.enumerations import ReservationLinkState
from pms.rules.explanations import ExplanationWay
from pms.surfaces.dashboard.gate import OFFICE, current_member, dashboard, reading
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    LongTextField,
    Optional,
    PickField,
    Required,
    TimeField,
)
from pms.surfaces.forms import submitted
from pms.surfaces.hypermedia import go, page_or_block
from pms.surfaces.labels.enumerations import choices
from pms.surfaces.request_scope import clock


class TalkFacts(TypedDict):
    """Who explained it, how, when (None is now), and what was asked."""

    person_id: str
    way: ExplanationWay
    explained_at: datetime | None
    questions: str | None


class TalkForm(FlaskForm):
    """Who explained the document, how and when, and the questions; on paper, when it was handed over."""

    handedOn = DayField(lazy_gettext("Paper handed over on"), [Optional()])
    way = PickField(lazy_gettext("How it was explained"), [Required()])
    personId = ChoiceField(lazy_gettext("Explained by"), [Required()])
    explainedOn = DayField(lazy_gettext("Day, if not now"), [Optional()])
    explainedTime = TimeField(lazy_gettext("Time"), [Optional()])
    questions = LongTextField(lazy_gettext("Questions and answers"), [Optional()])

    @classmethod
    def of(cls, given: Explanation | None, *, is_sent: bool = False) -> Self:
        """Return the form; unless it was sent, with this member and what the reader chose."""
        way = (given.wished_way if given is not None else None) or ExplanationWay.PHONE
        usual = {"way": way.value, "personId": current_member().person_id}
        form = cls() if is_sent else cls(formdata=None, data=usual)
        form.way.choices = choices(ExplanationWay)
        form.personId.choices = [(each.person_id, each.name) for each in members(reading())]
        return form

    def validate(self, extra_validators: Mapping[str, Sequence[Any]] | None = None) -> bool:
        """Require day and time together: an instant is never guessed."""
        is_valid = super().validate(extra_validators)
        if (self.explainedTime.data is None) is not (self.explainedOn.data is None):
            lacking = self.explainedOn if self.explainedOn.data is None else self.explainedTime
            lacking.errors = [*lacking.errors, _("Enter the day and the time, or neither for now.")]
            return False
        return bool(is_valid)

    @property
    def talk_facts(self) -> TalkFacts:
        """The typed facts as the use cases take them."""
        on, at = self.explainedOn.data, self.explainedTime.data
        return {
            "person_id": self.personId.data or "",
            "way": ExplanationWay(self.way.data),
            "explained_at": datetime.combine(on, at, JAPAN).astimezone(UTC) if on and at else None,
            "questions": self.questions.data,
        }


@dashboard.get("/reservation-links/<reservation_link_id>/explanation", roles=OFFICE)
def offer_explanation(reservation_link_id: str) -> Response:
    """Show the explanation that the applicant of an offer has open, and record the talk about it."""
    found = find_offered_explanation(reservation_link_id)
    given = found.given if found is not None else None
    return _render_offer_explanation(reservation_link_id, given, TalkForm.of(given))


@dashboard.post("/reservation-links/<reservation_link_id>/explanation", roles=OFFICE)
def record_offer_talk(reservation_link_id: str) -> Response:
    """Record that the explanation of an offer was given by a member of staff."""
    found = find_offered_explanation(reservation_link_id)
    given = found.given if found is not None else None
    form = TalkForm.of(given, is_sent=True)
    return submitted(
        form,
        act=lambda work: offer_documents.record_offer_talk(
            work, link_id=reservation_link_id, **form.talk_facts
        ),
        then=lambda _none: go(
            url_for("dashboard.reservation_link", reservation_link_id=reservation_link_id),
            message=_("Explanation recorded. The applicant can go on to the contract."),
        ),
        again=lambda: _render_offer_explanation(reservation_link_id, given, form),
    )


def find_offered_explanation(link_id: str) -> OfferedExplanation | None:
    """Return the explanation that the applicant of an open offer agreed to read; None before."""
    offer = offer_record(reading(), link_id, clock().now())
    if offer.state is not ReservationLinkState.LIVE or offer.details is None:
        return None
    try:
        found = offer_documents.explanation_of_offer(reading(), clock(), link_id)
    except Refused:
        # The unit was taken meanwhile; the page of the offer says so.
        return None
    return found if found is not None and found.given is not None else None


def _render_offer_explanation(link_id: str, given: Explanation | None, form: TalkForm) -> Response:
    return page_or_block(
        "dashboard/reservation_links/explanation.html",
        "state",
        offer=offer_record(reading(), link_id, clock().now()),
        given=given,
        document=merged_documents.document(given.body, given.locale) if given else None,
        form=form,
    )
