"""Tables of the keys that machines hold (specification, Authentication)."""

from datetime import datetime

from sqlalchemy import CheckConstraint, String
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json
from pms.foundation.tenancy import OfWorkspace, link


class ApiKey(OfWorkspace, Base):
    """One bearer key of one workspace; only its SHA-256 is kept, so it cannot be shown again."""

    __tablename__ = "api_key"
    __table_args__ = (
        link("replaced_by_id", "api_key"),
        CheckConstraint("budget_per_hour > 0", name="some_budget"),
    )

    name: Mapped[str]
    hint: Mapped[str]
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[str]] = mapped_column(Json)
    is_public: Mapped[bool] = mapped_column(default=False)
    is_legacy: Mapped[bool] = mapped_column(default=False)
    budget_per_hour: Mapped[int] = mapped_column(default=300)
    created_at: Mapped[datetime] = mapped_column(Instant)
    last_used_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    replaced_by_id: Mapped[str | None] = mapped_column(Id)
