"""The handbook of the resident's building and unit; a code is shown by a tap, which is noted."""

from flask import Response
from wtforms import Form

from pms.catalogue.handbook_copy import handbook_copy, reveal_copied_code
from pms.rules.enumerations import Lifecycle
from pms.rules.handbook_copies import ResidentFacts
from pms.surfaces.hypermedia import page
from pms.surfaces.portals.portal import clock, reading, submitted, today
from pms.surfaces.portals.reach import PortalAddress
from pms.surfaces.portals.resident import own

_LIVING = (Lifecycle.LIVING, Lifecycle.NOTICE_FILED)


def show(reservation_id: str) -> Response:
    """Show the pages, none of them with its code."""
    return _shown(reservation_id)


def reveal(reservation_id: str, page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    tenancy = own.tenancy(reservation_id)
    return submitted(
        Form(),
        act=lambda session: reveal_copied_code(
            session,
            clock(),
            own.actor(),
            page_id=page_id,
            building_id=tenancy.building_id,
            reader=_reader(tenancy),
        ),
        then=lambda code: _shown(reservation_id, page_id, code),
        again=lambda: _shown(reservation_id),
    )


def _shown(reservation_id: str, page_id: str | None = None, code: str | None = None) -> Response:
    tenancy = own.tenancy(reservation_id)
    reader = _reader(tenancy)
    # Who left, or does not live there yet, reads nothing of a home that others hold.
    pages = (
        handbook_copy(reading(), building_id=tenancy.building_id, reader=reader)
        if reader.is_living
        else ()
    )
    return page(
        "portals/resident/handbook.html",
        tenancy=tenancy,
        pages=pages,
        revealed=page_id,
        code=code,
    )


def _reader(tenancy: own.OwnTenancy) -> ResidentFacts:
    # The lifecycle moves on by itself at night; the day of leaving is the last with a code.
    is_over = tenancy.ends_on is not None and tenancy.ends_on < today()
    return ResidentFacts(tenancy.unit_id, tenancy.lifecycle in _LIVING and not is_over)


_HERE = f"/<{own.PARAMETER}>/handbook"
ADDRESSES = (
    PortalAddress(_HERE, "handbook", show),
    PortalAddress(f"{_HERE}/<page_id>", "reveal_code", reveal, "POST"),
)
