"""Tables of tenancies that arrive from outside."""

from datetime import datetime

from sqlalchemy import Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.db import Base, Id, Instant, Json, Recorded, Word
from pms.foundation.tenancy import OfWorkspace, link
from pms.rules.days import RecordedDay
from pms.rules.enumerations import SheetKind


class SentSheet(OfWorkspace, Base):
    """A sheet somebody sent: the file as it came, and which title they said a column has."""

    __tablename__ = "sent_sheet"

    kind: Mapped[SheetKind] = mapped_column(Word(SheetKind))
    name: Mapped[str]
    file_key: Mapped[str]
    titles: Mapped[dict[str, str]] = mapped_column(Json, default=dict)
    sent_at: Mapped[datetime] = mapped_column(Instant)
    sent_by: Mapped[str]


class RentRollTenancy(OfWorkspace, Base):
    """Who lives in a unit according to an imported rent roll; its days are an external block."""

    __tablename__ = "rent_roll_tenancy"
    __table_args__ = (
        link("block_id", "external_block", ondelete="CASCADE"),
        link("unit_id", "unit", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "block_id"),
        UniqueConstraint("workspace_id", "unit_id", "contract_start_date"),
    )

    block_id: Mapped[str] = mapped_column(Id)
    unit_id: Mapped[str] = mapped_column(Id)
    status: Mapped[str | None]
    name: Mapped[str]
    name_kana: Mapped[str | None]
    email: Mapped[str | None]
    phone: Mapped[str | None]
    contract_start_date: Mapped[RecordedDay] = mapped_column(Recorded)
    contract_end_date: Mapped[RecordedDay] = mapped_column(Recorded)
    rent_yen: Mapped[int]
    common_fee_yen: Mapped[int | None]
    utilities_yen: Mapped[int | None]
    deposit_yen: Mapped[int | None]
    payment_method: Mapped[str | None]
    remark: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(Instant)
    updated_at: Mapped[datetime] = mapped_column(Instant)
