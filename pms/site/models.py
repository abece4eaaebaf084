"""Tables of the website."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Date, Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, shared
from pms.foundation.db import Base, Exact, Id, Instant, Json, Word, only_where
from pms.foundation.lists import fold_columns
from pms.foundation.tenancy import OfWorkspace, link
from pms.foundation.versions import CATALOGUE
from pms.rules.enumerations import TelemetryAxis
from pms.rules.message_words import AnsweredBy


class Post(OfWorkspace, Base):
    """A blog post in Markdown; a draft has no publishing time.

    `is_out` is set when a post is published at once, or by the worker when its publishing time has
    passed.
    """

    __tablename__ = "post"
    building_path = shared("published on the website for everybody")
    noun = "post"
    __table_args__ = (
        UniqueConstraint("workspace_id", "slug"),
        Index("ix_post_published_at", "workspace_id", "published_at", "id"),
        Index("ix_post_due", "published_at", **only_where("NOT is_out")),
    )
    raises_version = CATALOGUE

    slug: Mapped[str]
    title_ja: Mapped[str]
    title_en: Mapped[str | None]
    summary_ja: Mapped[str] = mapped_column(Text, default="")
    summary_en: Mapped[str | None] = mapped_column(Text)
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str | None] = mapped_column(Text)
    published_at: Mapped[datetime | None] = mapped_column(Instant)
    is_out: Mapped[bool] = mapped_column(default=False)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class _LeafletColumns:
    """A page of the website in a list that the operator orders."""

    slug: Mapped[str]
    order: Mapped[int]
    title_ja: Mapped[str]
    title_en: Mapped[str]
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str] = mapped_column(Text)
    is_published: Mapped[bool] = mapped_column(default=True)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class Position(_LeafletColumns, OfWorkspace, Base):
    """A job that the operator offers."""

    __tablename__ = "position"
    building_path = shared("published on the website for everybody")
    noun = "position"
    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)
    raises_version = CATALOGUE

    place_ja: Mapped[str | None]
    place_en: Mapped[str | None]


class Service(_LeafletColumns, OfWorkspace, Base):
    """A service of the operator for owners or residents."""

    __tablename__ = "service"
    building_path = shared("published on the website for everybody")
    noun = "service"
    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)
    raises_version = CATALOGUE


class SiteConfiguration(OfWorkspace, Base):
    """What the website shows on every page; one row for each workspace, with the workspace's id.

    `base_url` is the website's own address: listing and content addresses are built on it.
    """

    __tablename__ = "site_configuration"
    building_path = shared("published on the website for everybody")
    __table_args__ = (UniqueConstraint("workspace_id"),)
    raises_version = CATALOGUE

    base_url: Mapped[str]
    title_ja: Mapped[str]
    title_en: Mapped[str]
    tagline_ja: Mapped[str] = mapped_column(default="")
    tagline_en: Mapped[str] = mapped_column(default="")
    contact_email: Mapped[str | None]
    contact_phone: Mapped[str | None]
    address_ja: Mapped[str | None]
    address_en: Mapped[str | None]
    social_links: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class TelemetryReport(OfWorkspace, Base):
    """Events of one day that were reported together, kept until the day is counted and closed.

    One row for all of them: they are only read together, and a row each would cost ten times as
    much to store. `events` is written and read by `write_events` and `read_events` in `visits.py`.
    """

    __tablename__ = "telemetry_report"
    building_path = hidden("visits of the whole website")
    __table_args__ = (Index("ix_telemetry_report_day_on", "workspace_id", "day_on"),)

    day_on: Mapped[date] = mapped_column(Date)
    events: Mapped[str] = mapped_column("told")


class TelemetryOpenDay(OfWorkspace, Base):
    """A day whose reports are still stored, with the salt for hashing its visitors.

    `counted` is the value of `events` at the last count; a closed day accepts no more events.
    """

    __tablename__ = "telemetry_open_day"
    building_path = hidden("visits of the whole website")
    __table_args__ = (UniqueConstraint("workspace_id", "day_on"),)

    day_on: Mapped[date] = mapped_column(Date)
    salt: Mapped[str]
    events: Mapped[int] = mapped_column(default=0)
    counted: Mapped[int] = mapped_column(default=0)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)


class TelemetryDay(OfWorkspace, Base):
    """The number of events and visitors of one value on one day, along one axis.

    Figures of different axes must not be added up: each axis counts the same visits.
    """

    __tablename__ = "telemetry_day"
    building_path = hidden("visits of the whole website")
    __table_args__ = (
        UniqueConstraint("workspace_id", "axis", "day_on", "value", "path"),
        Index("ix_telemetry_day_day_on", "workspace_id", "day_on"),
    )

    day_on: Mapped[date] = mapped_column(Date)
    axis: Mapped[TelemetryAxis] = mapped_column(Word(TelemetryAxis))
    value: Mapped[str]
    path: Mapped[str]
    times: Mapped[int]
    visitors: Mapped[int]


class AssistantSettings(OfWorkspace, Base):
    """The assistant's settings; one row for each workspace, with the workspace's id.

    Prices are in yen for a thousand tokens, `ceiling_yen` is for one key and one day in Japan.
    """

    __tablename__ = "assistant_settings"
    building_path = shared("one assistant for the whole website")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    is_on: Mapped[bool] = mapped_column(default=True)
    uses_model: Mapped[bool] = mapped_column(default=False)
    reads_sheets: Mapped[bool] = mapped_column(default=False)
    """Whether the office may ask the model how a sheet of an import is read."""
    price_in_yen: Mapped[Decimal] = mapped_column(Exact)
    price_out_yen: Mapped[Decimal] = mapped_column(Exact)
    ceiling_yen: Mapped[int]
    most_messages: Mapped[int]
    greeting_ja: Mapped[str] = mapped_column(Text, default="")
    greeting_en: Mapped[str] = mapped_column(Text, default="")
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str]
    version: Mapped[int] = mapped_column(default=1)


class ChatConversation(OfWorkspace, Base):
    """One visitor's questions and the assistant's answers, through one key.

    Conversations of the staff have no key.
    """

    __tablename__ = "chat_conversation"
    building_path = hidden("visitors ask about every building")
    __table_args__ = (
        link("key_id", "api_key"),
        Index("ix_chat_conversation_last_at", "workspace_id", "last_at", "id"),
        Index("ix_chat_conversation_key_id", "workspace_id", "key_id"),
    )

    key_id: Mapped[str | None] = mapped_column(Id)
    locale: Mapped[str] = mapped_column(default="ja")
    started_at: Mapped[datetime] = mapped_column(Instant)
    last_at: Mapped[datetime] = mapped_column(Instant)
    turns: Mapped[int] = mapped_column(default=0)


class ChatTurn(OfWorkspace, Base):
    """One question and its answer; the cost is in thousandths of a yen.

    During a call of a model, the row has the highest cost of that call.
    """

    __tablename__ = "chat_turn"
    building_path = hidden("visitors ask about every building")
    __table_args__ = (
        link("conversation_id", "chat_conversation", ondelete="CASCADE"),
        link("key_id", "api_key"),
        Index("ix_chat_turn_conversation_id", "workspace_id", "conversation_id", "at"),
        Index("ix_chat_turn_key_id", "workspace_id", "key_id", "day_on"),
        Index("ix_chat_turn_day_on", "workspace_id", "day_on"),
    )
    derived_from = frozenset({"question", "reply"})

    conversation_id: Mapped[str] = mapped_column(Id)
    key_id: Mapped[str | None] = mapped_column(Id)
    day_on: Mapped[date] = mapped_column(Date)
    at: Mapped[datetime] = mapped_column(Instant)
    question: Mapped[str] = mapped_column(Text)
    reply: Mapped[str] = mapped_column(Text)
    sources: Mapped[list[dict[str, Any]]] = mapped_column(Json, default=list)
    answered_by: Mapped[AnsweredBy] = mapped_column(Word(AnsweredBy))
    failure: Mapped[str | None] = mapped_column(Text)
    tokens_in: Mapped[int] = mapped_column(default=0)
    tokens_out: Mapped[int] = mapped_column(default=0)
    cost_thousandths: Mapped[int] = mapped_column(default=0)
    search_text: Mapped[str] = mapped_column(Text, default="")

    @classmethod
    def derive(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        return {"search_text": fold_columns(row, ("question", "reply"))}
