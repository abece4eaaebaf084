"""Stored settings of lists: each person's columns, and saved views of a list's URL parameters."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import ListView
from pms.foundation.errors import NotFound, Refused
from pms.foundation.ids import is_id
from pms.foundation.work import Work

MOST_VIEWS: Final = 40
_MOST_CHARACTERS: Final = 1_500
_OWN: Final = ""


class SavedView(NamedTuple):
    """A saved view as a list offers it; `query` is the part of the URL after the question mark."""

    id: str
    name: str
    query: str
    is_own: bool
    is_shared: bool


class ListViews(NamedTuple):
    """What is stored for a person's list: the parameters that always apply, and the views."""

    own_query: str
    saved: Sequence[SavedView]


def views_of(session: Session, person_id: str, listing: str) -> ListViews:
    """Return the person's columns of a list, and the saved views they may open, by name."""
    rows = session.execute(
        select(ListView.id, ListView.name, ListView.query, ListView.person_id, ListView.is_shared)
        .where(
            ListView.listing == listing,
            or_(ListView.person_id == person_id, ListView.is_shared),
        )
        .order_by(ListView.name, ListView.id)
    ).all()
    own = next((row.query for row in rows if not row.name and row.person_id == person_id), "")
    return ListViews(
        own,
        [
            SavedView(row.id, row.name, row.query, row.person_id == person_id, row.is_shared)
            for row in rows
            if row.name
        ],
    )


def keep_columns(work: Work, *, person_id: str, listing: str, query: str) -> None:
    """Store the columns and the page length a person wants of a list."""
    _write_view(work, person_id, listing, _OWN, query, is_shared=False)


def save_view(
    work: Work, *, person_id: str, listing: str, name: str, query: str, is_shared: bool
) -> None:
    """Save a view; it replaces the person's own view of the same name."""
    count = select(func.count()).where(
        ListView.person_id == person_id, ListView.listing == listing, ListView.name != name
    )
    if (work.session.scalar(count) or 0) > MOST_VIEWS:
        raise Refused(
            "name: '{name}' cannot be saved; a list has up to {most} views, so delete one first.",
            name=name[:40],
            most=MOST_VIEWS,
        )
    _write_view(work, person_id, listing, name, query, is_shared=is_shared)


def remove_view(work: Work, *, person_id: str, view_id: str) -> None:
    """Delete a view of this person."""
    found = is_id(view_id) and work.session.scalar(
        delete(ListView)
        .where(ListView.id == view_id, ListView.person_id == person_id, ListView.name != _OWN)
        .returning(ListView.id)
    )
    if not found:
        raise NotFound("View '{view_id}' was not found among your views.", view_id=view_id[:60])


def _write_view(
    work: Work, person_id: str, listing: str, name: str, query: str, *, is_shared: bool
) -> None:
    if len(query) > _MOST_CHARACTERS:
        raise Refused(
            "query: {count} characters are too many; enter up to {most}.",
            count=len(query),
            most=_MOST_CHARACTERS,
        )
    row = work.session.scalar(
        select(ListView).where(
            ListView.person_id == person_id, ListView.listing == listing, ListView.name == name
        )
    )
    if row is None:
        row = ListView(person_id=person_id, listing=listing, name=name)
        work.session.add(row)
    row.query, row.is_shared, row.saved_at = query, is_shared, work.clock.now()
    work.session.flush()
