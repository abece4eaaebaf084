"""For whom a page of the website is written: the language, and the website's own addresses."""

from typing import NamedTuple

from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale
from pms.site.queries import site_facts
from pms.surfaces.agent_api.addresses import own_address
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.query import Query


class SiteReader(NamedTuple):
    """A language of the website and the address its pages stand under."""

    locale: Locale
    base_url: str

    def page(self, section: str, slug: str) -> str:
        """Return the absolute address of a page, for instance `…/ja/units/kawasemi-101`."""
        return f"{self.base_url}/{self.locale}/{section}/{slug}"


def read_locale(query: Query) -> Locale:
    """Return the language asked for, else the workspace's own."""
    return query.choice("locale", Locale) or Locale(known_key().default_locale)


def site_reader(session: WorkspaceSession, locale: Locale) -> SiteReader:
    """Return the reader; without a website of its own, addresses stand under this service."""
    site = site_facts(session)
    base_url = site.base_url if site else own_address()
    return SiteReader(locale, base_url.rstrip("/"))
