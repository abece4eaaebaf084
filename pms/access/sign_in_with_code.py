"""Signs someone in by the digits of an emailed code (specification, Surfaces)."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.code_digits import Screen, has_digits
from pms.access.door_tries import Subject, count_try, forgive
from pms.access.doorway import Doorway
from pms.access.models import SignInCode
from pms.access.open_session import OpenedSession
from pms.rules.sign_in_codes import CODE_LIFE, CodeAnswer, SentCode, refusal_of_code
from pms.rules.slowing import TRIES_OF_CLIENT

NOT_YET: Final = timedelta(0)
Opening = Callable[[Session], OpenedSession | None]
"""Opens the session of whoever the address belongs to; `None` when it belongs to nobody."""


class TriedCode(NamedTuple):
    """What trying a code came to; a session with `OPENS`, a wait with `SLOWED_DOWN`."""

    answer: CodeAnswer
    opened: OpenedSession | None = None
    wait: timedelta = NOT_YET


def sign_in_with_code(
    doorway: Doorway, screen: Screen, digits: str, *, client: str, opening: Opening
) -> TriedCode:
    """Return a session when these are the digits of the newest code, sent to this very screen.

    The codes of the address are locked: of several who try at once each counts, and one wins.
    """
    trier = Subject("codes tried", client, TRIES_OF_CLIENT)

    def try_once(session: Session) -> TriedCode:
        wait = count_try(session, doorway.clock, (trier,))
        if wait:
            return TriedCode(CodeAnswer.SLOWED_DOWN, wait=wait)
        tried = _tried(session, doorway, screen, digits, opening)
        if tried.opened is not None:
            forgive(session, trier, tries=1)
        return tried

    return doorway.write(try_once)


def _tried(
    session: Session, doorway: Doorway, screen: Screen, digits: str, opening: Opening
) -> TriedCode:
    sent = _sent_codes(session, doorway, screen)
    own = [code for code in sent if code.screen_hash == screen.nonce_hash]
    code = own[0] if own else None
    refusal = refusal_of_code(_seen(code, sent), doorway.clock.now(), code is not None)
    if code is None or refusal is not None:
        return TriedCode(refusal or CodeAnswer.OTHER_SCREEN)
    if has_digits(doorway.sealer, code, digits):
        opened = opening(session)
        if opened is not None:
            code.used_at = doorway.clock.now()
            return TriedCode(CodeAnswer.OPENS, opened)
    elif any(has_digits(doorway.sealer, older, digits) for older in own[1:]):
        return TriedCode(CodeAnswer.REPLACED)
    code.wrong_tries += 1
    # The fifth wrong try is the one that kills the code, and says so.
    again = refusal_of_code(_seen(code, sent), doorway.clock.now(), True)
    return TriedCode(again or CodeAnswer.WRONG)


def _sent_codes(session: Session, doorway: Doorway, screen: Screen) -> Sequence[SignInCode]:
    """Return the codes of the address, the newest first, and one expired not long ago."""
    return session.scalars(
        select(SignInCode)
        .where(
            SignInCode.address == screen.address,
            SignInCode.door == screen.door,
            SignInCode.workspace_id == screen.workspace_id
            if screen.workspace_id
            else SignInCode.workspace_id.is_(None),
            SignInCode.sent_at > doorway.clock.now() - 6 * CODE_LIFE,
        )
        .order_by(SignInCode.sent_at.desc(), SignInCode.id.desc())
        .with_for_update()
        .execution_options(populate_existing=True)
    ).all()


def _seen(code: SignInCode | None, sent: Sequence[SignInCode]) -> SentCode | None:
    if code is None:
        return None
    return SentCode(code.sent_at, code is sent[0], code.wrong_tries, code.used_at is not None)
