"""The last page: when and how to enter; a code is shown by tap, once its hour has come."""

from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from flask import Response, request, url_for
from wtforms import Form

from pms.catalogue.handbook_copy import handbook_copy, reveal_copied_code
from pms.rules.handbook_copies import CodeSight, GuestFacts
from pms.surfaces.guest_checkin.holder import clock, holder, reading, shown, submitted

_MAP: Final = "https://www.google.com/maps/search/?"
_LONGEST_WAIT: Final = 60
_WITHOUT: Final = (CodeSight.NONE, CodeSight.NOT_RELEASED)


def show() -> Response:
    """Show the way in, none of the pages with its code."""
    return _shown()


def reveal(page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    return submitted(
        Form(),
        act=lambda session: reveal_copied_code(
            session,
            clock(),
            holder().actor,
            page_id=page_id,
            building_id=holder().link.building_id,
            reader=_reader(),
        ),
        then=lambda code: _shown(page_id, code),
        again=_shown,
    )


def _reader() -> GuestFacts:
    link, terms = holder().link, holder().terms
    return GuestFacts(
        link.unit_id,
        is_released=terms.are_codes_shown(clock().now(), (link.check_in_on, link.check_out_on)),
        is_register_complete=link.registered_at is not None,
        do_codes_need_register=terms.codes_need_register,
    )


def _shown(page_id: str | None = None, code: str | None = None) -> Response:
    link, terms = holder().link, holder().terms
    copy = handbook_copy(reading(), building_id=link.building_id, reader=_reader())
    pages = sorted(copy, key=lambda each: each.code is CodeSight.NONE)
    released_at = terms.released_at(link.check_in_on)
    # After the check-out nothing is told any more, and nothing is waited for.
    is_early = released_at is not None and clock().now() < released_at
    waits = is_early and any(each.code is CodeSight.NOT_RELEASED for each in pages)
    return shown(
        "ready",
        holder=holder(),
        stay=link,
        terms=terms,
        pages=pages,
        released_at=released_at if waits else None,
        again_in=_again_in(released_at) if waits and released_at else None,
        has_codes=any(each.code not in _WITHOUT for each in pages) or waits,
        revealed=page_id,
        code=code,
        map=_MAP + urlencode({"api": 1, "query": link.address.ja or link.address.en or ""}),
        told=request.args.get("told"),
        here=url_for("guest_checkin.ready"),
    )


def _again_in(released_at: datetime) -> int:
    """In how many seconds the page looks again: at the hour itself, once a minute before it."""
    left = int((released_at - clock().now()).total_seconds()) + 1
    return max(1, min(left, _LONGEST_WAIT))
