"""Names whom a tenancy would follow although they filed no notice, and what it would do to them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.vacancies import vacancy_of
from pms.foundation.ids import is_id
from pms.foundation.prepared import one_of
from pms.ledger.queries import issued_rows
from pms.reservations.models import Reservation
from pms.rules.contract_dates import Term, refusal_of_term
from pms.rules.days import ONE_DAY, readable
from pms.rules.enumerations import ReservationKind
from pms.rules.notice_period import window_opens_on
from pms.rules.rent_rows import IssuedRow
from pms.rules.stays import Stay
from pms.rules.vacancy import FollowedStay, Vacancy
from pms.workspaces.queries import policy


class FollowedResident(NamedTuple):
    """Somebody who has filed no notice, or an owner, in the unit before the days asked for.

    The tenancy that follows ends `is_month_to_month`, which began on `since`. Days after
    `billed_until` are not billed then, unless a notice says when they leave (Month to month).
    """

    reservation_id: str
    name: str
    kind: ReservationKind
    contract_end_on: date | None
    move_out_on: date | None
    lives_there: bool
    is_month_to_month: bool
    since: date | None
    billed_until: date | None


def followed_residents(
    session: Session, found: Mapping[str, Vacancy], first_on: date, today: date
) -> Mapping[str, Sequence[FollowedResident]]:
    """Return by unit whom a tenancy from a day on would follow; for the eyes of the office alone."""
    ids = [one.stay.id for vacancy in found.values() for one in vacancy.followed]
    if not ids:
        return dict.fromkeys(found, ())
    asked = select(Reservation.id, Reservation.name).where(one_of(Reservation.id, ids))
    names = {row.id: row.name for row in session.execute(asked)}
    figures, rows = policy(session), issued_rows(session, ids)
    billed = {id_: _last_day(issued) for id_, issued in rows.items()}

    def resident(one: FollowedStay) -> FollowedResident:
        start_on, end_on = readable(one.stay.start_on), readable(one.stay.end_on)
        since = window_opens_on(Term(start_on, end_on), figures) if start_on else None
        untils = [billed.get(one.stay.id), end_on and min(end_on, first_on - ONE_DAY)]
        return FollowedResident(
            reservation_id=one.stay.id,
            name=names[one.stay.id],
            kind=ReservationKind(one.stay.kind),
            contract_end_on=end_on,
            move_out_on=readable(one.stay.move_out_on),
            lives_there=start_on is not None and start_on <= today,
            is_month_to_month=one.is_month_to_month,
            since=since if one.is_month_to_month else None,
            billed_until=max((day for day in untils if day), default=None),
        )

    return {unit_id: list(map(resident, vacancy.followed)) for unit_id, vacancy in found.items()}


def residents_followed(
    session: Session,
    unit_id: str,
    first_on: date,
    last_on: date | None,
    today: date,
    *,
    beside: Collection[str] = (),
) -> Sequence[FollowedResident]:
    """Return whom a tenancy of one unit would follow; nobody while others hold its nights."""
    if not is_id(unit_id) or refusal_of_term(Term(first_on, last_on)) is not None:
        return ()
    found = vacancy_of(session, unit_id, Stay("", first_on, last_on), today, beside)
    if found.conflicts:
        return ()
    return followed_residents(session, {unit_id: found}, first_on, today)[unit_id]


def _last_day(rows: Iterable[IssuedRow]) -> date | None:
    return max((row.last_on for row in rows if row.last_on), default=None)
