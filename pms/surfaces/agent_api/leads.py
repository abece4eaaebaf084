"""`POST /api/agent/leads`: an applicant, as JSON, or as a form with a résumé."""

from contextlib import nullcontext
from typing import Any, Final

from flask import Response, request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge

from pms.catalogue.checks import LONGEST_NAME, LONGEST_TEXT
from pms.enquiries.leads import WrittenLead, receive_lead
from pms.enquiries.resume_files import MOST_BYTES, Resume, read_resume
from pms.foundation.errors import Refused
from pms.foundation.files import loose_file
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.surfaces.agent_api.gate import blueprint
from pms.surfaces.agent_api.json_body import JsonBody
from pms.surfaces.agent_api.writes import answer_write
from pms.surfaces.request_scope import files

MOST_SENT: Final = MOST_BYTES + 256 * 1024
"""The largest body in bytes: a résumé and the fields around it."""
_FORM: Final = "multipart/form-data"
_RESUME: Final = "resume"


@blueprint.post("/leads", scope=Scope.LEADS_WRITE, most_bytes=MOST_SENT)
def submit_lead() -> Response:
    """Save the lead and the résumé; if they are refused, no file is left behind."""
    body = _form() if request.mimetype == _FORM else JsonBody.read()
    external_id = body.external_id()
    lead = _read_lead(body)
    resume = _resume(body) if request.mimetype == _FORM else None
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


def _read_lead(body: JsonBody) -> WrittenLead:
    return WrittenLead(
        name=body.line("name", LONGEST_NAME, needed=True),
        email=body.email("email", needed=True),
        phone=body.phone("phone"),
        message=body.text("message", LONGEST_TEXT),
        position_id=body.identity("positionId"),
        locale=body.locale("locale"),
    )


def _form() -> JsonBody:
    """Return the fields of the form; an empty one is treated as not sent."""
    try:
        fields = request.form
    except RequestEntityTooLarge as error:
        raise RequestEntityTooLarge(f"The form is larger than {MOST_SENT} bytes.") from error
    given: dict[str, Any] = {name: text for name, text in fields.items() if text.strip()}
    body = JsonBody(given)
    for name, texts in fields.lists():
        if len(texts) > 1:
            body.note(name, f"sent {len(texts)} times; once is wanted.")
    return body


def _resume(body: JsonBody) -> Resume | None:
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
