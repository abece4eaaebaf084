"""Sends pages packed, and plain where packing could tell a stranger something.

Whoever listens to an encrypted line learns how long an answer is. If they could also have a victim's
browser ask for pages with guesses in the address, the lengths of packed pages would give away the form
token of the victim, letter by letter (BREACH). So a page is packed only when its own site, or the reader
by typing or by a bookmark, asked for it: browsers say so in `Sec-Fetch-Site`.
"""

from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

_OWN: Final = frozenset({"same-origin", "none"})


def install(app: Flask) -> None:
    """Pack pages as the last step; called before other hooks, for Flask runs them backwards.

    Answers of the API, assets and files are packed where they are made, or not at all.
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
    # Without encryption there is no length to learn; programs say nothing and hold no cookie.
    return not (request.is_secure and request.cookies)
