"""Tables of notices, the ways by which they leave, and what people chose."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import shared
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.notices_to_people import (
    NoticeGroup,
    NoticeKind,
    NoticeReaderKind,
    SendingWay,
    UnsentBecause,
)


class Notice(OfWorkspace, Base):
    """What one person is told of one event; its unique key keeps it from being told twice.

    `subject_id` is the row it is about, and `occasion` tells events of one kind about it apart.
    `path` is the page that it opens, below the reader's home; `facts` fill its words.
    """

    __tablename__ = "notice"
    building_path = shared(
        "read by the person it is for, who is told by the buildings they work for"
    )
    noun = "notice"
    __table_args__ = (
        UniqueConstraint(
            *("workspace_id", "reader_kind", "reader_id", "kind", "subject_id", "occasion"),
            name="uq_notice_reader_id",
        ),
        Index("ix_notice_caused_at", "workspace_id", "caused_at", "id"),
        Index("ix_notice_reader_id", "workspace_id", "reader_id", "caused_at", "id"),
        Index(
            "ix_notice_unread",
            "workspace_id",
            "reader_id",
            **only_where("opened_at IS NULL AND over_at IS NULL"),
        ),
        Index("ix_notice_subject_id", "workspace_id", "subject_id"),
    )

    kind: Mapped[NoticeKind] = mapped_column(Word(NoticeKind))
    subject_id: Mapped[str] = mapped_column(Id)
    occasion: Mapped[str]
    reader_kind: Mapped[NoticeReaderKind] = mapped_column(Word(NoticeReaderKind))
    reader_id: Mapped[str] = mapped_column(Id)
    path: Mapped[str]
    facts: Mapped[dict[str, Any]] = mapped_column(Json, default=dict)
    is_urgent: Mapped[bool] = mapped_column(default=False)
    caused_at: Mapped[datetime] = mapped_column(Instant)
    caused_by: Mapped[str]
    opened_at: Mapped[datetime | None] = mapped_column(Instant)
    over_at: Mapped[datetime | None] = mapped_column(Instant)
    """When it was found that what it was about was over."""


class NoticeSending(OfWorkspace, Base):
    """One way by which a notice leaves: due, handed to the outbox, or left out for a reason.

    `asked_by` is who asked for it again; without one it belongs to the notice from its start. The mail
    that `mail_id` names may be deleted with the person it went to.
    """

    __tablename__ = "notice_sending"
    building_path = shared("belongs to a notice, which one person reads")
    __table_args__ = (
        link("notice_id", "notice", ondelete="CASCADE"),
        Index("ix_notice_sending_notice_id", "workspace_id", "notice_id"),
        Index("ix_notice_sending_mail_id", "workspace_id", "mail_id"),
        Index("ix_notice_sending_due_at", "due_at", **only_where("due_at IS NOT NULL")),
    )

    notice_id: Mapped[str] = mapped_column(Id)
    way: Mapped[SendingWay] = mapped_column(Word(SendingWay))
    due_at: Mapped[datetime | None] = mapped_column(Instant)
    ended_at: Mapped[datetime | None] = mapped_column(Instant)
    unsent_because: Mapped[UnsentBecause | None] = mapped_column(Word(UnsentBecause))
    mail_id: Mapped[str | None] = mapped_column(Id)
    asked_by: Mapped[str | None]


class NoticeChoice(OfWorkspace, Base):
    """That a person wants the notices of a group by a way, or does not; else the role decides."""

    __tablename__ = "notice_choice"
    building_path = shared("what each person chose for themselves")
    __table_args__ = (UniqueConstraint("workspace_id", "person_id", "notice_group", "way"),)

    person_id: Mapped[str] = mapped_column(Id)
    notice_group: Mapped[NoticeGroup] = mapped_column(Word(NoticeGroup))
    way: Mapped[SendingWay] = mapped_column(Word(SendingWay))
    is_wanted: Mapped[bool]
