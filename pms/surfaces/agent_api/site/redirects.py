"""`GET /api/agent/site/redirects`: addresses of the website that were changed, with the new ones."""

from typing import Any

from flask import Response

from pms.catalogue.slugs import former_addresses
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.site.asked import site_answer
from pms.surfaces.agent_api.site.reader import SiteReader


def list_redirects() -> Response:
    """Answer every former address of a unit or a building, in each language of the website."""
    return site_answer(_redirects)


def _redirects(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    readers = [SiteReader(locale, reader.base_url) for locale in Locale]
    return {
        "redirects": [
            {
                "from": each.page(former.section, former.slug),
                "to": each.page(former.section, former.now),
            }
            for former in former_addresses(session)
            for each in readers
        ]
    }
