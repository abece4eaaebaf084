"""Runs what a request writes in one transaction and answers it; a repeat is told the same."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any, Final

from flask import Response, request

from pms.foundation.errors import Refused
from pms.foundation.first_answers import (
    Answered,
    ClaimedMeanwhileError,
    NamedWrite,
    answered_before,
    claim_answer,
)
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.strict_json import shown
from pms.surfaces.agent_api.answers import to_json
from pms.surfaces.agent_api.gate import known_key
from pms.surfaces.request_scope import clock, database

NAMED_BY: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"
LONGEST_NAME: Final = 200
_TRIES: Final = 5
Act = Callable[[WorkspaceSession], Mapping[str, Any]]


def written(act: Act, status: int = 201) -> Response:
    """Answer what `act` returns, which writes with the session it is given, all or nothing.

    A request with an `Idempotency-Key` acts once: sent again with the same body within a day it is
    told what it was told first. A refusal changes nothing and is not kept.
    """
    write = _named()
    if write is None:
        return _answer(status, _body(database().write(known_key().workspace_id, act)))
    for _ in range(_TRIES):
        with suppress(ClaimedMeanwhileError):
            return _written_once(act, status, write)
    raise Refused(f"{NAMED_BY}: other requests are written under it at this moment.")


def key_actor() -> str:
    """Return who acts when a program writes with its key, as the audit keeps it."""
    return f"key/{known_key().id}"


def _written_once(act: Act, status: int, write: NamedWrite) -> Response:
    def act_once(session: WorkspaceSession) -> Answered | bytes:
        before = answered_before(session, clock(), write)
        if before is not None:
            return before
        claimed = claim_answer(session, clock(), write)
        claimed.status, claimed.body = status, _body(act(session))
        return claimed.body

    answer = database().write(known_key().workspace_id, act_once)
    return _answer(status, answer) if isinstance(answer, bytes) else _replayed(answer, write)


def _named() -> NamedWrite | None:
    name = request.headers.get(NAMED_BY)
    if name is None:
        return None
    if not 0 < len(name) <= LONGEST_NAME or not (name.isascii() and name.isprintable()):
        wanted = f"1 to {LONGEST_NAME} printable ASCII characters"
        raise Refused(f"{NAMED_BY}: '{shown(name)}' is not {wanted}.")
    return NamedWrite(known_key().id, name, _digest())


def _digest() -> str:
    """Two requests say the same when their method, address and body are the same."""
    told = sha256(f"{request.method} {request.path}\n".encode(errors="replace"))
    if request.mimetype == "multipart/form-data":
        _add_parts(told.update)  # the boundary is another one each time
    else:
        told.update(request.get_data())
    return told.hexdigest()


def _add_parts(add: Callable[[bytes], None]) -> None:
    for name, text in request.form.items(multi=True):
        add(to_json([name, text]) + b"\n")
    for name, file in request.files.items(multi=True):
        content = sha256(file.stream.read()).hexdigest()
        file.stream.seek(0)
        add(to_json([name, file.filename, content]) + b"\n")


def _replayed(before: Answered, write: NamedWrite) -> Response:
    if before.digest != write.digest:
        raise Refused(f"{NAMED_BY}: '{write.key}' came before, with another request.")
    response = _answer(before.status, before.body)
    response.headers[REPLAYED] = "true"
    return response


def _body(data: Mapping[str, Any]) -> bytes:
    return to_json({"ok": True, "data": data})


def _answer(status: int, body: bytes) -> Response:
    response = Response(body, status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
