"""The enquiries of the demo: who asked what, what was answered, who comes to see, who waits."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.catalogue.models import Building, Unit
from pms.demo.operators import OpenedWorkspace
from pms.demo.people import DemoPerson, People
from pms.demo.rows import Chance, IdMaker, instant, read_toml
from pms.demo.stay_plans import days_from
from pms.enquiries.enquiry_answers import mail_answer
from pms.enquiries.models import Viewing, ViewingOfEnquiry, WaitlistPlace
from pms.enquiries.viewing_lists import openings
from pms.foundation.clock import FixedClock
from pms.foundation.outbox import OutboxMail
from pms.inbox.models import Enquiry, EnquiryNote
from pms.rules.days import day_of
from pms.rules.enumerations import (
    EnquirySource,
    EnquiryState,
    StaffRole,
    ViewingStatus,
    WaitlistState,
)

UNIT, SOFT, BUILDING, ANY = "unit", "soft", "building", "any"


class DemoEnquiry(NamedTuple):
    """One enquiry: days from today when it came and when they want to move in, and the words."""

    state: EnquiryState
    source: EnquirySource
    asked_day: int
    what: str
    ja: str
    en: str
    wanted_day: int | None = None
    answer_ja: str | None = None
    answer_en: str | None = None
    has_usual_answer: bool = False
    note: str | None = None
    is_of: int | None = None
    """The place of the earlier enquiry of the same person."""


def _parse_wish(row: dict[str, Any]) -> DemoEnquiry:
    kinds = {"state": EnquiryState(row["state"]), "source": EnquirySource(row["source"])}
    return DemoEnquiry(**row | kinds)


_ENQUIRIES: Final = read_toml("enquiries")
WISHES: Final = tuple(map(_parse_wish, _ENQUIRIES["enquiry"]))
_BY_ITSELF: Final = (EnquirySource.WEBSITE, EnquirySource.PORTAL)
_BY: Final = "demo"
_DAYS_AHEAD: Final = (0, 3, 7, 10)
NO_SUCH_ADDRESS: Final = "550: 5.1.1 no such address here"


class _Desk(NamedTuple):
    """What the rows of the enquiries are made with."""

    session: Session
    ids: IdMaker
    rng: Chance
    now: datetime
    units: Sequence[Unit]
    free: Sequence[Unit]
    soft: Sequence[Unit]
    office: Sequence[str]

    def choose_member(self) -> str | None:
        return self.rng.one_of(self.office) if self.office else None


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
    found = {opening.unit_id: opening.is_confirmed for opening in openings(session, day_of(now))}
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
    asked = _add_enquiries(desk, People(desk.rng))
    # What was answered has long been read, but for one whose address nobody has.
    rows = desk.session.execute(
        select(OutboxMail, Enquiry.state)
        .join(EnquiryNote, EnquiryNote.mail_id == OutboxMail.id)
        .join(Enquiry, Enquiry.id == EnquiryNote.enquiry_id)
        .order_by(OutboxMail.written_at, EnquiryNote.id)
    ).all()
    for mail, _ in rows:
        mail.sent_at, mail.due_at = mail.written_at, None
    mail = [mail for mail, state in rows if state is EnquiryState.ANSWERED][-1]
    mail.sent_at, mail.given_up_at, mail.failure = None, desk.now, NO_SUCH_ADDRESS
    for viewing in desk.session.scalars(select(Viewing).order_by(Viewing.id)):
        viewing.host_id = desk.choose_member()
    _add_viewings(
        desk, [row for row in asked if row.state in (EnquiryState.VIEWING, EnquiryState.OFFERED)]
    )
    # One who asked when a unit will be free waits for it under the same address.
    row = next(
        enquiry for enquiry in asked if enquiry.state is EnquiryState.ANSWERED and enquiry.unit_id
    )
    place = desk.session.scalars(select(WaitlistPlace).order_by(WaitlistPlace.id).limit(1)).first()
    if place is not None:
        place.name, place.email, place.phone = row.name, row.email, row.phone
        place.unit_id, place.building_id = row.unit_id, None
    session.flush()


def _add_enquiries(desk: _Desk, people: People) -> list[Enquiry]:
    asked: list[Enquiry] = []
    persons: list[DemoPerson] = []
    for number, wish in enumerate(WISHES):
        person = people.next() if wish.is_of is None else persons[wish.is_of]
        persons.append(person)
        asked.append(_enquiry_row(desk, number, wish, person, asked))
        desk.session.add(asked[-1])
        desk.session.flush()
        row = asked[-1]
        language = "en" if row.locale == "en" else "ja"
        answer = wish.answer_en if language == "en" else wish.answer_ja
        if wish.has_usual_answer:
            answer = _ENQUIRIES["usual_answer"][language]
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
                        by=f"person/{row.assignee_id}" if row.assignee_id else _BY,
                    )
                )
    return asked


def _enquiry_row(
    desk: _Desk, number: int, wish: DemoEnquiry, person: DemoPerson, asked: Sequence[Enquiry]
) -> Enquiry:
    today = day_of(desk.now)
    asked_on = today + timedelta(days=wish.asked_day)
    came_at = min(instant(asked_on, 9 + number % 3, 7 * number % 60), desk.now)
    if wish.what == SOFT:
        unit_asked_about = desk.rng.one_of(desk.soft)
    else:
        unit_asked_about = desk.rng.one_of(
            desk.units if wish.state is EnquiryState.NEW else desk.free
        )
    unit, locale = unit_asked_about, "en" if person.locale == "en" else "ja"
    is_by_itself = wish.source in _BY_ITSELF
    if is_by_itself:
        received_by = _BY
    else:
        person_id = desk.choose_member()
        received_by = f"person/{person_id}" if person_id else _BY
    return Enquiry(
        id=desk.ids.at(came_at),
        source=wish.source,
        name=person.name,
        email=person.email,
        phone=person.phone,
        message=wish.en if locale == "en" else wish.ja,
        unit_id=unit.id if wish.what in (UNIT, SOFT) else None,
        building_id=unit.building_id if wish.what == BUILDING else None,
        move_in_on=None if wish.wanted_day is None else today + timedelta(days=wish.wanted_day),
        locale=locale,
        state=wish.state,
        assignee_id=None if wish.state is EnquiryState.NEW else desk.choose_member(),
        duplicate_of_id=None if wish.is_of is None else asked[wish.is_of].id,
        external_id=f"demo-{number + 1:04d}" if is_by_itself else None,
        received_at=came_at,
        received_by=received_by,
        answered_at=None if wish.state is EnquiryState.NEW else came_at + timedelta(hours=5),
        changed_at=came_at + timedelta(hours=5),
        changed_by=_BY,
    )


def _add_viewings(desk: _Desk, asked: Sequence[Enquiry]) -> None:
    """Those who come to see this week and next, and the past viewings of those offered to."""
    today = day_of(desk.now)
    ahead = iter(_DAYS_AHEAD)
    for number, row in enumerate(asked):
        is_past = row.state is EnquiryState.OFFERED
        day = (
            row.received_at.date() + timedelta(days=4)
            if is_past
            else today + timedelta(days=next(ahead))
        )
        unit_id = row.unit_id or desk.rng.one_of(desk.units).id
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


class _Wait(NamedTuple):
    """What somebody waits for, and days from today: when they asked, when they want to move in."""

    what: str
    asked_day: int
    wanted_day: int
    note: str | None = None
    state: WaitlistState = WaitlistState.WAITING


_WAITS: Final = tuple(
    _Wait(**row | {"state": WaitlistState(row.get("state", WaitlistState.WAITING))})
    for row in read_toml("enquiries")["waiting"]
)


def wait(opened: OpenedWorkspace, slug: str) -> None:
    """Keep the rows of a few people who wait."""
    # A generator of its own, so that nothing else of the demo changes with the waitlist.
    rng = Chance("waitlist", slug, opened.today)
    people = People(rng)
    for wish in _WAITS:
        _add_place(opened, wish, people, rng)


def _add_place(opened: OpenedWorkspace, wish: _Wait, people: People, rng: Chance) -> None:
    asked_at = instant(days_from(opened.today, wish.asked_day), 11)
    moved_at = asked_at if wish.state is WaitlistState.WAITING else opened.updated_at
    person = people.next()
    place: dict[str, Any] = {"unit_id": None, "building_id": None}
    if wish.what == UNIT:
        place["unit_id"] = rng.one_of(opened.units).id
    elif wish.what == BUILDING:
        place["building_id"] = rng.one_of(opened.rows.of(Building))["id"]
    opened.rows.add(
        WaitlistPlace,
        asked_at,
        **place,
        name=person.name,
        email=person.email,
        phone=person.phone,
        wanted_from_on=days_from(opened.today, wish.wanted_day),
        note=wish.note,
        state=wish.state,
        added_at=asked_at,
        added_by="demo",
        changed_at=moved_at,
        changed_by="demo",
    )
