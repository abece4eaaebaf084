"""Vacancies of units, and refusing a stay where there is none."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from sqlalchemy.orm import Session

from pms.availability.units import FEW, taken_units
from pms.foundation.errors import Refused
from pms.foundation.versions import asked_once
from pms.rules.days import readable
from pms.rules.unit_stays import Stay
from pms.rules.vacancy import Vacancy, vacancy_for
from pms.workspaces.queries import policy as policy_of


def vacancies(
    session: Session,
    unit_ids: Sequence[str],
    wanted: Stay,
    today: date,
    beside: Collection[str] = (),
) -> Mapping[str, Vacancy]:
    """Return the conflicts with a stay in each of the units, in two queries and the policy.

    The stays `beside` end before the wanted one within the same act and are ignored.
    """
    policy = policy_of(session)
    # A stay may be entered after it began; stays that ended between then and today count too.
    since = min(today, wanted.start_on) if isinstance(wanted.start_on, date) else today
    named = tuple(unit_ids) if len(unit_ids) <= FEW else None
    stays, blocks = asked_once(session, taken_units, since, policy, named)
    return {
        unit_id: vacancy_for(
            wanted,
            [stay for stay in stays.get(unit_id, ()) if stay.id not in beside],
            blocks.get(unit_id, ()),
            today,
            policy,
        )
        for unit_id in unit_ids
    }


def vacancy_of(
    session: Session, unit_id: str, wanted: Stay, today: date, beside: Collection[str] = ()
) -> Vacancy:
    """Return the conflicts with a stay in one unit."""
    return vacancies(session, [unit_id], wanted, today, beside)[unit_id]


def refuse_following(
    session: Session,
    unit_id: str,
    wanted: Stay,
    today: date,
    *,
    beside: Collection[str] = (),
    follows: Collection[str] = (),
) -> None:
    """Raise `Refused` for a stay after a month-to-month resident without a notice.

    `follows` are the residents for whom staff confirmed it on a page that explains the effect.
    """
    for followed in vacancy_of(session, unit_id, wanted, today, beside).followed:
        if followed.is_month_to_month and followed.stay.id not in follows:
            raise Refused(
                "follows: the resident of this unit is month to month and has given no notice, so "
                "the unit has no date when it becomes free. Confirm this to book it from {day}.",
                day=readable(wanted.start_on),
            )


def refuse_unless_free(session: Session, unit_id: str, wanted: Stay, today: date) -> None:
    """Raise `Refused` when a reservation without a notice keeps the unit from being free.

    Reservations that take the nights themselves are left to the double-booking check, which names
    the dates; neither check reads blocks.
    """
    found = vacancy_of(session, unit_id, wanted, today)
    if found.followed and not found.conflicts:
        raise Refused(
            "unitId: the unit is not free from {day}: the reservation before it has no "
            "move-out notice.",
            day=readable(wanted.start_on),
        )
