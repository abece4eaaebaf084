"""Gives a workspace of the demo its leads: who applied with which résumé, and what was answered."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from pms.demo.asking import NO_SUCH_ADDRESS
from pms.demo.resumes import pdf_resume, word_resume
from pms.enquiries.answer_lead import answer_lead
from pms.enquiries.assign_lead import assign_lead
from pms.enquiries.models import LeadNote
from pms.enquiries.move_lead import move_lead
from pms.enquiries.note_lead import note_lead
from pms.enquiries.office_people import office_people
from pms.enquiries.receive_lead import WrittenLead, receive_lead
from pms.enquiries.resumes.resume import Resume, read_resume
from pms.foundation.clock import FixedClock
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.rules.channel_words import LeadState
from pms.site.models import Position

_DEMO: Final = "demo"
_UNREACHED: Final = "sales@akebono-clean.example.jp"
_TAKEN, _DECLINED = LeadState.TAKEN_ON, LeadState.DECLINED


class Application(NamedTuple):
    """One lead: how many days ago it came, for the how manyth position, and what became of it."""

    days_ago: int
    position: int | None
    name: str
    email: str
    phone: str | None
    message: str
    resume: Sequence[str] = ()
    answer: str | None = None
    note: str | None = None
    into: Sequence[LeadState] = ()
    locale: str = "ja"


_MEETING: Final = (
    "ご応募ありがとうございます。一度お会いしたく、来週のご都合のよい日を三つお知らせください。"
)
APPLICATIONS: Final = (
    Application(
        61, 1, "大橋 千尋", "chihiro.ohashi@example.jp", "090-0000-4101",
        "ホテルで客室清掃を五年しておりました。週四日、九時から三時まで働けます。",
        ("履歴書", "大橋 千尋", "職歴: 客室清掃 五年", "希望: 週四日 九時から十五時"),
        _MEETING, "面接済み。手際がよい。来月から週四日。", (_TAKEN,),
    ),
    Application(
        48, 1, "村瀬 航", "wataru.murase@example.jp", None,
        "夜間のみ働けます。", (),
        "申し訳ございません。清掃は日中のみとなっております。ご応募ありがとうございました。",
        "日中は無理とのこと。", (_DECLINED,),
    ),
    Application(
        33, 0, "Priya Nair", "priya.nair@example.com", "080-0000-4102",
        "I speak English, Hindi and some Japanese (N3), and worked at a hostel in Kyoto.",
        ("Resume", "Priya Nair", "Hostel front desk, Kyoto, 2023-2026", "English, Hindi, N3"),
        "Thank you for applying. Could we talk by video on Thursday at 3 pm?",
        "英語対応に強い。二次面接へ。", locale="en",
    ),
    Application(
        21, None, "株式会社あけぼの清掃 営業部", "sales@akebono-clean.example.jp", "03-0000-4103",
        "共用部の定期清掃を一棟あたり月三回からお受けしております。お見積もりをお送りできます。",
        (), "資料をありがとうございます。向島の物件でお見積もりをお願いします。", "単価を比べる。",
    ),
    Application(
        14, 0, "三宅 優子", "yuko.miyake@example.jp", "090-0000-4104",
        "不動産会社で事務を三年。宅地建物取引士です。",
        ("職務経歴書", "三宅 優子", "資格: 宅地建物取引士", "不動産賃貸の事務 三年"),
        _MEETING, "二次面接を11時に予定。",
    ),
    Application(
        9, 0, "田口 亮", "ryo.taguchi@example.jp", None, "未経験ですが応募します。", (),
        "今回はご期待に沿えない結果となりました。ご応募ありがとうございました。", None, (_DECLINED,),
    ),
    Application(
        3, 1, "村瀬 航", "wataru.murase@example.jp", None,
        "以前応募しました。勤務先が変わり、平日の日中に働けるようになりました。",
        ("履歴書", "村瀬 航", "希望: 平日 十時から十六時"),
    ),
    Application(
        1, 1, "Nguyen Thi Lan", "lan.nguyen@example.com", "070-0000-4105",
        "I am a student and may work 28 hours a week. I cleaned rooms in a hotel for a year.",
        ("Resume", "Nguyen Thi Lan", "Hotel room cleaning, 1 year", "28 hours a week"),
        locale="en",
    ),
    Application(
        0, None, "宮下 建", "ken.miyashita@example.jp", "090-0000-4106",
        "一人親方の大工です。原状回復の工事でお手伝いできればと思い、ご連絡しました。",
        ("経歴", "宮下 建", "内装・原状回復 十二年", "墨田区・江東区ならすぐ伺えます"),
    ),
)  # fmt: skip


def keep_leads(session: Session, now: datetime, files: Files) -> None:
    """Keep nine leads in every state, one of somebody who applied before."""
    positions = session.scalars(select(Position.id).order_by(Position.order, Position.id)).all()
    office = [one.person_id for one in office_people(session)]
    for number, one in enumerate(APPLICATIONS):
        wanted = None if one.position is None else positions[one.position :][:1]
        position = wanted[0] if wanted else None
        lead_id = _received(session, now, files, one, position)
        looked_after_by = office[number % len(office)] if office else None
        if one.answer:
            _said(session, now, lead_id, one, looked_after_by)
    session.flush()
    # What was answered has long been read, but for one: nobody is to find it in the post today.
    answered = select(LeadNote.mail_id).where(LeadNote.mail_id.is_not(None))
    for mail in session.scalars(select(OutboxMail).where(OutboxMail.id.in_(answered))):
        mail.sent_at, mail.due_at = mail.written_at, None
        if mail.recipient == _UNREACHED:
            mail.sent_at, mail.given_up_at, mail.failure = None, now, NO_SUCH_ADDRESS
    session.flush()


def _received(
    session: Session, now: datetime, files: Files, one: Application, position_id: str | None
) -> str:
    resume = _resume(one)
    lead = WrittenLead(
        name=one.name,
        email=one.email,
        phone=one.phone,
        message=one.message,
        position_id=position_id,
        locale=one.locale,
    )
    return receive_lead(
        session,
        _clock(now, one.days_ago),
        _DEMO,
        lead=lead,
        resume=resume,
        resume_key=files.put_alone(resume.content, resume.suffix) if resume else None,
    )


def _said(
    session: Session, now: datetime, lead_id: str, one: Application, person_id: str | None
) -> None:
    clock = _clock(now, one.days_ago, hours=5)
    actor = f"person/{person_id}" if person_id else _DEMO
    assign_lead(session, clock, actor, lead_id=lead_id, person_id=person_id)
    answer_lead(session, clock, actor, lead_id=lead_id, text=one.answer)
    later = _clock(now, one.days_ago - 4, hours=2)
    if one.note:
        note_lead(session, later, actor, lead_id=lead_id, text=one.note)
    for state in one.into:
        move_lead(session, later, actor, lead_id=lead_id, into=state)


def _resume(one: Application) -> Resume | None:
    if not one.resume:
        return None
    if one.locale == "en":
        return read_resume("resume.pdf", pdf_resume(*one.resume))
    return read_resume(f"{one.resume[0]}_{one.name}.docx", word_resume(*one.resume))


def _clock(now: datetime, days_ago: int, hours: int = 0) -> FixedClock:
    return FixedClock(min(now, now - timedelta(days=days_ago) + timedelta(hours=hours)))
