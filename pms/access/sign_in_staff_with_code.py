"""Signs a member of staff in by an emailed code."""

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.doorway import Doorway, Visitor
from pms.access.open_session import OpenedSession, open_staff_session
from pms.access.sign_in_with_code import TriedCode, sign_in_with_code
from pms.access.staff import staff_member
from pms.rules.enumerations import Door, Proof


def sign_in_staff_with_code(
    doorway: Doorway, visitor: Visitor, nonce_hash: str, digits: str
) -> TriedCode:
    """Return a session of the person whom the address belongs to, when the code opens."""

    def opening(session: Session) -> OpenedSession | None:
        person = staff_member(session, visitor.address, for_update=True)
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

    screen = Screen(Door.STAFF, None, visitor.address, nonce_hash)
    return sign_in_with_code(doorway, screen, digits, client=visitor.client, opening=opening)
