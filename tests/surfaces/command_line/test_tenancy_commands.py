"""Every audit event of a tenancy can be done by hand."""

from pathlib import Path

import pytest

from tests.cast import Cast
from tests.surfaces.command_line.conftest import Operator


def living(operator: Operator, **other: str) -> str:
    """A booking that is signed, paid and living since 16 July."""
    id_ = operator.books(**other)
    owed = operator.asks(f"ledger show {id_}", "2026-06-20")["entries"][0]["open_yen"]
    operator.asks(f"ledger pay {id_} {owed}", "2026-06-25")
    for state in ("sent", "signed"):
        operator.asks(f"reservation status {id_} --signature {state}", "2026-06-25")
    operator.asks(f"reservation move-in {id_}", "2026-07-16")
    return id_


def shown(operator: Operator, id_: str, on: str) -> dict[str, object]:
    facts = operator.asks(f"reservation show {id_}", on)
    assert isinstance(facts, dict)
    return facts


def test_a_booking_can_be_looked_at_before_it_is_made(operator: Operator) -> None:
    words = "--unit kawasemi-house-102-sumida --name M --move-in 2026-07-16 --rent 93,000"
    plan = operator.asks(f"reservation book {words} --preview", "2026-06-20")
    assert plan["invoice_yen"] == 48_000 + 93_000
    assert not operator.asks("reservation list --unit 102")


def test_a_booking_carries_all_that_was_agreed(operator: Operator) -> None:
    id_ = operator.books(
        **{
            "discount": "7.5%",
            "minimum-stay": "180",
            "fee": "internet=3,300",
            "co-occupant": "Aiko",
            "reservation-fee": "20,000",
            "email": "minoru@example.jp",
            "arrival": "2026-07-18",
        }
    )
    facts = shown(operator, id_, "2026-06-20")
    assert facts["lives_with"] == ["Aiko"]
    assert facts["arrival"] == "2026-07-18"
    lines = operator.asks(f"ledger show {id_} --lines", "2026-06-20")["lines"]
    found = {(line["line"], line["from"]): line["amount_yen"] for line in lines}
    assert found["Discount", "2026-08-01"] == -6_975
    assert found["internet", "2026-08-01"] == 3_300
    assert found["Reservation fee", None] == 20_000


def test_dates_are_corrected_with_a_preview_first(operator: Operator) -> None:
    id_ = operator.books()
    asked = f"reservation dates {id_} --move-in 2026-07-10"
    preview = operator.asks(f"{asked} --preview", "2026-06-21")
    assert {row["change"] for row in preview["rows"]} == {"invoice", "added", "removed"}
    assert shown(operator, id_, "2026-06-21")["start"] == "2026-07-16"
    done = operator.asks(asked, "2026-06-21")
    assert done["rows"] == preview["rows"]
    assert shown(operator, id_, "2026-06-21")["start"] == "2026-07-10"


@pytest.mark.differs("one journey through each surface")
def test_a_room_is_changed_and_the_deposit_moves_along(operator: Operator) -> None:
    id_ = living(operator)
    asked = f"reservation amend {id_} --last-day 2026-08-31 --name Kenji --rent 90,000"
    new_id = operator.asks(asked, "2026-08-20")["reservation"]
    operator.asks("job run advance-lifecycles", "2026-09-01")
    assert shown(operator, id_, "2026-09-01")["lifecycle"] == "transferred"
    assert operator.asks(f"deposit balance {new_id}", "2026-09-01")["held_yen"] == 93_000
    assert operator.asks(f"deposit balance {id_}", "2026-09-01")["held_yen"] == 0


def test_a_booking_is_cancelled(operator: Operator) -> None:
    id_ = operator.books(**{"reservation-fee": "20,000"})
    operator.asks(f"ledger pay {id_} 50,000", "2026-06-21")
    done = operator.asks(f"reservation cancel {id_}", "2026-06-22")
    assert (done["lifecycle"], done["kept_fee_yen"]) == ("cancelled", 20_000)


def test_a_notice_is_filed_moved_and_withdrawn(operator: Operator) -> None:
    id_ = living(operator)
    filed = operator.asks(f"reservation notice {id_} --move-out 2026-11-30", "2026-11-11")
    assert (filed["notice_missing_days"], filed["penalty_yen"]) == (10, 93_000)
    later = operator.asks(f"reservation notice {id_} --move-out 2026-12-10", "2026-11-12")
    assert later["filed"] == "2026-11-11"
    operator.asks(f"reservation withdraw {id_}", "2026-11-13")
    assert shown(operator, id_, "2026-11-13")["lifecycle"] == "living"


def test_a_notice_handed_in_earlier_counts_from_then(operator: Operator) -> None:
    id_ = living(operator)
    asked = f"reservation notice {id_} --move-out 2026-11-30 --filed 2026-11-01 --preview"
    assert operator.asks(asked, "2026-11-05")["notice_missing_days"] == 0


def test_an_expected_departure_is_noted_and_taken_back(operator: Operator) -> None:
    id_ = living(operator)
    operator.asks(f"reservation depart {id_} --expected 2026-12-20", "2026-11-01")
    assert shown(operator, id_, "2026-11-01")["expected_departure"] == "2026-12-20"
    operator.asks(f"reservation depart {id_} --unknown", "2026-11-02")
    assert shown(operator, id_, "2026-11-02")["expected_departure"] is None


def test_month_to_month_is_forced_and_cleared(operator: Operator) -> None:
    id_ = living(operator)
    operator.asks(f"reservation force {id_}", "2026-11-01")
    assert shown(operator, id_, "2026-11-01")["month_to_month"] == "forced since 2026-11-01"
    operator.asks(f"reservation clear {id_}", "2026-11-02")
    assert shown(operator, id_, "2026-11-02")["month_to_month"] == "none"


def test_charges_arrears_and_voiding(operator: Operator) -> None:
    id_ = living(operator)
    charged = operator.asks(
        f"ledger charge {id_} 11,000 --label 鍵の交換 --label-en 'New key' --tax taxable_10",
        "2026-08-01",
    )
    assert (charged["for"], charged["total_yen"]) == ("New key", 11_000)
    operator.asks(f"ledger pay {id_} 5,000 --reference T-1", "2026-08-02")
    arrears = operator.asks(f"ledger arrears {charged['entry']} 6,000", "2026-08-10")
    assert arrears["takes_over_yen"] == 6_000
    assert operator.asks(f"deposit balance {id_}", "2026-08-10")["unpaid_yen"] == 6_000
    operator.asks(f"ledger void {arrears['entry']}", "2026-08-11")
    owed = operator.asks(f"ledger statement {id_}", "2026-08-11")["unpaid_yen"]
    assert owed == 6_000
    paid = operator.is_refused(f"ledger void {charged['entry']}", on="2026-08-11")
    assert paid.startswith("entry: 5,000 yen have been paid on it. A paid bill cannot be changed")


def test_the_terms_with_the_owner_are_set_and_shown(operator: Operator, cast: Cast) -> None:
    line = f"owner terms {cast.sumida.building_slug}"
    assert operator.asks(line) == []
    operator.asks(f"{line} --from 2026-09-01 --fee 5.5 --payout-day 31 --account '川 1'")
    (september, october) = operator.asks(f"{line} --from 2026-10-01 --fee 6")
    assert (september["fee"], september["payout_day"]) == ("5.5%", 31)
    assert (october["fee"], october["payout_day"], october["account"]) == ("6%", 31, "川 1")
    assert "5.5%" in operator.types("owner terms 'シェアハウス カワセミ荘' -w sumida").out
    for given, why in (
        ("--from 2026-09-02 --fee 5", "fromOn: 2 September 2026 is not the first day of a month."),
        ("--from 2026-09-01 --fee 101", "--fee: '101' is not possible: enter 0 to 100, such as"),
        ("--from 2026-09-01 --fee 5 --payout-day 32", "payoutDay: Day 32 is not possible."),
        ("--fee 5", "Give --from and --fee to set the terms."),
    ):
        assert operator.is_refused(f"{line} {given}").startswith(why)
    assert operator.is_refused("owner terms nowhere") == "There is no building 'nowhere'."


@pytest.mark.differs("one journey through each surface")
def test_a_settlement_is_looked_at_made_and_refunded_in_parts(
    operator: Operator, tmp_path: Path
) -> None:
    id_ = living(operator, **{"contract-end": "2026-08-31"})
    operator.asks(f"reservation notice {id_} --move-out 2026-08-31", "2026-08-01")
    operator.asks("job run advance-lifecycles", "2026-09-01")
    asked = f"deposit settle {id_} --deduct cleaning=20,000"
    assert operator.asks(f"{asked} --preview", "2026-09-02")["remainder_yen"] == 73_000
    assert operator.asks(asked, "2026-09-02")["state"] == "refund_pending"
    pdf = tmp_path / "settlement.pdf"
    paper = operator.asks(f"deposit paper {id_} --out {pdf} --language en", "2026-09-02")
    assert (paper["state"], paper["answer_by"]) == ("sent", "2026-09-16")
    assert pdf.read_bytes().startswith(b"%PDF")
    released = f"deposit release {id_} --reason agreed-by-phone"
    assert operator.asks(released, "2026-09-02")["released"] is True
    assert "waits for no answer" in operator.is_refused(released, on="2026-09-02")
    first = operator.asks(f"deposit refund {id_} --amount 70,000", "2026-09-03")
    assert (first["left_yen"], first["state"]) == (3_000, "refund_pending")
    assert operator.asks(f"deposit refund {id_}", "2026-09-04")["state"] == "refunded"
    assert "Of 73,000 yen, 73,000 were sent" in operator.is_refused(
        f"deposit refund {id_}", on="2026-09-04"
    )
    operator.asks(f"ledger credit {id_} 4,000 --label 暖房の故障", "2026-09-05")
    assert shown(operator, id_, "2026-09-05")["settlement"] == "refund_pending"
    later = operator.asks(f"deposit refund {id_}", "2026-09-06")
    assert (later["sent_yen"], later["left_yen"], later["state"]) == (77_000, 0, "refunded")


def test_the_deposit_report_counts_who_is_left_out(operator: Operator) -> None:
    living(operator)
    report = operator.asks("deposit report", "2026-08-01")
    assert {row["name"] for row in report["deposits"]} >= {"Minoru"}
    assert report["left_out_owner_resident"] == 1
    assert report["left_out_guest"] == 1


def test_rents_are_proposed_to_a_building_with_a_preview_first(operator: Operator) -> None:
    id_ = living(operator)
    words = "rents propose kawasemi-house-sumida --from 2026-10-01 --rent +2.5% --round 500"
    words += f" --only {id_} --reason 周辺の賃料の上昇"
    (planned,) = operator.asks(f"{words} --preview", "2026-08-01")
    assert (planned["rent_before_yen"], planned["rent_yen"]) == (93_000, 95_500)
    assert operator.asks("rents list", "2026-08-01") == []
    operator.asks(words, "2026-08-01")
    (listed,) = operator.asks("rents list", "2026-08-01")
    assert (listed["reservation"], listed["answer"], listed["applies"]) == (id_, None, False)
    assert "is no change" in operator.is_refused(words.replace("+2.5%", "2.5%"), "2026-08-01")
