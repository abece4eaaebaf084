"""Remembers how questions were read, so that the same one need not be read again."""

from typing import TYPE_CHECKING, NamedTuple

from flask import Request

from pms.surfaces.request_log import spoken_path

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

QUESTIONS = "pms.agent_api.questions"
_MOST = 1024
_LONGEST = 2_000


class KnownQuestion(NamedTuple):
    """Where a question leads, and how it reads for keys of either language."""

    route: str
    path: str  # as it may be spoken
    words: dict[str, str]


class KnownQuestions:
    """The questions about listings that one process has answered, by what was asked letter by letter.

    How a question is read depends on its address and on the language of the key's workspace
    alone. The host is part of the address: one that is not served was never answered.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str | None, ...], KnownQuestion] = {}

    def find(self, environ: "WSGIEnvironment") -> KnownQuestion | None:
        """Return the question of a plain request with a key, if it was answered before."""
        if "HTTP_AUTHORIZATION" not in environ or "HTTP_UPGRADE" in environ:
            return None
        return self._known.get(_asked(environ))

    def forget(self) -> None:
        """Forget every question."""
        self._known.clear()

    def remember(self, request: Request, locale: str, words: str) -> None:
        """Keep how the question of an answered request was read."""
        asked = _asked(request.environ)
        known = self._known.get(asked)
        if known is not None:
            known.words[locale] = words
        elif asked[0] == "GET" and sum(map(len, filter(None, asked))) <= _LONGEST:
            if len(self._known) >= _MOST:
                self._known.clear()
            endpoint = request.endpoint or ""
            self._known[asked] = KnownQuestion(endpoint, spoken_path(request), {locale: words})


def _asked(environ: "WSGIEnvironment") -> tuple[str | None, ...]:
    told = environ.get
    return told("REQUEST_METHOD"), told("HTTP_HOST"), told("PATH_INFO"), told("QUERY_STRING")
