"""What the pages of the site family have in common: a language, a page, a kept answer."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from flask import Response

from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.answers import listing_answer, to_json
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.site.reader import SiteReader, read_locale, site_reader
from pms.surfaces.request_scope import reading_session

DEFAULT_LIMIT = 20
MOST_LIMIT = 100


class Asked(NamedTuple):
    """A question of the site family as it was read; only lists have pages."""

    locale: Locale
    paging: Paging = Paging(1, DEFAULT_LIMIT)


Told = Callable[[WorkspaceSession, SiteReader, Paging], dict[str, Any]]


def site_answer(tell: Told) -> Response:
    """Answer what `tell` makes of the question; it is asked only when something has changed."""
    query = Query()
    asked = Asked(read_locale(query))
    query.finish()
    return listing_answer(asked, partial(_told, tell, asked))


def site_list_answer(tell: Told) -> Response:
    """Answer one page of a list in the same way."""
    query = Query()
    asked = Asked(read_locale(query), query.paging(DEFAULT_LIMIT, MOST_LIMIT))
    query.finish()
    return listing_answer(asked, partial(_told, tell, asked))


def _told(tell: Told, asked: Asked) -> bytes:
    session = reading_session(known_key().workspace_id)
    return to_json(tell(session, site_reader(session, asked.locale), asked.paging))
