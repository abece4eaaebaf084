"""Asks for a sign-in code, with the same steps whether the address is known or not."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.door_tries import Subject, count_try, has_tried
from pms.access.doorway import Visitor
from pms.access.models import SignInCode
from pms.access.sent_codes import wrong_tries_of_day
from pms.access.sign_in_events import note_event
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.rules.enumerations import Proof, SignInEventKind
from pms.rules.sign_in_codes import takes_link
from pms.rules.slowing import (
    CODES_OF_ADDRESS,
    CODES_OF_ASKER,
    CODES_OF_CLIENT,
    CODES_OF_NETWORK,
)

NOT_YET: Final = timedelta(0)


class AskedCode(NamedTuple):
    """When a code was asked for; `wait` says that none is on its way and the live one stays."""

    asked_at: datetime
    wait: timedelta = NOT_YET


def request_code(
    session: Session, clock: Clock, screen: Screen, *, visitor: Visitor, locale: str
) -> AskedCode:
    """Keep a code for the screen, which from now on is the newest of its browser.

    The worker finds out whom the address belongs to and mails the code, or nothing: so a known
    and an unknown address take the same steps here. Asked for too often, nothing is kept. After
    too many wrong tries in a day a link is mailed in its place.
    """
    asked_at = clock.now()
    wait = _count(session, clock, screen, visitor)
    if wait:
        return AskedCode(asked_at, wait)
    session.add(
        SignInCode(
            id=new_id(),
            door=screen.door,
            workspace_id=screen.workspace_id,
            address=screen.address,
            locale=locale,
            screen_hash=screen.nonce_hash,
            asker_hash=screen.asker_hash,
            is_link=takes_link(wrong_tries_of_day(session, clock, screen)),
            salt=new_token(),
            sent_at=asked_at,
            mail_due_at=asked_at,
        )
    )
    note_event(
        session,
        clock,
        SignInEventKind.CODE_ASKED,
        visitor,
        door=screen.door,
        workspace_id=screen.workspace_id,
        proof=Proof.CODE,
    )
    return AskedCode(asked_at)


def _count(session: Session, clock: Clock, screen: Screen, visitor: Visitor) -> timedelta:
    """Count who asks: their own browser and network before what all ask for the address.

    A browser in which the address signed in before is counted by itself alone, and the first to
    ask from a neighbourhood never waits for what others asked: so nobody keeps the owner out.
    """
    account = screen.account
    browser = visitor.known_device or screen.asker_hash
    own = Subject("code", f"{account}\x1f{browser}", CODES_OF_ASKER)
    if visitor.known_device:
        return count_try(session, clock, (own,))
    network = Subject("code of network", f"{account}\x1f{visitor.client}", CODES_OF_NETWORK)
    around = Subject("code around", f"{account}\x1f{visitor.neighbourhood}", CODES_OF_ADDRESS)
    everyone = Subject("code of address", account, CODES_OF_ADDRESS)
    everything = Subject("codes", visitor.client, CODES_OF_CLIENT)
    own_allowance = (own, network, everything, around)
    has_asked = has_tried(session, around)
    return count_try(session, clock, (*own_allowance, everyone) if has_asked else own_allowance)
