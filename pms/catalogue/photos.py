"""Photos of buildings and units: positions and order."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.orm import Session

from pms.catalogue.checks import (
    LONGEST_LINE,
    add_row,
    check_text,
    remove_row,
    write_columns,
)
from pms.catalogue.models import Building, Photo, Unit
from pms.catalogue.photo_sizes import SizedPhoto
from pms.foundation.audit import (
    AuditRecord,
    Subject,
    audit_events,
    note_audit_event,
    note_change,
)
from pms.foundation.errors import Refused, no_such
from pms.foundation.files import keys_within
from pms.foundation.ids import is_id
from pms.foundation.phrases import Bilingual
from pms.foundation.prepared import PreparedStatement
from pms.foundation.work import Work, locked
from pms.rules.audit_events import AuditEvent
from pms.workspaces.models import Workspace
from pms.workspaces.slugs import is_of_slug


def subject_of_photo(photo: Photo) -> Subject:
    """Return the unit or the building of a picture."""
    if photo.unit_id is not None:
        return ("unit", photo.unit_id)
    return ("building", str(photo.building_id))


def lock_subject(session: Session, subject: Subject) -> None:
    """Lock the unit or the building; raise `NotFound` for an unknown one."""
    kind, id_ = subject
    if kind == "unit":
        locked(session, Unit, id_)
    else:
        locked(session, Building, id_)


def photos_in_order(session: Session, subject: Subject) -> Sequence[Photo]:
    """Return the pictures of a subject, locked, in their order."""
    kind, id_ = subject
    is_of = (Photo.unit_id if kind == "unit" else Photo.building_id) == id_
    question = select(Photo).where(is_of).order_by(Photo.position, Photo.id)
    return session.scalars(
        question.with_for_update(key_share=True).execution_options(populate_existing=True)
    ).all()


def number_places(photos: Sequence[Photo]) -> None:
    """Set each picture's position, counted from 1."""
    for place, photo in enumerate(photos, start=1):
        if photo.position != place:
            photo.position = place


MOST_PHOTOS = 60


def add_photo(
    work: Work,
    *,
    subject: Subject,
    sized: SizedPhoto,
    alt_ja: str | None = None,
    alt_en: str | None = None,
) -> str:
    """Append a picture to those of the subject and return its id.

    `sized` comes from `size_photo`, which is slow and needs no transaction.
    """
    kind, id_ = subject
    lock_subject(work.session, subject)
    hanging = len(photos_in_order(work.session, subject))
    if hanging >= MOST_PHOTOS:
        raise Refused(
            "photo: there are already {most} photos, the most possible.", most=MOST_PHOTOS
        )
    row = Photo(
        building_id=None if kind == "unit" else id_,
        unit_id=id_ if kind == "unit" else None,
        position=hanging + 1,
        width=sized.width,
        height=sized.height,
        files=dict(sized.files),
        alt_ja=check_text("altJa", alt_ja, LONGEST_LINE) or "",
        alt_en=check_text("altEn", alt_en, LONGEST_LINE) or "",
        created_at=work.clock.now(),
    )
    return add_row(work, AuditEvent.PHOTO_ADDED, row)


def move_photo(work: Work, *, photo_id: str, places: int) -> Subject:
    """Move a picture by this many positions, backwards when negative, up to the end of the list."""
    photo = locked(work.session, Photo, photo_id)
    subject = subject_of_photo(photo)
    before = list(photos_in_order(work.session, subject))
    after = [other for other in before if other is not photo]
    after.insert(max(0, before.index(photo) + places), photo)
    if after == before:
        return subject
    number_places(after)
    note_audit_event(
        work,
        AuditEvent.PHOTOS_ORDERED,
        subject,
        before={"photos": [other.id for other in before]},
        after={"photos": [other.id for other in after]},
    )
    work.session.flush()
    return subject


_COLUMNS = (
    "building_id",
    "unit_id",
    "position",
    "width",
    "height",
    "files",
    "alt_ja",
    "alt_en",
)


def put_back_photo(work: Work, *, photo_id: str) -> Subject:
    """Restore a removed picture at its position and return its subject."""
    removals = audit_events(
        work.session, subject=("photo", photo_id), audit_event=AuditEvent.PHOTO_REMOVED, limit=1
    ).audit_events
    hangs = work.session.scalar(select(Photo.id).where(Photo.id == photo_id)) if removals else None
    if not removals or hangs is not None:
        raise no_such("removed photo", photo_id)
    was = removals[0].before
    photo = Photo(
        id=photo_id,
        **{column: was.get(column) for column in _COLUMNS},
        created_at=work.clock.now(),
    )
    subject = subject_of_photo(photo)
    lock_subject(work.session, subject)
    others = list(photos_in_order(work.session, subject))
    work.session.add(photo)
    note_change(work, AuditEvent.PHOTO_ADDED, photo)
    others.insert(photo.position - 1, photo)
    number_places(others)
    work.session.flush()
    return subject


def files_of_removed_photos(session: Session) -> set[str]:
    """Return the keys of the files of pictures that can be put back.

    The session reads across workspaces.
    """
    removed = select(AuditRecord.before).where(
        AuditRecord.audit_event == AuditEvent.PHOTO_REMOVED.value
    )
    return {key for was in session.scalars(removed) for key in keys_within(was)}


def remove_photo(work: Work, *, photo_id: str) -> Subject:
    """Remove a picture and return its subject; its stored files stay."""
    photo = locked(work.session, Photo, photo_id)
    subject = subject_of_photo(photo)
    remove_row(work, AuditEvent.PHOTO_REMOVED, photo)
    number_places(photos_in_order(work.session, subject))
    work.session.flush()
    return subject


class HungPhoto(NamedTuple):
    """A picture in its order; `width` and `height` are its largest size in pixels."""

    id: str
    subject: Subject
    version: int
    width: int
    height: int
    alt: Bilingual


def photos_hung(session: Session, subject: Subject) -> Sequence[HungPhoto]:
    """Return the pictures of a unit or a building, in their order."""
    kind, id_ = subject
    column = Photo.unit_id if kind == "unit" else Photo.building_id
    rows = session.scalars(select(Photo).where(column == id_).order_by(Photo.position, Photo.id))
    return [_build_hung_photo(row) for row in rows]


def photo_record(session: Session, photo_id: str) -> HungPhoto:
    """Return one picture; raise `NotFound` for an id that is not of this workspace."""
    row = session.scalar(select(Photo).where(Photo.id == photo_id)) if is_id(photo_id) else None
    if row is None:
        raise no_such("photo", photo_id)
    return _build_hung_photo(row)


def _build_hung_photo(row: Photo) -> HungPhoto:
    return HungPhoto(
        row.id,
        subject_of_photo(row),
        row.version,
        row.width,
        row.height,
        Bilingual(row.alt_ja, row.alt_en),
    )


def describe_photo(
    work: Work, *, photo_id: str, alt_ja: str | None, alt_en: str | None, version: int | None = None
) -> int:
    """Set the descriptions of a picture in both languages and return its version."""
    row = locked(work.session, Photo, photo_id, version)
    columns = {
        "alt_ja": check_text("altJa", alt_ja, LONGEST_LINE) or "",
        "alt_en": check_text("altEn", alt_en, LONGEST_LINE) or "",
    }
    write_columns(work, AuditEvent.PHOTO_EDITED, row, columns=columns)
    return row.version


_SLUG = re.compile(r"[\w-]{1,100}")
_FIND: Final = PreparedStatement(
    select(Photo.files)
    .join(Workspace, Workspace.id == Photo.workspace_id)
    .where(is_of_slug(bindparam("slug")), Photo.id == bindparam("photo_id"))
)


def find_photo(
    connection: Connection, workspace_slug: str, photo_id: str, width: int
) -> str | None:
    """Return the file's key; `None` when this workspace has no such picture or width.

    The connection is bound to no workspace: the URL names it, and the statement filters by it.
    """
    if not (_SLUG.fullmatch(workspace_slug) and is_id(photo_id)):
        return None
    found = _FIND.first(connection, slug=workspace_slug, photo_id=photo_id)
    files: Mapping[str, str] = found[0] if found else {}
    return files.get(str(width))
