"""Enquiries of a website over the API, as the office finds them."""

from sqlalchemy import select

from pms.foundation.audit import AuditRecord
from pms.foundation.database import Database
from pms.foundation.outbox import OutboxMail
from pms.inbox.models import Enquiry
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import EnquirySource, EnquiryState
from tests.cast import Cast
from tests.surfaces.agent_api.asking import Asker, error_of
from tests.surfaces.agent_api.bodies import ENQUIRY, rows


def kept(database: Database, cast: Cast, id_: str) -> Enquiry:
    with database.reading(cast.sumida.workspace_id) as session:
        return session.get_one(Enquiry, (cast.sumida.workspace_id, id_))


def test_an_enquiry_is_kept_whole_with_its_source(
    website: Asker, database: Database, cast: Cast
) -> None:
    asked = {
        **ENQUIRY,
        "phone": "０９０－００００－０００２",
        "unitId": cast.sumida.free_room_id,
        "moveInDate": "2026-12-15",
        "locale": "en",
        "externalId": "contact-1",
        "colour": "red",
    }
    body = website.created("/inquiries", asked)
    row = kept(database, cast, body["id"])
    assert set(body) == {"id"}
    assert (row.source, row.state) == (EnquirySource.WEBSITE, EnquiryState.NEW)
    assert (row.name, row.email, row.phone) == (ENQUIRY["name"], ENQUIRY["email"], "090-0000-0002")
    assert (row.message, row.locale) == (ENQUIRY["message"], "en")
    assert (row.unit_id, str(row.move_in_on)) == (cast.sumida.free_room_id, "2026-12-15")
    assert row.external_id == "contact-1"


def test_the_language_is_the_workspaces_when_none_is_named(
    website: Asker, database: Database, cast: Cast
) -> None:
    assert kept(database, cast, website.created("/inquiries", ENQUIRY)["id"]).locale == "ja"


def test_the_key_is_who_did_it_and_nobody_is_written_to(
    website: Asker, database: Database, cast: Cast
) -> None:
    website.created("/inquiries", ENQUIRY)
    with database.reading(cast.sumida.workspace_id) as session:
        received = AuditRecord.audit_event == AuditEvent.ENQUIRY_RECEIVED
        events = session.scalars(select(AuditRecord).where(received)).one()
        assert session.scalars(select(OutboxMail)).all() == []
    assert events.actor.startswith("key/")
    assert website.key not in str(vars(events))


def test_an_external_id_comes_once(website: Asker, database: Database) -> None:
    website.created("/inquiries", {**ENQUIRY, "externalId": "contact-1"})
    before = rows(database)
    answer = website.post("/inquiries", {**ENQUIRY, "name": "別人", "externalId": " contact-1 "})
    assert answer.status_code == 409
    assert "contact-1" in error_of(answer)
    assert rows(database) == before
    website.created("/inquiries", {**ENQUIRY, "externalId": "contact-2"})


def test_every_problem_is_named_at_once(website: Asker, database: Database) -> None:
    before = rows(database)
    wrong = {
        "name": 5,
        "email": "tanaka@",
        "phone": "call me",
        "unitId": "102",
        "moveInDate": "2026-02-30",
        "locale": "fr",
        "externalId": "x" * 201,
    }
    answer = website.post("/inquiries", wrong)
    assert answer.status_code == 400
    for name in (*wrong, "message"):
        assert f"{name}: " in error_of(answer), name
    assert rows(database) == before
