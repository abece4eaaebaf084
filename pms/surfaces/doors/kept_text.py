"""Shows someone who is back what they had typed when their session ended."""

from flask import Response, url_for

from pms.access.kept_forms import kept_form
from pms.surfaces.hypermedia import go, page
from pms.surfaces.request_scope import clock
from pms.surfaces.safe_path import safe_path
from pms.surfaces.signed_in import doorway, signed_in

_SHOWN = 8


def show(token: str) -> Response:
    """The page with the kept text, ready to be sent now."""
    person = signed_in()
    if person is None:
        return go(url_for("doors.sign_in", kept=token))
    with doorway().reading() as session:
        kept = kept_form(session, clock(), token=token, person_id=person.person_id)
    if kept is None or safe_path(kept.path) is None:
        return go(url_for("doors.workspaces"))
    texts = [text for _, text in kept.fields if text.strip()]
    # What cannot be sent is there to be copied: the longest texts, which took the most typing.
    shown = texts if kept.is_whole else sorted(texts, key=len, reverse=True)
    return page("doors/kept_text.html", kept=kept, texts=shown[:_SHOWN])
