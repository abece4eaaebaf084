"""`GET /api/agent/site/campaigns`: what is offered now and what is coming."""

from typing import Any

from flask import Response

from pms.foundation.markdown import to_html
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.site.queries import OfferedCampaign, offered_campaigns
from pms.surfaces.agent_api.answers import pagination
from pms.surfaces.agent_api.site.asked import site_list_answer
from pms.surfaces.agent_api.site.reader import SiteReader
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.request_scope import today


def list_campaigns() -> Response:
    """Answer the published campaigns, the earliest first."""
    return site_list_answer(_list)


def _list(session: WorkspaceSession, reader: SiteReader, paging: Paging) -> dict[str, Any]:
    campaigns = offered_campaigns(session, today())
    shown = campaigns[paging.offset : paging.offset + paging.limit]
    return {
        "campaigns": [_shape(campaign, reader) for campaign in shown],
        "pagination": pagination(paging, len(campaigns)),
    }


def _shape(campaign: OfferedCampaign, reader: SiteReader) -> dict[str, Any]:
    body = campaign.body.said(reader.locale) or ""
    return {
        "id": campaign.id,
        "slug": campaign.slug,
        "url": reader.page("campaigns", campaign.slug),
        "title": campaign.title.said(reader.locale),
        "body": body,
        "bodyHtml": to_html(body),
        "startsOn": campaign.starts_on,
        "endsOn": campaign.ends_on,
        "isCurrent": campaign.starts_on <= today(),
        "unitSlugs": campaign.unit_slugs,
        "updatedAt": instant_text(campaign.updated_at),
    }
