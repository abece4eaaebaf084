"""Writes of the JSON API: visits, enquiries, links and orders; a repeat gets the same answer."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC
from functools import partial
from hashlib import sha256
from typing import Any, Final

from flask import Response, request

from pms.catalogue import units
from pms.catalogue.checks import LONGEST_NAME, LONGEST_TEXT
from pms.channels import orders
from pms.channels.orders import (
    LONGEST_ITEM,
    MOST_ITEMS,
    MOST_PIECES,
    USUAL_CATEGORY,
    WrittenItem,
    WrittenOrder,
)
from pms.enquiries import enquiries
from pms.enquiries.enquiries import WrittenEnquiry
from pms.foundation.errors import Refused
from pms.foundation.idempotency import (
    ClaimedMeanwhileError,
    EarlierResponse,
    NamedWrite,
    answered_before,
    claim_answer,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.offers import offer_links
from pms.rules.enumerations import EnquirySource, FeeCategory, Scope
from pms.rules.provider_json import describe_value
from pms.rules.upkeep_cost import PURCHASE_CATEGORIES
from pms.rules.yen import LARGEST_YEN
from pms.site import received_visits
from pms.stays import check_in_links, stay_links
from pms.stays.check_in_links import MOST_GUESTS
from pms.surfaces.agent_api.analytics_body import read_events
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.agent_api.gate import NAMED_BY, REPLAYED, blueprint
from pms.surfaces.agent_api.json_body import JSON, JsonBody
from pms.surfaces.agent_api.unit_shapes import check_in_address, instant_text, offer_address
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import clock, database, today
from pms.surfaces.signed_in import auth_context
from pms.upkeep.project_lines import MOST_YEN

LONGEST_WRITE_NAME: Final = 200
_TRIES: Final = 5
Act = Callable[[Work], Mapping[str, Any]]


def answer_write(act: Act, status: int = 201) -> Response:
    """Answer with the result of `act`, which runs in one transaction.

    A request with an `Idempotency-Key` runs once: sent again with the same body within a day, it
    gets the first answer. A refusal changes nothing and is not stored.
    """
    write = _named_write()
    if write is None:
        return _build_answer(
            status,
            _build_body(database().write_as(known_key().workspace_id, clock(), key_actor(), act)),
        )
    for _ in range(_TRIES):
        with suppress(ClaimedMeanwhileError):
            return _written_once(act, status, write)
    raise Refused(f"{NAMED_BY}: other requests are written under it at this moment.")


def key_actor() -> str:
    """Return the actor of a write by key, as written to the audit."""
    return f"key/{known_key().id}"


def _written_once(act: Act, status: int, write: NamedWrite) -> Response:
    def act_once(session: WorkspaceSession) -> EarlierResponse | bytes:
        before = answered_before(session, clock(), write)
        if before is not None:
            return before
        claimed = claim_answer(session, clock(), write)
        claimed.status, claimed.body = status, _build_body(act(Work(session, clock(), key_actor())))
        return claimed.body

    answer = database().write(known_key().workspace_id, act_once)
    if isinstance(answer, bytes):
        return _build_answer(status, answer)
    if answer.digest != write.digest:
        raise Refused(f"{NAMED_BY}: '{write.key}' came before, with another request.")
    response = _build_answer(answer.status, answer.body)
    response.headers[REPLAYED] = "true"
    return response


def _named_write() -> NamedWrite | None:
    name = request.headers.get(NAMED_BY)
    if name is None:
        return None
    if not 0 < len(name) <= LONGEST_WRITE_NAME or not (name.isascii() and name.isprintable()):
        wanted = f"1 to {LONGEST_WRITE_NAME} printable ASCII characters"
        raise Refused(f"{NAMED_BY}: '{describe_value(name)}' is not {wanted}.")
    return NamedWrite(known_key().id, name, _compute_digest())


def _compute_digest() -> str:
    """Return the digest of method, address and body, by which repeated requests are recognised."""
    digest = sha256(f"{request.method} {request.path}\n".encode(errors="replace"))
    if request.mimetype == "multipart/form-data":
        # Its parts alone: the boundary differs in each request.
        for name, text in request.form.items(multi=True):
            digest.update(to_json([name, text]) + b"\n")
        for name, file in request.files.items(multi=True):
            content = sha256(file.stream.read()).hexdigest()
            file.stream.seek(0)
            digest.update(to_json([name, file.filename, content]) + b"\n")
    else:
        digest.update(request.get_data())
    return digest.hexdigest()


def _build_body(data: Mapping[str, Any]) -> bytes:
    return to_json({"ok": True, "data": data})


def _build_answer(status: int, body: bytes) -> Response:
    response = Response(body, status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


_ACCEPTED: Final = 202


@blueprint.post("/analytics", scope=Scope.ANALYTICS_WRITE)
def report_visits() -> Response:
    """Save the reported events; one invalid event refuses all."""
    now = clock()
    events = read_events(now.now())
    if NAMED_BY not in request.headers:
        taken = partial(received_visits.take_telemetry, clock=now, events=events)
        accepted = database().write(known_key().workspace_id, taken)
        body = b'{"ok":true,"data":{"accepted":%d}}' % accepted
        return Response(body, _ACCEPTED, {"Cache-Control": "no-store"}, mimetype=JSON)
    return answer_write(
        lambda work: {"accepted": received_visits.take_telemetry(work.session, now, events=events)},
        _ACCEPTED,
    )


@blueprint.post("/reservation-links", scope=Scope.RESERVATION_LINKS_WRITE)
def make_reservation_link() -> Response:
    """Offer the unit at its current terms and return the link; no message is sent."""
    body = JsonBody.read()
    facts: dict[str, Any] = {
        "unit_id": body.identity("unitId", needed=True),
        "move_in_on": body.day("moveInDate", needed=True),
        "contract_end_on": body.day("contractEndDate"),
        "name": body.line("name", LONGEST_NAME),
        "email": body.email("email"),
        "locale": body.locale("locale"),
        "external_id": body.external_id(),
    }
    body.finish()

    def make(work: Work) -> dict[str, Any]:
        signer = auth_context().signer
        link = offer_links.create_reservation_link(work, **facts, signer=signer)
        return {
            "id": link.id,
            "url": offer_address(link.token),
            "expiresAt": instant_text(link.expires_at.astimezone(UTC)),
        }

    return answer_write(make)


@blueprint.post("/inquiries", scope=Scope.INQUIRIES_WRITE)
def submit_inquiry() -> Response:
    """Save the enquiry; it is linked to earlier ones of the same person."""
    body = JsonBody.read()
    external_id = body.external_id()
    enquiry = WrittenEnquiry(
        source=EnquirySource.WEBSITE,
        name=body.line("name", LONGEST_NAME, needed=True),
        email=body.email("email", needed=True),
        phone=body.phone("phone"),
        message=body.text("message", LONGEST_TEXT, needed=True),
        unit_id=body.identity("unitId"),
        move_in_on=body.day("moveInDate"),
        locale=body.locale("locale"),
    )
    body.finish()

    def receive(work: Work) -> dict[str, str]:
        if enquiry.unit_id:
            units.known_unit(work.session, enquiry.unit_id)
        id_ = enquiries.receive_enquiry(work, enquiry=enquiry, external_id=external_id)
        return {"id": id_}

    return answer_write(receive)


@blueprint.post("/check-in-links", scope=Scope.CHECK_IN_LINKS_WRITE)
def make_check_in_link() -> Response:
    """Book the nights for the guest and return the link; no message is sent."""
    body = JsonBody.read()
    facts: dict[str, Any] = {
        "unit_id": body.identity("unitId", needed=True),
        "check_in": body.day("checkIn", needed=True),
        "check_out": body.day("checkOut", needed=True),
        "guest_name": body.line("guestName", LONGEST_NAME, needed=True),
        "guests": body.whole("guests", 1, MOST_GUESTS) or 1,
        "email": body.email("email"),
        "locale": body.locale("locale"),
        "external_id": body.external_id(),
    }
    body.finish()

    def make(work: Work) -> dict[str, Any]:
        link_id = check_in_links.create_check_in_link(work, **facts) or ""
        link = stay_links.stay_link(work.session, link_id, today())
        return {
            "id": link.id,
            "url": check_in_address(link.token(auth_context().signer)),
            "reservationId": link.reservation_id,
            "expiresAt": link.ends_at and instant_text(link.ends_at.astimezone(UTC)),
        }

    return answer_write(make)


_LONGEST_NUMBER = 20


@blueprint.post("/purchases", scope=Scope.PURCHASES_WRITE)
def send_order() -> Response:
    """Save the order; return the project that bears it, or why it waits for a person."""
    body = JsonBody.read()
    external_id = body.external_id()
    items = [
        WrittenItem(
            description=item.line("description", LONGEST_ITEM, needed=True),
            quantity=item.whole("quantity", 1, MOST_PIECES, needed=True),
            unit_price_yen=item.whole("unitPrice", 0, MOST_YEN, needed=True),
            category=_read_category(item),
        )
        for item in body.items("items", 1, MOST_ITEMS)
    ]
    order = WrittenOrder(
        supplier=body.line("supplier", LONGEST_NAME, needed=True),
        order_number=body.line("orderNumber", LONGEST_NAME, needed=True),
        ordered_on=body.day("orderedOn", needed=True),
        items=tuple(items),
        total_yen=body.whole("total", 0, LARGEST_YEN, needed=True),
        building_id=body.identity("buildingId"),
        project_number=body.line("projectNumber", _LONGEST_NUMBER),
    )
    body.finish()

    def receive(work: Work) -> dict[str, Any]:
        got = orders.receive_order(
            work, order=order, key_id=known_key().id, external_id=external_id
        )
        return {
            "id": got.id,
            "projectNumber": got.matched_to,
            "waitsBecause": got.doubt,
            "repeats": got.repeats_id,
        }

    return answer_write(receive)


def _read_category(body: JsonBody) -> FeeCategory:
    """Return a category that is a cost; the enumeration also has rent and deposits."""
    given = body.line("category", LONGEST_NAME)
    if given is None:
        return USUAL_CATEGORY
    known = {category.value: category for category in PURCHASE_CATEGORIES}
    if given not in known:
        body.refuse("category", given, f"one of {', '.join(known)}")
    return known.get(given, USUAL_CATEGORY)
