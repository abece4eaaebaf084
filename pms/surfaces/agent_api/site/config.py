"""`GET /api/agent/site/config`: what a website shows on every page."""

from typing import Any

from flask import Response

from pms.catalogue.queries import areas
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale
from pms.site.queries import site_facts
from pms.surfaces.agent_api.site.asked import site_answer
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.workspaces.queries import branding


def show_config() -> Response:
    """Answer the configuration of the website."""
    return site_answer(_config)


def _config(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    locale, brand, site = reader.locale, branding(session), site_facts(session)
    name = brand.name.said(locale)
    return {
        "config": {
            "workspace": {"slug": brand.slug, "name": name},
            "url": reader.base_url,
            "title": site.title.said(locale) if site else name,
            "tagline": (site.tagline.said(locale) if site else None) or "",
            "defaultLocale": brand.default_locale,
            "locales": list(Locale),
            "brandHue": brand.hue,
            "contact": {
                "email": site.contact_email if site else None,
                "phone": site.contact_phone if site else None,
                "address": site.address.said(locale) if site else None,
            },
            "socialLinks": site.social_links if site else {},
            "areas": [area.said(locale) for area in areas(session)],
        }
    }
