"""What the term and the remark of a rent roll's row leave open is asked, and nothing else is."""

from datetime import date
from typing import Any

import pytest

from pms.rules.roll_remarks import (
    RemarkDoubt,
    RemarkedTenancy,
    RemarkQuestion,
    asked_of,
    read_surcharge,
    says_company_let,
    says_prepaid,
)

D = RemarkDoubt
TODAY, THROUGH = date(2026, 11, 20), date(2026, 11, 30)
START, OVER = date(2024, 4, 1), date(2026, 3, 31)
TOMORROW, LATER = date(2026, 11, 21), date(2027, 3, 31)


def asked(remark: str = "", **known: Any) -> list[RemarkQuestion]:
    facts = {"start": START, "end": OVER, "as_of": TODAY, "billed_through": THROUGH, **known}
    return list(asked_of(RemarkedTenancy(remark, **facts)))


def over(doubt: RemarkDoubt, proposal: Any = None, end: date = OVER) -> RemarkQuestion:
    return RemarkQuestion(doubt, "end", proposal, facts={"end": str(end)})


@pytest.mark.parametrize(
    ("remark", "start", "end", "question"),
    [
        # A lease of years goes on by law; one of a year at most was meant to end.
        ("", START, OVER, None),
        ("", date(2025, 4, 1), OVER, over(D.TERM_OVER)),
        ("", date(2025, 3, 31), OVER, over(D.TERM_OVER)),
        ("", date(2025, 3, 30), OVER, None),
        ("", date(2025, 11, 21), TODAY, over(D.TERM_OVER, end=TODAY)),
        ("", date(2025, 11, 21), TOMORROW, over(D.TERM_ENDS_SOON, end=TOMORROW)),
        ("", START, date(2026, 11, 29), over(D.TERM_ENDS_SOON, end=date(2026, 11, 29))),
        ("", START, THROUGH, over(D.TERM_ENDS_SOON, end=THROUGH)),
        ("", START, date(2026, 12, 5), None),
        ("", START, None, None),
        ("", None, OVER, None),
        ("", OVER, START, None),
        ("更新手続中", date(2025, 4, 1), OVER, None),
        ("継続", START, TOMORROW, None),
        ("自動更新", START, OVER, over(D.AUTOMATIC_RENEWAL, {"end": date(2028, 3, 31)})),
        (
            "自動更新",
            date(2025, 11, 21),
            TODAY,
            over(D.AUTOMATIC_RENEWAL, {"end": date(2027, 11, 20)}, TODAY),
        ),
        (
            "auto-renewal",
            date(2025, 5, 1),
            date(2025, 5, 10),
            over(D.AUTOMATIC_RENEWAL, {"end": date(2026, 12, 10)}, date(2025, 5, 10)),
        ),
        (
            "再契約なし",
            START,
            LATER,
            RemarkQuestion(D.NOT_MADE_AGAIN, "note", facts={"end": str(LATER)}),
        ),
        ("再契約なし", START, OVER, None),
        ("再契約なし", START, TODAY, None),
        ("再契約予定", START, TODAY, RemarkQuestion(D.MADE_AGAIN, "end", blocks=True)),
        ("再契約予定", START, LATER, None),
        (
            "2026/4/1更新",
            START,
            OVER,
            RemarkQuestion(
                D.RENEWED_ON, "note", facts={"renewed": "2026-04-01", "start": "2024-04-01"}
            ),
        ),
        (
            "2026/11/20更新",
            START,
            OVER,
            RemarkQuestion(
                D.RENEWED_ON, "note", facts={"renewed": "2026-11-20", "start": "2024-04-01"}
            ),
        ),
        ("2026/11/21更新", START, OVER, None),
        ("2024/4/1更新", START, OVER, None),
        ("2026/4/1更新", None, OVER, None),
        ("2026/4/1入居祝い", START, OVER, None),
    ],
)
def test_one_question_is_asked_about_a_term_that_is_over_or_soon_will_be(
    remark: str, start: date | None, end: date | None, question: RemarkQuestion | None
) -> None:
    assert asked(remark, start=start, end=end) == ([] if question is None else [question])


def test_a_debt_of_a_renewal_says_that_the_term_goes_on() -> None:
    assert asked(start=date(2025, 4, 1), debt_is_renewal=True) == []


@pytest.mark.parametrize(
    ("remark", "proposal"),
    [
        ("12/20退去予定", {"moveOut": date(2026, 12, 20)}),
        ("退去予定 2026/12/20", {"moveOut": date(2026, 12, 20)}),
        ("12/20退去（11/15届）", {"filedOn": date(2026, 11, 15), "moveOut": date(2026, 12, 20)}),
        ("11/15に届、12/20退去", {"filedOn": date(2026, 11, 15), "moveOut": date(2026, 12, 20)}),
        ("12/20退去、鍵は12/21", {"moveOut": date(2026, 12, 20)}),
        ("moving out 20 Dec 2026", {"moveOut": date(2026, 12, 20)}),
        ("move out 20 Dec 2026", {"moveOut": date(2026, 12, 20)}),
        ("退去予定", None),
        ("12/20退去立会", None),
        ("12/20入居", None),
    ],
)
def test_a_move_out_in_a_remark_is_offered_as_a_notice(
    remark: str, proposal: dict[str, date] | None
) -> None:
    offered = [one for one in asked(remark) if one.doubt is D.NOTICE_IN_REMARK]
    wanted = [] if proposal is None else [RemarkQuestion(D.NOTICE_IN_REMARK, "note", proposal)]
    assert offered == wanted


@pytest.mark.parametrize(
    ("remark", "start", "until"),
    [
        ("フリーレント2ヶ月", date(2026, 11, 1), date(2026, 12, 31)),
        ("FR 2026/12/1～2026/12/31", START, date(2026, 12, 31)),
        ("12月・1月フリーレント", START, date(2027, 1, 31)),
        ("フリーレント", START, None),
        ("フリーレント2ヶ月", None, None),
    ],
)
def test_months_without_rent_are_asked_about_before_anything_is_billed(
    remark: str, start: date | None, until: date | None
) -> None:
    proposal = None if until is None else {"freeUntil": until}
    assert asked(remark, start=start, end=None) == [
        RemarkQuestion(D.FREE_RENT, "note", proposal, blocks=True)
    ]


@pytest.mark.parametrize("until", [THROUGH, date(2026, 10, 31)])
def test_months_without_rent_that_are_over_are_only_told(until: date) -> None:
    assert asked(f"フリーレント {until:%Y/%m/%d}まで") == [
        RemarkQuestion(D.FREE_RENT_OVER, "note", facts={"until": str(until)})
    ]


def test_a_tenancy_that_starts_later_is_billed_only_when_somebody_says_how_far() -> None:
    assert asked(start=TOMORROW, end=None) == [RemarkQuestion(D.STARTS_LATER, "start", blocks=True)]
    assert asked("契約金済", start=TOMORROW, end=None) == [
        RemarkQuestion(D.STARTS_LATER_PAID, "note", {"billedThrough": THROUGH}, blocks=True)
    ]
    assert asked(start=TODAY, end=None) == asked(start=TOMORROW, end=None, has_own_month=True) == []


def test_late_payments_and_new_rents_are_asked_about() -> None:
    assert asked("入金遅れ") == [RemarkQuestion(D.PAID_LATE, "note", 0)]
    assert asked("入金遅れ", has_debt=True) == []
    for remark in ("家賃改定あり", "4月分より家賃75,000円", "rent goes up"):
        assert asked(remark) == [RemarkQuestion(D.RENT_CHANGES, "note")]


@pytest.mark.parametrize(
    ("remark", "yen"),
    [("2人入居 共益費5,000円増", 5_000), ("2人目 +3,000", 3_000), ("家賃 70,000円", 0), ("", 0)],
)
def test_what_a_second_person_pays_is_read(remark: str, yen: int) -> None:
    assert read_surcharge(remark) == yen


def test_a_remark_tells_who_rents_and_whether_rent_was_paid_ahead() -> None:
    assert says_company_let("社宅") and says_company_let("Corporate lease")
    assert says_prepaid("12月分前払い") and says_prepaid("Paid in advance")
    assert not says_company_let("個人") and not says_prepaid("11月分入金済")
