"""The page of the inbox: every waiting item, with the kinds as filters."""

from typing import Any, Final

from flask import Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from pms.channels.inbox_items import inbox_items, kinds_of
from pms.surfaces.dashboard.gate import MAINTENANCE, dashboard, reading
from pms.surfaces.dashboard.inbox_list import KIND_WORDS, counts_of_inbox, inbox_scope
from pms.surfaces.dashboard.worklist import line_of_item
from pms.surfaces.hypermedia import page_or_block
from pms.surfaces.paging import asked_paging

_OF_CONVERSATIONS: Final = frozenset({"state", "awaits", "search", "channel", "assigneeId"})


@dashboard.get("/inbox", roles=MAINTENANCE)
def inbox() -> AnyResponse:
    """Show the waiting items of one or all kinds; old addresses redirect to the conversations."""
    if not _OF_CONVERSATIONS.isdisjoint(request.args):
        asked: dict[str, Any] = request.args.to_dict()
        return redirect(url_for("dashboard.conversations", **asked))
    return _render_inbox()


def _render_inbox() -> Response:
    scope, counts, paging = inbox_scope(), counts_of_inbox(), asked_paging()
    kinds = kinds_of(scope.sources)
    kind = next((one for one in kinds if one == request.args.get("kind")), None)
    return page_or_block(
        "dashboard/inbox/waiting.html",
        "results",
        lines=[line_of_item(item) for item in inbox_items(reading(), scope, kind, paging)],
        total=counts.get(kind, 0) if kind else sum(counts.values()),
        counts=counts,
        kinds=kinds,
        kind=kind,
        kind_words=KIND_WORDS,
        paging=paging,
    )
