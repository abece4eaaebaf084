"""The lists with personal data: `GET /api/agent/residents`, one record of it, and `.../showings`.

See the specification, Residents.
"""

from datetime import date, timedelta
from typing import Any

from flask import Response

from pms.enquiries import viewing_lists
from pms.enquiries.viewing_lists import ViewingRecord, ViewingSearch
from pms.reservations.residents import ResidentRecord, ResidentSearch, resident_record
from pms.reservations.residents import list_residents as residents_asked_for
from pms.reservations.tenancies import month_to_month_of
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import EsignStatus, PaymentStatus, Scope, ViewingStatus
from pms.rules.policy import Policy
from pms.surfaces.agent_api.answers import pagination, private_answer
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import reading_session, today
from pms.workspaces.queries import policy as policy_of

DEFAULT_LIMIT = 20
MOST_LIMIT = 50


@blueprint.get("/residents", scope=Scope.RESIDENTS_READ)
def list_residents() -> Response:
    """Return one page of the matching records."""
    query = Query()
    search = ResidentSearch(
        building=query.text("building"),
        unit=query.text("unit"),
        email=query.text("email"),
        search=query.text("search"),
        payment_status=query.choice("paymentStatus", PaymentStatus),
        esign_status=query.choice("esignStatus", EsignStatus),
    )
    paging = query.paging(DEFAULT_LIMIT, MOST_LIMIT)
    query.finish()
    session = reading_session(known_key().workspace_id)
    records, total = residents_asked_for(session, search, paging)
    policy = policy_of(session)
    day = today()
    residents = [resident_shape(record, day, policy) for record in records]
    return private_answer({"residents": residents, "pagination": pagination(paging, total)})


@blueprint.get("/residents/<reservation_id>", scope=Scope.RESIDENTS_READ)
def show_resident(reservation_id: str) -> Response:
    """Return one record."""
    session = reading_session(known_key().workspace_id)
    record = resident_record(session, reservation_id)
    return private_answer({"resident": resident_shape(record, today(), policy_of(session))})


def resident_shape(record: ResidentRecord, on: date, policy: Policy) -> dict[str, Any]:
    """Return a record as the contract shows it: without amounts and documents."""
    start = effective_day(record.move_in_date, record.override_move_in_date)
    end = effective_day(record.contract_end_date, record.override_contract_end_date)
    month_to_month = month_to_month_of(record, on, policy)
    return {
        "id": record.id,
        "kind": record.kind,
        "lifecycle": record.lifecycle,
        "name": record.name,
        "nameKana": record.name_kana,
        "email": record.email,
        "phone": record.phone,
        "building": {"id": record.building_id, "name": record.building_name},
        "unit": {"id": record.unit_id, "name": record.unit_name},
        "moveInDate": readable(record.move_in_date),
        "overrideMoveInDate": readable(record.override_move_in_date),
        "effectiveMoveInDate": readable(start),
        "arrivalDate": readable(record.arrival_date),
        "contractEndDate": readable(record.contract_end_date),
        "overrideContractEndDate": readable(record.override_contract_end_date),
        "effectiveContractEndDate": readable(end),
        "moveOutDate": readable(record.move_out_date),
        "expectedDepartureDate": readable(record.expected_departure_date),
        "monthToMonth": {"state": month_to_month.state, "since": month_to_month.since},
        "coOccupants": [{"name": name} for name in record.co_occupants],
        "paymentStatus": record.payment_status,
        "esignStatus": record.esign_status,
        "createdAt": instant_text(record.created_at),
        "updatedAt": instant_text(record.updated_at),
    }


DEFAULT_VIEWINGS = 20
MOST_VIEWINGS = 100


@blueprint.get("/showings", scope=Scope.SHOWINGS_READ)
def list_showings() -> Response:
    """Return one page of the matching viewings, earliest first."""
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
    paging = query.paging(DEFAULT_VIEWINGS, MOST_VIEWINGS)
    query.finish()
    records, total = viewing_lists.list_viewings(
        reading_session(known_key().workspace_id), search, paging
    )
    showings = [_viewing_shape(record) for record in records]
    return private_answer({"showings": showings, "pagination": pagination(paging, total)})


def _viewing_shape(record: ViewingRecord) -> dict[str, Any]:
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
