"""The rule that a second person confirms payout files: turning it off, and who is told."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person
from pms.foundation.clock import Clock
from pms.foundation.mail_texts import mail_text
from pms.foundation.outbox import put_mail
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.rules.enumerations import StaffRole
from pms.workspaces import office_bank
from pms.workspaces.queries import branding

_OFFICE = (StaffRole.OPERATOR, StaffRole.OFFICE)


def set_office_bank(work: Work, *, expected_version: int, **facts: Any) -> datetime | None:
    """Set the office's account and rules (`pms.workspaces.office_bank.set_office_bank`).

    All operators are told by mail when the rule of the second person is turned off.
    """
    ends_at = office_bank.set_office_bank(work, expected_version=expected_version, **facts)
    if ends_at is not None:
        person_id = work.actor.removeprefix("person/")
        by = work.session.scalar(select(Person.name).where(Person.id == person_id))
        ending = ends_at.astimezone(JAPAN)
        for person in _list_people_with_roles(work.session, (StaffRole.OPERATOR,), but=()):
            _mail_person(
                work.session,
                work.clock,
                person,
                "second-person-off",
                by=by or work.actor,
                ends_on=ending.date(),
                ends_at=f"{ending:%H:%M}",
            )
    return ends_at


def mail_waiting_file(
    session: Session,
    clock: Clock,
    *,
    link: str,
    count: int,
    total_yen: int,
    pay_on: date,
    but: Collection[str],
) -> None:
    """Tell everybody of the office who may confirm a payout file that it waits.

    `but` are the actors who may not: who made it, and who changed an account in it.
    """
    for person in _list_people_with_roles(session, _OFFICE, but=but):
        _mail_person(
            session,
            clock,
            person,
            "payout-to-confirm",
            link=link,
            count=count,
            total_yen=total_yen,
            pay_on=pay_on,
        )


def _list_people_with_roles(
    session: Session, roles: Collection[StaffRole], *, but: Collection[str]
) -> list[Person]:
    asked = (
        select(Person)
        .join(Member, Member.person_id == Person.id)
        .where(Member.removed_at.is_(None), Member.role.in_(roles), Person.deactivated_at.is_(None))
        .order_by(Person.email)
    )
    return [person for person in session.scalars(asked) if f"person/{person.id}" not in but]


def _mail_person(
    session: Session, clock: Clock, person: Person, occasion: str, **facts: Any
) -> None:
    brand = branding(session)
    text = mail_text(
        occasion,
        person.locale,
        hue=brand.hue,
        operator=brand.name.in_language(person.locale),
        name=person.name,
        **facts,
    )
    put_mail(session, clock, recipient=person.email, **text._asdict())
