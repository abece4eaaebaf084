"""The papers of the demo: numbered invoices and receipts, and the statements of owners."""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.orm import Session

from pms.accounting.closings import close_month
from pms.catalogue.models import Building, Owner
from pms.catalogue.owners import write_shares
from pms.demo.rows import STAFF, Rows, instant, read_toml
from pms.demo.stay_plans import days_from
from pms.foundation.clock import FixedClock
from pms.foundation.numbering import Counter
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.ledger.models import LedgerEntry, LedgerLine, Payment, PaymentReturn
from pms.reservations.models import Reservation
from pms.rules.days import add_months, day_of, month_first, month_last
from pms.rules.enumerations import FeeCategory
from pms.statements.fee_invoices import issue_fee_invoices, joint_name, share_holders
from pms.statements.invoices import SERIES as INVOICES
from pms.statements.models import (
    Invoice,
    OwnerDeduction,
    OwnerStatement,
    OwnerTerms,
    Receipt,
    ReceiptCorrection,
)
from pms.statements.owner_figures import Published, owner_figures, stored_figures
from pms.statements.receipts import SERIES as RECEIPTS

_TEXTS: Final = read_toml("texts")["papers"]

# Longer than timed work looks back, so that the first start has no pile of mail to send.
_PAPERS_OF = timedelta(days=45)
_RECEIPTS_OF = timedelta(days=20)


def number_papers(rows: Rows, today: date) -> None:
    """Give the entries of the last weeks their invoices, and some payments their receipts."""
    locales = {row["id"]: row["locale"] for row in rows.of(Reservation)}
    numbers = _Numbers()
    for entry in _invoice_rows(rows, today - _PAPERS_OF):
        sent_at = entry["written_at"] + timedelta(minutes=30)
        rows.add(
            Invoice,
            entry["written_at"],
            entry_id=entry["id"],
            number=numbers.take(INVOICES, entry["issued_on"]),
            issued_on=entry["issued_on"],
            locale=locales[entry["reservation_id"]],
            sent_at=sent_at if entry["issued_on"] < today else None,
            sent_file_key=None,
            reminded_at=None,
            written_at=entry["written_at"],
            written_by=STAFF,
        )
    receipts: dict[str, str] = {}
    for payment in _receipt_rows(rows, today - _RECEIPTS_OF):
        receipts[payment["id"]] = rows.add(
            Receipt,
            payment["written_at"],
            payment_id=payment["id"],
            number=f"R{numbers.take(RECEIPTS, payment['received_on'])}",
            issued_on=payment["received_on"],
            locale=locales[payment["reservation_id"]],
            written_at=payment["written_at"],
            written_by=STAFF,
        )
    for taken in rows.of(PaymentReturn):
        if taken["payment_id"] in receipts:
            rows.add(
                ReceiptCorrection,
                taken["written_at"],
                receipt_id=receipts[taken["payment_id"]],
                return_id=taken["id"],
                number=f"R{numbers.take(RECEIPTS, taken['returned_on'])}",
                issued_on=taken["returned_on"],
                written_at=taken["written_at"],
                written_by=STAFF,
            )
    numbers.keep(rows)


class _Numbers:
    """Gives out the numbers of a year one by one."""

    def __init__(self) -> None:
        self._given: Tally[str] = Tally()

    def take(self, series: str, on: date) -> str:
        name = f"{series}-{on.year}"
        self._given[name] += 1
        return f"{on.year}-{self._given[name]:06}"

    def keep(self, rows: Rows) -> None:
        opened_at = rows.of(LedgerEntry)[0]["written_at"]
        for series, value in sorted(self._given.items()):
            rows.add(Counter, opened_at, series=series, value=value)


def _invoice_rows(rows: Rows, since: date) -> Iterator[dict[str, Any]]:
    totals: defaultdict[str, int] = defaultdict(int)
    for line in rows.of(LedgerLine):
        totals[line["entry_id"]] += line["amount_yen"]
    recent = [row for row in rows.of(LedgerEntry) if row["issued_on"] >= since]
    for entry in sorted(recent, key=lambda row: (row["issued_on"], row["id"])):
        if totals[entry["id"]] > 0:
            yield entry


def _receipt_rows(rows: Rows, since: date) -> Iterator[dict[str, Any]]:
    recent = [row for row in rows.of(Payment) if row["received_on"] >= since]
    yield from sorted(recent, key=lambda row: (row["received_on"], row["id"]))


_MANAGEMENT_PERCENTS = (Decimal("15"), Decimal("12.5"), Decimal("10"))
_PAYOUT_DAY = 20
_PUBLISHED_ON_DAY = 5
_MONTHS = 2
_COSTS = read_toml("money")["owner_cost"]


def agree_with_owners(rows: Rows, today: date) -> None:
    """Keep the terms of every house, and the costs of the last months."""
    owners = {row["id"]: row for row in rows.of(Owner)}
    for number, house in enumerate(rows.of(Building)):
        owner, opened_at = owners[house["owner_id"]], house["created_at"]
        rows.add(
            OwnerTerms,
            opened_at,
            building_id=house["id"],
            from_on=month_first(opened_at.date()),
            management_percent=_MANAGEMENT_PERCENTS[number % len(_MANAGEMENT_PERCENTS)],
            payout_day=_PAYOUT_DAY,
            payout_account=_TEXTS["payout_account"].format(
                number=f"{number + 1:05}", holder=owner["name_kana"]
            ),
            written_at=opened_at,
            written_by=STAFF,
        )
        for month_on in _published_months(today):
            for cost in _COSTS[: 2 + (number + month_on.month) % 2]:
                _add_cost(
                    rows,
                    house["id"],
                    month_on.replace(day=cost["day"]),
                    cost["yen"],
                    label=Bilingual(cost["ja"], cost["en"]),
                    category=FeeCategory(cost["category"]),
                )


def _add_cost(
    rows: Rows, building_id: str, on: date, yen: int, *, label: Bilingual, category: FeeCategory
) -> None:
    rows.add(
        OwnerDeduction,
        instant(on, 17),
        building_id=building_id,
        deducted_on=on,
        category=category,
        label_ja=label.ja,
        label_en=label.en,
        amount_yen=yen,
        written_at=instant(on, 17),
        written_by=STAFF,
    )


def publish_statements(session: Session, rows: Rows, today: date) -> None:
    """Publish the last months of every house, as they stood on the day of publishing."""
    _share_a_house(session, rows, today)
    for house in rows.of(Building):
        first_on = next(_published_months(today))
        # What earlier months left was paid out before statements were published here.
        building_id = house["id"]
        on = days_from(first_on, -1)
        brought_yen = owner_figures(session, building_id, on, on).closing_yen
        if brought_yen:
            label = Bilingual(_TEXTS["paid_before"], _TEXTS["paid_before_en"])
            _add_cost(rows, building_id, on, brought_yen, label=label, category=FeeCategory.OTHER)
            session.execute(insert(OwnerDeduction), rows.of(OwnerDeduction)[-1:])
        for month_on in _published_months(today):
            published_on = _published_on(month_on)
            figures = owner_figures(session, house["id"], month_on, published_on)
            building = session.get_one(Building, (house["workspace_id"], house["id"]))
            owners = share_holders(session, building, month_on)
            published = Published(
                joint_name(owners),
                house["name"],
                house["name_en"],
                figures,
                tuple(owners) if len(owners) > 1 else (),
            )
            rows.add(
                OwnerStatement,
                instant(published_on, 10),
                building_id=house["id"],
                month_on=month_on,
                version=1,
                figures=stored_figures(published),
                published_at=instant(published_on, 10),
                published_by=STAFF,
            )
            session.execute(insert(OwnerStatement), rows.of(OwnerStatement)[-1:])
            statement = session.get_one(
                OwnerStatement, (house["workspace_id"], rows.of(OwnerStatement)[-1]["id"])
            )
            issue_fee_invoices(Work(session, _clock_on_day(published_on), STAFF), statement, owners)


def _share_a_house(session: Session, rows: Rows, today: date) -> None:
    """The first house is two owners': a third of it belongs to the owner of the last one."""
    first, *_, last = houses = rows.of(Building)
    owner_ids = first["owner_id"], last["owner_id"]
    if len(houses) > 1 and len(set(owner_ids)) == len(owner_ids):
        parts = zip(owner_ids, (Fraction(2, 3), Fraction(1, 3)), strict=True)
        from_on = next(_published_months(today))
        write_shares(
            Work(session, _clock_on_day(from_on), STAFF),
            building_id=first["id"],
            from_on=from_on,
            parts=list(parts),
        )


def _clock_on_day(day: date) -> FixedClock:
    return FixedClock(instant(day, 10))


def _published_months(today: date) -> Iterator[date]:
    """The months whose statements are out, the oldest first."""
    latest = add_months(month_first(today), -1)
    if _published_on(latest) >= today:
        latest = add_months(latest, -1)
    for back in range(_MONTHS - 1, -1, -1):
        yield add_months(latest, -back)


def _published_on(month_on: date) -> date:
    return days_from(month_last(month_on), _PUBLISHED_ON_DAY)


def keep_closed_months(session: Session, now: datetime) -> None:
    """Close every month but the last whole one, which waits to be checked and closed."""
    waiting = add_months(month_first(day_of(now)), -1)
    close_month(Work(session, FixedClock(now), STAFF), month_on=add_months(waiting, -1))
