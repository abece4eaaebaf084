"""The meaning of column headings in rent rolls, in the words of Japanese and English offices.

Independent of files: a heading is a text, and a heading above it (merged cells, two lines) adds to
it.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import normalize


class Meaning(StrEnum):
    """The meaning of a column's cells for a room or its resident."""

    BUILDING = "building"
    ROOM = "room"
    NUMBER = "number"
    NAME = "name"
    FAMILY = "family"
    GIVEN = "given"
    KANA = "kana"
    FAMILY_KANA = "familyKana"
    GIVEN_KANA = "givenKana"
    OCCUPANT = "occupant"
    CO_OCCUPANTS = "coOccupants"
    PHONE = "phone"
    EMAIL = "email"
    START = "start"
    END = "end"
    TERM = "term"
    MOVE_OUT = "moveOut"
    RENT = "rent"
    ASKING_RENT = "askingRent"
    OLD_RENT = "oldRent"
    COMMON_FEE = "commonFee"
    UTILITIES = "utilities"
    PARKING = "parking"
    NEIGHBOURHOOD = "neighbourhood"
    GUEST_SURCHARGE = "guestSurcharge"
    OTHER_FEE = "other"
    MONTHLY = "monthly"
    DEPOSIT = "deposit"
    DEPOSIT_HELD = "depositHeld"
    DEPOSIT_AND_KEY_MONEY = "depositAndKeyMoney"
    UNPAID = "unpaid"
    UNPAID_DETAIL = "unpaidDetail"
    OVERPAID = "overpaid"
    CARRIED = "carried"
    BILLED = "billed"
    PAID = "paid"
    BALANCE = "balance"
    BILLED_THROUGH = "billedThrough"
    NEXT_BILLED = "nextBilled"
    GUARANTOR = "guarantor"
    NOTE = "note"
    RENEWAL = "renewal"
    STATUS = "status"
    MONTH = "month"
    ITEM = "item"
    OWN_TERMS = "ownTerms"
    PASSED_OVER = "passedOver"


FEES: Final = (
    Meaning.COMMON_FEE,
    Meaning.UTILITIES,
    Meaning.PARKING,
    Meaning.NEIGHBOURHOOD,
    Meaning.GUEST_SURCHARGE,
    Meaning.OTHER_FEE,
)
NOTHING_CHOSEN: Final[Mapping[str, Meaning]] = MappingProxyType({})
PLACES: Final = frozenset({Meaning.ROOM, Meaning.NUMBER})
_MONEY_OR_TERM: Final = frozenset(
    {
        Meaning.RENT,
        Meaning.MONTHLY,
        Meaning.START,
        Meaning.TERM,
        Meaning.DEPOSIT,
        Meaning.DEPOSIT_HELD,
        Meaning.UNPAID,
        Meaning.BILLED,
        Meaning.PAID,
        Meaning.BALANCE,
        Meaning.MONTH,
    }
)
_BRACKETS: Final = re.compile(r"[(\[【<].*?[)\]】>]")
_JOINS: Final = re.compile(r"[\s_\-・.:*/、,'’]+")
_AMOUNTS: Final = re.compile(r"金額|額|amount|(?:円|¥|yen|jpy|税込|税抜|千円|万円)?")
_MONTH_NAMES: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH: Final = re.compile(
    r"(?:(?P<year>20\d\d)[年/.\-]|(?:r|令和)(?P<era>\d{1,2})[年/.\-])?(?P<month>1[0-2]|0?[1-9])月"
    r"(?:分|度|入金|家賃|入金状況)?"
    r"|(?:r|令和)(?P<era2>\d{1,2})[年/.\-](?P<month3>1[0-2]|0?[1-9])"
    r"|(?P<year2>20\d\d)[/.\-](?P<month2>1[0-2]|0?[1-9])(?:[/.\-]0?1)?"
    rf"|(?P<named>{_MONTH_NAMES})[a-z]*\.?(?:[ \-']*(?P<year3>20\d\d|\d\d))?"
)

# The first pattern that matches a folded heading decides.
_WORDS: Final[tuple[tuple[Meaning, str], ...]] = (
    (Meaning.OWN_TERMS, r"^契約データ$"),
    (Meaning.PASSED_OVER, r"年計|年間|年額|annual|yearly"),
    (Meaning.ITEM, r"^(?:費目|項目|品目|費用名|請求項目|item|chargetype)$"),
    (
        Meaning.ROOM,
        r"(?:物件|建物).*(?:部屋|号室|室)|(?:building|property).*(?:room|unit)(?:no)?$",
    ),
    (
        Meaning.OLD_RENT,
        r"(?:旧|前回|以前|改定前|改定|前)(?:の)?(?:賃料|家賃)|(?:old|previous|former|lastyears?)rent",
    ),
    (Meaning.NEXT_BILLED, r"次回請求|次回の?請求|nextbill|nextinvoice"),
    (
        Meaning.BILLED_THROUGH,
        r"請求済|最終請求|(?:billed|invoiced)(?:through|to|until|up)|last(?:billed|invoiced)",
    ),
    (
        Meaning.PASSED_OVER,
        r"(?:物件|建物|部屋|室|契約|顧客|入居者|building|property|room|unit|tenant|contract|lease)(?:コード|id|code)$"
        r"|緊急|emergency",
    ),
    (
        Meaning.UNPAID_DETAIL,
        r"(?:未収|滞納|未納|未払|延滞).*(?:内訳|明細|理由|詳細|対象|月$|月分$|月数$|ヶ月$|months$)",
    ),
    (
        Meaning.UNPAID_DETAIL,
        r"^(?:内訳|内容|対象月|detail|details|breakdown|(?:unpaid|overdue|arrears)(?:months?|detail.*|for))$",
    ),
    (
        Meaning.UNPAID,
        r"未収|滞納|未納|未払|延滞|未入金|arrears|unpaid|outstanding|overdue|balancedue"
        r"|amountdue|pastdue|owed|owing",
    ),
    (
        Meaning.OVERPAID,
        r"前受|過入金|過払|前払|預り過|先払|prepaid|overpaid|overpayment|inadvance|^credit",
    ),
    (Meaning.BALANCE, r"(?:翌月|次月|来月)(?:へ)?(?:の)?繰越|(?:当月|今月)末?残"),
    (
        Meaning.CARRIED,
        r"繰越|前月残|前月末残|carriedover|broughtforward|carriedforward|previousbalance",
    ),
    (Meaning.DEPOSIT_HELD, r"(?:敷金|保証金|預り?敷).*残高?"),
    (Meaning.BALANCE, r"差引|残高|過不足|残金|^残$|balance$"),
    (
        Meaning.PASSED_OVER,
        r"入金日|支払日|振込日|支払方法|入金方法|口座|振込|請求日|paymentmethod|paiddate|datepaid",
    ),
    (Meaning.PAID, r"入金|領収|支払額|支払済|受領|^paid|amountpaid|received"),
    (Meaning.BILLED, r"請求|^billed|charged|invoiced|^due$"),
    (Meaning.PASSED_OVER, r"更新料|保証料|火災|鍵|敷引|償却|仲介|renewalfee"),
    (Meaning.DEPOSIT_AND_KEY_MONEY, r"敷礼|敷金礼金|礼敷"),
    (Meaning.PASSED_OVER, r"礼金|権利金|keymoney"),
    (Meaning.GUARANTOR, r"保証会社|保証人|連帯保証|保証委託|guarant"),
    (Meaning.DEPOSIT_HELD, r"預り?敷|預り|預かり|預託|deposit.*held|held.*deposit"),
    (Meaning.DEPOSIT, r"敷金|しききん|保証金|デポジット|deposit|^敷$"),
    (Meaning.PASSED_OVER, r"駐車場?(?:番号|区画|no)|parking(?:no|space|lot)"),
    (Meaning.GUEST_SURCHARGE, r"追加人数|人数加算|2人目|二人目|surcharge"),
    (
        Meaning.MONTHLY,
        r"(?:賃料|家賃|月額|請求|月次|毎月)?(?:合計|総額|計)$|月額計|monthlytotal|^total"
        r"|^(?:月額)?(?:料金|使用料|利用料)$|^月額$",
    ),
    (Meaning.PARKING, r"駐車|駐輪|バイク|車庫|parking|garage"),
    (Meaning.START, r"(?:賃料|家賃|契約|入居|賃貸)(?:発生|開始|起算)"),
    (Meaning.ASKING_RENT, r"(?:募集|査定|成約想定)(?:賃料|家賃)|(?:market|asking|list)rents?$"),
    (
        Meaning.RENT,
        r"賃料|家賃|やちん|室料|部屋代|へや代|へやだい|(?:^|base|monthly|net|current|actual|contract|inplace)rents?$|^rent",
    ),
    (
        Meaning.COMMON_FEE,
        r"共益|管理費|共管|きょうえき|commonfee|commonarea|maintenance|managementfee|servicecharge|^cam$",
    ),
    (Meaning.UTILITIES, r"水道|光熱|水光熱|電気|ガス|utilit|water|electric|^gas"),
    (Meaning.NEIGHBOURHOOD, r"町会|町内|自治会|neighbou?rhood|residentsassociation"),
    (
        Meaning.OTHER_FEE,
        r"ネット|internet|wifi|wi-fi|ゴミ|ごみ|清掃費|catv|ケーブル|サポート|会費|雑費|付帯|その他費"
        r"|その他月額|otherfee|消費税",
    ),
    (Meaning.FAMILY_KANA, r"^(?:セイ|せい|姓カナ|姓フリガナ|lastnamekana|familynamekana)$"),
    (Meaning.GIVEN_KANA, r"^(?:メイ|めい|名カナ|名フリガナ|firstnamekana|givennamekana)$"),
    (Meaning.KANA, r"フリガナ|ふりがな|カナ|かな$|ヨミ|よみ|読み|kana|reading|furigana"),
    (Meaning.FAMILY, r"^(?:姓|苗字|名字|氏|lastname|surname|familyname)$"),
    (Meaning.GIVEN, r"^(?:名|firstname|givenname|forename)$"),
    (Meaning.CO_OCCUPANTS, r"同居|同住|cooccupant|cotenant|roommate"),
    (Meaning.EMAIL, r"mail|メール"),
    (Meaning.PHONE, r"電話|でんわ|^tel|phone|携帯|mobile|連絡先|ケータイ"),
    (
        Meaning.PASSED_OVER,
        r"間取|面積|㎡|m2$|^階$|階数|^floor|layout|size|area|type|タイプ|築|性別|年齢|国籍|勤務|生年"
        r"|所有者|家主|owner|住所|所在|address|用途|担当|人数|コード|code|buildingno|bedroom",
    ),
    (Meaning.MOVE_OUT, r"退去|解約|moveout|vacat(?:e|ing)|leaving"),
    (Meaning.END, r"^(?:契約|期間|賃貸借|入居|契約期間)*(?:満了|終了|満期)(?:年月)?日?$"),
    (Meaning.START, r"^(?:契約|期間|賃貸借|契約期間)*開始(?:年月)?日?$"),
    (
        Meaning.TERM,
        r"(?:契約|入居|賃貸借)?期間|入居日.*(?:満了|終了)|開始.*終了|^(?:contract|lease|tenancy)?(?:period|term)s?$"
        r"|startend",
    ),
    (
        Meaning.END,
        r"満了|終了|終期|満期|期限|いつまで|まで$|^(?:契約)?[至終]$"
        r"|(?:contract|lease|tenancy)?(?:end|expiry|expires|until)(?:date|s|on)?$|^(?:contract|lease)exp"
        r"|expiration|leaseto|^to$|checkout",
    ),
    (
        Meaning.START,
        r"入居(?:年月)?日|入居開始|開始|始期|発生日|起算|契約(?:年月)?日|いつから|から$|^(?:契約)?[自始]$|^入居$"
        r"|(?:contract|lease|tenancy)?start|movein|moveddate|checkin|^from|leasefrom|commence|since",
    ),
    (Meaning.RENEWAL, r"更新|契約種別|契約形態|契約区分|renewal"),
    (
        Meaning.NAME,
        r"氏名|名前|なまえ|入居者|居住者|契約者|契約名義|名義人|賃借人|借主|借り主|テナント|住人|利用者|tenant|resident|occupant"
        r"|lessee|leaseholder|^name$|fullname|customer|^(?:guest|client|member)s?(?:name)?$",
    ),
    (Meaning.PASSED_OVER, r"(?:物件|建物|building|property)(?:番号|no|id|種別)"),
    (Meaning.BUILDING, r"物件|建物|^棟名?$|マンション|アパート|building|property|^house"),
    (
        Meaning.ROOM,
        r"号室|部屋|^室|へや|ベッド|^bed(?:no|number|space)?$|roomno|^room|^unit|^号$|^apt|apartment|^区画|^flat",
    ),
    (Meaning.NUMBER, r"^(?:no|№|#|番号|番|項番|連番|通番)$"),
    (Meaning.STATUS, r"状態|状況|区分|status|空室|入退去|稼働|kind"),
    (
        Meaning.NOTE,
        r"備考|びこう|摘要|特約|経過|経緯|対応|^その他$|メモ|めも|特記|注記|コメント|remark|note|memo|comment",
    ),
)
_NOTES_OR_SUMS: Final = re.compile(r"^その他$|特約|経過|対応")
# Paid with the contract, or paid ahead by now.
_UNCLEAR: Final = frozenset({"前家賃", "前払家賃", "前賃料"})
_PATTERNS: Final = tuple((meaning, re.compile(words)) for meaning, words in _WORDS)
_NAMES: Final = frozenset({Meaning.NAME, Meaning.FAMILY})
# Beside a column of deposits, money held may be anything.
_HELD_FOR: Final = re.compile(r"預り金(?:残高?)?|預かり金(?:残高?)?")
_DEPOSITS: Final = frozenset({Meaning.DEPOSIT, Meaning.DEPOSIT_HELD, Meaning.DEPOSIT_AND_KEY_MONEY})
_HOLDS: Final = re.compile(r"契約者|契約名義|名義人|賃借人|借主|借り主|lessee|leaseholder|holder")
_LIVES: Final = re.compile(r"入居者|居住者|住人|利用者|occupant|resident")
_OF_A_NAME: Final = re.compile(
    r"氏名|名前|入居者|契約者|賃借人|借主|name|tenant|resident", re.IGNORECASE
)
_NO_HEAD: Final = re.compile(r"[0-9]{3,}|[:：]")
_LONGEST_HEAD: Final = 24


class Head(NamedTuple):
    """A column's title as written, and its meaning; None when unknown."""

    title: str
    meaning: Meaning | None
    month: tuple[int | None, int] | None = None
    """For a column of one month: the year, if stated, and the month."""
    factor: int = 1
    """Yen per unit of the column: 1,000 or 10,000 where the heading says so."""
    has_reading: bool = False
    """Whether the reading is in the same cell as the name."""
    includes_common_fee: bool = False


def fold_title(title: str) -> str:
    """A title without width, case, blanks, joins and text in brackets."""
    plain = normalize("NFKC", title).casefold()
    return _JOINS.sub("", _BRACKETS.sub("", plain))


def head_of(title: str, above: str = "") -> Head:
    """The meaning of a heading, alone or below the heading of several columns."""
    plain = normalize("NFKC", title).casefold().strip()
    month = _month_of(plain)
    if month is not None:
        return Head(title.strip(), Meaning.MONTH, month)
    meaning = _meaning(title, above)
    whole = normalize("NFKC", f"{above} {title}")
    return Head(
        title.strip() or above.strip(),
        meaning,
        factor=10_000 if "万円" in whole else 1_000 if "千円" in whole else 1,
        has_reading=meaning is Meaning.NAME
        and bool(re.search(r"カナ|フリガナ|ふりがな|読み", plain)),
        includes_common_fee=meaning is Meaning.RENT and bool(re.search(r"込|incl", plain)),
    )


def _meaning(title: str, above: str) -> Meaning | None:
    own, upper = fold_title(title), fold_title(above)
    if _AMOUNTS.fullmatch(own):
        return _find_meaning(upper)
    if own in ("月", "月分") and _find_meaning(upper) is Meaning.UNPAID:
        return Meaning.UNPAID_DETAIL
    return _find_meaning(own)


def _find_meaning(own: str) -> Meaning | None:
    if len(own) > _LONGEST_HEAD or own in _UNCLEAR:
        return None
    return next((meaning for meaning, words in _PATTERNS if words.search(own)), None)


def may_have_sums(head: Head) -> bool:
    """Whether a column of remarks may as well be one of sums, by its title: その他, 特約."""
    return head.meaning is Meaning.NOTE and bool(_NOTES_OR_SUMS.search(fold_title(head.title)))


def _month_of(plain: str) -> tuple[int | None, int] | None:
    found = _MONTH.fullmatch(plain.replace(" ", "") if plain[:1].isdigit() else plain)
    if found is None:
        return None
    if found["named"]:
        year = found["year3"]
        return (
            None if year is None else int(year) % 100 + 2000,
            _MONTH_NAMES.split("|").index(found["named"]) + 1,
        )
    if found["month3"]:
        return 2018 + int(found["era2"]), int(found["month3"])
    if found["month2"]:
        return int(found["year2"]), int(found["month2"])
    year = found["year"] and int(found["year"])
    return (2018 + int(found["era"]) if found["era"] else year or None), int(found["month"])


def heads_of(
    row: Sequence[str],
    below: Sequence[str] | None = None,
    chosen: Mapping[str, Meaning] = NOTHING_CHOSEN,
) -> tuple[Head, ...] | None:
    """The headings in a row, with the row below as their lower line; None when it is no header.

    A header has a room and an amount or a term, three columns in all. `chosen` are meanings that a
    person chose, by folded title; they take precedence.
    """
    if any(_is_data(cell) for cell in row):
        return None
    heads = tuple(head_of(cell) for cell in row) if below is None else _two_lines(row, below)
    heads = tuple(_as_chosen(head, chosen) for head in heads)
    known = {head.meaning for head in heads if head.meaning is not None}
    if len(known) < 3 or not known & PLACES or not known & _MONEY_OR_TERM:
        return None
    return _without_doubles(heads)


def _as_chosen(head: Head, chosen: Mapping[str, Meaning]) -> Head:
    meaning = chosen.get(fold_title(head.title)) if head.title else None
    return head if meaning is None else head._replace(meaning=meaning, month=None)


def _is_data(cell: str) -> bool:
    plain = normalize("NFKC", cell).strip()
    return bool(_NO_HEAD.search(plain)) and _month_of(plain.casefold()) is None and len(plain) > 2


def _two_lines(row: Sequence[str], below: Sequence[str]) -> tuple[Head, ...]:
    width = max(len(row), len(below))
    upper = [*row, *[""] * (width - len(row))]
    lower = [*below, *[""] * (width - len(below))]
    heads: list[Head] = []
    above = ""
    for own, under in zip(upper, lower, strict=True):
        above = own if own.strip() else above if under.strip() else ""
        heads.append(head_of(under, above) if under.strip() else head_of(own))
    return tuple(heads)


def is_lower_line(row: Sequence[str]) -> bool:
    """Whether a row is the lower line of a header: only words that are headings or units."""
    cells_filled = [cell for cell in row if cell.strip()]
    if len(cells_filled) < 2 or any(_is_data(cell) for cell in cells_filled):
        return False
    known = [
        cell
        for cell in cells_filled
        if head_of(cell).meaning is not None or _AMOUNTS.fullmatch(fold_title(cell))
    ]
    return len(known) * 4 >= len(cells_filled) * 3


def _without_doubles(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """A number is a room only if no other column is; a reading beside a name is one."""
    heads = _with_occupants(heads)
    meanings = [head.meaning for head in heads]
    made: list[Head] = []
    for place, head in enumerate(heads):
        found = head
        if _HELD_FOR.fullmatch(fold_title(head.title)) and _DEPOSITS & set(
            meanings[:place] + meanings[place + 1 :]
        ):
            found = head._replace(meaning=None)
        elif head.meaning is Meaning.ASKING_RENT and Meaning.RENT not in meanings:
            found = head._replace(meaning=Meaning.RENT)
        elif head.meaning is Meaning.NUMBER:
            kept = Meaning.PASSED_OVER if Meaning.ROOM in meanings else Meaning.ROOM
            found = head._replace(meaning=kept)
        elif head.meaning is Meaning.NAME and head.has_reading and Meaning.NAME in meanings[:place]:
            found = head._replace(meaning=Meaning.KANA)
        elif (
            head.meaning is Meaning.KANA
            and not _NAMES & set(meanings)
            and _OF_A_NAME.search(head.title)
        ):
            found = head._replace(meaning=Meaning.NAME, has_reading=True)
        made.append(found)
    return tuple(made)


def _with_occupants(heads: tuple[Head, ...]) -> tuple[Head, ...]:
    """Who holds the contract beside who lives there, in two columns: both are people of the room."""
    named = [head for head in heads if head.meaning is Meaning.NAME and not head.has_reading]
    holds = [head for head in named if _HOLDS.search(fold_title(head.title))]
    lives = [head for head in named if head not in holds and _LIVES.search(fold_title(head.title))]
    if not holds or not lives:
        return heads
    return tuple(
        head._replace(meaning=Meaning.OCCUPANT) if head in lives else head for head in heads
    )
