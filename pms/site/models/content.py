"""Tables of the website's content, each text in Japanese and English."""

from datetime import datetime

from sqlalchemy import Index, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Instant, Json, only_where
from pms.foundation.tenancy import OfWorkspace
from pms.foundation.versions import CATALOGUE


class Post(OfWorkspace, Base):
    """A blog post in Markdown; a draft has no instant of publishing.

    `is_out` says that the instant has passed and the worker, or the day, has let the post out.
    """

    __tablename__ = "post"
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


class Position(OfWorkspace, Base):
    """A job the operator offers."""

    __tablename__ = "position"
    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)
    raises_version = CATALOGUE

    slug: Mapped[str]
    order: Mapped[int]
    title_ja: Mapped[str]
    title_en: Mapped[str]
    body_ja: Mapped[str] = mapped_column(Text)
    body_en: Mapped[str] = mapped_column(Text)
    place_ja: Mapped[str | None]
    place_en: Mapped[str | None]
    is_published: Mapped[bool] = mapped_column(default=True)
    updated_at: Mapped[datetime] = mapped_column(Instant)
    updated_by: Mapped[str | None]
    version: Mapped[int] = mapped_column(default=1)


class Service(OfWorkspace, Base):
    """Something the operator does for owners or residents."""

    __tablename__ = "service"
    __table_args__ = (UniqueConstraint("workspace_id", "slug"),)
    raises_version = CATALOGUE

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


class SiteConfiguration(OfWorkspace, Base):
    """What the website shows on every page; one row a workspace, whose id is the workspace's.

    `base_url` is the website's own address: listing and content addresses are built on it.
    """

    __tablename__ = "site_configuration"
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
