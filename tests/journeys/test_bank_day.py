"""Bank matching: a month of 120 transfers in sixteen presses, and by keys alone; those unknown aside."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, expect
from sqlalchemy.orm import Session

from pms.bank.models import BankTransfer
from pms.bank.payers import learn_payer
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.rules.enumerations import EntryKind, FeeCategory, TaxTreatment
from tests.cast import LONG_AGO, Cast, building, reservation, unit
from tests.journeys.hands import KEYS, MOUSE, PLAIN, Hand, walked_by
from tests.surfaces.dashboard.money.conftest import Books

SAMPLES: Final = Path(__file__).parent.parent / "samples" / "bank"
STATEMENT: Final = SAMPLES / "transfers_zengin.txt"
MOST_PRESSES: Final = 16
# Beside the four unknown transfers one deposit of other money waits to be looked at.
CERTAIN, LIKELY, UNKNOWN = 108, 8, 5


def _json(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


@pytest.fixture
def truth(database: Database, cast: Cast, books: Books) -> Mapping[str, str]:
    """The sample's residents and their open bills; whose each likely transfer is, by its number."""
    ids: dict[str, str] = {}
    body = _json("residents.json")["residents"]
    with database.writing(cast.sumida.workspace_id) as session:
        houses = {name: new_id() for name in sorted({one["building"] for one in body})}
        session.add_all(
            building(id=id_, slug=f"sample-{place}", name=name)
            for place, (name, id_) in enumerate(houses.items())
        )
        session.flush()
        for one in body:
            room = unit(
                id=new_id(),
                building_id=houses[one["building"]],
                name=one["room"],
                slug=one["id"].lower(),
            )
            session.add(room)
            session.flush()
            ids[one["id"]] = _move_in(session, one, room.id)
    for one in body:
        for payer in one["aliases"]:
            books.do(learn_payer, payer=payer, reservation_id=ids[one["id"]])
    return {
        row["inquiry"]: ids[row["residents"][0]]
        for row in _json("truth.json")["rows"]
        if row["certainty"] == "likely"
    }


def _move_in(session: Any, given: Mapping[str, Any], unit_id: str) -> str:
    """Store a resident of the sample with the open bills; return the id of the reservation."""
    id_, name = new_id(), given["name"]
    session.add(
        reservation(
            id=id_,
            unit_id=unit_id,
            name=name["roman"] if given["language"] != "ja" else name["ja"],
            name_kana=name["kana"],
            email=f"{given['id'].lower()}@example.jp",
            payment_reference=given["reference"],
        )
    )
    session.flush()
    for bill in given["bills"]:
        entry_id = new_id()
        issued_on, due_on = (date.fromisoformat(bill[word]) for word in ("issued", "due"))
        session.add(
            LedgerEntry(
                id=entry_id,
                reservation_id=id_,
                kind=EntryKind.OPENING,
                period=bill["id"],
                label_ja="家賃",
                label_en="Rent",
                issued_on=issued_on,
                due_on=due_on,
                written_at=LONG_AGO,
                written_by="staff:aoi",
            )
        )
        session.flush()
        session.add(
            LedgerLine(
                entry_id=entry_id,
                item="rent",
                label_ja="家賃",
                label_en="Rent",
                category=FeeCategory.RENT,
                tax_treatment=TaxTreatment.EXEMPT,
                amount_yen=bill["open"],
                posted_on=issued_on,
            )
        )
    return id_


def _main(office: Hand) -> Locator:
    return office.page.locator("main")


def _read_in(office: Hand) -> None:
    """From Today to the statement that is read in: its file is chosen, looked at and read in."""
    office.presses_on(office.link("Money", within=".side-nav"))
    office.presses_on(office.link("Bank matching", within=".area-row"))
    field = office.page.locator("[name=file]")
    if office.is_plain:
        field.set_input_files(STATEMENT)
    else:
        office.chooses_file(field, STATEMENT)
    office.presses_on(office.button("Check the statement"))
    expect(_main(office)).to_contain_text("132 new of 132")
    office.presses_on(office.button("Import"))
    expect(_main(office)).to_contain_text("132 new rows were imported.")


def _right_offer(books: Books, truth: Mapping[str, str], row: Locator) -> Locator:
    """The button of the resident whose transfer it truly is, among those that are offered."""
    action = row.locator("form.offers").get_attribute("action") or ""
    transfer = books.ask(
        Session.get, BankTransfer, (books.house.workspace_id, action.split("/")[-2])
    )
    return row.locator(f"button[name=offer][value*='{truth[transfer.number]}']").first


@walked_by(MOUSE, (MOUSE, PLAIN))
def test_a_month_of_transfers(office: Hand, books: Books, truth: Mapping[str, str]) -> None:
    office.opens("/")
    _read_in(office)
    office.presses_on(office.button(f"Record all {CERTAIN} transfers"))
    expect(_main(office)).to_contain_text(f"{CERTAIN} transfers were recorded.")
    card = office.page.locator(".card", has=office.page.locator("h2", has_text="Likely"))
    likely = card.locator("[data-transfer]")
    for left in range(LIKELY, 0, -1):
        expect(likely).to_have_count(left)
        office.presses_on(_right_offer(books, truth, likely.first))
    expect(likely).to_have_count(0)
    expect(office.page.locator("[data-transfer]")).to_have_count(UNKNOWN)
    office.takes_at_most(MOST_PRESSES)


@walked_by(KEYS, (KEYS,))
def test_a_month_of_transfers_by_keys(office: Hand, books: Books, truth: Mapping[str, str]) -> None:
    """Each likely transfer takes one key, the certain ones one together, and so does what is left."""
    keyboard = office.page.keyboard
    office.opens("/")
    _read_in(office)
    rows = office.page.locator("[data-transfer]")
    # The script of the page listens to keys from when it has focused the first row.
    expect(rows.first).to_be_focused()
    keyboard.press("c")
    expect(_main(office)).to_contain_text(f"{CERTAIN} transfers were recorded.")
    for left in range(LIKELY + UNKNOWN, UNKNOWN, -1):
        expect(rows).to_have_count(left)
        expect(rows.first).to_be_focused()
        wanted = _right_offer(books, truth, rows.first).get_attribute("value")
        offers = rows.first.locator("button[name=offer]")
        values = offers.evaluate_all("(all) => all.map((one) => one.value)")
        keyboard.press(str(values.index(wanted) + 1))
    unknown = office.page.locator("[data-keep]")
    for left in range(UNKNOWN, 0, -1):
        expect(unknown).to_have_count(left)
        expect(rows.first).to_be_focused()
        keyboard.press("u")
    expect(unknown).to_have_count(0)
    expect(rows).to_have_count(UNKNOWN)
