"""Writes a service: its texts in both languages; a new one stands last and is not public."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.foundation.clock import Clock
from pms.foundation.ids import new_id
from pms.rules.deeds import Deed
from pms.site.content_in_hand import add_content, content_in_hand, write_changes
from pms.site.content_slugs import content_slug
from pms.site.models import Service
from pms.site.written_content import WrittenLeaflet, checked_leaflet


def write_service(
    session: Session,
    clock: Clock,
    actor: str,
    *,
    written: WrittenLeaflet,
    service_id: str | None = None,
    version: int | None = None,
) -> str:
    """Write a service and return its id; raise `Refused` or `Collision` as for a post."""
    if service_id is None:
        row = Service(id=new_id(), slug="", version=1)
    else:
        row = content_in_hand(session, Service, service_id, version)
    columns = checked_leaflet(written)
    columns["slug"] = content_slug(session, row, written.slug, columns["title_en"])
    if service_id is not None:
        write_changes(session, clock, actor, Deed.SERVICE_WRITTEN, row, columns=columns)
        return row.id
    last = session.scalar(select(func.max(Service.order))) or 0
    new = Service(id=row.id, version=1, is_published=False, order=last + 1, **columns)
    return add_content(session, clock, actor, Deed.SERVICE_WRITTEN, new)
