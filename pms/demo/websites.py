"""The websites of the demo: their texts in both languages, and the rows made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pms.catalogue.models import Campaign, CampaignUnit
from pms.demo.operators import OpenedUnit, OpenedWorkspace, OperatorPlan
from pms.demo.people import People
from pms.demo.rows import Chance, instant, read_toml
from pms.demo.stay_plans import days_from
from pms.enquiries.models import Viewing
from pms.rules.enumerations import ViewingStatus
from pms.site.models import Position, Post, Service, SiteConfiguration

_TEXTS: Final = read_toml("texts")["websites"]


@dataclass(frozen=True)
class CampaignPlan:
    """An offer; days count from today, no last day is open-ended."""

    slug: str
    first_day: int
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    units: int
    last_day: int | None = None
    is_published: bool = True


@dataclass(frozen=True)
class PostPlan:
    """A post; `day` counts from today, a draft has none."""

    slug: str
    title_ja: str
    summary_ja: str
    body_ja: str
    day: int | None = None
    title_en: str | None = None
    summary_en: str | None = None
    body_en: str | None = None


@dataclass(frozen=True)
class PositionPlan:
    """A position or a service."""

    slug: str
    title_ja: str
    title_en: str
    body_ja: str
    body_en: str
    place_ja: str | None = None
    place_en: str | None = None
    is_published: bool = True


_WEBSITE = read_toml("website")
CAMPAIGNS = tuple(CampaignPlan(**row) for row in _WEBSITE["campaign"])
POSTS = tuple(PostPlan(**row) for row in _WEBSITE["post"])
POSITIONS = tuple(PositionPlan(**row) for row in _WEBSITE["position"])
SERVICES = tuple(PositionPlan(**row) for row in _WEBSITE["service"])
_VIEWING_DAYS = {
    ViewingStatus.SCHEDULED: (0, 0, 1, 2, 3, 6),
    ViewingStatus.DONE: (-1, -2, -4, -9, -16),
    ViewingStatus.CANCELLED: (-3, 1, 4),
    ViewingStatus.NO_SHOW: (-2, -6),
}


def publish(opened: OpenedWorkspace, operator: OperatorPlan, people: People, rng: Chance) -> None:
    """Keep the rows of everything a visitor of the website reads or asks for."""
    _add_configuration(opened, operator)
    rows, today = opened.rows, opened.today
    for campaign_plan in CAMPAIGNS:
        starts_on = days_from(today, campaign_plan.first_day)
        made_at = instant(min(days_from(starts_on, -10), days_from(today, -2)))
        campaign_id = rows.add(
            Campaign,
            made_at,
            slug=campaign_plan.slug,
            title_ja=campaign_plan.title_ja,
            title_en=campaign_plan.title_en,
            body_ja=campaign_plan.body_ja,
            body_en=campaign_plan.body_en,
            starts_on=starts_on,
            ends_on=None
            if campaign_plan.last_day is None
            else days_from(today, campaign_plan.last_day),
            is_published=campaign_plan.is_published,
            updated_at=made_at,
        )
        for unit in rng.some_of(opened.units, campaign_plan.units):
            rows.add(CampaignUnit, made_at, campaign_id=campaign_id, unit_id=unit.id)
    for plan in POSTS:
        published_at = None if plan.day is None else instant(days_from(opened.today, plan.day), 12)
        updated_at = instant(days_from(opened.today, min(plan.day or -1, -1)), 11)
        opened.rows.add(
            Post,
            updated_at,
            slug=plan.slug,
            title_ja=plan.title_ja,
            title_en=plan.title_en,
            summary_ja=plan.summary_ja,
            summary_en=plan.summary_en,
            body_ja=plan.body_ja,
            body_en=plan.body_en,
            published_at=published_at,
            is_out=plan.day is not None and plan.day < 0,
            updated_at=updated_at,
        )
    _add_notices(opened, Position, POSITIONS)
    _add_notices(opened, Service, SERVICES)
    for status, days in _VIEWING_DAYS.items():
        for day in days:
            _add_viewing(opened, rng.one_of(opened.units), status, day, people=people, rng=rng)


def _add_configuration(opened: OpenedWorkspace, operator: OperatorPlan) -> None:
    opened.rows.add(
        SiteConfiguration,
        opened.updated_at,
        id=opened.rows.workspace_id,
        base_url=operator.website,
        title_ja=operator.name,
        title_en=operator.name_en,
        tagline_ja=operator.tagline_ja,
        tagline_en=operator.tagline_en,
        contact_email=operator.email,
        contact_phone=operator.phone,
        address_ja=operator.address_ja,
        address_en=operator.address_en,
        social_links={
            "instagram": f"https://photos.example.com/{operator.slug}",
            "line": f"https://line.example.com/{operator.slug}",
            "news": f"https://social.example.com/@{operator.slug}",
        },
        updated_at=opened.updated_at,
    )


def _add_notices(
    opened: OpenedWorkspace, table: type[Position] | type[Service], plans: Sequence[PositionPlan]
) -> None:
    for order, plan in enumerate(plans, start=1):
        place = {"place_ja": plan.place_ja, "place_en": plan.place_en} if table is Position else {}
        opened.rows.add(
            table,
            opened.updated_at,
            slug=plan.slug,
            order=order,
            title_ja=plan.title_ja,
            title_en=plan.title_en,
            body_ja=plan.body_ja,
            body_en=plan.body_en,
            is_published=plan.is_published,
            updated_at=opened.updated_at,
            **place,
        )


def _add_viewing(
    opened: OpenedWorkspace,
    unit: OpenedUnit,
    status: ViewingStatus,
    day: int,
    *,
    people: People,
    rng: Chance,
) -> None:
    visitor = people.next()
    asked_at = instant(days_from(opened.today, min(day, 0) - rng.whole(1, 6)), 20)
    opened.rows.add(
        Viewing,
        asked_at,
        unit_id=unit.id,
        status=status,
        starts_at=instant(days_from(opened.today, day), rng.whole(10, 19), rng.one_of((0, 30))),
        duration_minutes=30,
        visitor_name=visitor.name,
        visitor_email=visitor.email,
        visitor_phone=visitor.phone,
        visitor_locale=visitor.locale,
        note=_TEXTS["online_viewing"] if rng.share() < 0.2 else None,
        created_at=asked_at,
        updated_at=asked_at,
    )
