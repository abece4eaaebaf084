"""Leads over the API: JSON or a form with a résumé, judged by content, leaving nothing half done."""

import io
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import TestResponse, encode_multipart

from pms.enquiries.models import Lead
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.site.models import Position
from tests.cast import Cast
from tests.enquiries.made_resumes import docx, sample
from tests.sample_uploads import NO_RESUMES
from tests.surfaces.agent_api.asking import ROOT, Asker, error_of

ASKED = {"name": "応募 花", "email": "Hana@example.jp", "message": "働きたいです。"}


def sent(
    website: Asker, fields: dict[str, Any], *files: tuple[str, bytes], **headers: str
) -> TestResponse:
    """Send the form of a website."""
    resumes = [FileStorage(io.BytesIO(content), name, "resume") for name, content in files]
    data = MultiDict({**fields, **({"resume": resumes} if files else {})})
    boundary, body = encode_multipart(data)
    return website.client.post(
        ROOT + "/leads",
        data=body,
        headers={**website.header, **headers},
        content_type=f"multipart/form-data; boundary={boundary}",
    )


def leads(database: Database, cast: Cast) -> list[Lead]:
    with database.reading(cast.sumida.workspace_id) as session:
        return list(session.scalars(select(Lead).order_by(Lead.id)))


def kept(database: Database) -> list[Path]:
    """The files in the store."""
    return [path for path in database.settings.files_dir.rglob("*") if path.is_file()]


def test_json_without_a_resume_is_kept(website: Asker, database: Database, cast: Cast) -> None:
    with database.reading(cast.sumida.workspace_id) as session:
        position_id = session.scalars(select(Position.id)).one()
    asked = {
        **ASKED,
        "positionId": position_id,
        "phone": "０９０−１２３４−５６７８",
        "locale": "en",
    }
    body = website.created("/leads", asked)
    (row,) = leads(database, cast)
    assert body == {"id": row.id}
    assert (row.email, row.phone) == ("Hana@example.jp", "090-1234-5678")
    assert (row.locale, row.position_id) == ("en", position_id)
    assert row.received_by.startswith("key/")
    assert row.resume_key is None


def test_a_form_with_a_resume_is_kept_privately(
    website: Asker, database: Database, cast: Cast
) -> None:
    content = sample("resume.pdf")
    answer = sent(website, ASKED, ("../履歴書.docx", content))
    assert answer.status_code == 201, answer.text
    (row,) = leads(database, cast)
    assert (row.resume_name, row.resume_type) == ("履歴書.pdf", "application/pdf")
    assert row.resume_key is not None
    assert Files(database.settings).get(row.resume_key) == content
    for address in (
        f"/photos/sumida/{row.id}/640.webp",
        f"/photos/sumida/{row.resume_key}/640.webp",
    ):
        assert website.client.get(address).status_code == 404


def test_a_form_without_a_file_is_kept_too(website: Asker, database: Database, cast: Cast) -> None:
    assert sent(website, {**ASKED, "phone": "", "positionId": " "}).status_code == 201
    assert sent(website, ASKED, ("", b"")).status_code == 201
    assert [row.resume_key for row in leads(database, cast)] == [None, None]
    assert kept(database) == []


@pytest.mark.parametrize("name", NO_RESUMES)
def test_a_file_that_is_no_resume_is_refused_with_everything_else_that_is_wrong(
    website: Asker, database: Database, cast: Cast, name: str
) -> None:
    answer = sent(website, {"name": " ", "email": "nobody"}, (name, sample(name)))
    assert answer.status_code == 400
    said = error_of(answer)
    assert "resume: " in said
    assert "name: " in said
    assert "email: 'nobody'" in said
    assert leads(database, cast) == []
    assert kept(database) == []


def test_nothing_stays_of_what_is_refused_later(
    website: Asker, database: Database, cast: Cast
) -> None:
    resume = ("cv.docx", docx())
    assert sent(website, {**ASKED, "externalId": "1"}, resume).status_code == 201
    first = kept(database)
    assert len(first) == 1
    again = sent(website, {**ASKED, "externalId": "1"}, resume)
    assert again.status_code == 409
    assert error_of(again) == "externalId: '1' has already been used for another record."
    unknown = sent(website, {**ASKED, "positionId": "0" * 32}, resume)
    assert unknown.status_code == 404
    assert kept(database) == first


def test_a_repeat_under_one_idempotency_key_is_told_the_same_and_keeps_one_file(
    website: Asker, database: Database, cast: Cast
) -> None:
    def send(content: bytes) -> TestResponse:
        return sent(website, ASKED, ("cv.pdf", content), **{"Idempotency-Key": "one"})

    first, again = send(sample("resume.pdf")), send(sample("resume.pdf"))
    assert first.status_code == again.status_code == 201
    assert first.get_json() == again.get_json()
    assert send(sample("resume.docx")).status_code == 400
    assert len(leads(database, cast)) == len(kept(database)) == 1


@pytest.mark.parametrize(
    ("fields", "files", "text"),
    [
        ({"name": ["a", "b"]}, (), "name: sent 2 times"),
        ({"resume": "base64"}, (), "resume: sent as a text"),
        ({}, (("a.pdf", b"x"), ("b.pdf", b"y")), "resume: sent 2 times"),
        ({"positionId": "'; drop table"}, (), "positionId: "),
        ({"locale": "fr"}, (), "locale: 'fr' is not one of ja, en"),
        ({"message": "x" * 10_001}, (), "message: "),
        ({"name": "x\x00y"}, (), "name: "),
    ],
)
def test_an_odd_form_is_told_what_is_odd(
    website: Asker, fields: dict[str, Any], files: tuple[tuple[str, bytes], ...], text: str
) -> None:
    answer = sent(website, {**ASKED, **fields}, *files)
    assert answer.status_code == 400
    assert text in error_of(answer)


def test_a_resume_may_be_ten_mebibytes_and_no_larger(
    website: Asker, database: Database, cast: Cast
) -> None:
    whole, most = sample("resume.pdf"), 10 * 1024 * 1024
    filled = whole.replace(b"%%EOF", b"%" + b"x" * (most - len(whole) - 2) + b"\n%%EOF")
    assert len(filled) == most
    assert sent(website, ASKED, ("large.pdf", filled)).status_code == 201
    refused = sent(website, ASKED, ("larger.pdf", filled + b"\n"))
    assert refused.status_code == 400
    assert "At most 10485760" in error_of(refused)
    too_large = sent(website, ASKED, ("huge.pdf", filled * 2))
    assert too_large.status_code == 413
    assert "form is larger than" in error_of(too_large)
    assert len(leads(database, cast)) == 1


@pytest.mark.parametrize(
    ("kind", "status"),
    [("text/plain", 415), ("application/xml", 415), ("multipart/form-data", 400), ("", 415)],
)
def test_other_kinds_and_broken_forms_are_no_error_of_the_server(
    website: Asker, kind: str, status: int
) -> None:
    headers = {**website.header, **({"Content-Type": kind} if kind else {})}
    answer = website.client.post(ROOT + "/leads", data=b"--x\r\nname", headers=headers)
    assert answer.status_code == status
    error_of(answer)


def test_only_a_key_of_leads_may_send_one(website: Asker, office: Asker) -> None:
    assert office.post("/leads", ASKED).status_code == 403
    assert website.client.post(ROOT + "/leads", json=ASKED).status_code == 401
