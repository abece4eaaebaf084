"""What a transfer pays: certain only where a careful clerk would not look twice."""

from collections import Counter
from datetime import date

import pytest

from pms.rules.bank_statements import BankRow, MoneyMove
from pms.rules.open_bills import AmountReason, OpenBill, PaymentPart, explain_amount, in_order
from pms.rules.payer_names import company_key, read_payer, reference_numbers
from pms.rules.payer_search import PayerReason
from pms.rules.people_index import RentPayer
from pms.rules.transfer_matching import Match, MatchCertainty, MatchDoubt, TransferMatcher
from tests.rules.made_up_transfers import make_up

_DUE = date(2026, 10, 31)
_DAY = date(2026, 11, 2)


def _person(id_: str, kana: str, roman: str = "", **other: object) -> RentPayer:
    return RentPayer(id_, (kana, roman) if roman else (kana,), **other)  # type: ignore[arg-type]


def _bill(id_: str, person: str, yen: int, due: date = _DUE) -> OpenBill:
    return OpenBill(id_, person, due, date(2026, 9, 25), yen)


def _row(payer: str, yen: int, message: str = "", **other: object) -> BankRow:
    values = {"is_deposit": True, "move": MoneyMove.TRANSFER, **other}
    return BankRow(
        2,
        "00000001",
        _DAY,
        yen=yen,
        payer=payer,
        message=message,
        **values,  # type: ignore[arg-type]
    )


def _answer(row: BankRow, people: list[RentPayer], bills: list[OpenBill]) -> Match:
    (match,) = TransferMatcher(people, bills).match_all([row])
    return match


@pytest.mark.parametrize(
    ("bills", "yen", "reason", "is_certain"),
    [
        # A company pays for several: one bill of the amount, or two of different people.
        ("A5 B7", 5, AmountReason.ONE_BILL, True),
        ("A5 A5 B7", 5, AmountReason.ONE_BILL, True),
        ("A5 B5 B7", 5, AmountReason.ONE_BILL, False),
        ("A5 A5 A7", 5, AmountReason.ONE_BILL, True),
        ("A5 A2 A7", 7, AmountReason.ONE_BILL, False),
        ("A10 A20 A40", 30, AmountReason.OLDEST, True),
        ("A10 A20 A20", 30, AmountReason.OLDEST, True),
        ("A10 A20 A25 A5", 30, AmountReason.OLDEST, False),
        ("A10 A20 A40", 60, AmountReason.ONLY_SUM, True),
        ("A10 A20 A30 A40 A1", 50, AmountReason.SEVERAL_SUMS, False),
        ("A5 B7 B9", 12, AmountReason.ONLY_SUM, True),
        ("A10 A1 A20", 11, AmountReason.OLDEST, True),
        ("A10 A20", 11, AmountReason.PART_OF_SEVERAL, False),
        (" ".join(["A10"] * 24), 10, AmountReason.ONE_BILL, True),
        (" ".join(["A10"] * 25), 10, AmountReason.ONE_BILL, False),
    ],
)
def test_an_amount_pays_the_bills_it_adds_up_to(
    bills: str, yen: int, reason: AmountReason, is_certain: bool
) -> None:
    open_ = [_bill(str(at), one[0], int(one[1:])) for at, one in enumerate(bills.split())]
    paid = explain_amount(yen, open_, fees=())
    assert (paid.reason, paid.is_certain) == (reason, is_certain)
    assert sum(part.yen for part in paid.parts) == yen


def test_a_company_that_leaves_the_fee_to_us_is_looked_at() -> None:
    paid = explain_amount(4_780, [_bill("a", "A", 5_000), _bill("b", "B", 7_000)])
    assert (paid.reason, paid.is_certain) == (AmountReason.COMPANY_LESS_A_FEE, False)
    assert (paid.fee_yen, paid.parts) == (220, (PaymentPart("a", "A", 4_780),))


def test_bills_are_paid_in_the_order_in_which_they_are_due_and_were_issued() -> None:
    first = _bill("c", "A", 10, date(2026, 9, 30))
    second = _bill("b", "A", 10)._replace(issued_on=date(2026, 9, 24))
    third, paid = _bill("a", "A", 10), _bill("d", "A", 0)
    assert in_order([third, paid, first, second]) == [first, second, third]


YAMADA = _person("A", "ヤマダ リョウ", "YAMADA RYO", room="101", references=("671910",))
YAMADA_RYOKO = _person("B", "ヤマダ リョウコ", "YAMADA RYOKO", room="202", references=("532649",))
NGUYEN = _person("C", "グエン ティ ホア", "NGUYEN THI HOA", room="303", references=("731064",))
BILLS = [_bill("a", "A", 60000), _bill("b", "B", 70000), _bill("c", "C", 52500)]
PEOPLE = [YAMADA, YAMADA_RYOKO, NGUYEN]
OSHIMA = _person("O", "オオシマ ハルカ")
OSHIMA_BILL = _bill("o", "O", 48800)


@pytest.mark.parametrize(
    ("payer", "yen", "reason"),
    [
        ("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, PayerReason.FULL_NAME),
        ("ﾔﾏﾀﾞﾘﾖｳ", 60000, PayerReason.FULL_NAME),
        ("ヤマダ　リヨウ", 60000, PayerReason.FULL_NAME),
        ("RYO YAMADA", 60000, PayerReason.FULL_NAME),
        ("ﾔﾁﾝ(11ｶﾞﾂ)ﾔﾏﾀﾞﾘﾖｳ", 60000, PayerReason.FULL_NAME),
        ("ﾔﾁﾝﾔﾏﾀﾞﾘﾖｳ", 60000, PayerReason.FULL_NAME),
        ("ﾔﾏﾀﾞ ﾘﾖｳ 09012345678", 60000, PayerReason.FULL_NAME),
        ("ﾄﾞ)ﾏﾂｶｾﾞｺｳﾑ ﾔﾏﾀﾞ ﾘﾖｳ", 60000, PayerReason.FULL_NAME),
        ("671910", 60000, PayerReason.REFERENCE),
        ("671-910ﾔﾏﾀﾞ ﾘﾖｳ", 60000, PayerReason.REFERENCE),
        ("ﾔﾏﾀﾞ ﾘﾖｳ671910", 60000, PayerReason.REFERENCE),
        ("ﾂﾙﾐ ﾂﾈｵ 671910", 60000, PayerReason.REFERENCE),
        ("101ｺﾞｳｼﾂ ﾔﾏﾀﾞ", 60000, PayerReason.ROOM_AND_SURNAME),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", 59340, PayerReason.FULL_NAME),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", 41000, PayerReason.FULL_NAME),
    ],
)
def test_a_payer_beyond_doubt_pays_for_certain(payer: str, yen: int, reason: PayerReason) -> None:
    match = _answer(_row(payer, yen), PEOPLE, BILLS)
    assert (match.verdict, match.payer_reason) == (MatchCertainty.CERTAIN, reason)
    assert [(part.bill_id, part.yen) for part in match.parts] == [("a", yen)]


@pytest.mark.parametrize(
    ("payer", "yen", "verdict", "first"),
    [
        ("ﾔﾏﾀﾞ", 60000, MatchCertainty.LIKELY, "a"),
        ("ﾔﾏﾀﾞ ﾃﾙﾐ", 70000, MatchCertainty.LIKELY, "b"),
        ("ﾔﾏﾀﾞﾃﾙﾐ", 70000, MatchCertainty.LIKELY, "b"),
        ("ﾔﾏﾀﾞ", 12345, MatchCertainty.UNKNOWN, None),
        ("ﾔﾏﾀﾞ(ｶ", 60000, MatchCertainty.UNKNOWN, None),
        ("ｸﾞｴﾝ ﾎｱ", 52500, MatchCertainty.LIKELY, "c"),
        ("ｸﾞｴﾝ ﾃｲ ﾎ-", 52500, MatchCertainty.LIKELY, "c"),
        ("ｸｴﾝ ﾃｲ ﾎｱ", 52500, MatchCertainty.LIKELY, "c"),
        ("671910 ﾔﾏﾀﾞ ﾘﾖｳｺ", 60000, MatchCertainty.LIKELY, "a"),
        ("671910 ﾔﾏﾀﾞ ﾘﾖｳｺ", 70000, MatchCertainty.LIKELY, "b"),
        ("671910 ﾂﾙﾐ ﾂﾈｵ", 52500, MatchCertainty.LIKELY, "a"),
        ("671910 532649", 60000, MatchCertainty.LIKELY, "a"),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", 70000, MatchCertainty.LIKELY, "a"),
        ("303 ﾎｱ", 52500, MatchCertainty.LIKELY, "c"),
        ("202 ﾔﾏﾀﾞ ﾘﾖｳ", 60000, MatchCertainty.LIKELY, "a"),
        ("303 ｸﾞｴﾝ", 52390, MatchCertainty.LIKELY, "c"),
        ("ﾂﾙﾐ ﾂﾈｵ", 60000, MatchCertainty.UNKNOWN, None),
        ("6719101", 60000, MatchCertainty.UNKNOWN, None),
        ("090-671910-1", 60000, MatchCertainty.UNKNOWN, None),
        ("", 60000, MatchCertainty.UNKNOWN, None),
    ],
)
def test_what_a_clerk_would_look_at_is_never_certain(
    payer: str, yen: int, verdict: MatchCertainty, first: str | None
) -> None:
    match = _answer(_row(payer, yen), PEOPLE, BILLS)
    assert match.verdict is verdict
    assert (match.parts[0].bill_id if match.parts else None) == first


def test_a_name_paid_too_short_is_left_to_a_person_when_a_namesake_owes_just_this() -> None:
    bills = [_bill("a", "A", 90000), _bill("b", "B", 70000)]
    match = _answer(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 70000), [YAMADA, YAMADA_RYOKO], bills)
    assert (match.verdict, match.doubt) == (MatchCertainty.LIKELY, MatchDoubt.FITS_ANOTHER)
    assert {part.bill_id for part in match.parts} == {"a", "b"}


def test_a_name_cut_by_the_bank_is_not_the_shorter_name_of_another() -> None:
    company = "ｶ)ﾄｳｷﾖｳｸﾞﾛ-ﾊﾞﾙｽﾀﾂﾌｻ-ﾋﾞｽｼﾞﾝｻﾞｲﾎﾝﾌﾞｹｲﾘｶﾌﾞ"
    assert read_payer(f"{company} ﾔﾏﾀﾞ ﾘﾖｳ").is_cut
    shorter = _answer(_row(f"{company} ﾔﾏﾀﾞ ﾘﾖｳ", 60000), PEOPLE, BILLS)
    assert shorter.verdict is MatchCertainty.LIKELY
    cut = _answer(_row(f"{company} ｸﾞｴﾝ ﾃｲﾎ", 52500), PEOPLE, BILLS)
    assert (cut.verdict, cut.payer_reason) == (MatchCertainty.CERTAIN, PayerReason.CUT_NAME)


@pytest.mark.parametrize(
    ("payer", "yen", "verdict", "first"),
    [
        # The list ends names at 20 bytes: the longer name of another may be meant.
        ("ﾔﾁﾝﾀﾞｲ R8.11  ﾓﾘ ﾕｳ", 61000, MatchCertainty.LIKELY, "yuka"),
        ("ﾔﾁﾝﾀﾞｲ 2026 ﾈﾝ ﾓﾘﾕｳ", 61000, MatchCertainty.LIKELY, "yuka"),
        ("ﾔﾁﾝﾀﾞｲ 2026.11 ｷﾑ ﾐﾝ", 90000, MatchCertainty.UNKNOWN, None),
        # The amount tells them apart, or the name ends before the field does.
        ("ﾔﾁﾝﾀﾞｲ R8.11  ﾓﾘ ﾕｳ", 58000, MatchCertainty.CERTAIN, "yu"),
        ("ﾔﾁﾝ ﾓﾘ ﾕｳ", 58000, MatchCertainty.CERTAIN, "yu"),
        ("ﾔﾁﾝ ﾓﾘ ﾕｳ", 30000, MatchCertainty.CERTAIN, "yu"),
    ],
)
def test_a_name_at_the_end_of_a_short_field_may_be_the_beginning_of_another(
    payer: str, yen: int, verdict: MatchCertainty, first: str | None
) -> None:
    people = [
        _person("yu", "モリ ユウ"),
        _person("yuka", "モリ ユウカ"),
        _person("min", "キム ミン"),
        _person("minjun", "キム ミンジュン"),
    ]
    owed = (58000, 61000, 90000, 90000)
    bills = [_bill(one.id, one.id, yen) for one, yen in zip(people, owed, strict=True)]
    match = _answer(_row(payer, yen), people, bills)
    assert match.verdict is verdict
    assert (match.person_ids[0] if match.person_ids else None) == first


def test_a_name_cut_at_a_short_field_is_likely_where_its_bill_fits() -> None:
    people = [_person("L", "ブランデンブルク マクシミリアン ヨハン")]
    cut = "11 ﾌﾞﾗﾝﾃﾞﾝﾌﾞﾙｸ ﾏｸｼﾐﾘ"
    fitting = _answer(_row(cut, 58000), people, [_bill("l", "L", 58000)])
    assert (fitting.verdict, fitting.payer_reason) == (MatchCertainty.LIKELY, PayerReason.CUT_NAME)
    other = _answer(_row(cut, 30000), people, [_bill("l", "L", 58000)])
    assert other.verdict is MatchCertainty.UNKNOWN


def test_relatives_who_live_here_may_pay_together() -> None:
    people = [_person("N", "ハマダ ナオキ"), _person("S", "ハマダ サキ")]
    bills = [_bill("n", "N", 74700), _bill("s", "S", 61300)]
    match = _answer(_row("ﾊﾏﾀﾞ ﾅｵｷ ｻｷ", 136000), people, bills)
    assert match.verdict is MatchCertainty.LIKELY
    assert {part.bill_id for part in match.offers[0].parts} == {"n", "s"}


def test_the_bill_to_the_yen_of_the_surname_goes_before_a_reference_that_pays_none() -> None:
    match = _answer(_row("671910 ｵｵｼﾏ ﾄｼｵ", 48800), [*PEOPLE, OSHIMA], [*BILLS, OSHIMA_BILL])
    assert match.verdict is MatchCertainty.LIKELY
    assert [offer.person_ids for offer in match.offers] == [("O",), ("A",)]


def test_a_surname_remembered_for_one_may_be_anothers_whose_bill_fits() -> None:
    people = [YAMADA._replace(aliases=("ｵｵｼﾏ",)), OSHIMA]
    match = _answer(_row("ｵｵｼﾏ", 48800), people, [*BILLS, OSHIMA_BILL])
    assert (match.verdict, match.person_ids[0]) == (MatchCertainty.LIKELY, "O")


def test_a_namesake_whose_bill_an_earlier_guess_took_is_still_offered() -> None:
    twins = [_person("T", "ミナヅキ アヤ"), _person("U", "ミナヅキ アヤ")]
    bills = [_bill("t", "T", 60000), _bill("u", "U", 60500)]
    matcher = TransferMatcher(twins, bills)
    first = matcher.match(_row("ﾐﾅﾂﾞｷ ｱﾔ", 60000))
    second = matcher.match(_row("ﾐﾅﾂﾞｷ ｱﾔ", 60500))
    assert [match.verdict for match in (first, second)] == [MatchCertainty.LIKELY] * 2
    assert [offer.person_ids for offer in second.offers] == [("U",), ("T",)]


def test_a_longer_name_written_wrongly_is_not_the_shorter_name_in_it() -> None:
    people = [_person("S", "タパ プラカス"), _person("L", "タパ プラカス プラサド")]
    bills = [_bill("s", "S", 58000), _bill("l", "L", 58000)]
    match = _answer(_row("ﾀﾊﾟ ﾌﾟﾗｶｽ ﾌﾟﾗｻ", 58000), people, bills)
    assert match.verdict is not MatchCertainty.CERTAIN
    assert _answer(_row("ﾀﾊﾟ ﾌﾟﾗｶｽ", 58000), people, bills).person_ids == ("S",)
    assert _answer(_row("ﾀﾊﾟ ﾌﾟﾗｶｽ ﾌﾟﾗｻﾄﾞ", 58000), people, bills).person_ids == ("L",)


def test_two_of_one_name_are_told_apart_by_the_amount_but_never_for_certain() -> None:
    twin = _person("T", "ヤマダ リョウ", room="505")
    bills = [*BILLS, _bill("t", "T", 84000)]
    match = _answer(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 84000), [*PEOPLE, twin], bills)
    assert (match.verdict, match.parts[0].bill_id) == (MatchCertainty.LIKELY, "t")
    same = [*BILLS, _bill("t", "T", 60000)]
    assert _answer(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000), [*PEOPLE, twin], same).verdict is MatchCertainty.UNKNOWN
    by_number = _answer(_row("671910 ﾔﾏﾀﾞ ﾘﾖｳ", 60000), [*PEOPLE, twin], same)
    assert (by_number.verdict, by_number.person_ids) == (MatchCertainty.CERTAIN, ("A",))


def test_broken_letters_are_never_certain_by_name() -> None:
    match = _answer(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, is_broken=True), PEOPLE, BILLS)
    assert match.verdict is MatchCertainty.LIKELY


@pytest.mark.parametrize("payer", ["ｶ)ｱｵﾊﾞ", "ｱｵﾊﾞ(ｶ", "ｶﾌﾞｼｷｶﾞｲｼﾔ ｱｵﾊﾞ", "ｱｵﾊﾞ ｶﾌﾞｼｷｶﾞｲｼﾔ", "(ｶ)ｱｵﾊﾞ"])
def test_a_remembered_company_is_known_however_its_form_is_written(payer: str) -> None:
    people = [YAMADA._replace(aliases=("カ）アオバ",)), NGUYEN._replace(aliases=("カ）アオバ",))]
    match = _answer(_row(payer, 112500), people, BILLS)
    assert match.verdict is MatchCertainty.CERTAIN
    assert [part.bill_id for part in match.parts] == ["a", "c"]
    assert company_key(payer) == ("アオバ", "カ")


def test_a_company_of_another_form_is_not_the_one_remembered() -> None:
    people = [YAMADA._replace(aliases=("カ）アオバ",)), NGUYEN]
    assert _answer(_row("ﾕ)ｱｵﾊﾞ", 60000), people, BILLS).verdict is MatchCertainty.LIKELY
    hint = _answer(_row("ﾕ)ｱｵﾊﾞ", 41000), people, BILLS)
    assert hint.verdict is MatchCertainty.UNKNOWN
    assert hint.offers[0].person_ids == ("A",)


def test_a_bill_to_the_yen_is_doubted_because_others_fit_too() -> None:
    bills = [_bill("a", "A", 60000), _bill("a2", "A", 40000), _bill("a3", "A", 20000)]
    match = _answer(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000), PEOPLE, bills)
    assert (match.verdict, match.doubt) == (MatchCertainty.LIKELY, MatchDoubt.OTHER_BILLS_FIT)
    assert match.offers[0].amount_reason is AmountReason.ONE_BILL


def test_a_wrong_digit_of_a_reference_is_offered_and_touches_no_bill() -> None:
    hint, paid = TransferMatcher(PEOPLE, BILLS).match_all(
        [_row("671810", 60000), _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)]
    )
    assert (hint.verdict, hint.offers[0].person_ids) == (MatchCertainty.UNKNOWN, ("A",))
    assert paid.verdict is MatchCertainty.CERTAIN


def test_a_surname_remembered_for_one_is_not_certain_while_others_bear_it() -> None:
    people = [YAMADA._replace(aliases=("ﾔﾏﾀﾞ",)), YAMADA_RYOKO]
    assert _answer(_row("ﾔﾏﾀﾞ", 60000), people, BILLS).verdict is MatchCertainty.LIKELY


def test_a_company_that_pays_less_a_fee_or_an_unclear_sum_is_likely() -> None:
    people = [YAMADA._replace(aliases=("カ）アオバ",)), NGUYEN._replace(aliases=("カ）アオバ",))]
    less = _answer(_row("ｶ)ｱｵﾊﾞ", 112500 - 660), people, BILLS)
    assert less.verdict is MatchCertainty.LIKELY
    assert less.offers[0].amount_reason is AmountReason.COMPANY_LESS_A_FEE
    twice = [_bill("a", "A", 60000), _bill("c", "C", 60000)]
    assert _answer(_row("ｶ)ｱｵﾊﾞ", 60000), people, twice).verdict is MatchCertainty.LIKELY


def test_what_an_earlier_transfer_paid_is_not_open_for_a_later_one() -> None:
    rows = [_row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000), _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)]
    first, second = TransferMatcher(PEOPLE, BILLS).match_all(rows)
    assert first.verdict is MatchCertainty.CERTAIN
    assert (second.verdict, second.parts) == (MatchCertainty.LIKELY, ())
    assert second.offers[0].held_yen == 60000


def test_what_rests_on_something_only_likely_is_not_certain() -> None:
    bills = [_bill("a1", "A", 60000, date(2026, 9, 30)), _bill("a2", "A", 60000)]
    rows = [_row("ﾔﾏﾀﾞ ﾊﾅｺ", 60000), _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)]
    first, second = TransferMatcher([YAMADA], bills).match_all(rows)
    assert (first.verdict, second.verdict) == (MatchCertainty.LIKELY, MatchCertainty.LIKELY)
    assert second.doubt is MatchDoubt.AFTER_A_LIKELY


def test_a_transfer_taken_back_and_what_is_none_touch_nobodys_bill() -> None:
    paid = _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)
    back = _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, is_deposit=False, move=MoneyMove.CORRECTION)
    interest = _row("", 18, move=MoneyMove.INTEREST)
    taken, other = TransferMatcher(PEOPLE, BILLS).match_all([paid, back, interest])
    assert (taken.verdict, taken.doubt) == (MatchCertainty.UNKNOWN, MatchDoubt.TAKEN_BACK)
    assert (other.verdict, other.doubt) == (MatchCertainty.UNKNOWN, MatchDoubt.NO_TRANSFER)


@pytest.mark.parametrize(
    ("yen", "bills", "reason", "is_certain", "paid"),
    [
        (50, (50,), AmountReason.ONE_BILL, True, {"0": 50}),
        (50, (50, 50), AmountReason.ONE_BILL, True, {"0": 50}),
        (100, (50, 50), AmountReason.ALL_OPEN, True, {"0": 50, "1": 50}),
        (100, (50, 50, 50), AmountReason.OLDEST, True, {"0": 50, "1": 50}),
        (57, (50, 50, 7), AmountReason.SEVERAL_SUMS, False, {"0": 50, "1": 7}),
        (67, (50, 60, 7), AmountReason.ONLY_SUM, True, {"1": 60, "2": 7}),
        (110, (50, 60, 110), AmountReason.ONE_BILL, False, {"2": 110}),
        (30, (50,), AmountReason.PART, True, {"0": 30}),
        (30, (50, 60), AmountReason.PART_OF_SEVERAL, False, {"0": 30}),
        (80, (50,), AmountReason.MORE_THAN_OPEN, False, {"0": 50}),
        (80, (), AmountReason.NOTHING_OPEN, False, {}),
        (890, (1000,), AmountReason.LESS_A_FEE, True, {"0": 890}),
        (1890, (1000, 1000), AmountReason.LESS_A_FEE, True, {"0": 1000, "1": 890}),
    ],
)
def test_an_amount_pays_what_a_clerk_would_book(
    yen: int, bills: tuple[int, ...], reason: AmountReason, is_certain: bool, paid: dict[str, int]
) -> None:
    standing = [
        _bill(str(place), "A", open_yen, date(2026, 9, place + 1))
        for place, open_yen in enumerate(bills)
    ]
    found = explain_amount(yen, standing)
    assert (found.reason, found.is_certain) == (reason, is_certain)
    assert {part.bill_id: part.yen for part in found.parts} == paid
    assert sum(part.yen for part in found.parts) + found.held_yen == yen


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("671910", ("671910",)),
        ("671-910", ("671910",)),
        ("671 910", ("671910",)),
        ("ﾔﾏﾀﾞ671910", ("671910",)),
        ("OSCAR420516", ("420516",)),
        ("ﾙ-ｼ-420516", ("420516",)),
        ("6719101", ()),
        ("090-6719-1012", ()),
        ("11 671910", ("671910",)),
        ("６７１９１０", ("671910",)),
    ],
)
def test_a_reference_has_six_digits_and_is_no_part_of_a_longer_number(
    text: str, numbers: tuple[str, ...]
) -> None:
    assert reference_numbers(text) == numbers


@pytest.mark.parametrize("seed", range(8))
def test_of_thousands_of_made_up_transfers_none_is_certain_and_wrong(seed: int) -> None:
    made = make_up(seed)
    matches = iter(TransferMatcher(made.people, made.bills).match_all(made.rows))
    counted: Counter[str] = Counter()
    for row, truth in zip(made.rows, made.truths, strict=True):
        if not row.is_deposit:
            continue
        match = next(matches)
        is_right = set(match.parts) == set(truth.parts)
        if match.verdict is MatchCertainty.CERTAIN:
            assert is_right, (row, truth, match)
            assert truth.at_best in {"", "certain"}, (row, truth, match)
        if truth.at_best == "certain":
            counted[match.verdict] += 1
    assert counted[MatchCertainty.CERTAIN] >= 0.95 * counted.total() > 50


def test_a_room_before_a_hyphen_and_the_surname_are_certain() -> None:
    people = [_person("a", "グルン ディパク", room="203"), _person("b", "グルン ラム", room="407")]
    (match,) = TransferMatcher(people, [_bill("x", "a", 43500)]).match_all([_row("203-ｸﾞﾙﾝ", 43500)])
    assert (match.verdict, match.payer_reason) == (
        MatchCertainty.CERTAIN,
        PayerReason.ROOM_AND_SURNAME,
    )


def test_a_reference_of_eight_digits_is_read_like_one_of_six() -> None:
    people = [_person("a", "タナカ アオイ", references=("71403950",))]
    matcher = TransferMatcher(people, [_bill("x", "a", 50000)])
    (match,) = matcher.match_all([_row("7140-3950", 50000)])
    assert (match.verdict, match.payer_reason) == (MatchCertainty.CERTAIN, PayerReason.REFERENCE)


def _payment(
    payer: str, yen: int, *people: RentPayer, bills: list[OpenBill] | None = None
) -> Match:
    return _answer(_row(payer, yen), list(people) or PEOPLE, BILLS if bills is None else bills)


TWIN = _person("T", "ヤマダ リョウ")


def test_one_transfer_is_answered_by_itself() -> None:
    match = TransferMatcher(PEOPLE, BILLS).match(_row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000))
    assert match.verdict is MatchCertainty.CERTAIN


@pytest.mark.parametrize(
    ("payer", "move", "doubt"),
    [
        ("ﾔﾏﾀﾞ ﾘﾖｳ", MoneyMove.CASH, MatchDoubt.CASH),
        ("", MoneyMove.CASH, MatchDoubt.NO_TRANSFER),
        ("ﾔﾏﾀﾞ ﾘﾖｳ", MoneyMove.CHEQUE, MatchDoubt.NO_TRANSFER),
    ],
)
def test_cash_with_a_name_is_likely_and_other_movements_are_none(
    payer: str, move: MoneyMove, doubt: MatchDoubt
) -> None:
    match = _answer(_row(payer, 60000, move=move), PEOPLE, BILLS)
    assert match.doubt is doubt
    assert (match.verdict is MatchCertainty.LIKELY) is (doubt is MatchDoubt.CASH)


def test_a_reference_is_certain_though_a_namesake_owes_just_this() -> None:
    bills = [_bill("a", "A", 90000), _bill("b", "B", 70000)]
    assert _payment("671910", 70000, bills=bills).verdict is MatchCertainty.CERTAIN


@pytest.mark.parametrize(
    ("payer", "yen", "verdict"),
    [
        ("ﾔﾏﾀﾞ ﾘﾖｳ ﾂﾙﾐ", 60000, MatchCertainty.CERTAIN),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ﾂﾙﾐ", 59340, MatchCertainty.CERTAIN),
        ("ﾔﾏﾀﾞ ﾘﾖｳ ﾂﾙﾐ", 41000, MatchCertainty.LIKELY),
        ("671910 ﾂﾙﾐ", 130000, MatchCertainty.CERTAIN),
        ("671910 ﾂﾙﾐ", 59340, MatchCertainty.LIKELY),
        ("101 ﾔﾏﾀﾞ", 60000, MatchCertainty.CERTAIN),
        ("101 ﾔﾏﾀﾞ", 130000, MatchCertainty.LIKELY),
    ],
)
def test_the_less_a_name_says_the_more_exact_the_amount_must_be(
    payer: str, yen: int, verdict: MatchCertainty
) -> None:
    bills = [*BILLS, _bill("a2", "A", 70000, date(2026, 11, 30))]
    assert _payment(payer, yen, bills=bills).verdict is verdict


def test_of_two_of_one_name_the_bill_to_the_yen_goes_before_one_less_a_fee() -> None:
    bills = [_bill("t", "T", 60660), _bill("a", "A", 60000)]
    match = _payment("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, TWIN, YAMADA, bills=bills)
    assert (match.verdict, match.person_ids) == (MatchCertainty.LIKELY, ("A", "T"))
    owes_nothing = _payment("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, TWIN, YAMADA, bills=bills[1:])
    assert owes_nothing.person_ids == ("A",)


@pytest.mark.parametrize(
    ("yen", "doubt"), [(60000, MatchDoubt.SEVERAL_FIT), (1, MatchDoubt.NO_BILL_FITS)]
)
def test_two_of_one_name_who_owe_alike_are_left_to_a_person(yen: int, doubt: MatchDoubt) -> None:
    bills = [_bill("t", "T", 60000), _bill("a", "A", 60000)]
    match = _payment("ﾔﾏﾀﾞ ﾘﾖｳ", yen, TWIN, YAMADA, bills=bills)
    assert (match.verdict, match.doubt, match.person_ids) == (MatchCertainty.UNKNOWN, doubt, ())
    assert [offer.person_ids for offer in match.offers] == [("T",), ("A",)]


def test_hints_are_given_though_nobody_of_the_name_owes_anything() -> None:
    match = _payment("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, TWIN, YAMADA, bills=[])
    assert [offer.person_ids for offer in match.offers] == [("T",), ("A",)]


@pytest.mark.parametrize(("yen", "first"), [(1, "A"), (70000, "B"), (69340, "B")])
def test_of_two_references_the_one_whose_bill_fits_comes_first(yen: int, first: str) -> None:
    match = _payment("671910 532649", yen)
    assert (match.verdict, match.doubt) == (MatchCertainty.LIKELY, MatchDoubt.SEVERAL_FIT)
    assert match.person_ids[0] == first


def test_broken_letters_are_the_doubt_of_a_name_and_of_a_guess() -> None:
    doubts = [
        _answer(_row(payer, yen, is_broken=True), PEOPLE, BILLS).doubt
        for payer, yen in (("ﾔﾏﾀﾞ ﾘﾖｳ", 60000), ("ｸﾞｴﾝ ﾎｱ", 52500))
    ]
    assert doubts == [MatchDoubt.BROKEN_LETTERS, MatchDoubt.BROKEN_LETTERS]


@pytest.mark.parametrize(
    ("payer", "yen", "expected"),
    [
        ("ｸﾞｴﾝ ﾎｱ", 52500, (MatchCertainty.LIKELY, PayerReason.FIRST_AND_LAST, MatchDoubt.NONE)),
        ("ｸﾞｴﾝ ﾎｱ", 51840, (MatchCertainty.LIKELY, PayerReason.FIRST_AND_LAST, MatchDoubt.NONE)),
        (
            "ｸﾞｴﾝ ﾎｱ",
            1,
            (MatchCertainty.UNKNOWN, PayerReason.FIRST_AND_LAST, MatchDoubt.NO_BILL_FITS),
        ),
        ("ｸﾞｴﾝ", 51840, (MatchCertainty.UNKNOWN, PayerReason.NAME_PART, MatchDoubt.NO_BILL_FITS)),
        ("ﾂﾙﾐ", 52500, (MatchCertainty.UNKNOWN, PayerReason.NOBODY, MatchDoubt.NONE)),
    ],
)
def test_a_name_that_is_not_whole_is_likely_where_its_bill_fits(
    payer: str, yen: int, expected: tuple[MatchCertainty, PayerReason, MatchDoubt]
) -> None:
    match = _payment(payer, yen)
    assert (match.verdict, match.payer_reason, match.doubt) == expected


def test_beside_the_nearest_name_others_as_near_are_shown_but_none_of_a_mere_surname() -> None:
    people = [_person("X", "タナカ アオイ"), _person("Y", "タナカ アオキ")]
    bills = [_bill("x", "X", 50000), _bill("y", "Y", 50660)]
    near = _payment("ﾀﾅｶ ｱｵﾐ", 50000, *people, bills=bills)
    assert (near.verdict, near.person_ids) == (MatchCertainty.LIKELY, ("X", "Y"))
    assert _payment("ﾀﾅｶ", 50000, *people, bills=bills).person_ids == ("X",)


def test_a_surname_of_several_who_owe_alike_is_left_to_a_person() -> None:
    bills = [_bill("a", "A", 60000), _bill("b", "B", 60000)]
    match = _payment("ﾔﾏﾀﾞ", 60000, bills=bills)
    assert (match.verdict, match.doubt) == (MatchCertainty.UNKNOWN, MatchDoubt.SEVERAL_FIT)


def test_a_company_pays_for_whose_bill_it_is() -> None:
    people = [YAMADA._replace(aliases=("カ）アオバ",)), NGUYEN._replace(aliases=("カ）アオバ",))]
    assert _payment("ｶ)ｱｵﾊﾞ", 60000, *people).person_ids == ("A",)
    assert _payment("ｶ)ｱｵﾊﾞ", 60000, *people, bills=[]).person_ids == ("A", "C")


def _back(payer: str, yen: int, move: MoneyMove = MoneyMove.CORRECTION) -> BankRow:
    return _row(payer, yen, is_deposit=False, move=move)


YAMADA_PAID = _row("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)


@pytest.mark.parametrize(
    ("rows", "taken"),
    [
        ([YAMADA_PAID, _back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)], [True]),
        ([YAMADA_PAID, _row("", 18), _back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)], [True, False]),
        ([YAMADA_PAID, _back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000, MoneyMove.TRANSFER)], [False]),
        ([YAMADA_PAID, _back("ﾂﾙﾐ", 60000)], [False]),
        ([YAMADA_PAID, _back("ﾔﾏﾀﾞ ﾘﾖｳ", 500)], [False]),
        ([YAMADA_PAID, YAMADA_PAID, _back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)], [False, True]),
        ([YAMADA_PAID, YAMADA_PAID, *[_back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)] * 2], [True, True]),
        ([YAMADA_PAID, *[_back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000)] * 2], [True]),
        ([_back("ﾔﾏﾀﾞ ﾘﾖｳ", 60000), YAMADA_PAID], [False]),
    ],
)
def test_a_correction_takes_back_one_earlier_deposit_of_its_payer_and_amount(
    rows: list[BankRow], taken: list[bool]
) -> None:
    found = TransferMatcher(PEOPLE, BILLS).match_all(rows)
    assert [match.doubt is MatchDoubt.TAKEN_BACK for match in found] == taken
