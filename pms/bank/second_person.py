"""The rule that a second person confirms payout files: who that may be, and who is told."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Person
from pms.access.staff_mails import mail_person, people_with_roles, write_to_person
from pms.bank.models import PayoutFile
from pms.foundation.work import Work
from pms.notices.notice_mails import NoticeReader, put_notice_mail
from pms.notices.notices import NoticeEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import StaffRole, UserKind
from pms.rules.notices_to_people import NoticeKind, NoticeReaderKind
from pms.workspaces import office_bank
from pms.workspaces.page_links import page_link

_OFFICE = (StaffRole.OPERATOR, StaffRole.OFFICE)


class SecondPersonRule(NamedTuple):
    """Who may be the second person of a payout file: actors, and all of the office with names.

    Its maker and who changed an account in it may not. Who entered an account that was never paid
    may only where the office has no one else: the payee of many a refund is known to one person.
    """

    office: Mapping[str, str]
    maker: str
    changers: Collection[str]
    enterers: Collection[str]

    def admits(self, person: str) -> bool:
        """Return whether a person may confirm the file."""
        free = {*self.office, person} - {self.maker, *self.changers}
        return person in (free.difference(self.enterers) or free)

    @property
    def is_without_confirmer(self) -> bool:
        """Whether no one of the office may confirm the file, so that it has to be made anew."""
        return self.office.keys() <= {self.maker, *self.changers}

    @property
    def next_makers(self) -> Sequence[str]:
        """Who can make a file of the accounts they changed, which a colleague then may confirm.

        None where the office is one person: it first needs another.
        """
        if len(self.office) < 2:
            return ()
        return [each for each in self.office if each in self.changers]


def office_names(session: Session) -> Mapping[str, str]:
    """Return the name of each actor who may confirm payout files by their role."""
    people = people_with_roles(session, _OFFICE)
    return {f"person/{person.id}": person.name for person in people}


def set_office_bank(work: Work, *, expected_version: int, **facts: Any) -> datetime | None:
    """Set the office's account and rules (`pms.workspaces.office_bank.set_office_bank`).

    All operators are told by mail when the rule of the second person is turned off.
    """
    ends_at = office_bank.set_office_bank(work, expected_version=expected_version, **facts)
    if ends_at is not None:
        person_id = work.actor.removeprefix("person/")
        by = work.session.scalar(select(Person.name).where(Person.id == person_id))
        ending = ends_at.astimezone(JAPAN)
        for person in people_with_roles(work.session, (StaffRole.OPERATOR,)):
            mail_person(
                work.session,
                work.clock,
                person,
                "second-person-off",
                by=by or work.actor,
                ends_on=ending.date(),
                ends_at=f"{ending:%H:%M}",
                link=page_link(work.session, UserKind.STAFF, "/settings/bank", person.email),
            )
    return ends_at


def mail_waiting_file(
    work: Work,
    row: PayoutFile,
    *,
    rule: SecondPersonRule,
) -> None:
    """Tell everybody of the office who may confirm a payout file that it waits.

    Where no one may, all of the office are told so, and what to do.
    """
    path, session = f"/bank/payouts/{row.id}", work.session
    facts: dict[str, Any] = {"count": row.count, "total_yen": row.total_yen, "pay_on": row.due_on}
    occasion, kind = "payout-to-confirm", NoticeKind.PAYOUT_TO_CONFIRM
    if rule.is_without_confirmer:
        occasion, kind = "payout-without-confirmer", NoticeKind.PAYOUT_WITHOUT_CONFIRMER
        facts["makers"] = [rule.office[actor] for actor in rule.next_makers]
    for person in people_with_roles(session, _OFFICE):
        if not rule.is_without_confirmer and not rule.admits(f"person/{person.id}"):
            continue
        link = page_link(session, UserKind.STAFF, path, person.email)
        put_notice_mail(
            session,
            work.clock,
            kind,
            NoticeEvent(row.id, path, {"total_yen": row.total_yen}, occasion="made"),
            reader=NoticeReader(NoticeReaderKind.STAFF, person.id, person.email),
            mail=write_to_person(session, person, occasion, link=link, **facts),
            caused_by=work.actor,
        )
