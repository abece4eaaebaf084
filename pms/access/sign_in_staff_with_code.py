"""Signs a member of staff in by an emailed code, or by the link that was mailed instead."""

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.doorway import Doorway, Visitor
from pms.access.open_session import OpenedSession, open_staff_session
from pms.access.sign_in_with_code import TriedCode, sign_in_with_code, sign_in_with_link
from pms.access.staff import staff_member
from pms.rules.enumerations import Door, Proof


def sign_in_staff_with_code(
    doorway: Doorway, visitor: Visitor, nonce_hash: str, digits: str
) -> TriedCode:
    """Return a session of the person whom the address belongs to, when the code opens."""
    screen = Screen(Door.STAFF, None, visitor.address, nonce_hash)
    return sign_in_with_code(
        doorway,
        screen,
        digits,
        visitor=visitor,
        opening=lambda session: _opened(session, doorway, screen.address, visitor),
    )


def sign_in_staff_with_link(doorway: Doorway, visitor: Visitor, token: str) -> OpenedSession | None:
    """Return a session of the person whom a mailed link names; its second factor is still asked."""
    return sign_in_with_link(
        doorway,
        Door.STAFF,
        None,
        token,
        lambda session, account: _opened(session, doorway, account.address, visitor),
        visitor=visitor,
    )


def _opened(
    session: Session, doorway: Doorway, address: str, visitor: Visitor
) -> OpenedSession | None:
    person = staff_member(session, address, for_update=True)
    if person is None:
        return None
    return open_staff_session(
        session,
        doorway.clock,
        person,
        proof=Proof.CODE,
        device=visitor.device,
        is_whole=False,
    )
