"""`GET /api/agent/showings`: scheduled viewings of units."""

from datetime import timedelta
from typing import Any

from flask import Response

from pms.enquiries.list_viewings import ViewingRecord, ViewingSearch, list_viewings
from pms.rules.enumerations import ViewingStatus
from pms.surfaces.agent_api.answers import pagination, private_answer
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.request_scope import reading_session

DEFAULT_LIMIT = 20
MOST_LIMIT = 100


def list_showings() -> Response:
    """Answer one page of the matching viewings, earliest first."""
    query = Query()
    search = ViewingSearch(
        from_on=query.day("from"),
        to_on=query.day("to"),
        building=query.text("building"),
        unit=query.text("unit"),
        status=query.choice("status", ViewingStatus),
    )
    if search.from_on and search.to_on and search.to_on < search.from_on:
        query.refuse("to", str(search.to_on), f"on or after from, {search.from_on}")
    paging = query.paging(DEFAULT_LIMIT, MOST_LIMIT)
    query.finish()
    records, total = list_viewings(reading_session(known_key().workspace_id), search, paging)
    showings = [_shape(record) for record in records]
    return private_answer({"showings": showings, "pagination": pagination(paging, total)})


def _shape(record: ViewingRecord) -> dict[str, Any]:
    ends_at = record.starts_at + timedelta(minutes=record.duration_minutes)
    return {
        "id": record.id,
        "status": record.status,
        "startsAt": instant_text(record.starts_at),
        "endsAt": instant_text(ends_at),
        "building": {"id": record.building_id, "name": record.building_name},
        "unit": {"id": record.unit_id, "name": record.unit_name},
        "visitor": {
            "name": record.visitor_name,
            "email": record.visitor_email,
            "phone": record.visitor_phone,
            "locale": record.visitor_locale,
        },
        "note": record.note,
        "createdAt": instant_text(record.created_at),
        "updatedAt": instant_text(record.updated_at),
    }
