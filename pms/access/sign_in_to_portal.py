"""Signs a resident or an owner in by an emailed code or link: an address in one workspace."""

from collections.abc import Callable

from sqlalchemy.orm import Session

from pms.access.code_digits import Screen
from pms.access.doorway import Doorway, Visitor
from pms.access.open_session import OpenedSession, open_portal_session
from pms.access.sign_in_with_code import TriedCode, sign_in_with_code, sign_in_with_link
from pms.rules.enumerations import Door

_Known = Callable[[Session, str, str], bool]


def sign_in_to_portal(
    doorway: Doorway, screen: Screen, digits: str, *, visitor: Visitor, is_known: _Known
) -> TriedCode:
    """Return a session of the screen's address, when the code opens and the address is known.

    It is asked again whose the address is: the office may have changed it since the mail left.
    """
    return sign_in_with_code(
        doorway,
        screen,
        digits,
        visitor=visitor,
        opening=lambda session: _opened(session, doorway, screen, visitor, is_known),
    )


def sign_in_to_portal_with_link(
    doorway: Doorway,
    door: Door,
    workspace_id: str,
    token: str,
    *,
    visitor: Visitor,
    is_known: _Known,
) -> OpenedSession | None:
    """Return a session of the address that a mailed link names, when it is still known."""
    return sign_in_with_link(
        doorway,
        door,
        workspace_id,
        token,
        lambda session, account: _opened(session, doorway, account, visitor, is_known),
        visitor=visitor,
    )


def _opened(
    session: Session, doorway: Doorway, account: Screen, visitor: Visitor, is_known: _Known
) -> OpenedSession | None:
    workspace_id = account.workspace_id
    if workspace_id is None or not is_known(session, workspace_id, account.address):
        return None
    return open_portal_session(
        session,
        doorway.clock,
        door=account.door,
        workspace_id=workspace_id,
        address=account.address,
        device=visitor.device,
    )
