"""Gives a workspace of the demo its enquiries: who asked what, what was answered, who comes to see."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.catalogue.models import Unit
from pms.demo.asked import BUILDING, SOFT, UNIT, WISHES, Wish
from pms.demo.chance import Chance, IdMaker
from pms.demo.people import People, Person
from pms.demo.rows import instant
from pms.enquiries.enquiry_mail import mail_answer
from pms.enquiries.models import Enquiry, EnquiryNote, Viewing, ViewingOfEnquiry, WaitlistPlace
from pms.enquiries.openings import openings
from pms.foundation.clock import FixedClock
from pms.foundation.outbox import OutboxMail
from pms.rules.days import day_of
from pms.rules.enumerations import EnquirySource, EnquiryState, StaffRole, ViewingStatus

_ANSWERED, _VIEWING, _OFFERED = EnquiryState.ANSWERED, EnquiryState.VIEWING, EnquiryState.OFFERED
_NEW: Final = EnquiryState.NEW
_BY_ITSELF: Final = (EnquirySource.WEBSITE, EnquirySource.PORTAL)
_DEMO: Final = "demo"
_DAYS_AHEAD: Final = (0, 3, 7, 10)
NO_SUCH_ADDRESS: Final = "550: 5.1.1 no such address here"


class _Desk(NamedTuple):
    """What the rows of the enquiries are made with."""

    session: Session
    ids: IdMaker
    chance: Chance
    now: datetime
    units: Sequence[Unit]
    free: Sequence[Unit]
    soft: Sequence[Unit]
    office: Sequence[str]

    def somebody(self) -> str | None:
        return self.chance.one_of(self.office) if self.office else None


def keep_enquiries(session: Session, slug: str, now: datetime) -> None:
    """Keep twenty enquiries in every state, two of people who asked before, and their viewings."""
    seed = ("enquiries", slug, day_of(now))
    units = session.scalars(select(Unit).order_by(Unit.id)).all()
    people = select(Member.person_id).where(
        Member.removed_at.is_(None), Member.role.in_((StaffRole.OPERATOR, StaffRole.OFFICE))
    )
    office = session.scalars(people.order_by(Member.role, Member.person_id)).all()
    if not units:
        return
    found = {one.unit_id: one.is_confirmed for one in openings(session, day_of(now))}
    desk = _Desk(
        session,
        IdMaker(*seed),
        Chance(*seed),
        now,
        units,
        free=[unit for unit in units if found.get(unit.id) is True] or units,
        soft=[unit for unit in units if found.get(unit.id) is False] or units,
        office=office,
    )
    asked = _ask(desk, People(desk.chance))
    _post(desk)
    _give_hosts(desk)
    _show(desk, [row for row in asked if row.state in (_VIEWING, _OFFERED)])
    _wait(desk, asked)
    session.flush()


def _ask(desk: _Desk, people: People) -> list[Enquiry]:
    asked: list[Enquiry] = []
    persons: list[Person] = []
    for number, wish in enumerate(WISHES):
        person = people.next() if wish.is_of is None else persons[wish.is_of]
        persons.append(person)
        asked.append(_enquiry(desk, number, wish, person, asked))
        desk.session.add(asked[-1])
        desk.session.flush()
        _say(desk, asked[-1], wish)
    return asked


def _enquiry(
    desk: _Desk, number: int, wish: Wish, person: Person, asked: Sequence[Enquiry]
) -> Enquiry:
    today = day_of(desk.now)
    asked_on = today + timedelta(days=wish.asked_day)
    came_at = min(instant(asked_on, 9 + number % 3, 7 * number % 60), desk.now)
    unit, locale = _unit(desk, wish), "en" if person.locale == "en" else "ja"
    is_by_itself = wish.source in _BY_ITSELF
    return Enquiry(
        id=desk.ids.at(came_at),
        source=wish.source,
        name=person.name,
        email=person.email,
        phone=person.phone,
        message=wish.en if locale == "en" else wish.ja,
        unit_id=unit.id if wish.what in (UNIT, SOFT) else None,
        building_id=unit.building_id if wish.what == BUILDING else None,
        move_in_on=_in_days(today, wish.wanted_day),
        locale=locale,
        state=wish.state,
        assignee_id=None if wish.state is _NEW else desk.somebody(),
        duplicate_of_id=None if wish.is_of is None else asked[wish.is_of].id,
        external_id=f"demo-{number + 1:04d}" if is_by_itself else None,
        received_at=came_at,
        received_by=_DEMO if is_by_itself else _actor(desk),
        answered_at=None if wish.state is _NEW else came_at + timedelta(hours=5),
        changed_at=came_at + timedelta(hours=5),
        changed_by=_DEMO,
    )


def _unit(desk: _Desk, wish: Wish) -> Unit:
    """Who is new asks about any unit; who was answered, about one that there is to be had."""
    if wish.what == SOFT:
        return desk.chance.one_of(desk.soft)
    return desk.chance.one_of(desk.units if wish.state is _NEW else desk.free)


def _say(desk: _Desk, row: Enquiry, wish: Wish) -> None:
    answer = wish.answer_en if row.locale == "en" else wish.answer_ja
    for is_answer, text, hours in ((True, answer, 5), (False, wish.note, 29)):
        if text:
            at = min(row.received_at + timedelta(hours=hours), desk.now)
            is_mailed = is_answer and row.email is not None
            clock = FixedClock(at)
            desk.session.add(
                EnquiryNote(
                    id=desk.ids.at(at),
                    enquiry_id=row.id,
                    is_answer=is_answer,
                    text=text,
                    mail_id=mail_answer(desk.session, clock, row, text) if is_mailed else None,
                    at=at,
                    by=f"person/{row.assignee_id}" if row.assignee_id else _DEMO,
                )
            )


def _post(desk: _Desk) -> None:
    """What was answered has long been read, but for one whose address nobody has."""
    rows = desk.session.execute(
        select(OutboxMail, Enquiry.state)
        .join(EnquiryNote, EnquiryNote.mail_id == OutboxMail.id)
        .join(Enquiry, Enquiry.id == EnquiryNote.enquiry_id)
        .order_by(OutboxMail.written_at, EnquiryNote.id)
    ).all()
    for mail, _ in rows:
        mail.sent_at, mail.due_at = mail.written_at, None
    mail = [mail for mail, state in rows if state is _ANSWERED][-1]
    mail.sent_at, mail.given_up_at, mail.failure = None, desk.now, NO_SUCH_ADDRESS


def _give_hosts(desk: _Desk) -> None:
    for viewing in desk.session.scalars(select(Viewing).order_by(Viewing.id)):
        viewing.host_id = desk.somebody()


def _show(desk: _Desk, asked: Sequence[Enquiry]) -> None:
    """Those who come to see this week and next, and the past viewings of those offered to."""
    today = day_of(desk.now)
    ahead = iter(_DAYS_AHEAD)
    for number, row in enumerate(asked):
        is_past = row.state is _OFFERED
        day = (
            row.received_at.date() + timedelta(days=4)
            if is_past
            else today + timedelta(days=next(ahead))
        )
        unit_id = row.unit_id or desk.chance.one_of(desk.units).id
        viewing = Viewing(
            id=desk.ids.at(row.changed_at),
            unit_id=unit_id,
            status=ViewingStatus.DONE if is_past else ViewingStatus.SCHEDULED,
            starts_at=instant(day, 11 + 2 * (number % 4), 30),
            duration_minutes=30,
            visitor_name=row.name,
            visitor_email=row.email,
            visitor_phone=row.phone,
            visitor_locale=row.locale,
            host_id=row.assignee_id,
            created_at=row.changed_at,
            updated_at=row.changed_at,
        )
        desk.session.add(viewing)
        desk.session.flush()
        link = {"viewing_id": viewing.id, "enquiry_id": row.id}
        desk.session.add(ViewingOfEnquiry(id=desk.ids.at(row.changed_at), **link))


def _wait(desk: _Desk, asked: Sequence[Enquiry]) -> None:
    """One who asked when a unit will be free waits for it under the same address."""
    row = next(one for one in asked if one.state is _ANSWERED and one.unit_id)
    place = desk.session.scalars(select(WaitlistPlace).order_by(WaitlistPlace.id).limit(1)).first()
    if place is not None:
        place.name, place.email, place.phone = row.name, row.email, row.phone
        place.unit_id, place.building_id = row.unit_id, None


def _actor(desk: _Desk) -> str:
    person_id = desk.somebody()
    return f"person/{person_id}" if person_id else _DEMO


def _in_days(today: date, days: int | None) -> date | None:
    return None if days is None else today + timedelta(days=days)
