"""Puts two conversations of one person together."""

from pms.surfaces.dashboard.routes import OFFICE, dashboard
from typing import Final

from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.conversation_record import conversation_record
from pms.channels.inbox_list import find_conversations
from pms.channels.merge_conversations import merge_conversations as merge_conversations_verb
from pms.surfaces.dashboard.desk import actor, clock, reading, submitted
from pms.surfaces.dashboard.inbox.choosing_form import PersonChoiceForm
from pms.surfaces.dashboard.inbox.reaching import inbox_reach
from pms.surfaces.hypermedia import go, page_or_block

_FEW: Final = 20


@dashboard.get("/inbox/<conversation_id>/merging", roles=OFFICE)
def same_person(conversation_id: str) -> Response:
    """Show the conversations that the words find; the person's own name is looked for first."""
    record = conversation_record(reading(), conversation_id, inbox_reach())
    form = PersonChoiceForm(request.args)
    if "search" not in request.args:
        form.search.data = record.name
    return _shown(conversation_id, form)


@dashboard.post("/inbox/<conversation_id>/merging", roles=OFFICE)
def merge_conversations(conversation_id: str) -> Response:
    """Take the other one in: its messages and its names come here."""
    form, other = PersonChoiceForm(), request.form.get("otherId", "")
    return submitted(
        form,
        act=lambda session: merge_conversations_verb(
            session, clock(), actor(), conversation_id=other, into_id=conversation_id
        ),
        then=lambda _none: go(
            url_for("dashboard.conversation", conversation_id=conversation_id),
            said=_("Both are one conversation now."),
        ),
        again=lambda: _shown(conversation_id, form),
    )


def _shown(conversation_id: str, form: PersonChoiceForm) -> Response:
    record = conversation_record(reading(), conversation_id, inbox_reach())
    words = form.search.data if form.validate() else None
    return page_or_block(
        "dashboard/inbox/merging.html",
        "results",
        record=record,
        form=form,
        found=find_conversations(reading(), words or "", _FEW, apart_from=record.id),
    )
