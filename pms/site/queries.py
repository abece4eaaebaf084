"""Queries of the published content of the website."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pms.catalogue.models import Campaign, CampaignUnit, Unit
from pms.foundation.phrases import Bilingual
from pms.foundation.tenancy import refers_to
from pms.site.models import Position, Service, SiteConfiguration


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


def offered_campaigns(session: Session, today: date) -> list[OfferedCampaign]:
    """Return the published campaigns that are current or still to come, earliest first."""
    campaigns = session.scalars(
        select(Campaign)
        .where(Campaign.is_published, or_(Campaign.ends_on.is_(None), Campaign.ends_on >= today))
        .order_by(Campaign.starts_on, Campaign.id)
    ).all()
    campaign_ids = [campaign.id for campaign in campaigns]
    units: defaultdict[str, list[str]] = defaultdict(list)
    for campaign_id, slug in session.execute(
        select(CampaignUnit.campaign_id, Unit.slug)
        .join(Unit, refers_to(CampaignUnit.unit_id, Unit))
        .where(CampaignUnit.campaign_id.in_(campaign_ids))
        .order_by(Unit.slug)
    ):
        units[campaign_id].append(slug)
    return [
        OfferedCampaign(
            campaign.id,
            campaign.slug,
            Bilingual(campaign.title_ja, campaign.title_en),
            Bilingual(campaign.body_ja, campaign.body_en),
            campaign.starts_on,
            campaign.ends_on,
            campaign.updated_at,
            units[campaign.id],
        )
        for campaign in campaigns
    ]


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


def _build_leaflet(row: Position | Service, place: Bilingual) -> Leaflet:
    title, body = Bilingual(row.title_ja, row.title_en), Bilingual(row.body_ja, row.body_en)
    return Leaflet(row.id, row.slug, title, body, place, row.updated_at)


class PublishedContact(NamedTuple):
    """The operator's contact data, as far as it is published."""

    phone: str | None
    email: str | None


def contact_of_workspace(session: Session) -> PublishedContact:
    """Return the operator's contact data; empty for a workspace without a website."""
    asked = select(SiteConfiguration.contact_phone, SiteConfiguration.contact_email)
    row = session.execute(asked).first()
    return PublishedContact(*row) if row else PublishedContact(None, None)
