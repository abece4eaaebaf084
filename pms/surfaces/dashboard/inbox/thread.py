"""One conversation: what was said on every channel, the box to answer, and the stay beside it."""

from pms.surfaces.dashboard.routes import MAINTENANCE, dashboard
from typing import Any, Final

from flask import Response, request, url_for

from pms.arrivals.reservation_header import reservation_header
from pms.channels.conversation_record import ConversationRecord, conversation_record
from pms.channels.conversation_thread import conversation_thread
from pms.channels.reply_templates import reply_templates
from pms.enquiries.office_people import office_people
from pms.surfaces.dashboard.desk import clock, desk, reading, today
from pms.surfaces.dashboard.inbox.reaching import inbox_reach
from pms.surfaces.dashboard.inbox.reply_form import ReplyForm, latest_answer
from pms.surfaces.dashboard.paging import asked_page
from pms.surfaces.hypermedia import go, page_or_block

TEMPLATE: Final = "dashboard/inbox/thread.html"


@dashboard.get("/inbox/<conversation_id>", roles=MAINTENANCE)
def conversation(conversation_id: str) -> Response:
    """Show the conversation; what was said alone, when the page asks for it again."""
    record = conversation_record(reading(), conversation_id, inbox_reach())
    if record.id != conversation_id:
        return go(url_for("dashboard.conversation", conversation_id=record.id))
    block = "messages" if request.args.get("part") == "messages" else "conversation"
    return _shown(record, ReplyForm.fresh(), block)


def shown(conversation_id: str, form: ReplyForm, said: str | None = None) -> Response:
    """Show the conversation with an answer as far as it is typed; `said` tells of a deed."""
    record = conversation_record(reading(), conversation_id, inbox_reach())
    return _shown(record, form, "conversation", said)


def _shown(
    record: ConversationRecord, form: ReplyForm, block: str, said: str | None = None
) -> Response:
    page = asked_page()
    thread = conversation_thread(reading(), record.id, record.handles, inbox_reach(), page)
    is_office = desk().is_office
    form.offer(
        reply_templates(reading()) if is_office else (),
        office_people(reading()) if is_office else (),
        record,
    )
    return page_or_block(
        TEMPLATE,
        block,
        record=record,
        thread=thread,
        page=page,
        form=form,
        seen=latest_answer(thread.lines),
        now=clock().now(),
        said=said,
        **_beside(record),
    )


def _beside(record: ConversationRecord) -> dict[str, Any]:
    """The stay of the person, for the office alone."""
    if record.reservation_id is None or not desk().is_office:
        return {"stay": None}
    return {"stay": reservation_header(reading(), record.reservation_id, today())}
