"""Rows on their way into the database: collected by table, written in bulk, parents first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.arrivals.models import RentRollTenancy
from pms.catalogue.models import (
    Building,
    CalendarFeed,
    Campaign,
    CampaignUnit,
    ExternalBlock,
    HandbookPage,
    Owner,
    Photo,
    Unit,
    UnitFee,
)
from pms.demo.chance import IdMaker
from pms.departures.models import MoveOutNotice, NoticeFiling
from pms.deposits.models import Amendment, DeductionRow, Refund, Settlement
from pms.enquiries.models import Viewing, WaitlistPlace
from pms.foundation.db import Base
from pms.foundation.numbering import Counter
from pms.foundation.sealing import seal, sealer_of
from pms.ledger.models import (
    Allocation,
    BilledRow,
    DepositMoveRow,
    LedgerEntry,
    LedgerLine,
    Payment,
    PaymentReturn,
    RowExtent,
)
from pms.pricing.models import FrozenDiscount, PeriodFee, PricePeriod, PricingSnapshot
from pms.reservations.models import CoOccupant, ForcedMonthToMonth, Reservation
from pms.rules.days import JAPAN
from pms.site.models import Position, Post, Service, SiteConfiguration
from pms.statements.models import (
    Invoice,
    OwnerDeduction,
    OwnerStatement,
    OwnerTerms,
    Receipt,
    ReceiptCorrection,
)
from pms.workspaces.models import Fee, PolicyRow, Workspace

PARENTS_FIRST: tuple[type[Base], ...] = (
    Workspace, PolicyRow, Fee, Owner, Building, Unit, UnitFee, Photo, HandbookPage, Campaign,
    CampaignUnit, CalendarFeed, ExternalBlock, RentRollTenancy, Reservation, CoOccupant,
    ForcedMonthToMonth, PricingSnapshot, PricePeriod, PeriodFee, FrozenDiscount, LedgerEntry,
    BilledRow, RowExtent, LedgerLine, Payment, PaymentReturn, Settlement, Allocation, DeductionRow, Refund,
    Amendment, DepositMoveRow, MoveOutNotice, NoticeFiling, Counter, Invoice, Receipt, ReceiptCorrection, OwnerTerms,
    OwnerDeduction, OwnerStatement, Viewing, WaitlistPlace, Post, Position, Service, SiteConfiguration,
)  # fmt: skip


class Rows:
    """The rows of one workspace."""

    def __init__(self, workspace_id: str, ids: IdMaker):
        self.workspace_id = workspace_id
        self._ids = ids
        self._by_table: dict[type[Base], list[dict[str, Any]]] = {}

    def add(self, table: type[Base], made_at: datetime, **values: Any) -> str:
        """Keep a row for writing and return its id."""
        id_: str = values.pop("id", None) or self.new_id(made_at)
        row = {"workspace_id": self.workspace_id, "id": id_, **values}
        self._by_table.setdefault(table, []).append(row)
        return id_

    def new_id(self, made_at: datetime) -> str:
        """Give an id to a row that others name before it is kept."""
        return self._ids.at(made_at)

    def add_workspace(self, values: Mapping[str, Any]) -> None:
        self._by_table[Workspace] = [{"id": self.workspace_id, **values}]

    def write(self, session: Session) -> None:
        """Insert everything; the session writes across workspaces."""
        for workspace in self.of(Workspace):
            session.add(Workspace(**workspace))
        session.flush()
        for table in PARENTS_FIRST[1:]:
            rows = self.of(table)
            if table is HandbookPage:
                rows = [self._sealed(session, row) for row in rows]
            if rows:
                # Without it every pattern of empty columns would be a statement of its own.
                session.execute(insert(table).execution_options(render_nulls=True), rows)

    def _sealed(self, session: Session, page: dict[str, Any]) -> dict[str, Any]:
        code = page["guarded_code"]
        sealed = seal(sealer_of(session), self.workspace_id, code) if code else None
        return {**page, "guarded_code": sealed}

    def of(self, table: type[Base]) -> list[dict[str, Any]]:
        """The rows of one table, in the order they were kept."""
        return self._by_table.get(table, [])


def instant(day: date, hour: int = 10, minute: int = 0) -> datetime:
    """The instant of a wall clock in Japan."""
    return datetime.combine(day, time(hour, minute), JAPAN).astimezone(UTC)
