"""`GET /api/agent/site/positions` and `/services`: jobs and services on offer."""

from collections.abc import Sequence
from typing import Any

from flask import Response

from pms.foundation.markdown import to_html
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.site.queries import Leaflet, published_positions, published_services
from pms.surfaces.agent_api.answers import pagination
from pms.surfaces.agent_api.site.asked import site_list_answer
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.surfaces.agent_api.unit_shapes import instant_text


def list_positions() -> Response:
    """Answer the jobs on offer, each with its place."""
    return site_list_answer(_positions)


def list_services() -> Response:
    """Answer the services on offer."""
    return site_list_answer(_services)


def _positions(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    positions = published_positions(session)
    shown = [
        {
            "id": position.id,
            **_shape(position, reader, "positions"),
            "place": position.place.said(reader.locale),
        }
        for position in _page(positions, paging)
    ]
    return {"positions": shown, "pagination": pagination(paging, len(positions))}


def _services(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    services = published_services(session)
    shown = [_shape(service, reader, "services") for service in _page(services, paging)]
    return {"services": shown, "pagination": pagination(paging, len(services))}


def _page(leaflets: Sequence[Leaflet], paging: Paging) -> Sequence[Leaflet]:
    return leaflets[paging.offset : paging.offset + paging.limit]


def _shape(leaflet: Leaflet, reader: SiteReader, section: str) -> dict[str, Any]:
    body = leaflet.body.said(reader.locale) or ""
    return {
        "slug": leaflet.slug,
        "url": reader.page(section, leaflet.slug),
        "title": leaflet.title.said(reader.locale),
        "body": body,
        "bodyHtml": to_html(body),
        "updatedAt": instant_text(leaflet.updated_at),
    }
