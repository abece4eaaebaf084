"""The websites whose pages may call the API from a browser with a key."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import ApiKey, ApiKeyOrigin
from pms.foundation.audit import note_change
from pms.foundation.errors import Refused
from pms.foundation.phrases import join_with_commas
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import Scope
from pms.rules.web_origins import (
    MOST_ORIGINS,
    OriginProblem,
    OriginRefusal,
    refusal_of_origins,
)


class KeyOrigin(NamedTuple):
    """A website of a key."""

    id: str
    origin: str


def origins_of_keys(session: Session) -> Mapping[str, Sequence[KeyOrigin]]:
    """Return the websites of the keys that the session may see, by the key's id, in their order."""
    rows = session.execute(
        select(ApiKeyOrigin.key_id, ApiKeyOrigin.id, ApiKeyOrigin.origin).order_by(
            ApiKeyOrigin.origin
        )
    )
    found: dict[str, list[KeyOrigin]] = {}
    for key_id, id_, origin in rows:
        found.setdefault(key_id, []).append(KeyOrigin(id_, origin))
    return found


def check_origins(
    origins: Collection[str], scopes: Collection[Scope], *, is_development: bool
) -> None:
    """Raise `Refused` unless a key with these scopes may have these origins."""
    refusal = refusal_of_origins(origins, scopes, is_development=is_development)
    if refusal is not None:
        raise _explain_refusal(refusal)


def add_origin(work: Work, key_id: str, origin: str, *, is_development: bool) -> ApiKeyOrigin:
    """Let the pages of one more website use the key, which is marked as public."""
    key = locked(work.session, ApiKey, key_id)
    if key.revoked_at is not None:
        raise Refused("origins: the key '{name}' has already been revoked.", name=key.name)
    known = work.session.scalars(
        select(ApiKeyOrigin.origin).where(ApiKeyOrigin.key_id == key_id)
    ).all()
    if origin in known:
        raise Refused("origins: '{given}' is already a website of this key.", given=origin)
    check_origins([*known, origin], [*map(Scope, key.scopes)], is_development=is_development)
    added = ApiKeyOrigin(key_id=key_id, origin=origin)
    work.session.add(added)
    key.is_public = True
    note_change(work, AuditEvent.KEY_ORIGIN_ADDED, key, also={"name": key.name, "origin": origin})
    work.session.flush()
    return added


def remove_origin(work: Work, key_id: str, origin_id: str) -> str:
    """Take a website off the key and return its origin; its pages cannot use the key any more."""
    key = locked(work.session, ApiKey, key_id)
    removed = locked(
        work.session,
        ApiKeyOrigin,
        origin_id,
        within=lambda question: question.where(ApiKeyOrigin.key_id == key_id),
    )
    work.session.delete(removed)
    note_change(
        work,
        AuditEvent.KEY_ORIGIN_REMOVED,
        key,
        also={"name": key.name, "origin": removed.origin},
    )
    work.session.flush()
    return removed.origin


def _explain_refusal(refusal: OriginRefusal) -> Refused:
    given = refusal.given
    match refusal.problem:
        case OriginProblem.SCOPES:
            return Refused(
                "origins: a key with {scopes} is never used in a browser, so it has no websites.",
                scopes=join_with_commas(given.split(", ")),
            )
        case OriginProblem.TOO_MANY:
            return Refused(
                "origins: a key has at most {most} websites, not {given}.",
                most=MOST_ORIGINS,
                given=given,
            )
        case OriginProblem.NOT_EXACT:
            return Refused(
                "origins: '{given}' is more or other than a browser sends. Write '{instead}'.",
                given=given,
                instead=refusal.instead or "",
            )
        case OriginProblem.NOT_ENCRYPTED:
            return Refused(
                "origins: '{given}' is not encrypted. Write an address that begins with https://.",
                given=given,
            )
        case OriginProblem.LOCALHOST:
            return Refused(
                "origins: '{given}' is possible in development only (PMS_ENV=development).",
                given=given,
            )
        case OriginProblem.UNREADABLE:
            return Refused(
                "origins: '{given}' is not the address of a website, such as https://example.jp.",
                given=given,
            )
