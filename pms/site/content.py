"""Content of the website as the staff reads it."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Campaign, CampaignUnit, Unit
from pms.foundation.errors import NotFound
from pms.foundation.ids import is_id
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.audit_events import AuditEvent
from pms.rules.days import JAPAN
from pms.rules.enumerations import Locale
from pms.rules.message_words import ContentState, LeafletKind
from pms.site.models import Position, Post, Service, SiteConfiguration

Kept = TypeVar("Kept", bound=Post | Campaign | Position | Service)


class LeafletEvents(NamedTuple):
    """The audit events of one kind of leaflet."""

    written: AuditEvent
    published: AuditEvent
    withdrawn: AuditEvent
    ordered: AuditEvent
    removed: AuditEvent


TABLES: Final[Mapping[LeafletKind, type[Position] | type[Service]]] = {
    LeafletKind.POSITION: Position,
    LeafletKind.SERVICE: Service,
}
LEAFLET_EVENTS: Final[Mapping[LeafletKind, LeafletEvents]] = {
    LeafletKind.POSITION: LeafletEvents(
        AuditEvent.POSITION_WRITTEN,
        AuditEvent.POSITION_PUBLISHED,
        AuditEvent.POSITION_WITHDRAWN,
        AuditEvent.POSITIONS_ORDERED,
        AuditEvent.POSITION_REMOVED,
    ),
    LeafletKind.SERVICE: LeafletEvents(
        AuditEvent.SERVICE_WRITTEN,
        AuditEvent.SERVICE_PUBLISHED,
        AuditEvent.SERVICE_WITHDRAWN,
        AuditEvent.SERVICES_ORDERED,
        AuditEvent.SERVICE_REMOVED,
    ),
}


_PUBLIC: Final = {True: ContentState.PUBLIC, False: ContentState.DRAFT}


class ContentRecord(NamedTuple):
    """One piece of content with all its texts; fields that its kind lacks are None."""

    id: str
    slug: str
    title: Bilingual
    body: Bilingual
    state: ContentState
    missing: tuple[Locale, ...]
    """The languages without a text, whose readers are shown the other language."""
    version: int
    updated_at: datetime
    updated_by: str | None
    summary: Bilingual = Bilingual(None, None)
    place: Bilingual = Bilingual(None, None)
    published_at: datetime | None = None
    starts_on: date | None = None
    ends_on: date | None = None
    units: int = 0


class ChosenUnit(NamedTuple):
    """A unit of a campaign."""

    id: str
    name: str
    building: Bilingual


class SiteRecord(NamedTuple):
    """The website's configuration, and its version."""

    base_url: str
    title: Bilingual
    tagline: Bilingual
    contact_email: str | None
    contact_phone: str | None
    address: Bilingual
    social_links: Mapping[str, str]
    version: int
    updated_at: datetime
    updated_by: str | None


class FoundContent(NamedTuple):
    """One page of a list, and the total."""

    records: Sequence[ContentRecord]
    total: int


def posts_at_desk(session: Session, paging: Paging, today: date) -> FoundContent:
    """Return one page of the posts: drafts first, then the newest by publishing time."""
    order = (Post.published_at.is_not(None), Post.published_at.desc(), Post.id.desc())
    rows, total = _read_page(session, Post, order, paging)
    return FoundContent([_build_post_record(row, today) for row in rows], total)


def campaigns_at_desk(session: Session, paging: Paging, today: date) -> FoundContent:
    """Return one page of the campaigns, latest first day first, with the number of their units."""
    rows, total = _read_page(
        session, Campaign, (Campaign.starts_on.desc(), Campaign.id.desc()), paging
    )
    counted = select(CampaignUnit.campaign_id, func.count()).group_by(CampaignUnit.campaign_id)
    asked = counted.where(CampaignUnit.campaign_id.in_([row.id for row in rows]))
    units: dict[str, int] = {row[0]: row[1] for row in session.execute(asked)}
    return FoundContent(
        [_build_campaign_record(row, today, units.get(row.id, 0)) for row in rows], total
    )


def leaflets_at_desk(session: Session, kind: LeafletKind, paging: Paging) -> FoundContent:
    """Return one page of the positions or services, in their order."""
    model = TABLES[kind]
    rows, total = _read_page(session, model, (model.order, model.id), paging)
    return FoundContent([_build_leaflet_record(row) for row in rows], total)


def post_record(session: Session, post_id: str, today: date) -> ContentRecord:
    """Return one post; raise `NotFound` for an unknown id."""
    return _build_post_record(_find_row(session, Post, post_id), today)


def campaign_record(session: Session, campaign_id: str, today: date) -> ContentRecord:
    """Return one campaign; raise `NotFound` for an unknown id."""
    row = _find_row(session, Campaign, campaign_id)
    asked = select(func.count()).where(CampaignUnit.campaign_id == row.id)
    return _build_campaign_record(row, today, session.scalar(asked.select_from(CampaignUnit)) or 0)


def leaflet_record(session: Session, kind: LeafletKind, leaflet_id: str) -> ContentRecord:
    """Return one position or service; raise `NotFound` for an unknown id."""
    return _build_leaflet_record(_find_row(session, TABLES[kind], leaflet_id))


def site_record(session: Session) -> SiteRecord | None:
    """Return the website's configuration, or `None` before the first save."""
    row = session.scalar(select(SiteConfiguration))
    if row is None:
        return None
    return SiteRecord(
        row.base_url,
        Bilingual(row.title_ja, row.title_en),
        Bilingual(row.tagline_ja, row.tagline_en),
        row.contact_email,
        row.contact_phone,
        Bilingual(row.address_ja, row.address_en),
        row.social_links,
        row.version,
        row.updated_at,
        row.updated_by,
    )


def units_of_campaign(session: Session, campaign_id: str) -> Sequence[ChosenUnit]:
    """Return the units of a campaign, by building and name."""
    rows = session.execute(
        select(Unit.id, Unit.name, Building.name, Building.name_en)
        .select_from(CampaignUnit)
        .join(Unit, refers_to(CampaignUnit.unit_id, Unit))
        .join(Building, refers_to(Unit.building_id, Building))
        .where(CampaignUnit.campaign_id == campaign_id)
        .order_by(Building.name, Building.id, Unit.name, Unit.id)
    )
    return [ChosenUnit(id_, name, Bilingual(ja, en)) for id_, name, ja, en in rows]


def missing_languages(*texts: Bilingual) -> tuple[Locale, ...]:
    """Return the languages that lack a text which the other language has."""
    lacks_ja = any(text.en and not text.ja for text in texts)
    lacks_en = any(text.ja and not text.en for text in texts)
    return (*((Locale.JA,) if lacks_ja else ()), *((Locale.EN,) if lacks_en else ()))


def _read_page(
    session: Session, model: type[Kept], order: tuple[Any, ...], paging: Paging
) -> tuple[Sequence[Kept], int]:
    total = session.scalar(select(func.count()).select_from(model)) or 0
    asked = select(model).order_by(*order).offset(min(paging.offset, total)).limit(paging.limit)
    return session.scalars(asked).all(), total


def _find_row(session: Session, model: type[Kept], row_id: str) -> Kept:
    row = session.scalar(select(model).where(model.id == row_id)) if is_id(row_id) else None
    if row is None:
        raise NotFound("There is no {kind} '{id}'.", kind=model.__tablename__, id=row_id[:60])
    return row


def _build_post_record(row: Post, today: date) -> ContentRecord:
    summary = Bilingual(row.summary_ja, row.summary_en)
    if row.published_at is None:
        state = ContentState.DRAFT
    else:
        is_out = row.is_out or row.published_at < datetime.combine(today, time(), JAPAN)
        state = ContentState.PUBLIC if is_out else ContentState.SCHEDULED
    return _build_record(
        row,
        state,
        summary,
        summary=summary,
        published_at=row.published_at,
    )


def _build_campaign_record(row: Campaign, today: date, units: int) -> ContentRecord:
    days = {"starts_on": row.starts_on, "ends_on": row.ends_on}
    if not row.is_published:
        state = ContentState.DRAFT
    elif row.ends_on is not None and row.ends_on < today:
        state = ContentState.OVER
    else:
        state = ContentState.PUBLIC if row.starts_on <= today else ContentState.SCHEDULED
    return _build_record(row, state, units=units, **days)


def _build_leaflet_record(row: Position | Service) -> ContentRecord:
    place = Bilingual(None, None)
    if isinstance(row, Position):
        place = Bilingual(row.place_ja, row.place_en)
    return _build_record(row, _PUBLIC[row.is_published], place, place=place)


def _build_record(
    row: Post | Campaign | Position | Service,
    state: ContentState,
    *further: Bilingual,
    **of_its_kind: Any,
) -> ContentRecord:
    title, body = Bilingual(row.title_ja, row.title_en), Bilingual(row.body_ja, row.body_en)
    return ContentRecord(
        row.id,
        row.slug,
        title,
        body,
        state,
        missing_languages(title, body, *further),
        row.version,
        row.updated_at,
        row.updated_by,
        **of_its_kind,
    )
