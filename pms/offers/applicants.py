"""Applicants who wait for the office: for an explanation of their fixed term, for their screening."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, String, and_, cast, func, literal, null, or_, select, union_all
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.contracts.contract_people import PeopleOfHome
from pms.contracts.models import (
    ContractPeople,
    ExplanationTalk,
    PriorExplanation,
    Screening,
)
from pms.contracts.waiting_talks import (
    CONTRACT,
    UnexplainedContract,
    keep_unexplained,
    select_unexplained,
)
from pms.foundation.db import Instant
from pms.foundation.errors import no_such
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.stored_forms import readable_stored
from pms.foundation.tenancy import refers_to
from pms.foundation.work import find_row
from pms.offers.frozen_terms import StatedDetails
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.explanations import ExplanationWay
from pms.rules.screening import ScreeningState
from pms.workspaces.queries import policy

UNDECIDED: Final = (ScreeningState.RECEIVED, ScreeningState.IN_REVIEW)


class OfferToExplain(NamedTuple):
    """An open offer whose applicant waits to be explained the fixed term, with what they chose."""

    id: str
    name: str
    unit: str
    building: Bilingual
    at: datetime
    wished_way: ExplanationWay | None
    wished_at: datetime | None


class ApplicantToScreen(NamedTuple):
    """A screening that is not decided yet."""

    id: str
    name: str
    unit: str
    building: Bilingual
    at: datetime
    state: ScreeningState


class WaitingApplicants(NamedTuple):
    """The first few who wait for an explanation, also of a contract, and for their screening."""

    to_explain: Sequence[OfferToExplain]
    to_screen: Sequence[ApplicantToScreen]
    contracts: Sequence[UnexplainedContract]


_EXPLANATION: Final = "explanation"
_SCREENING: Final = "screening"


def waiting_applicants(session: Session, now: datetime, few: int) -> WaitingApplicants:
    """Return the first few applicants of each kind in one query, the longest waiting first.

    Who chose a time for the explanation comes by that time.
    """
    parts = [_select_to_screen().limit(few).subquery(), select_unexplained().subquery()]
    if policy(session).explanation_by_person:
        parts.append(_select_to_explain(now).limit(few).subquery())
    rows = session.execute(union_all(*(select(part) for part in parts))).all()
    to_explain, to_screen = [], []
    for row in rows:
        building = Bilingual(row.ja, row.en)
        facts = (row.id, _name_applicant(row.name, row.details), row.unit, building, row.at)
        if row.kind == _SCREENING:
            to_screen.append(ApplicantToScreen(*facts, ScreeningState(row.state)))
        elif row.kind == _EXPLANATION:
            chosen = ExplanationWay(row.way) if row.way else None
            to_explain.append(OfferToExplain(*facts, chosen, row.wished_at))
    contracts = [row for row in rows if row.kind == CONTRACT]
    to_explain.sort(key=lambda offer: (offer.wished_at or offer.at, offer.id))
    return WaitingApplicants(
        to_explain,
        sorted(to_screen, key=lambda each: (each.at, each.id)),
        keep_unexplained(session, contracts, few),
    )


def _select_to_explain(now: datetime) -> Select[Any]:
    wanted_at = func.coalesce(PriorExplanation.wished_at, PriorExplanation.written_at)
    return (
        select(
            literal(_EXPLANATION).label("kind"),
            ReservationLink.id,
            ReservationLink.reservation_id,
            ReservationLink.name,
            ReservationLink.details,
            Unit.name.label("unit"),
            Building.name.label("ja"),
            Building.name_en.label("en"),
            PriorExplanation.written_at.label("at"),
            cast(PriorExplanation.wished_way, String).label("way"),
            PriorExplanation.wished_at,
            cast(null(), String).label("state"),
        )
        .join(Unit, refers_to(ReservationLink.unit_id, Unit))
        .join(Unit.building)
        .join(
            PriorExplanation,
            and_(
                PriorExplanation.workspace_id == ReservationLink.workspace_id,
                PriorExplanation.id == ReservationLink.explanation_id,
            ),
        )
        .outerjoin(ExplanationTalk, refers_to(ExplanationTalk.explanation_id, PriorExplanation))
        .where(
            ReservationLink.accepted_at.is_(None),
            ReservationLink.revoked_at.is_(None),
            ReservationLink.expires_at > now,
            ExplanationTalk.id.is_(None),
        )
        .order_by(wanted_at, ReservationLink.id)
    )


def _select_to_screen() -> Select[Any]:
    return (
        _of_screenings(
            select(
                literal(_SCREENING).label("kind"),
                Screening.id,
                Screening.reservation_id,
                func.coalesce(Reservation.name, ReservationLink.name).label("name"),
                ReservationLink.details,
                Unit.name.label("unit"),
                Building.name.label("ja"),
                Building.name_en.label("en"),
                Screening.received_at.label("at"),
                cast(null(), String).label("way"),
                cast(null(), Instant).label("wished_at"),
                cast(Screening.state, String).label("state"),
            )
        )
        .where(Screening.state.in_(UNDECIDED))
        .order_by(Screening.received_at, Screening.id)
    )


def _of_screenings(asked: Select[Any]) -> Select[Any]:
    """Join a query of screenings with their bookings, offers and homes."""
    return (
        asked.select_from(Screening)
        .outerjoin(Reservation, refers_to(Screening.reservation_id, Reservation))
        .outerjoin(
            ReservationLink,
            and_(
                ReservationLink.workspace_id == Screening.workspace_id,
                ReservationLink.screening_id == Screening.id,
            ),
        )
        .join(
            Unit,
            and_(
                Unit.workspace_id == Screening.workspace_id,
                or_(
                    Unit.id == Reservation.unit_id,
                    and_(Reservation.id.is_(None), Unit.id == ReservationLink.unit_id),
                ),
            ),
        )
        .join(Unit.building)
    )


def _name_applicant(name: str | None, details: Any) -> str:
    """Return the name of a booking or an offer, or the one the applicant entered."""
    stated = readable_stored(StatedDetails, details) if details else None
    return (stated.name if stated is not None else None) or name or ""


def holder_of_people(session: Session, people_id: str) -> Mapping[str, str]:
    """Return the booking or the offer whose people these are, as its address names it."""
    row = find_row(session, ContractPeople, people_id)
    if row.reservation_id is not None:
        return {"reservation_id": row.reservation_id}
    link_id = session.scalars(
        select(ReservationLink.id).where(ReservationLink.people_id == people_id)
    ).one()
    return {"reservation_link_id": link_id}


class ListedScreening(NamedTuple):
    """One screening with its applicant, home, and where they applied."""

    id: str
    state: ScreeningState
    received_at: datetime
    name: str
    unit: str
    building: Bilingual
    move_in_on: date | None
    reservation_id: str | None
    link_id: str | None
    details: StatedDetails | None
    contract: PeopleOfHome


class ScreeningPage(NamedTuple):
    """One page of screenings, and the total."""

    screenings: Sequence[ListedScreening]
    total: int


_LISTED: Final = _of_screenings(
    select(
        Screening,
        func.coalesce(Reservation.name, ReservationLink.name),
        Unit.name,
        Building.name,
        Building.name_en,
        func.coalesce(Reservation.starts_on, ReservationLink.move_in_on),
        ReservationLink.id,
        ReservationLink.details,
        func.coalesce(ContractPeople.id, ReservationLink.people_id),
        Building.id,
    )
).outerjoin(
    ContractPeople,
    and_(
        ContractPeople.workspace_id == Screening.workspace_id,
        ContractPeople.reservation_id == Screening.reservation_id,
    ),
)


def listed_screenings(
    session: Session, states: Sequence[ScreeningState], paging: Paging
) -> ScreeningPage:
    """Return a page of the screenings in some states: open ones oldest first, others newest first."""
    among = Screening.state.in_(states)
    total = session.scalar(select(func.count(Screening.id)).where(among)) or 0
    is_open = set(states) <= set(UNDECIDED)
    at = Screening.received_at if is_open else Screening.received_at.desc()
    asked = _LISTED.where(among).order_by(at, Screening.id)
    rows = session.execute(asked.offset(paging.offset).limit(paging.limit))
    return ScreeningPage([_build_screening(row) for row in rows], total)


def listed_screening(session: Session, screening_id: str) -> ListedScreening:
    """Return one screening; raise `NotFound` for an unknown id."""
    row = session.execute(_LISTED.where(Screening.id == screening_id)).first()
    if row is None:
        raise no_such("screening", screening_id)
    return _build_screening(row)


def _build_screening(row: Sequence[Any]) -> ListedScreening:
    screening, name, unit, ja, en, move_in_on, link_id, details, people_id, building_id = row
    return ListedScreening(
        screening.id,
        screening.state,
        screening.received_at,
        _name_applicant(name, details),
        unit,
        Bilingual(ja, en),
        move_in_on,
        screening.reservation_id,
        link_id,
        readable_stored(StatedDetails, details) if details else None,
        PeopleOfHome(people_id, building_id),
    )
