"""The short names of workspaces in addresses: present and former ones, and proposals for a new one."""

import re
from collections.abc import Iterable
from typing import Final
from unicodedata import normalize

from sqlalchemy import BindParameter, ColumnElement, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.errors import Collision, Refused
from pms.foundation.tokens import new_token
from pms.workspaces.models import Workspace, WorkspaceSlug

_SLUG: Final = re.compile(r"[a-z][a-z0-9-]{0,38}[a-z0-9]")
_MOST_CHARACTERS: Final = 40
RESERVED_SLUGS: Final = frozenset(
    [
        "api",
        "assets",
        "calendar",
        "check-in",
        "contractor",
        "dashboard",
        "healthz",
        "invitations",
        "mail",
        "manual",
        "metrics",
        "offline",
        "open",
        "owner",
        "photos",
        "readyz",
        "reserve",
        "resident",
        "settlement",
        "sign-in",
        "sign-out",
        "sign-up",
        "workspaces",
    ]
)
"""Words that stand in addresses of the program where a workspace's name could stand."""
_NUMBERS: Final = range(2, 10)


def check_workspace_slug(typed: str) -> str:
    """Return a typed short name in lower case and half width; raise `Refused` for an invalid one."""
    slug = normalize("NFKC", typed).strip().lower()
    if not slug:
        raise Refused("slug: enter the short name in addresses.")
    if not _SLUG.fullmatch(slug):
        raise Refused(
            "slug: '{slug}' is not possible. Use 2 to 40 of a-z, 0-9 and -, starting with a "
            "letter.",
            slug=slug[:60],
        )
    return slug


def is_of_slug(slug: str | BindParameter[str]) -> ColumnElement[bool]:
    """Return the condition that a workspace has this short name, or had it."""
    former = select(WorkspaceSlug.workspace_id).where(WorkspaceSlug.slug == slug)
    return or_(Workspace.slug == slug, Workspace.id == former.scalar_subquery())


def hold_slug(session: Session, clock: Clock, workspace_id: str, slug: str) -> None:
    """Reserve a short name for a workspace, for ever; `Collision` if it is or was another's.

    Raises `Refused` for a word of the program's own addresses.
    """
    held = WorkspaceSlug.workspace_id == workspace_id, WorkspaceSlug.slug == slug
    if session.scalar(select(WorkspaceSlug.id).where(*held)) is not None:
        return
    if slug in RESERVED_SLUGS:
        raise Refused(
            "slug: '{slug}' is an address of this service. Choose another name.", slug=slug
        )
    session.add(WorkspaceSlug(workspace_id=workspace_id, slug=slug, held_since=clock.now()))
    try:
        session.flush()
    except IntegrityError as taken:
        raise slug_is_taken(slug) from taken


def slug_is_taken(slug: str) -> Collision:
    """Return the refusal of a short name that another workspace has or had."""
    return Collision("slug: '{slug}' is already the name of a workspace.", slug=slug)


def free_workspace_slug(session: Session, words: Iterable[str]) -> str:
    """Return the first free short name of some words, numbered where taken, else one by chance.

    The session reads across workspaces.
    """
    for word in words:
        short = word[:_MOST_CHARACTERS].strip("-")
        numbered = (f"{short[: _MOST_CHARACTERS - 2]}-{number}" for number in _NUMBERS)
        for slug in (short, *numbered):
            if (
                _SLUG.fullmatch(slug)
                and slug not in RESERVED_SLUGS
                and not _is_taken(session, slug)
            ):
                return slug
    return f"office-{new_token()[:6]}"


def _is_taken(session: Session, slug: str) -> bool:
    return session.scalar(select(Workspace.id).where(is_of_slug(slug))) is not None
