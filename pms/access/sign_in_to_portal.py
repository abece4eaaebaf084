"""Signs a resident or an owner in by an emailed code: an address in one workspace."""

from collections.abc import Callable

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.doorway import Doorway
from pms.access.open_session import OpenedSession, open_portal_session
from pms.access.sign_in_with_code import TriedCode, sign_in_with_code

_Known = Callable[[Session, str, str], bool]


def sign_in_to_portal(
    doorway: Doorway, screen: Screen, digits: str, *, client: str, device: str, is_known: _Known
) -> TriedCode:
    """Return a session of the screen's address, when the code opens and the address is known.

    It is asked again whose the address is: the office may have changed it since the mail left.
    """

    def opening(session: Session) -> OpenedSession | None:
        workspace_id = screen.workspace_id
        if workspace_id is None or not is_known(session, workspace_id, screen.address):
            return None
        return open_portal_session(
            session,
            doorway.clock,
            door=screen.door,
            workspace_id=workspace_id,
            address=screen.address,
            device=device,
        )

    return sign_in_with_code(doorway, screen, digits, client=client, opening=opening)
