"""`GET /api/agent/site/sitemap`: every address of the website, with its last change."""

from typing import Any

from flask import Response

from pms.availability.search_units import UnitSearch, search_units
from pms.catalogue.queries import listed_slugs
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale, Scope
from pms.site.queries import published_slugs
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.site.asked import site_answer
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.request_scope import today


def show_sitemap() -> Response:
    """Answer the whole sitemap; listings only to a key that may read them."""
    return site_answer(_sitemap)


def _sitemap(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    entries = published_slugs(session, today())
    if Scope.PROPERTIES_READ in known_key().scopes:
        # What no list shows, such as a room its owner lives in, has no page to lead to.
        shown = {unit.id for unit in search_units(session, UnitSearch(), today()).units}
        entries += listed_slugs(session, shown)
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
