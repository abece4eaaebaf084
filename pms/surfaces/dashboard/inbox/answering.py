"""Answers a person, and fills the box with a template."""

from pms.surfaces.dashboard.routes import MAINTENANCE, OFFICE, dashboard
from flask import Response, request, url_for
from flask_babel import gettext as _

from pms.channels.answer_conversation import Answered, answer_conversation as answer_conversation_verb
from pms.channels.fill_reply import fill_reply as fill_reply_verb
from pms.foundation.errors import NotFound, Refused
from pms.rules.channel_words import Channel
from pms.surfaces.dashboard.desk import actor, clock, place, reading, submitted
from pms.surfaces.dashboard.inbox.reaching import inbox_reach
from pms.surfaces.dashboard.inbox.reply_form import ReplyForm
from pms.surfaces.dashboard.inbox.thread import shown
from pms.surfaces.enumeration_words import word
from pms.surfaces.hypermedia import UNACCEPTED, go, is_part


@dashboard.post("/inbox/<conversation_id>/answers", roles=MAINTENANCE)
def answer_conversation(conversation_id: str) -> Response:
    """Pass an answer on."""
    form = ReplyForm.sent(request.form)
    return submitted(
        form,
        act=lambda session: answer_conversation_verb(
            session,
            clock(),
            actor(),
            conversation_id=conversation_id,
            text=form.text.data,
            channel=form.way,
            seen_at=form.seen_at,
            ticket_seen=form.ticket_seen,
            key=form.key.data or None,
            reach=inbox_reach(),
        ),
        then=lambda answered: _answered(conversation_id, answered),
        again=lambda: shown(conversation_id, form),
    )


@dashboard.post("/inbox/<conversation_id>/drafts", roles=OFFICE)
def fill_reply(conversation_id: str) -> Response:
    """Put a template into the box, below what stands there; nothing is sent or kept."""
    form = ReplyForm.sent(request.form)
    try:
        text = fill_reply_verb(
            reading(),
            conversation_id=conversation_id,
            template_id=form.templateId.data or "",
            reach=inbox_reach(),
        )
    except (Refused, NotFound):
        place(form, Refused("templateId: choose a template."))
        response = shown(conversation_id, form)
        response.status_code = UNACCEPTED
        return response
    form.text.data = "\n\n".join(one for one in (form.text.data, text) if one)
    form.templateId.data = ""
    return shown(conversation_id, form)


def _answered(conversation_id: str, answered: Answered | None) -> Response:
    said = _told(answered)
    if is_part():
        return shown(conversation_id, ReplyForm.fresh(), said=said)
    return go(url_for("dashboard.conversation", conversation_id=conversation_id), said=said)


def _told(answered: Answered | None) -> str:
    if answered is None:
        return str(_("This answer arrived before. It is not sent twice."))
    if not answered.leaves:
        return str(_("Kept here. No mail leaves."))
    if answered.channel is Channel.PORTAL:
        return str(_("It stands in the portal, and is sent by mail."))
    return str(_("The answer leaves by %(channel)s.", channel=word(answered.channel)))
