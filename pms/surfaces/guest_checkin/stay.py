"""What a guest's link gives access to: the stay, the planned arrival, and the way in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, g, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext
from wtforms.validators import StopValidation

from pms.catalogue import handbook
from pms.foundation.tokens import NamedLink
from pms.rules.enumerations import CheckInLinkState
from pms.rules.handbook_copies import CodeSight, HandbookGuest
from pms.stays import guests, stay_links, stays
from pms.stays.guests import GuestEntry
from pms.stays.stay_links import CHECK_IN_LINK, StayLink
from pms.stays.stays import GuestTerms
from pms.surfaces.fields import ChoiceField, FlagField, Required
from pms.surfaces.forms import LinkForm, submitted
from pms.surfaces.hypermedia import go, page
from pms.surfaces.link_gate import TOKEN, LinkGate, reading
from pms.surfaces.request_scope import clock, database, reading_session, today

blueprint = Blueprint("guest_checkin", __name__, url_prefix=f"/check-in/<{TOKEN}>")


MOST_BYTES: Final = 27 * 1024 * 1024


@dataclass(frozen=True)
class LinkGuests:
    """The guests of a live link, with their stay and the state of their check-in."""

    link: StayLink
    workspace_id: str

    @property
    def actor(self) -> str:
        """The actor written to the audit."""
        return f"reservation/{self.link.reservation_id}"

    @cached_property
    def terms(self) -> GuestTerms:
        """The workspace's check-in terms."""
        return stays.stay_terms(reading())

    @cached_property
    def guests(self) -> Sequence[GuestEntry]:
        """The guests with an entry in the register."""
        return guests.guests_of(reading(), self.link.id, self.terms)

    @property
    def is_editable(self) -> bool:
        """Whether the entries may still be changed: until the check-in time."""
        arrival = self.terms.arrives_at(self.link.check_in_on)
        return arrival is None or clock().now() < arrival

    @property
    def is_arrival_planned(self) -> bool:
        """Whether the time is given and the rules are accepted."""
        is_agreed = self.link.rules_accepted_at is not None or not self.terms.has_rules
        return self.link.arrival_time is not None and is_agreed

    def guest(self, position: int) -> GuestEntry | None:
        """Return the entry of a guest, if any."""
        return next((guest for guest in self.guests if guest.position == position), None)

    def again(self) -> "LinkGuests":
        """Return the holder with the register as it is after a change."""
        with database().reading(self.workspace_id) as session:
            terms = stays.stay_terms(session)
            link = stay_links.stay_link(session, self.link.id, today())
            changed = LinkGuests(link, self.workspace_id)
            changed.__dict__.update(terms=terms, guests=guests.guests_of(session, link.id, terms))
        return changed

    def first_missing(self) -> int | None:
        """Return the position of the first guest with missing entries, or None."""
        complete = {guest.position for guest in self.guests if guest.is_complete}
        return next((n for n in range(1, self.link.guests + 1) if n not in complete), None)


def holder() -> LinkGuests:
    """Return the holder of this request's link."""
    found: LinkGuests = g.link_holder
    return found


@blueprint.get("", endpoint="stay")
def show_stay() -> Response:
    """Show the stay."""
    return page(
        "guest_checkin/stay.html", stay=holder().link, terms=holder().terms, holder=holder()
    )


_LAST_BEFORE_NEXT_DAY: Final = 3


def _require_agreement(form: "ArrivalForm", field: FlagField) -> None:
    """Require the tick if there are rules."""
    if form.needs_rules and not field.data:
        raise StopValidation(_("Please tick this to stay."))


class ArrivalForm(LinkForm):
    """The time of arrival and the acceptance of the rules."""

    arrivalTime = ChoiceField(lazy_gettext("When do you arrive?"), [Required()])
    acceptsRules = FlagField(lazy_gettext("We agree to the house rules."), [_require_agreement])

    def __init__(self, *given: Any, terms: GuestTerms, text: str | None, **values: Any) -> None:
        super().__init__(*given, **values)
        self.needs_rules = terms.has_rules
        # Half hours from the check-in time to midnight, then whole hours of the night.
        first = time.fromisoformat(terms.check_in_time)
        halves = [f"{number // 2:02}:{number % 2 * 30:02}" for number in range(48)]
        evening = [each for each in halves if each >= first.strftime("%H:%M")]
        night = [f"{hour:02}:00" for hour in range(_LAST_BEFORE_NEXT_DAY)]
        known = {*evening, *night, None}
        arrival_times = [
            *((text, text) for _ in range(1) if text and text not in known),
            *((each, each) for each in evening),
            *((each, _("%(time)s the next day", time=each)) for each in night),
        ]
        self.arrivalTime.choices = [("", _("Choose a time")), *arrival_times]


@blueprint.get("/arrival", endpoint="arrival")
def show_arrival() -> Response:
    """Show the form with what was entered before."""
    link = holder().link
    is_agreed = link.rules_accepted_at is not None
    data = {"arrivalTime": link.arrival_time, "acceptsRules": is_agreed}
    return _render_arrival(
        ArrivalForm(formdata=None, data=data, terms=holder().terms, text=link.arrival_time)
    )


@blueprint.post("/arrival")
def plan_arrival() -> Response:
    """Save the arrival, which completes the check-in."""
    form = ArrivalForm(terms=holder().terms, text=holder().link.arrival_time)
    return submitted(
        form,
        act=lambda work: guests.plan_arrival(
            work,
            link_id=holder().link.id,
            arrival_time=form.arrivalTime.data,
            accepts_rules=form.acceptsRules.data,
        ),
        then=lambda _none: go(url_for("guest_checkin.ready")),
        again=lambda: _render_arrival(form),
    )


def _render_arrival(form: ArrivalForm) -> Response:
    return page(
        "guest_checkin/arrival.html",
        holder=holder(),
        stay=holder().link,
        terms=holder().terms,
        form=form,
    )


class GuestGate(LinkGate[StayLink]):
    """Give a live link access to its stay only."""

    kind = CHECK_IN_LINK
    templates = "guest_checkin"
    most_bytes = MOST_BYTES

    def find(self, named: NamedLink) -> StayLink | None:
        """Return the link with its state of today."""
        return guests.opened_link(reading_session(named.workspace_id), today(), named)

    def language(self, link: StayLink) -> str:
        """Return the language of the booking."""
        return link.locale

    def admit(self, link: StayLink, workspace_id: str) -> LinkGuests | Response:
        """Return the guests; the use of the link is recorded at most once a minute."""
        if link.state is not CheckInLinkState.LIVE:
            return self.notice("ended", 410, state=link.state)
        self.note_opening(workspace_id, link.id, link.last_opened_at)
        return LinkGuests(link, workspace_id)


_MAP: Final = "https://www.google.com/maps/search/?"
_LONGEST_WAIT: Final = 60
_WITHOUT: Final = (CodeSight.NONE, CodeSight.NOT_RELEASED)


@blueprint.get("/ready", endpoint="ready")
def show_way_in() -> Response:
    """Show the way in, without codes."""
    return _render_way_in()


@blueprint.post("/ready/<page_id>")
def reveal_code(page_id: str) -> Response:
    """Show the pages, one of them with its code."""
    return submitted(
        LinkForm(),
        act=lambda work: handbook.reveal_copied_code(
            work,
            page_id=page_id,
            building_id=holder().link.building_id,
            reader=_build_guest_facts(),
        ),
        then=lambda code: _render_way_in(page_id, code),
        again=_render_way_in,
    )


def _build_guest_facts() -> HandbookGuest:
    link, terms = holder().link, holder().terms
    return HandbookGuest(
        link.unit_id,
        is_released=terms.are_codes_shown(clock().now(), (link.check_in_on, link.check_out_on)),
        is_register_complete=link.registered_at is not None,
        do_codes_need_register=terms.codes_need_register,
    )


def _render_way_in(page_id: str | None = None, code: str | None = None) -> Response:
    link, terms = holder().link, holder().terms
    copy = handbook.handbook_copy(
        reading(), building_id=link.building_id, reader=_build_guest_facts()
    )
    pages = sorted(copy, key=lambda each: each.code is CodeSight.NONE)
    released_at = terms.released_at(link.check_in_on)
    # After the check-out no code is shown, and the page waits for none.
    is_early = released_at is not None and clock().now() < released_at
    waits = is_early and any(each.code is CodeSight.NOT_RELEASED for each in pages)
    if waits and released_at:
        # The seconds until the page reloads: at the release itself, before it once a minute.
        left = int((released_at - clock().now()).total_seconds()) + 1
        again_in = max(1, min(left, _LONGEST_WAIT))
    else:
        again_in = None
    return page(
        "guest_checkin/ready.html",
        holder=holder(),
        stay=link,
        terms=terms,
        pages=pages,
        released_at=released_at if waits else None,
        again_in=again_in,
        has_codes=any(each.code not in _WITHOUT for each in pages) or waits,
        revealed=page_id,
        code=code,
        map=_MAP + urlencode({"api": 1, "query": link.address.ja or link.address.en or ""}),
        message=request.args.get("message", request.args.get("told")),
        page_address=url_for("guest_checkin.ready"),
    )
