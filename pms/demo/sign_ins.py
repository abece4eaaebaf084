"""What happened at the doors of the demo over the last days: mornings, a phone, a wrong guess."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.doorway import Visitor
from pms.access.models import Person, SignInEvent
from pms.access.sign_in_events import note_event
from pms.demo.people import ACCOUNTS, OWNER, RESIDENT, PortalPerson
from pms.demo.rows import Chance
from pms.foundation.clock import FixedClock
from pms.rules.days import JAPAN
from pms.rules.enumerations import Door, Proof, SignInEventKind
from pms.workspaces.queries import workspace_id_of

_DAYS: Final = 12
_OFFICE: Final = "198.51.100.24"
_DEVICES: Final = ("Chrome, Windows", "Safari, iPhone", "Edge, Windows", "Safari, Mac")
_STRANGER: Final = ("203.0.113.77", "Firefox, Linux")


def keep_sign_ins(session: Session, now: datetime) -> int:
    """Store who came in lately; return how many events were new. Done again, it adds none."""
    if session.scalar(select(SignInEvent.id).limit(1)) is not None:
        return 0
    kept = 0
    for account in ACCOUNTS:
        if session.scalar(select(Person.id).where(Person.email == account.email)) is not None:
            kept += _keep_mornings(session, account.email, now)
    for door, person in ((Door.RESIDENT, RESIDENT), (Door.OWNER, OWNER)):
        kept += _keep_portal(session, door, person, now)
    return kept


def _keep_mornings(session: Session, email: str, now: datetime) -> int:
    chance, kept = Chance("sign-ins", email), 0
    morning = now.astimezone(JAPAN).replace(hour=8, minute=30, second=0)
    device, phone = chance.one_of(_DEVICES), "Chrome, Android"
    for back in range(_DAYS, 0, -chance.whole(3, 4)):
        at = morning - timedelta(days=back, minutes=-chance.whole(0, 70))
        events: list[tuple[SignInEventKind, Proof | None, str]] = [
            (SignInEventKind.SIGNED_IN, Proof.PASSWORD, device)
        ]
        if back == _DAYS:
            events.insert(0, (SignInEventKind.FAILED, Proof.PASSWORD, device))
        elif chance.whole(0, 2) == 0:
            events = [
                (SignInEventKind.CODE_ASKED, Proof.CODE, phone),
                (SignInEventKind.SIGNED_IN, Proof.CODE, phone),
            ]
        for number, (kind, proof, shown) in enumerate(events):
            clock = FixedClock(at + timedelta(seconds=40 * number))
            note_event(session, clock, kind, Visitor(email, _OFFICE, shown), proof=proof)
            kept += 1
    if email.startswith("operator@"):
        kept += _keep_guesses(session, email, morning - timedelta(days=2, hours=6))
    return kept


def _keep_guesses(session: Session, email: str, at: datetime) -> int:
    """Somebody elsewhere who tried passwords in the night, and was slowed down."""
    kinds = [SignInEventKind.FAILED] * 4 + [SignInEventKind.LOCKED_OUT]
    for number, kind in enumerate(kinds):
        clock = FixedClock(at + timedelta(seconds=9 * number))
        note_event(session, clock, kind, Visitor(email, *_STRANGER), proof=Proof.PASSWORD)
    return len(kinds)


def _keep_portal(session: Session, door: Door, person: PortalPerson, now: datetime) -> int:
    workspace_id = workspace_id_of(session, person.slug)
    kinds = (SignInEventKind.CODE_ASKED, SignInEventKind.SIGNED_IN, SignInEventKind.SIGNED_OUT)
    for number, kind in enumerate(kinds):
        note_event(
            session,
            FixedClock(now - timedelta(days=4, minutes=-number)),
            kind,
            Visitor(person.email, "192.0.2.48", "Safari, iPhone"),
            door=door,
            workspace_id=workspace_id,
            proof=None if kind is SignInEventKind.SIGNED_OUT else Proof.CODE,
        )
    return len(kinds)
