"""Lets pages of other origins write with a key: what a browser asks before it sends, and after."""

from collections.abc import Collection
from typing import Final

from flask import Flask, Request, Response
from flask.globals import request_ctx

from pms.surfaces.agent_api.json_body import JSON
from pms.surfaces.agent_api.writing import NAMED_BY, REPLAYED
from pms.surfaces.own_headers import Pairs, add_own

_A_DAY: Final = "86400"
_ANYWHERE: Final = ("Access-Control-Allow-Origin", "*")
_TOLD: Final = (
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
    REPLAYED,
)
_READABLE: Final = ("Access-Control-Expose-Headers", ", ".join(_TOLD))
_MAY_BE_SENT: Final[Pairs] = (
    ("Access-Control-Allow-Methods", "POST"),
    ("Access-Control-Allow-Headers", f"Authorization, Content-Type, {NAMED_BY}, X-Request-Id"),
    ("Access-Control-Max-Age", _A_DAY),
)


def install(app: Flask, paths: Collection[str]) -> None:
    """Open the addresses at these paths; a key is what lets in, so any origin may send one.

    Cookies mean nothing there, and no answer lets a browser send them.
    """

    @app.before_request
    def answer_before_sending() -> Response | None:
        # The request itself: each step through its proxy costs a third of a microsecond.
        asked: Request = request_ctx.request
        if asked.method == "OPTIONS" and asked.path in paths and _asks_before_sending(asked):
            # It comes without the key, so it neither counts nor tells anything of one.
            return Response(status=204, headers=[*_MAY_BE_SENT], mimetype=JSON)
        return None

    @app.after_request
    def let_read(response: Response) -> Response:
        asked: Request = request_ctx.request
        if "HTTP_ORIGIN" in asked.environ and asked.path in paths:
            add_own(response.headers, (_ANYWHERE, _READABLE))
        return response


def _asks_before_sending(asked: Request) -> bool:
    told = asked.environ
    return "HTTP_ORIGIN" in told and "HTTP_ACCESS_CONTROL_REQUEST_METHOD" in told
