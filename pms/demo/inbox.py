"""Gives a workspace of the demo its inbox: whoever wrote has a thread, with templates to answer."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.access.models import Member
from pms.channels.assign_conversation import assign_conversation
from pms.channels.follow_people import follow_enquiries, follow_tickets
from pms.channels.models import Conversation
from pms.channels.write_reply_template import write_reply_template
from pms.foundation.clock import FixedClock
from pms.rules.channel_words import ConversationState
from pms.rules.enumerations import StaffRole

_DEMO: Final = "demo"


class _Template(NamedTuple):
    name: str
    ja: str
    en: str


_TEMPLATES: Final = (
    _Template(
        "入居日のご案内",
        "{{name}}様\n\nお世話になっております。{{operator}}です。\n"
        "{{building}} {{unit}}は{{moveIn}}からお使いいただけます。"
        "鍵の受け取り方は前日にメールでお知らせします。\n\nどうぞよろしくお願いいたします。",
        "Dear {{name}},\n\n{{building}} {{unit}} is yours from {{moveIn}}. We will write the day"
        " before how to collect the key.\n\nKind regards,\n{{operator}}",
    ),
    _Template(
        "ゴミの出し方",
        "{{name}}様\n\nゴミの収集日は館内の掲示と、住まいの手引きに載せています。"
        "収集日の朝8時までに、1階の集積所へお出しください。",
        "Dear {{name}},\n\nThe days of collection are on the notice board and in your handbook."
        " Please bring your bags to the ground floor by 8 in the morning.",
    ),
    _Template(
        "退去日の確認",
        "{{name}}様\n\n{{unit}}のご契約は{{moveOut}}までです。"
        "退去の手続きは、入居者ページの「退去」からお願いいたします。",
        "Dear {{name}},\n\nYour contract for {{unit}} runs until {{moveOut}}. Please give notice"
        " on the page Moving out of the resident portal.",
    ),
    _Template(
        "内見のお礼",
        "{{name}}様\n\n本日は内見にお越しいただき、ありがとうございました。"
        "ご不明な点がありましたら、このままご返信ください。\n\n{{operator}}",
        "Dear {{name}},\n\nThank you for coming to see the room today. Just answer this if"
        " anything is unclear.\n\n{{operator}}",
    ),
)


def keep_inbox(session: Session, now: datetime) -> None:
    """Bring the inbox up to date with tickets and enquiries, and give some of it to the office."""
    clock = FixedClock(now)
    follow_tickets(session, None)
    follow_enquiries(session, None)
    for one in _TEMPLATES:
        write_reply_template(
            session,
            clock,
            _DEMO,
            template_id=None,
            name=one.name,
            text_ja=one.ja,
            text_en=one.en,
        )
    office = session.scalars(
        select(Member.person_id)
        .where(Member.removed_at.is_(None), Member.role == StaffRole.OFFICE)
        .order_by(Member.person_id)
    ).first()
    open_ = select(Conversation.id).where(Conversation.state == ConversationState.OPEN)
    for conversation_id in session.scalars(open_.order_by(Conversation.id)).all()[::2]:
        assign_conversation(
            session, clock, _DEMO, conversation_id=conversation_id, person_id=office
        )
