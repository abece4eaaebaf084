"""`GET /api/agent/site/...`: posts, campaigns, positions, services, settings, redirects; and `POST /chat`."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from flask import Response

from pms.availability import units
from pms.availability.units import UnitSearch
from pms.catalogue import slugs
from pms.foundation.lists import Paging
from pms.foundation.markdown import to_html
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale, Scope
from pms.site import published_posts, queries, turns
from pms.site.published_posts import PublishedPost
from pms.site.queries import Leaflet, OfferedCampaign
from pms.site.turns import ChatVisitor
from pms.surfaces.agent_api.answers import listing_answer, pagination, private_answer, to_json
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_shapes import instant_text, own_address
from pms.surfaces.assistance import assistance
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import clock, database, reading_session, today
from pms.workspaces.queries import branding


class SiteReader(NamedTuple):
    """A language of the website and the base URL of its pages."""

    locale: Locale
    base_url: str

    def page(self, section: str, slug: str) -> str:
        """Return the absolute address of a page, for instance `…/ja/units/kawasemi-101`."""
        return f"{self.base_url}/{self.locale}/{section}/{slug}"


def read_locale(query: Query) -> Locale:
    """Return the requested language, else the workspace's own."""
    return query.choice("locale", Locale) or Locale(known_key().default_locale)


def site_reader(session: WorkspaceSession, locale: Locale) -> SiteReader:
    """Return the reader; without a website of its own, the base URL is this service's."""
    site = queries.site_facts(session)
    base_url = site.base_url if site else own_address()
    return SiteReader(locale, base_url.rstrip("/"))


DEFAULT_LIMIT = 20
MOST_LIMIT = 100


class ContentRequest(NamedTuple):
    """The parameters of a site request as they were read; only lists have pages."""

    locale: Locale
    paging: Paging = Paging(1, DEFAULT_LIMIT)


Answer = Callable[[WorkspaceSession, SiteReader, Paging], dict[str, Any]]


def site_answer(tell: Answer) -> Response:
    """Answer with the result of `tell`, which is called only if something has changed."""
    query = Query()
    asked = ContentRequest(read_locale(query))
    query.finish()
    return listing_answer(asked, partial(_state_content, tell, asked))


def site_list_answer(tell: Answer) -> Response:
    """Answer with one page of a list in the same way."""
    query = Query()
    asked = ContentRequest(read_locale(query), query.paging(DEFAULT_LIMIT, MOST_LIMIT))
    query.finish()
    return listing_answer(asked, partial(_state_content, tell, asked))


def _state_content(tell: Answer, asked: ContentRequest) -> bytes:
    session = reading_session(known_key().workspace_id)
    return to_json(tell(session, site_reader(session, asked.locale), asked.paging))


@blueprint.get("/site/redirects", scope=Scope.PROPERTIES_READ)
def list_redirects() -> Response:
    """Return every former address of a unit or a building, in each language of the website."""
    return site_answer(_shape_redirects)


def _shape_redirects(
    session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    readers = [SiteReader(locale, reader.base_url) for locale in Locale]
    return {
        "redirects": [
            {
                "from": each.page(former.section, former.slug),
                "to": each.page(former.section, former.now),
            }
            for former in slugs.former_addresses(session)
            for each in readers
        ]
    }


@blueprint.get("/site/sitemap", scope=Scope.CONTENT_READ)
def show_sitemap() -> Response:
    """Return the whole sitemap; listings only to a key with the scope to read them."""
    return site_answer(_shape_sitemap)


def _shape_sitemap(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    entries = published_posts.published_slugs(session, today())
    if Scope.PROPERTIES_READ in known_key().scopes:
        # Units that no list shows, such as an owner's own room, have no page.
        shown = {unit.id for unit in units.search_units(session, UnitSearch(), today()).units}
        entries += slugs.listed_slugs(session, shown)
    return {
        "sitemap": [
            {
                "url": SiteReader(locale, reader.base_url).page(section, slug),
                "lastModified": instant_text(changed_at),
            }
            for section, slug, changed_at in entries
            for locale in Locale
        ]
    }


@blueprint.get("/site/config", scope=Scope.CONTENT_READ)
def show_config() -> Response:
    """Return the configuration of the website."""
    return site_answer(_shape_config)


def _shape_config(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    locale, brand, site = (
        reader.locale,
        branding(session),
        queries.site_facts(session),
    )
    name = brand.name.in_language(locale)
    return {
        "config": {
            "workspace": {"slug": brand.slug, "name": name},
            "url": reader.base_url,
            "title": site.title.in_language(locale) if site else name,
            "tagline": (site.tagline.in_language(locale) if site else None) or "",
            "defaultLocale": brand.default_locale,
            "locales": list(Locale),
            "brandHue": brand.hue,
            "contact": {
                "email": site.contact_email if site else None,
                "phone": site.contact_phone if site else None,
                "address": site.address.in_language(locale) if site else None,
            },
            "socialLinks": site.social_links if site else {},
            "areas": [area.in_language(locale) for area in slugs.areas(session)],
        }
    }


@blueprint.get("/site/campaigns", scope=Scope.CONTENT_READ)
def list_campaigns() -> Response:
    """Return the published campaigns, earliest first."""
    return site_list_answer(_shape_campaigns)


def _shape_campaigns(
    session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    campaigns = queries.offered_campaigns(session, today())
    shown = campaigns[paging.offset : paging.offset + paging.limit]
    return {
        "campaigns": [_shape_campaign(campaign, reader) for campaign in shown],
        "pagination": pagination(paging, len(campaigns)),
    }


def _shape_campaign(campaign: OfferedCampaign, reader: SiteReader) -> dict[str, Any]:
    body = campaign.body.in_language(reader.locale) or ""
    return {
        "id": campaign.id,
        "slug": campaign.slug,
        "url": reader.page("campaigns", campaign.slug),
        "title": campaign.title.in_language(reader.locale),
        "body": body,
        "bodyHtml": to_html(body),
        "startsOn": campaign.starts_on,
        "endsOn": campaign.ends_on,
        "isCurrent": campaign.starts_on <= today(),
        "unitSlugs": campaign.unit_slugs,
        "updatedAt": instant_text(campaign.updated_at),
    }


@blueprint.get("/site/posts", scope=Scope.CONTENT_READ)
def list_posts() -> Response:
    """Return one page of the published posts, newest first."""
    return site_list_answer(_shape_posts)


@blueprint.get("/site/posts/<slug>", scope=Scope.CONTENT_READ)
def show_post(slug: str) -> Response:
    """Return one post with its text."""
    return site_answer(partial(_shape_whole_post, slug))


def _shape_posts(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    posts, total = published_posts.published_posts(session, today(), paging)
    return {
        "posts": [_shape_post(post, reader) for post in posts],
        "pagination": pagination(paging, total),
    }


def _shape_whole_post(
    slug: str, session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    post = published_posts.published_post(session, slug, today())
    body = post.body.in_language(reader.locale) or ""
    return {"post": {**_shape_post(post, reader), "body": body, "bodyHtml": to_html(body)}}


def _shape_post(post: PublishedPost, reader: SiteReader) -> dict[str, Any]:
    return {
        "slug": post.slug,
        "url": reader.page("posts", post.slug),
        "title": post.title.in_language(reader.locale),
        "summary": post.summary.in_language(reader.locale) or "",
        "publishedAt": instant_text(post.published_at),
        "updatedAt": instant_text(post.updated_at),
    }


@blueprint.get("/site/positions", scope=Scope.CONTENT_READ)
def list_positions() -> Response:
    """Return the open positions, each with its place."""
    return site_list_answer(_shape_positions)


@blueprint.get("/site/services", scope=Scope.CONTENT_READ)
def list_services() -> Response:
    """Return the published services."""
    return site_list_answer(_shape_services)


def _shape_positions(
    session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    positions = queries.published_positions(session)
    shown = [
        {
            "id": position.id,
            **_shape_leaflet(position, reader, "positions"),
            "place": position.place.in_language(reader.locale),
        }
        for position in _page_of_leaflets(positions, paging)
    ]
    return {"positions": shown, "pagination": pagination(paging, len(positions))}


def _shape_services(
    session: WorkspaceSession, reader: SiteReader, paging: Paging
) -> dict[str, Any]:
    services = queries.published_services(session)
    shown = [
        _shape_leaflet(service, reader, "services")
        for service in _page_of_leaflets(services, paging)
    ]
    return {"services": shown, "pagination": pagination(paging, len(services))}


def _page_of_leaflets(leaflets: Sequence[Leaflet], paging: Paging) -> Sequence[Leaflet]:
    return leaflets[paging.offset : paging.offset + paging.limit]


def _shape_leaflet(leaflet: Leaflet, reader: SiteReader, section: str) -> dict[str, Any]:
    body = leaflet.body.in_language(reader.locale) or ""
    return {
        "slug": leaflet.slug,
        "url": reader.page(section, leaflet.slug),
        "title": leaflet.title.in_language(reader.locale),
        "body": body,
        "bodyHtml": to_html(body),
        "updatedAt": instant_text(leaflet.updated_at),
    }


LONGEST_MESSAGE: Final = 2_000


@blueprint.post("/chat", scope=Scope.CHAT_INVOKE)
def ask_assistant() -> Response:
    """Answer a message; the returned id continues the conversation."""
    body, key = JsonBody.read(), known_key()
    message = body.text("message", LONGEST_MESSAGE, needed=True)
    conversation_id = body.identity("conversationId")
    locale = body.choice("locale", Locale)
    body.finish()
    turn = turns.talk_to_visitor(
        database(),
        clock(),
        assistance(),
        visitor=ChatVisitor(key.workspace_id, key.id, conversation_id, locale),
        message=message,
    )
    return private_answer(
        {
            "conversationId": turn.conversation_id,
            "reply": turn.reply,
            "sources": [source._asdict() for source in turn.sources],
        }
    )
