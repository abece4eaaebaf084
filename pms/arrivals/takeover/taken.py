"""What was read of a rent roll: rooms, tenancies, their sums, and the questions about them."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from pms.arrivals.takeover.laid_rows import LaidRow, Passed
from pms.arrivals.takeover.own_terms import OwnTerms
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import Person
from pms.rules.roll_debts import Debt
from pms.rules.roll_heads import Meaning

WORDS: Final = {
    "as_of_and_billed": "as of which day, and billed through which day? The file says neither",
    "as_of": "the file names no day: payments as of which day?",
    "billed_through": "through which month was rent billed? The file says {as_of} and nothing more",
    "house_without_name": "the house has no name in the file",
    "new_fee": "{title} has no fee here yet: a new recurring fee?",
    "unknown_column": "what does the column {title} mean? Its amounts are not read",
    "no_deposits": "the file tells no deposits: is any held?",
    "total_differs": "the file's own total of {title} is {shown:,}, its rows come to {read:,}: is a row missing?",
    "counted_amount": "{yen:,}?",
    "not_an_amount": "this is not an amount",
    "no_starts": "the file does not say when contracts began: since which day, or in which other file is it?",
    "day_or_month": "which number is the day, and which the month?",
    "minus_debt": "{yen:,} with a minus: unpaid, or paid too much?",
    "carried_over": "{yen:,} was carried over: is it still unpaid?",
    "hidden_row": "the spreadsheet does not show this row: does the tenancy still run?",
    "same_name": "{name} rents this room too?",
    "vacant_with_name": "the room is vacant by its state, yet {name} stands in it: vacant?",
    "part_month": "{yen:,} was paid of {months}, the month it began in: was that all of it?",
    "rent_changes": "the remark speaks of another rent: which one holds for the next bill?",
    "not_an_email": "this is not an email address",
    "not_a_day": "this is not a date",
    "too_wide": "more cells than the head has: did a comma in an amount move the row?",
    "room_missing": "which room is it? The row has none",
    "rent_missing": "how much is the rent? The row has none",
    "own_terms": "this cell is not as it was exported: export again, or leave it empty to have the other columns read",
    "start_missing": "when did it begin? The row does not say",
    "name_missing": "who lives there? The row has no name",
    "deposit_missing": "how much deposit is held? The file does not say",
    "billed_missing": "through which day was it billed? The file does not say",
    "unpaid_not_billed": "rent of a month after {through} is told as unpaid, but was not billed yet",
    "room_taken": "the room is taken by another reservation from {first}",
    "renewal_is_end": "does the term end on the day of the next renewal?",
    "rent_small": "a rent of {yen:,} yen: is it counted in thousands, or was the row moved?",
    "end_before_start": "the end {end} lies before the start {start}",
    "room_twice": "the room stands in the file twice, here and at {other}: which one holds?",
    "two_rooms": "are these {count} rooms of one contract: {room}?",
    "parking": "a parking space: a fee of {name}, or a unit of its own?",
    "deposit_unknown": "a deposit is held, but how much?",
    "deposit_of_which_rent": "months of today's rent of {rent:,} or of the rent of {year} ({old:,} in {title})?",
    "rent_includes_fee": "the common fee is inside the rent: no fee of its own?",
    "sum_differs": "rent and fees come to {read:,}, the row's own sum is {shown:,}",
    "owner_use": "the owner uses the room: an owner resident (who?) or a block?",
    "company": "a company holds the contract: who lives in the room?",
    "two_people": "{count} people: the first holds the contract?",
    "two_people_surcharge": "{count} people: the first holds the contract? Is {extra:,} a surcharge for the second?",
    "lost_zero": "the leading zero is missing: {phone}?",
    "one_month": "one month's total: {months}?",
    "so_many_months": "{count} months: {months}?",
    "months_of_the_remark": "the sum is in the column, the months only in the remark: {months}?",
    "months_without_amount": "months without an amount: {months}?",
    "one_sum_of_some_months": "one sum of several months: how much is of which month ({months})?",
    "not_rent": "the debt is no rent ({what}); due when?",
    "months_not_told": "which months or what else is unpaid, and due when?",
    "not_yet_due": "due on {due}, after the day of the file: unpaid, or not yet due?",
    "oldest_first": "filling the oldest month first, these are open: {months}: so?",
    "remark_alone": "only the remark says that something is unpaid: {months}?",
    "mark_unclear": "what does the mark mean: how much of {months} is unpaid?",
    "month_unmarked": "no mark for {months}: paid?",
    "paid_ahead": "paid ahead: an overpayment of {yen:,} that the next bill uses, or billed a month further?",
    "starts_later": "starts after the day of the file: was the move-in invoice issued elsewhere, and through which day?",
    "starts_later_paid": "starts after the day of the file; the move-in money is paid: through which day does it pay?",
    "made_again": "a new contract was made: its start and end are not in the file",
    "automatic_renewal": "ended on {end}, renewed by itself: renewed for another term, or month to month since?",
    "term_over": "the term ended on {end}: month to month, or renewed until when?",
    "term_ends_soon": "ends on {end}, and days after it are billed: month to month, or renewed until when?",
    "renewed_on": "renewed on {renewed}; {start} stays the contract start?",
    "not_made_again": "not made again: does the resident leave on {end}? No notice is made of it",
    "notice_in_remark": "a remark is no notice: file one?",
    "free_rent": "no rent for some time: enter as a discount of the whole rent to that day?",
    "free_rent_over": "the free months are over on {until}: nothing to carry on?",
    "paid_late": "something was paid late: nothing is unpaid?",
    "guarantor_pays": "the guarantor was asked to pay: does the resident still owe it?",
    "left_already": "has left already: nothing to take over?",
}

WORDS_JA: Final = {
    "as_of_and_billed": "いつ時点の入金状況で、どこまで請求済みですか。ファイルに記載がありません",
    "as_of": "ファイルに日付がありません。いつ時点の入金状況ですか",
    "billed_through": "何月分まで請求済みですか。ファイルには{as_of}とだけあります",
    "house_without_name": "ファイルに建物名がありません",
    "new_fee": "「{title}」はまだ登録のない費用です。毎月の費用として追加しますか",
    "unknown_column": "「{title}」列の意味がわかりません。この列の金額は読み込まれません",
    "no_deposits": "ファイルに敷金の記載がありません。預かっている敷金はありますか",
    "total_differs": "ファイルの「{title}」の合計は{shown:,}円ですが、行の合計は{read:,}円です。抜けている行はありませんか",
    "counted_amount": "{yen:,}円でよろしいですか",
    "not_an_amount": "金額として読めません",
    "no_starts": "ファイルに契約開始日がありません。すべての行に共通の日を入力するか、開始日のあるファイルを追加してください",
    "day_or_month": "日と月のどちらが先か判断できません。日付を入力してください",
    "minus_debt": "{yen:,}円にマイナスが付いています。未収ですか、過入金ですか",
    "carried_over": "前月からの繰越が{yen:,}円あります。まだ未収ですか",
    "hidden_row": "表計算ソフトで非表示の行です。契約は続いていますか",
    "same_name": "この部屋も{name}さんの契約でよろしいですか",
    "vacant_with_name": "空室とありますが、{name}さんの記載があります。空室でよろしいですか",
    "part_month": "入居月の{months_ja}の入金は{yen:,}円です。日割り分は全額入金済みですか",
    "rent_changes": "備考に賃料の変更があります。次の請求はどちらの賃料ですか",
    "not_an_email": "メールアドレスとして読めません",
    "not_a_day": "日付として読めません",
    "too_wide": "見出しより列が多い行です。金額のカンマで列がずれていませんか",
    "room_missing": "部屋番号がありません。どの部屋ですか",
    "rent_missing": "賃料がありません。いくらですか",
    "start_missing": "契約開始日がありません",
    "name_missing": "入居者の氏名がありません",
    "deposit_missing": "預かっている敷金の記載がありません",
    "billed_missing": "いつまで請求済みかの記載がありません",
    "renewal_is_end": "次の更新日を契約終了日としてよろしいですか",
    "rent_small": "賃料が{yen:,}円です。千円単位の表か、列のずれではありませんか",
    "end_before_start": "契約終了日{end}が開始日{start}より前です",
    "room_twice": "同じ部屋が{other}にもあります。どちらが正しいですか",
    "two_rooms": "{count}室でひとつの契約ですか（{room}）",
    "parking": "駐車場です。{name}の費用ですか、別の区画ですか",
    "deposit_unknown": "敷金の金額がありません。いくら預かっていますか",
    "deposit_of_which_rent": "今の賃料{rent:,}円の月数ですか、{year}年の賃料（{title}{old:,}円）の月数ですか",
    "rent_includes_fee": "共益費は賃料に含まれますか（別の費用なし）",
    "sum_differs": "賃料と費用の計は{read:,}円、行の合計欄は{shown:,}円です",
    "owner_use": "オーナー使用の部屋です。オーナー入居として登録しますか、貸し止めにしますか",
    "company": "法人契約です。実際に住んでいる方はどなたですか",
    "two_people": "{count}名です。最初の方が契約者ですか",
    "two_people_surcharge": "{count}名です。最初の方が契約者ですか。{extra:,}円は2人目の追加料金ですか",
    "lost_zero": "先頭の0が抜けています。{phone}でよろしいですか",
    "one_month": "1か月分です。{months_ja}でよろしいですか",
    "so_many_months": "{count}か月分です。{months_ja}でよろしいですか",
    "months_of_the_remark": "金額は列に、月は備考にあります。{months_ja}でよろしいですか",
    "months_without_amount": "月だけで金額がありません。{months_ja}でよろしいですか",
    "one_sum_of_some_months": "数か月分の合計です。各月いくらですか（{months_ja}）",
    "not_rent": "賃料ではない未収（{what_ja}）です。期日はいつですか",
    "months_not_told": "何の未収か書かれていません。いつの分ですか",
    "not_yet_due": "期日{due}は表の日付より後です。未収ですか、まだ期日前ですか",
    "oldest_first": "古い月から充てると残りは{months_ja}です。よろしいですか",
    "remark_alone": "未収の記載は備考だけです。{months_ja}でよろしいですか",
    "mark_unclear": "{months_ja}の印の意味がわかりません。いくら未収ですか",
    "month_unmarked": "{months_ja}に印がありません。入金済みですか",
    "paid_ahead": "前受金{yen:,}円です。次の請求に充てる過入金ですか、もう1か月先まで請求済みですか",
    "starts_later": "表の日付より後の入居です。入居時の請求は発行済みですか。いつの分までですか",
    "starts_later_paid": "表の日付より後の入居で、契約金は入金済みです。いつの分まで含みますか",
    "made_again": "再契約済みですが、新しい契約期間がありません",
    "automatic_renewal": "{end}に満了し自動更新です。更新後の満了日はいつですか。それとも月ごとの更新ですか",
    "term_over": "{end}に満了しています。更新後の満了日はいつですか。それとも月ごとの更新ですか",
    "term_ends_soon": "{end}に満了しますが、その後も請求済みです。更新後の満了日はいつですか",
    "renewed_on": "{renewed}に更新済みです。契約開始日は{start}のままでよろしいですか",
    "not_made_again": "再契約なしです。{end}に退去しますか。退去届は作られません",
    "notice_in_remark": "備考だけでは退去届になりません。退去届を登録しますか",
    "free_rent": "フリーレントです。その日まで賃料を0円にしますか",
    "free_rent_over": "フリーレントは{until}で終わっています。引き継ぐものはありませんか",
    "paid_late": "遅れて入金されています。未収はありませんか",
    "guarantor_pays": "保証会社に請求中です。入居者の未収として残しますか",
    "left_already": "すでに退去しています。引き継がなくてよろしいですか",
    "own_terms": "書き出したときの内容と異なるセルです。もう一度書き出すか、空にしてほかの列から読み込みますか",
    "unpaid_not_billed": "請求済みの{through}より後の月の賃料が未収になっています",
    "room_taken": "この部屋は{first}から別の予約が入っています",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question, about a row and a column of it, or about the whole file."""

    code: str
    at: str | None = None
    column: str | None = None
    value: str = ""
    proposal: Any = None
    blocks: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    meaning: Meaning | None = None
    """The meaning of the column that the question is about."""

    def in_language(self, language: str) -> str:
        """Return the question in the reader's language, as the beginning of a line."""
        if language != "ja":
            return self.why[:1].upper() + self.why[1:]
        return WORDS_JA[self.code].format(**{"months_ja": "", "what_ja": "", **self.facts})

    @property
    def why(self) -> str:
        """The question in English."""
        return WORDS[self.code].format(**self.facts)

    def shape(self) -> dict[str, Any]:
        """Return the question as JSON data."""
        facts: dict[str, Any] = {}
        if self.at is not None:
            facts = {"at": self.at, "column": self.column, "value": self.value}
        facts["why"] = self.why
        if self.proposal is not None:
            facts["proposal"] = self.proposal
        if self.at is not None:
            facts["blocks"] = self.blocks
        return facts


@dataclass(slots=True)
class ReadUnit:
    """A room named in the file, vacant or not."""

    at: str
    building: str | None
    room: str
    is_vacant: bool = False
    is_owner_use: bool = False
    asking_rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    owner_name: str = ""
    """The person of the owner's side who lives there; empty when the room is only blocked."""

    def shape(self) -> dict[str, Any]:
        """Return the room as JSON data."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "vacant": self.is_vacant,
        }
        if self.is_owner_use:
            facts["ownerUse"] = True
        if self.is_vacant:
            facts["askingRent"] = self.asking_rent
            if self.fees:
                facts["fees"] = self.fees
            if self.included:
                facts["includedFees"] = list(self.included)
        return facts


@dataclass(slots=True)
class ReadTenancy:
    """A running or future tenancy as the file states it; None where it does not say."""

    at: str
    building: str | None
    room: str
    people: list[Person]
    phone: str | None = None
    email: str | None = None
    start: date | None = None
    end: date | None = None
    rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    deposit: int | None = None
    deposit_held: int | None = None
    billed_through: date | None = None
    unpaid: tuple[Debt, ...] = ()
    overpaid: int = 0
    guarantor: str | None = None
    has_guarantor: bool = False
    note: str = ""
    free_until: date | None = None
    """The last rent-free day, where an answer states that some are left."""
    notice: FiledNotice | None = None
    """A move-out notice filed elsewhere, as stated in an answer."""
    shown_monthly: int | None = None
    """The monthly sum in the row itself, where it has such a column."""
    own: OwnTerms | None = None
    """The exact terms from an export of this program."""

    @property
    def monthly(self) -> int:
        """The rent and fees of a month."""
        return (self.rent or 0) + sum(self.fees.values())

    def shape(self, *, keeps_notes: bool = True) -> dict[str, Any]:
        """Return the tenancy as JSON data; an empty note only where the file has notes."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "people": [self._person(place) for place in range(len(self.people))],
            "start": self.start,
            "end": self.end,
            "rent": self.rent,
            "fees": self.fees,
            "deposit": self.deposit,
            "depositHeld": self.deposit_held,
            "billedThrough": self.billed_through,
            "unpaid": [
                {"for": debt.what, "amount": debt.yen, "dueOn": debt.due_on} for debt in self.unpaid
            ],
            "overpaid": self.overpaid,
        }
        if self.included:
            facts["includedFees"] = list(self.included)
        if self.has_guarantor:
            facts["guarantor"] = self.guarantor
        if self.note or keeps_notes:
            facts["note"] = self.note
        return facts

    def _person(self, place: int) -> dict[str, Any]:
        person = self.people[place]
        facts: dict[str, Any] = {
            "name": person.name,
            "kana": person.kana,
            "role": "coOccupant" if place else "contractHolder",
        }
        if place == 0 and self.phone is not None:
            facts["phone"] = self.phone
        if place == 0 and self.email is not None:
            facts["email"] = self.email
        if person.is_company:
            facts["company"] = True
        return facts


@dataclass(slots=True)
class TakeOver:
    """Everything that was read of one file."""

    file: str
    read_on: date
    encoding: str
    as_of: date | None = None
    billed_through: date | None = None
    sheets: list[dict[str, Any]] = field(default_factory=list)
    units: list[ReadUnit] = field(default_factory=list)
    tenancies: list[ReadTenancy] = field(default_factory=list)
    about_the_file: list[Question] = field(default_factory=list)
    about_rows: list[Question] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    shown_totals: dict[str, int] = field(default_factory=dict)
    """The sums in the sheets themselves, of rent, deposits and debts."""
    factors: dict[str, int] = field(default_factory=dict)
    """The yen that a 1 in a row is, by place, where its sheet counts in thousands or more."""
    lacks_starts: bool = False
    """Whether a sheet has no column for the start of a tenancy."""
    rolls: int = 0
    """The number of sheets with tenancies."""
    sheets_with_total: Counter[str] = field(default_factory=Counter)
    """How many of these sheets show a sum of rents, deposits or debts, by the name of the sum."""
    keeps_notes: bool = True
    """Whether every sheet has a column of remarks."""
    rows: dict[str, LaidRow] = field(default_factory=dict)
    """The rows as the sheets write them, by their places."""

    @property
    def whole_totals(self) -> dict[str, int]:
        """The sheets' sums of everything, without sums that only some of the rolls show."""
        return {
            name: yen
            for name, yen in self.shown_totals.items()
            if self.sheets_with_total[name] in (0, self.rolls)
        }

    @property
    def totals(self) -> dict[str, int]:
        """The sums of what was read."""
        lets = self.tenancies
        return {
            "units": len(self.units),
            "tenancies": len(lets),
            "vacant": sum(unit.is_vacant for unit in self.units),
            "people": sum(len(one.people) for one in lets),
            "rent": sum(one.rent or 0 for one in lets),
            "fees": sum(sum(one.fees.values()) for one in lets),
            "monthly": sum(one.monthly for one in lets),
            "depositHeld": sum(one.deposit_held or 0 for one in lets),
            "unpaid": sum(debt.yen for one in lets for debt in one.unpaid),
            "overpaid": sum(one.overpaid for one in lets),
        }

    def shape(self) -> dict[str, Any]:
        """Return what was read as JSON data."""
        return {
            "file": self.file,
            "encoding": self.encoding,
            "readOn": self.read_on,
            "asOf": self.as_of,
            "billedThrough": self.billed_through,
            "sheets": self.sheets,
            "totals": self.totals,
            "shownTotals": self.shown_totals,
            "askAboutTheFile": [one.shape() for one in self.about_the_file],
            "askAboutRows": [one.shape() for one in self.about_rows],
            "passOver": [{"at": one.at, "why": one.why} for one in self.passed],
            "units": [unit.shape() for unit in self.units],
            "tenancies": [one.shape(keeps_notes=self.keeps_notes) for one in self.tenancies],
        }
