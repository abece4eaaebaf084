"""The terms that end: by day over all buildings, with what the law asks and what residents answered."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, String, func, select, type_coerce
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.contracts.merged_documents import lease_kind_of
from pms.contracts.models import EndNotice, RentProposal, TermQuestion
from pms.foundation.audit import note_difference, of_reservation
from pms.foundation.errors import Refused
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import one_of
from pms.foundation.versions import CATALOGUE, OCCUPANCY, KeptAnswers
from pms.foundation.work import Work, find_row
from pms.reservations.changes import mark_changed
from pms.reservations.later_terms import read_first_days
from pms.reservations.locks import reservation_to_change
from pms.reservations.models import LaterTerm, Reservation
from pms.rules.audit_events import AuditEvent
from pms.rules.contract_dates import effective_day
from pms.rules.days import day_of
from pms.rules.enumerations import LeaseKind, Lifecycle, ReservationKind
from pms.rules.policy import Policy
from pms.rules.tenancy_way import ENDED
from pms.rules.term_endings import (
    EndingState,
    TermAnswer,
    TermEnding,
    counting_reach,
    ending_of,
    ending_without_notice,
)
from pms.workspaces.queries import counters, policy

ANSWER_DAYS: Final = 14
"""Days after which a resident who did not answer is reminded, and after that the office is told."""


_END_TEXT: Final = func.coalesce(
    func.nullif(type_coerce(Reservation.override_contract_end_date, String), ""),
    func.nullif(type_coerce(Reservation.contract_end_date, String), ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndingTerm:
    """The end of one resident's term: its days, its notice, the answer, and an offer that waits.

    `notice` is the newest notice of this end that is not withdrawn, `question` what the resident was
    asked about it, `proposal` a proposed rent that has not begun.
    """

    reservation_id: str
    name: str
    email: str | None
    locale: str
    unit: str
    building: Bilingual
    building_id: str
    kind: LeaseKind
    first_on: date
    ending: TermEnding
    notice: EndNotice | None
    question: TermQuestion | None
    offer: LaterTerm | None
    proposal: RentProposal | None

    @property
    def last_on(self) -> date:
        """The last day of the term."""
        return self.ending.last_on

    @property
    def notice_by(self) -> date | None:
        """The last day on which the notice has to have arrived; None where none is needed."""
        return self.ending.window.last_on if self.ending.window else None

    @property
    def answer(self) -> TermAnswer | None:
        """What the resident wants, None without an answer."""
        return self.question.answer if self.question else None

    @property
    def waits_for_notice(self) -> bool:
        """Whether no notice of the end that counts has arrived."""
        return self.ending.state in (EndingState.MISSING, EndingState.EARLY)

    def is_silent_on(self, day: date) -> bool:
        """Whether the resident answered neither the question nor its reminder in good time."""
        asked = self.question
        if asked is None or asked.answer is not None or asked.reminded_at is None:
            return False
        return day_of(asked.reminded_at) + timedelta(days=ANSWER_DAYS) <= day


def ending_terms(
    session: Session, today: date, building_id: str | None = None
) -> Sequence[EndingTerm]:
    """Return the terms to be reminded of on a day, the earliest end first.

    Those of residents who live here and gave no notice, until the last day of the term.
    """
    figures = policy(session)
    farthest = today + timedelta(days=max(figures.term_lead_days, figures.short_term_lead_days))
    asked = _select_residents().where(_END_TEXT.between(today.isoformat(), farthest.isoformat()))
    if building_id is not None:
        asked = asked.where(Building.id == building_id)
    found = _build_terms(session, session.execute(asked).all())
    due = (term for term in found if term.ending.remind_on <= today <= term.last_on)
    return sorted(
        due, key=lambda term: (term.last_on, term.building.ja or "", term.unit, term.name)
    )


class PressingReason(StrEnum):
    """Why the end of a term needs somebody of the office."""

    LATE_NOTICE = "late_notice"
    NO_ANSWER = "no_answer"
    TALK = "talk"


class PressingTerm(NamedTuple):
    """A term whose end the office has to look at; `notice_by` is the last day for its notice."""

    reason: PressingReason
    reservation_id: str
    name: str
    unit: str
    building: Bilingual
    last_on: date
    notice_by: date | None


def pressing_terms(session: Session, today: date) -> Sequence[PressingTerm]:
    """Return the terms whose notice is late by law, or whose resident is silent or wants to talk.

    The result is kept until an end, a notice or an answer changes.
    """
    state = counters(session, CATALOGUE, OCCUPANCY)
    return _PRESSING.answer(session, today, state, lambda: _find_pressing_terms(session, today))


_PRESSING: Final = KeptAnswers()


def _find_pressing_terms(session: Session, today: date) -> list[PressingTerm]:
    found: list[PressingTerm] = []
    for term in ending_terms(session, today):
        reason = None
        if term.ending.is_late_on(today):
            reason = PressingReason.LATE_NOTICE
        elif term.offer is None and term.answer is TermAnswer.TALK:
            reason = PressingReason.TALK
        elif term.is_silent_on(today):
            reason = PressingReason.NO_ANSWER
        if reason is not None:
            place = term.unit, term.building, term.last_on, term.notice_by
            found.append(PressingTerm(reason, term.reservation_id, term.name, *place))
    order = list(PressingReason)
    return sorted(found, key=lambda each: (order.index(each.reason), each.last_on, each.name))


def ending_term_of(session: Session, reservation_id: str) -> EndingTerm:
    """Return the end of one resident's term; raise `Refused` where there is none."""
    asked = _select_residents().where(Reservation.id == reservation_id)
    found = _build_terms(session, session.execute(asked).all())
    if not found:
        raise Refused("term: there is no current resident whose contract has a last day.")
    return found[0]


def terms_of_residents(
    session: Session, reservation_ids: Collection[str]
) -> Mapping[str, EndingTerm]:
    """Return the ends of the terms of these residents; those without one are left out."""
    asked = _select_residents().where(one_of(Reservation.id, reservation_ids))
    found = _build_terms(session, session.execute(asked).all())
    return {term.reservation_id: term for term in found}


def lease_kind_of_reservation(session: Session, reservation_id: str) -> LeaseKind:
    """Return the kind of a tenancy's lease; where none was signed here, that of the default template."""
    row = find_row(session, Reservation, reservation_id)
    return row.lease_kind or lease_kind_of(session, None)


def state_lease_kind(work: Work, *, reservation_id: str, kind: LeaseKind) -> None:
    """Correct the kind of a resident's lease, as staff know it from a contract on paper.

    From then on the notice of the end is needed or not, and a rent may begin after the last day or
    not. Raises `Refused` for anybody but a resident whose tenancy is not over.
    """
    row = reservation_to_change(work.session, reservation_id)
    if row.kind is not ReservationKind.RESIDENT or row.lifecycle in ENDED:
        raise Refused("leaseKind: only the lease of a resident who has not left has a kind.")
    before, row.lease_kind = row.lease_kind, kind
    mark_changed(row, work.clock, work.actor)
    work.session.flush()
    about = of_reservation(row.id)
    facts = {"before": {"lease_kind": before}, "after": {"lease_kind": kind}}
    note_difference(work, AuditEvent.LEASE_KIND_SET, about, **facts)


def _select_residents() -> Select[Reservation, str, Building]:
    return (
        select(Reservation, Unit.name, Building)
        .join(Reservation.unit)
        .join(Unit.building)
        .where(
            Reservation.lifecycle.in_((Lifecycle.LIVING, Lifecycle.CONFIRMED)),
            Reservation.kind == ReservationKind.RESIDENT,
            Reservation.starts_on.is_not(None),
            Reservation.cancelled_at.is_(None),
        )
    )


def _build_terms(session: Session, rows: Iterable[Any]) -> list[EndingTerm]:
    dated = [
        (row, unit, building, end_on)
        for row, unit, building in rows
        if isinstance(
            end_on := effective_day(row.contract_end_date, row.override_contract_end_date), date
        )
    ]
    ids = [row.id for row, *_rest in dated]
    notices, questions, offers, proposals = _read_papers(session, ids)
    usual, figures = lease_kind_of(session, None), policy(session)
    terms = []
    for row, unit, building, end_on in dated:
        kind = row.lease_kind or usual
        first_on = max([row.starts_on, *read_first_days(row.later_terms_from)])
        own = [notice for notice in notices[row.id] if notice.last_on == end_on]
        terms.append(
            EndingTerm(
                reservation_id=row.id,
                name=row.name,
                email=row.email,
                locale=row.locale,
                unit=unit,
                building=Bilingual(building.name, building.name_en),
                building_id=building.id,
                kind=kind,
                first_on=first_on,
                ending=_find_ending(kind, first_on, end_on, own, figures),
                notice=own[-1] if own else None,
                question=questions.get((row.id, end_on)),
                offer=offers.get(row.id),
                proposal=proposals.get(row.id),
            )
        )
    return terms


def _find_ending(
    kind: LeaseKind, first_on: date, last_on: date, notices: Iterable[EndNotice], figures: Policy
) -> TermEnding:
    if kind is LeaseKind.ORDINARY:
        return ending_without_notice(first_on, last_on, figures)
    reached = [notice.reached_on for notice in notices if notice.reached_on is not None]
    return ending_of(first_on, last_on, counting_reach(last_on, reached), figures)


def _read_papers(
    session: Session, ids: Collection[str]
) -> tuple[
    Mapping[str, list[EndNotice]],
    Mapping[tuple[str, date], TermQuestion],
    Mapping[str, LaterTerm],
    Mapping[str, RentProposal],
]:
    notices: defaultdict[str, list[EndNotice]] = defaultdict(list)
    for notice in session.scalars(
        select(EndNotice)
        .where(one_of(EndNotice.reservation_id, ids), EndNotice.withdrawn_at.is_(None))
        .order_by(EndNotice.written_at, EndNotice.id)
    ):
        notices[notice.reservation_id].append(notice)
    asked = select(TermQuestion).where(one_of(TermQuestion.reservation_id, ids))
    offered = select(LaterTerm).where(
        one_of(LaterTerm.reservation_id, ids),
        LaterTerm.signed_at.is_(None),
        LaterTerm.withdrawn_at.is_(None),
    )
    proposed = select(RentProposal).where(
        one_of(RentProposal.reservation_id, ids),
        RentProposal.withdrawn_at.is_(None),
        RentProposal.begun_at.is_(None),
    )
    return (
        notices,
        {(row.reservation_id, row.last_on): row for row in session.scalars(asked)},
        {row.reservation_id: row for row in session.scalars(offered)},
        {row.reservation_id: row for row in session.scalars(proposed)},
    )
