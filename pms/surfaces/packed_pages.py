"""Compress pages, except where compression could leak the form token.

An eavesdropper on an encrypted connection sees how long an answer is. If they could also make a
victim's browser request pages with guesses in the address, the lengths of compressed pages would
reveal the victim's form token letter by letter (BREACH). So a page is compressed only when its own
site requested it, or the reader by typing the address or by a bookmark; `Sec-Fetch-Site` says so.
"""

from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

_OWN: Final = frozenset({"same-origin", "none"})


def install(app: Flask) -> None:
    """Compress pages as the last step; call it before other hooks, since Flask runs them backwards.

    Answers of the API, assets and files are compressed where they are made, or not at all.
    """
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_MIMETYPES=["text/html"],
        COMPRESS_ALGORITHM=["zstd", "br", "gzip"],
    )
    packing = Compress(app)

    @app.after_request
    def pack(response: Response) -> Response:
        if response.mimetype != "text/html" or response.is_streamed or not _is_asked_from_here():
            return response
        packed: Response = packing.after_request(response)
        return packed


def _is_asked_from_here() -> bool:
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in _OWN
    # Without encryption length is no secret; programs send neither this header nor cookies.
    return not (request.is_secure and request.cookies)
