"""Answers polls that this process has answered before without going through Flask."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, g
from flask.globals import request_ctx
from werkzeug.http import HTTP_STATUS_CODES

from pms.foundation.last_calls import LastCalls
from pms.rules.enumerations import Scope
from pms.surfaces import request_log, security_headers
from pms.surfaces.agent_api.answers import (
    BODIES,
    QUESTIONS,
    KnownQuestion,
    Ready,
    kept_answer,
    tag_of,
)
from pms.surfaces.agent_api.gate import Admission, admit, reaches
from pms.surfaces.agent_api.unit_shapes import SETTINGS
from pms.surfaces.limits import budget, headers_of
from pms.surfaces.request_log import REQUEST_ID_HEADER, RequestLog, seconds_since_begun
from pms.surfaces.request_scope import clock, database

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


NOTES: Final = "pms.agent_api.call_notes"
UNKNOWN: Final = "?"


class CallNotes:
    """The calls of one application's keys; a path is the one of the address book."""

    def __init__(self, calls: LastCalls, paths: Mapping[str, str]) -> None:
        self._calls, self._paths = calls, paths

    def note(self, environ: "WSGIEnvironment", key_id: str, route: str, status: int) -> None:
        """Note one call; it may cost next to nothing, and never waits."""
        path = self._paths.get(route, UNKNOWN)
        method = environ["REQUEST_METHOD"][:10]
        self._calls.note(key_id, method, path, status, seconds_since_begun(environ))

    def forget(self) -> None:
        """Close the files of notes, when the data folder was replaced by another."""
        self._calls.close()


def install(app: Flask, calls: LastCalls, paths: Mapping[str, str]) -> None:
    """Note the calls that go the whole way; those of the short way are noted there."""
    notes = app.extensions[NOTES] = CallNotes(calls, paths)

    def note(response: Response) -> Response:
        key = g.get("known_key")
        if key is not None:
            asked = request_ctx.request
            notes.note(asked.environ, key.id, asked.endpoint or "", response.status_code)
        return response

    app.after_request(note)


_STATUS = {status: f"{status} {HTTP_STATUS_CODES[status].upper()}" for status in (200, 304)}


class ShortWay:
    """The same decisions in the same order by the same functions; all else goes the whole way.

    A request that turns aside after it was counted carries that along, so it is counted once.
    """

    def __init__(self, app: Flask, needed: Mapping[str, Scope]) -> None:
        self._whole_way, self._needed = app.wsgi_app, needed
        self._questions, self._bodies = app.extensions[QUESTIONS], app.extensions[BODIES]
        self._log: RequestLog = app.extensions[request_log.EXTENSION]
        self._notes: CallNotes = app.extensions[NOTES]
        settings = app.extensions[SETTINGS]
        self._address = settings.base_url
        self._guarding = security_headers.headers_of_data(settings)
        with app.app_context():
            self._database, self._budget, self._clock = database(), budget(), clock()

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        question: KnownQuestion | None = self._questions.find(environ)
        if question is None:
            return self._whole_way(environ, start_response)
        request_id = request_log.begin(environ)
        admission = self._admitted(environ, question)
        ready = admission and self._known(environ, question, admission)
        if admission is None or ready is None:
            return self._whole_way(environ, start_response)
        told = headers_of(admission.standing)
        headers = [*ready.headers, *told, *self._guarding, (REQUEST_ID_HEADER, request_id)]
        workspace_id = admission.key.workspace_id
        self._log.tell(environ, question.route, question.path, ready.status, workspace_id)
        self._notes.note(environ, admission.key.id, question.route, ready.status)
        request_log.forget()
        start_response(_STATUS[ready.status], headers)
        return (ready.body,) if ready.body else ()

    def _admitted(self, environ: "WSGIEnvironment", question: KnownQuestion) -> Admission | None:
        try:
            admission = admit(environ, self._database, self._budget)
        except Exception:
            return None  # the whole way meets it again and words it
        is_in = admission.standing.passed and reaches(
            admission.key, self._needed.get(question.route)
        )
        return admission if is_in else None

    def _known(
        self, environ: "WSGIEnvironment", question: KnownQuestion, admission: Admission
    ) -> Ready | None:
        key = admission.key
        words = question.words.get(key.default_locale)
        if words is None:
            return None
        tag = tag_of(key, self._clock.today(), self._address, words)
        return kept_answer(environ, self._bodies, key.workspace_id, words, tag)
