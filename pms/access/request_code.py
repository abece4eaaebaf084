"""Asks for a sign-in code; whether the address is known is not even looked at here."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.door_tries import Subject, count_try
from pms.access.models import SignInCode
from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.foundation.tokens import new_token
from pms.rules.slowing import CODES_OF_ADDRESS, CODES_OF_CLIENT

NOT_YET: Final = timedelta(0)


class AskedCode(NamedTuple):
    """When a code was asked for; `wait` says that none is on its way and the live one stays."""

    asked_at: datetime
    wait: timedelta = NOT_YET


def request_code(
    session: Session, clock: Clock, screen: Screen, *, client: str, locale: str
) -> AskedCode:
    """Keep a code for the screen, which from now on is the newest of its address.

    The worker finds out whom the address belongs to and mails the code, or nothing: so a known
    and an unknown address take the same steps here. Asked for too often, nothing is kept.
    """
    asked_at = clock.now()
    whose = f"{screen.door}\x1f{screen.workspace_id or ''}\x1f{screen.address}"
    wait = count_try(
        session,
        clock,
        (Subject("code", whose, CODES_OF_ADDRESS), Subject("codes", client, CODES_OF_CLIENT)),
    )
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
            salt=new_token(),
            sent_at=asked_at,
            mail_due_at=asked_at,
        )
    )
    session.flush()
    return AskedCode(asked_at)
