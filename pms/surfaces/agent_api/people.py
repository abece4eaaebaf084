"""Residents, viewings and applicants: `/api/agent/residents`, `/showings` and `/leads`."""

from contextlib import nullcontext
from datetime import date, timedelta
from typing import Any, Final

from flask import Response, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge

from pms.catalogue.checks import LONGEST_NAME, LONGEST_TEXT
from pms.enquiries import viewing_lists
from pms.enquiries.received_leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import MOST_BYTES, Resume, read_resume
from pms.enquiries.viewing_lists import ViewingRecord, ViewingSearch
from pms.foundation.errors import Refused
from pms.foundation.files import loose_file
from pms.foundation.work import Work
from pms.reservations.month_to_month import month_to_month_of
from pms.reservations.residents import ResidentRecord, ResidentSearch, resident_record
from pms.reservations.residents import list_residents as residents_asked_for
from pms.rules.contract_dates import effective_day
from pms.rules.days import readable
from pms.rules.enumerations import EsignStatus, PaymentStatus, Scope, ViewingStatus
from pms.rules.policy import Policy
from pms.surfaces.agent_api.answers import pagination, private_answer
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.query import Query
from pms.surfaces.agent_api.unit_shapes import instant_text
from pms.surfaces.agent_api.writes import answer_write
from pms.surfaces.limits import known_key
from pms.surfaces.request_scope import files, reading_session, today
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


MOST_SENT: Final = MOST_BYTES + 256 * 1024
"""The largest body in bytes: a résumé and the fields around it."""
_FORM_TYPE: Final = "multipart/form-data"
_RESUME: Final = "resume"


@blueprint.post("/leads", scope=Scope.LEADS_WRITE, most_bytes=MOST_SENT)
def submit_lead() -> Response:
    """Save the lead and the résumé; if they are refused, no file is left behind."""
    if request.mimetype == _FORM_TYPE:
        # The fields of the form; an empty one is treated as not sent.
        try:
            fields = request.form
        except RequestEntityTooLarge as error:
            raise RequestEntityTooLarge(f"The form is larger than {MOST_SENT} bytes.") from error
        given: dict[str, Any] = {name: text for name, text in fields.items() if text.strip()}
        body = JsonBody(given)
        for name, texts in fields.lists():
            if len(texts) > 1:
                body.note(name, f"sent {len(texts)} times; once is wanted.")
    else:
        body = JsonBody.read()
    external_id = body.external_id()
    lead = WrittenLead(
        name=body.line("name", LONGEST_NAME, needed=True),
        email=body.email("email", needed=True),
        phone=body.phone("phone"),
        message=body.text("message", LONGEST_TEXT),
        position_id=body.identity("positionId"),
        locale=body.locale("locale"),
    )
    resume = _read_sent_resume(body) if request.mimetype == _FORM_TYPE else None
    body.finish()
    storing = (
        nullcontext() if resume is None else loose_file(files(), resume.content, resume.suffix)
    )
    with storing as loose:

        def receive(work: Work) -> dict[str, str]:
            id_ = receive_lead(
                work,
                lead=lead,
                resume=resume,
                resume_key=loose.key if loose else None,
                external_id=external_id,
            )
            if loose:
                loose.name()
            return {"id": id_}

        return answer_write(receive)


def _read_sent_resume(body: JsonBody) -> Resume | None:
    sent = request.files.getlist(_RESUME)
    if _RESUME in request.form:
        body.note(_RESUME, "sent as a text; a file is wanted.")
    if len(sent) > 1:
        body.note(_RESUME, f"sent {len(sent)} times; once is wanted.")
    if len(sent) != 1 or _is_unfilled(sent[0]):
        return None
    content = sent[0].stream.read(MOST_BYTES + 1)
    # The digest for `Idempotency-Key` reads the file again.
    sent[0].stream.seek(0)
    try:
        return read_resume(sent[0].filename, content)
    except Refused as refusal:
        body.note(_RESUME, refusal.message.removeprefix(f"{_RESUME}: "))
        return None


def _is_unfilled(file: FileStorage) -> bool:
    """Whether this is the empty file input of a form."""
    if file.filename:
        return False
    is_empty = not file.stream.read(1)
    file.stream.seek(0)
    return is_empty
