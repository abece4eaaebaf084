"""Queries of the published content of the website."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, func, literal, or_, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from pms.catalogue.models import Campaign, CampaignUnit, Unit
from pms.foundation.errors import no_such
from pms.foundation.ids import is_slug
from pms.foundation.lists import Paging
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.rules.days import JAPAN
from pms.site.models import Position, Post, Service, SiteConfiguration


class PublishedPost(NamedTuple):
    """A published post, with its texts in Markdown."""

    slug: str
    title: Bilingual
    summary: Bilingual
    body: Bilingual
    published_at: datetime
    updated_at: datetime


class OfferedCampaign(NamedTuple):
    """A published campaign that is current or still to come, with the slugs of its units."""

    id: str
    slug: str
    title: Bilingual
    body: Bilingual
    starts_on: date
    ends_on: date | None
    updated_at: datetime
    unit_slugs: Sequence[str]


class Leaflet(NamedTuple):
    """A published position or service; a service has no place."""

    id: str
    slug: str
    title: Bilingual
    body: Bilingual
    place: Bilingual
    updated_at: datetime


class SiteFacts(NamedTuple):
    """What the website shows on every page."""

    base_url: str
    title: Bilingual
    tagline: Bilingual
    contact_email: str | None
    contact_phone: str | None
    address: Bilingual
    social_links: Mapping[str, str]
    updated_at: datetime


def published_posts(
    session: Session, today: date, paging: Paging
) -> tuple[list[PublishedPost], int]:
    """Return one page of the published posts, newest first, and the total."""
    out = _is_out(today)
    total = session.scalar(select(func.count()).select_from(Post).where(out)) or 0
    posts = session.scalars(
        select(Post)
        .where(out)
        .order_by(Post.published_at.desc(), Post.id.desc())
        .offset(min(paging.offset, total))
        .limit(paging.limit)
    )
    return [_publish_post(post) for post in posts], total


def published_post(session: Session, slug: str, today: date) -> PublishedPost:
    """Return the post with this slug; raise `NotFound` if it is not published."""
    question = select(Post).where(Post.slug == slug, _is_out(today))
    post = session.scalar(question) if is_slug(slug) else None
    if post is None:
        raise no_such("post", slug)
    return _publish_post(post)


def offered_campaigns(session: Session, today: date) -> list[OfferedCampaign]:
    """Return the published campaigns that are current or still to come, earliest first."""
    campaigns = session.scalars(
        select(Campaign)
        .where(Campaign.is_published, or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today))
        .order_by(Campaign.starts_on, Campaign.id)
    ).all()
    units = _units_of(session, [campaign.id for campaign in campaigns])
    return [_offer_campaign(campaign, units[campaign.id]) for campaign in campaigns]


def published_slugs(session: Session, today: date) -> list[tuple[str, str, datetime]]:
    """Return (section, slug, last change) of all published content, sorted by section and slug."""
    coming = or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today)
    out = union_all(
        _select_slugs("posts", Post, _is_out(today)),
        _select_slugs("campaigns", Campaign, Campaign.is_published & coming),
        _select_slugs("positions", Position, Position.is_published),
        _select_slugs("services", Service, Service.is_published),
    ).subquery()
    asked = select(out.c.section, out.c.slug, out.c.updated_at)
    found = session.execute(asked.order_by(out.c.section, out.c.slug))
    return [(section, slug, changed_at) for section, slug, changed_at in found]


def published_positions(session: Session) -> list[Leaflet]:
    """Return the published positions, in their order."""
    positions = session.scalars(
        select(Position).where(Position.is_published).order_by(Position.order, Position.id)
    )
    return [
        _build_leaflet(position, Bilingual(position.place_ja, position.place_en))
        for position in positions
    ]


def published_services(session: Session) -> list[Leaflet]:
    """Return the published services, in their order."""
    services = session.scalars(
        select(Service).where(Service.is_published).order_by(Service.order, Service.id)
    )
    return [_build_leaflet(service, Bilingual(None, None)) for service in services]


def site_facts(session: Session) -> SiteFacts | None:
    """Return what the website shows on every page, or `None` if it is not set up."""
    site = session.scalar(select(SiteConfiguration))
    if site is None:
        return None
    return SiteFacts(
        site.base_url,
        Bilingual(site.title_ja, site.title_en),
        Bilingual(site.tagline_ja, site.tagline_en),
        site.contact_email,
        site.contact_phone,
        Bilingual(site.address_ja, site.address_en),
        site.social_links,
        site.updated_at,
    )


def _select_slugs(
    section: str,
    table: type[Post | Campaign | Position | Service],
    is_out: ColumnElement[bool] | InstrumentedAttribute[bool],
) -> Select[str, str, datetime]:
    return select(literal(section).label("section"), table.slug, table.updated_at).where(is_out)


def _publish_post(post: Post) -> PublishedPost:
    assert post.published_at is not None
    return PublishedPost(
        post.slug,
        Bilingual(post.title_ja, post.title_en),
        Bilingual(post.summary_ja, post.summary_en),
        Bilingual(post.body_ja, post.body_en),
        post.published_at,
        post.updated_at,
    )


def _offer_campaign(campaign: Campaign, unit_slugs: Sequence[str]) -> OfferedCampaign:
    return OfferedCampaign(
        campaign.id,
        campaign.slug,
        Bilingual(campaign.title_ja, campaign.title_en),
        Bilingual(campaign.body_ja, campaign.body_en),
        campaign.starts_on,
        campaign.ends_on,
        campaign.updated_at,
        unit_slugs,
    )


def _units_of(session: Session, campaign_ids: Sequence[str]) -> Mapping[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for campaign_id, slug in session.execute(
        select(CampaignUnit.campaign_id, Unit.slug)
        .join(Unit, refers_to(CampaignUnit.unit_id, Unit))
        .where(CampaignUnit.campaign_id.in_(campaign_ids))
        .order_by(Unit.slug)
    ):
        found[campaign_id].append(slug)
    return found


def _build_leaflet(row: Position | Service, place: Bilingual) -> Leaflet:
    title, body = Bilingual(row.title_ja, row.title_en), Bilingual(row.body_ja, row.body_en)
    return Leaflet(row.id, row.slug, title, body, place, row.updated_at)


def _is_out(today: date) -> ColumnElement[bool]:
    # Not by the clock: an answer may change only with a counter of the workspace or with the day,
    # which are part of its tag. Posts of earlier days are out even if no worker released them.
    return or_(Post.is_out, Post.published_at < datetime.combine(today, time(), JAPAN))


class PublishedContact(NamedTuple):
    """The operator's contact data, as far as it is published."""

    phone: str | None
    email: str | None


def contact_of_workspace(session: Session) -> PublishedContact:
    """Return the operator's contact data; empty for a workspace without a website."""
    asked = select(SiteConfiguration.contact_phone, SiteConfiguration.contact_email)
    row = session.execute(asked).first()
    return PublishedContact(*row) if row else PublishedContact(None, None)
