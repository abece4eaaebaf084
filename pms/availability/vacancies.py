"""Whether units are free for a stay, for every screen, offer, link and program that asks."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from sqlalchemy.orm import Session

from pms.availability.queries import taken
from pms.foundation.errors import Refused
from pms.rules.days import readable
from pms.rules.stays import Stay
from pms.rules.vacancy import Vacancy, vacancy_for
from pms.workspaces.queries import policy as policy_of


def vacancies(
    session: Session,
    unit_ids: Sequence[str],
    wanted: Stay,
    today: date,
    beside: Collection[str] = (),
) -> Mapping[str, Vacancy]:
    """Return what stands against a stay in each of the units, in two questions and the policy.

    The stays `beside` end before the wanted one by the same act and do not count.
    """
    policy = policy_of(session)
    # A stay may be entered after it began; whoever had left by today counts then.
    since = min(today, wanted.start_on) if isinstance(wanted.start_on, date) else today
    stays, blocks = taken(session, since, policy, unit_ids)
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
    """Return what stands against a stay in one unit."""
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
    """Raise `Refused` for a stay after somebody who is month to month and filed no notice.

    `follows` are the residents of whom staff said so on a page that tells them what it does.
    """
    for followed in vacancy_of(session, unit_id, wanted, today, beside).followed:
        if followed.is_month_to_month and followed.stay.id not in follows:
            raise Refused(
                "follows: a resident of the unit is month to month and has filed no notice, so no"
                " day is known on which it becomes free. Agree to that to book it from {day}.",
                day=readable(wanted.start_on),
            )


def refuse_unless_free(session: Session, unit_id: str, wanted: Stay, today: date) -> None:
    """Raise `Refused` where somebody who filed no notice keeps the unit from being free.

    Whoever holds the nights themselves is left to the check of double booking, which names the
    dates; blocks are never asked there, nor here.
    """
    found = vacancy_of(session, unit_id, wanted, today)
    if found.followed and not found.conflicts:
        raise Refused(
            "unitId: the unit is not free from {day}: a reservation before that day has no"
            " move-out notice.",
            day=readable(wanted.start_on),
        )
