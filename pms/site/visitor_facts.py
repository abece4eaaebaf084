"""What the assistant may know: published listings, content and rules; nothing about residents."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.availability.units import UnitSearch, search_units
from pms.catalogue.buildings import BuildingPage, listed_buildings
from pms.catalogue.listed_units import ListedUnit, listed_unit, unit_rows
from pms.foundation.lists import Paging
from pms.foundation.mail_texts import format_day
from pms.foundation.translations import translate
from pms.foundation.versions import KeptAnswers
from pms.rules.availability import Availability
from pms.rules.enumerations import Locale
from pms.rules.room_names import RoomNames
from pms.rules.search_text import Ranking
from pms.site.configuration import deposit_text, label_text, page_address, unit_text, yen_text
from pms.site.passages import Passage, PassageKind, passages_of_markdown
from pms.site.published_posts import published_posts
from pms.site.queries import (
    SiteFacts,
    offered_campaigns,
    published_positions,
    published_services,
    site_facts,
)
from pms.workspaces.models import Fee, Workspace
from pms.workspaces.queries import branding, policy

_ALL: Final = Paging(1, 50_000)
_KEPT: Final = KeptAnswers()
_KIND_WORDS: Final = {
    Locale.JA: {
        PassageKind.POSITION: "求人 採用 仕事 募集",
        PassageKind.SERVICE: "サービス",
        PassageKind.CAMPAIGN: "キャンペーン 特典",
        PassageKind.SITE: "お問い合わせ 連絡先 電話番号 メールアドレス 所在地 会社",
    },
    Locale.EN: {
        PassageKind.POSITION: "jobs careers hiring",
        PassageKind.SERVICE: "services",
        PassageKind.CAMPAIGN: "campaign special offer discount",
        PassageKind.SITE: "contact telephone phone number email address office company",
    },
}
"""Words people use who do not know a page's title; used for the search and never shown."""


class OfferedUnit(NamedTuple):
    """A unit as it is offered today."""

    unit: ListedUnit
    availability: Availability
    url: str


class UnitName(NamedTuple):
    """The name of a unit, listed or not, and from when it may be offered."""

    name: str
    building_names: tuple[str, ...]
    move_in_from: date | None


@dataclass(frozen=True)
class VisitorFacts:
    """Everything an answer may be based on, in one language, on one day."""

    locale: Locale
    today: date
    base_url: str
    name: str
    contact_email: str | None
    contact_phone: str | None
    places: Mapping[str, OfferedUnit]
    every_place: Sequence[UnitName]
    room_names: RoomNames
    buildings: Sequence[BuildingPage]
    access: Mapping[str, Sequence[str]]
    """What listings say about the way to each building, by its id, in both languages."""
    features: Sequence[str]
    """The features that listings name, in both languages."""
    passages: Sequence[Passage]
    ranking: Ranking


class VisitorWorld(NamedTuple):
    """The addresses and manual passages used to word a workspace's facts."""

    own_address: str
    manual: Mapping[str, Sequence[Passage]] = {}


def visitor_facts(
    session: Session, today: date, locale: Locale, world: VisitorWorld
) -> VisitorFacts:
    """Return the facts of the session's workspace, cached while neither they nor the day change."""
    versions = session.execute(
        select(Workspace.catalogue_version, Workspace.occupancy_version)
    ).one()
    question = ("visitor", locale, world.own_address)
    return _KEPT.answer(
        session, question, (*versions, today), lambda: _build_facts(session, today, locale, world)
    )


def _build_facts(
    session: Session, today: date, locale: Locale, world: VisitorWorld
) -> VisitorFacts:
    site, brand = site_facts(session), branding(session)
    base_url = (site.base_url if site else world.own_address).rstrip("/")
    found = dict(search_units(session, UnitSearch(), today).units)
    # Owner residents' units are never listed; a reply that names one must still be recognised.
    every = dict(search_units(session, UnitSearch(excluded=()), today).units)
    units = {id_: listed_unit(rows) for id_, rows in unit_rows(session, list(every), today).items()}
    places = {
        id_: OfferedUnit(
            units[id_], availability, page_address(base_url, locale, "units", unit.slug)
        )
        for id_, availability in found.items()
        if (unit := units.get(id_))
    }
    buildings, _ = listed_buildings(session, _ALL)
    name = (site.title if site else brand.name).in_language(locale) or brand.slug
    passages = [
        *_of_places(places, locale),
        *_of_buildings(buildings, places, locale, base_url),
        *_of_content(session, today, locale, base_url),
        *_of_site(site, locale, base_url, name),
        *_of_house(session, locale, world),
    ]
    return VisitorFacts(
        locale=locale,
        today=today,
        base_url=base_url,
        name=name,
        contact_email=site.contact_email if site else None,
        contact_phone=site.contact_phone if site else None,
        places=places,
        every_place=[
            _name_place(unit, every[id_].move_in_from)
            for id_, unit in units.items()
            if id_ in every
        ],
        room_names=RoomNames(unit.name for unit in units.values()),
        buildings=buildings,
        access={building.id: [text for text in building.access if text] for building in buildings},
        features=sorted(
            {feature for place in places.values() for feature in _list_features(place)}
        ),
        passages=passages,
        ranking=_build_ranking(passages, locale),
    )


def _build_ranking(passages: Sequence[Passage], locale: Locale) -> Ranking:
    """Return the index of the passages by their titles, kinds and texts."""
    words = _KIND_WORDS[locale]
    return Ranking(
        (f"{passage.title} {words.get(passage.kind, '')}", passage.text) for passage in passages
    )


def _of_house(session: Session, locale: Locale, world: VisitorWorld) -> Iterator[Passage]:
    """Yield what the policy, the fees and the manual say."""
    figures = policy(session)
    notice_title = translate("Notice before leaving", locale)
    text = translate(
        "Notice before moving out: {few} days for a contract of up to {short} days, {many} days for "
        "a longer one.",
        locale,
        short=figures.short_contract_days,
        few=figures.short_notice_days,
        many=figures.long_notice_days,
    )
    notice_url = f"{world.own_address}/manual/notice?lang={locale}"
    of_notice = Passage(PassageKind.MANUAL, notice_title, text, notice_url)
    yield of_notice
    is_ja = locale == Locale.JA
    lines = [
        f"{fee.label_ja if is_ja else fee.label_en}: {figure}"
        for fee in session.scalars(select(Fee).order_by(Fee.is_monthly.desc(), Fee.code))
        if (figure := _figure_text(fee, locale))
    ]
    if lines:
        title = translate("Fees besides the rent", locale)
        url = f"{world.own_address}/manual/prices?lang={locale}"
        yield Passage(PassageKind.MANUAL, title, "\n".join(lines), url)
    yield from world.manual.get(locale, ())


def _list_features(place: OfferedUnit) -> Iterator[str]:
    yield from (feature for both in place.unit.features for feature in both if len(feature) > 1)


def _name_place(unit: ListedUnit, move_in_from: date | None) -> UnitName:
    names = tuple(name for name in unit.building.name if name)
    return UnitName(unit.name, names, move_in_from)


def _of_places(places: Mapping[str, OfferedUnit], locale: Locale) -> Iterator[Passage]:
    for id_, place in places.items():
        unit = place.unit
        building = unit.building.name.in_language(locale) or ""
        comma = "、" if locale == Locale.JA else ", "
        lines = [
            comma.join(unit.describe_features(locale)),
            unit.description.in_language(locale),
            deposit_text(unit, locale),
            unit_text(unit, locale),
            label_text(place.availability, locale),
            unit.building.address.in_language(locale),
        ]
        text = "\n".join(line for line in lines if line)
        yield Passage(PassageKind.UNIT, f"{building} {unit.name}", text, place.url, id_)


def _of_buildings(
    buildings: Sequence[BuildingPage],
    places: Mapping[str, OfferedUnit],
    locale: Locale,
    base_url: str,
) -> Iterator[Passage]:
    for building in buildings:
        if not any(id_ in places for id_ in building.unit_ids):
            continue
        url = page_address(base_url, locale, "buildings", building.slug)
        texts = (building.area, building.address, building.access, building.description)
        text = "\n".join(line for each in texts if (line := each.in_language(locale)))
        title = building.name.in_language(locale) or building.slug
        yield Passage(PassageKind.BUILDING, title, text, url, building.id)


def _of_content(session: Session, today: date, locale: Locale, base_url: str) -> Iterator[Passage]:
    posts, _ = published_posts(session, today, _ALL)
    for post in posts:
        yield from passages_of_markdown(
            PassageKind.POST,
            post.title.in_language(locale) or post.slug,
            post.body.in_language(locale) or "",
            page_address(base_url, locale, "posts", post.slug),
            lead=post.summary.in_language(locale) or "",
        )
    for campaign in offered_campaigns(session, today):
        if campaign.starts_on <= today:
            if campaign.ends_on is None:
                lead = ""
            else:
                lead = translate("Until {day}.", locale, day=format_day(campaign.ends_on, locale))
            yield from passages_of_markdown(
                PassageKind.CAMPAIGN,
                campaign.title.in_language(locale) or campaign.slug,
                campaign.body.in_language(locale) or "",
                page_address(base_url, locale, "campaigns", campaign.slug),
                lead=lead,
            )
    leaflets = (
        (PassageKind.POSITION, "positions", published_positions(session)),
        (PassageKind.SERVICE, "services", published_services(session)),
    )
    for kind, section, rows in leaflets:
        for row in rows:
            yield from passages_of_markdown(
                kind,
                row.title.in_language(locale) or row.slug,
                row.body.in_language(locale) or "",
                page_address(base_url, locale, section, row.slug),
                lead=row.place.in_language(locale) or "",
            )


def _of_site(site: SiteFacts | None, locale: Locale, base_url: str, name: str) -> Iterator[Passage]:
    if site is None:
        return
    figures = (
        (translate("Telephone", locale), site.contact_phone),
        (translate("Email", locale), site.contact_email),
        (translate("Address", locale), site.address.in_language(locale)),
    )
    lines = [f"{word}: {figure}" for word, figure in figures if figure]
    text = "\n".join([site.tagline.in_language(locale) or "", *lines]).strip()
    yield Passage(PassageKind.SITE, name, text, f"{base_url}/{locale}")


def _figure_text(fee: Fee, locale: Locale) -> str:
    if fee.amount_yen is None:
        return f"{fee.percent}%"
    if not fee.amount_yen:
        return ""
    yen = yen_text(fee.amount_yen, locale)
    return translate("{yen} a month", locale, yen=yen) if fee.is_monthly else yen
