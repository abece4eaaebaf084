"""The meaning of column headings in rent rolls, in the words of Japanese and English offices.

A heading counts only as a whole: オーナー氏名 is no 氏名, 改定後賃料 no 賃料. What is left of a heading
when a known word is taken out of it may turn its meaning round.

Independent of files: a heading is a text, and a heading above it (merged cells, two lines) adds to
it.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple
from unicodedata import normalize

from pms.rules.roll_legends import Sign, codes_in, plain_sign


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
    BED = "bed"
    PAID_UNTIL = "paidUntil"
    INCLUDED = "included"
    OWN_TERMS = "ownTerms"
    PASSED_OVER = "passedOver"


class DayOrder(StrEnum):
    """How a column writes its days where a cell alone leaves it open."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"
    YEAR_FIRST = "year_first"
    """The year has two digits: 26.09.30."""
    SERIAL_1900 = "serial_1900"
    SERIAL_1904 = "serial_1904"


FEES: Final = (
    Meaning.COMMON_FEE,
    Meaning.UTILITIES,
    Meaning.PARKING,
    Meaning.NEIGHBOURHOOD,
    Meaning.GUEST_SURCHARGE,
    Meaning.OTHER_FEE,
)
MONEY: Final = frozenset(
    {*FEES, Meaning.RENT, Meaning.ASKING_RENT, Meaning.OLD_RENT, Meaning.MONTHLY}
    | {Meaning.DEPOSIT, Meaning.DEPOSIT_HELD, Meaning.DEPOSIT_AND_KEY_MONEY, Meaning.UNPAID}
    | {Meaning.OVERPAID, Meaning.CARRIED, Meaning.BILLED, Meaning.PAID, Meaning.BALANCE}
    | {Meaning.MONTH, Meaning.INCLUDED}
)
"""Meanings of columns with amounts."""
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
WITH_SIGN: Final = frozenset({Meaning.UNPAID, Meaning.OVERPAID, Meaning.BALANCE, Meaning.CARRIED})
"""Meanings whose amounts may have a minus."""
_BRACKETS: Final = re.compile(r"[(\[【<].*?[)\]】>]")
_JOINS: Final = re.compile(r"[\s_\-・.:*/、,'’~〜&＆]+")
_AMOUNTS: Final = re.compile(r"金額|額|amount|(?:円|¥|yen|jpy|税込|税抜|千円|万円)?")
_MONTH_NAMES: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTH_WORDS: Final = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_MONTH: Final = re.compile(
    r"(?:(?P<year>20\d\d)[年/.\-]|(?:r|令和)(?P<era>\d{1,2})[年/.\-])?(?P<month>1[0-2]|0?[1-9])月"
    r"(?:分|度|入金|家賃|入金状況)?"
    r"|(?:r|令和)(?P<era2>\d{1,2})[年/.\-](?P<month3>1[0-2]|0?[1-9])"
    r"|(?P<year2>20\d\d)[/.\-](?P<month2>1[0-2]|0?[1-9])(?:[/.\-]0?1)?"
    rf"|(?P<named>{_MONTH_WORDS})\.?(?:[ \-']*(?P<year3>20\d\d|\d\d))?"
)

# Words around a heading that leave its meaning as it is.
_WHO: Final = (
    r"(?:現?(?:ご|御)?(?:契約者|契約名義人?|名義人|賃借人|借主|借り主|入居者|居住者|住人|利用者|使用者|テナント|顧客)様?"
    r"|current(?:tenant|resident|occupant)s?|tenants?|residents?|occupants?|lessees?|leaseholders?|customers?|guests?|clients?|members?)"
)
_FEE: Final = r"(?:費用?|代金?|料金?|使用料|利用料|月額|定額)*"
_OF_NOW: Final = r"(?:現在?の?|現行|月額|毎月の?|月々の?|月|契約|基本|当月|賃貸|約定)*"
_SUM: Final = r"(?:金額|総額|合計|月額|額|金|計)?"
_DAY_WORD: Final = r"(?:年月)?日?(?:付)?"
_KANA_WORD: Final = (
    r"(?:フリガナ|ふりがな|カナ|かな|ヨミ|よみ|読み(?:仮名|がな)?|kana|reading|furigana)"
)
_SEATS: Final = r"(?:駐車場?|駐輪場?|バイク(?:置き?場)?|車庫|パーキング)"
_OWED: Final = r"(?:未収|滞納|未納|未払い?|延滞|未入金)"

# The first pattern that matches a folded heading as a whole decides.
_WORDS: Final[tuple[tuple[Meaning, str], ...]] = (
    (Meaning.OWN_TERMS, r"契約データ"),
    (Meaning.ITEM, r"費目|項目|品目|費用名|請求項目|item|chargetype"),
    (
        Meaning.ROOM,
        r"(?:物件|建物)名?(?:部屋|号室|室)(?:番号|番|名|no)?|(?:building|property)(?:name)?(?:room|unit)(?:no|number|name)?"
        r"|(?:お?部屋|室|住戸|居室|住居|へや|ルーム)(?:番号?|no|№|#|名|名称)?|号室?(?:番号|no)?|区画(?:番号|no)?"
        r"|(?:room|unit|apt|apartment|flat|suite)s?(?:no|nos|number|name|#)?(?:bed)?",
    ),
    (Meaning.BED, r"ベッド(?:番号?|no|名)?|bed(?:no|number|space|name|#)?"),
    (
        Meaning.OLD_RENT,
        r"(?:旧|前回|以前|改定前|値上げ?前|前)(?:の)?(?:賃料|家賃)|(?:old|previous|former|lastyears?)rents?",
    ),
    (
        Meaning.NEXT_BILLED,
        r"次回(?:の)?請求(?:年?月|予定(?:年?月)?|分)?|next(?:bill|invoice)(?:ing)?(?:month)?",
    ),
    (
        Meaning.BILLED_THROUGH,
        r"(?:賃料|家賃)?請求済み?(?:の)?(?:年?月|月分|期間|日|最終日|最終月)?(?:まで)?|最終請求(?:年?月|月分|日)?"
        r"|(?:rent)?(?:billed|invoiced)(?:through|thru|to|until|upto)(?:date)?|last(?:billed|invoiced)(?:month|date)?",
    ),
    (
        Meaning.PAID_UNTIL,
        r"(?:賃料|家賃)?(?:入金|支払|領収|納入)済み?(?:年?月|月分|期間)?(?:まで)|(?:入金|支払|領収|納入)済み?(?:年?月|月分|期間)"
        r"|最終入金(?:年?月|月分)|(?:rent)?paid(?:until|through|thru|upto|to)(?:date)?",
    ),
    (
        Meaning.UNPAID_DETAIL,
        rf"{_OWED}(?:金|額|分|の)*(?:内訳|明細|理由|詳細|対象月?|月|月分|月数|ヶ月|ヶ月数)|unpaidmonths|arrearsmonths"
        r"|内訳|内容|対象月|details?|breakdown|(?:unpaid|overdue|arrears)(?:months?|details?|for)",
    ),
    (
        Meaning.UNPAID,
        rf"(?:現在の?)?(?:賃料|家賃)?(?:の)?{_OWED}(?:賃料|家賃|金|額|金額|残高?|分|計|合計|等|有無)*|(?:rent)?arrears(?:amount)?"
        r"|unpaid(?:rent|amount|balance)?|outstanding(?:rent|balance|amount)?|overdue(?:rent|balance|amount)?|balancedue"
        r"|amount(?:due|owed|overdue)|pastdue(?:balance|amount)?|(?:rent)?(?:owed|owing|owes)",
    ),
    (
        Meaning.OVERPAID,
        r"前受(?:金|家賃|賃料|額|分|残高?)*|過入金額?|過払い?(?:金|額)?|前払い?(?:金|額|分)?|預り過ぎ?|先払い?(?:金|額|分)?"
        r"|prepaid(?:rent|amount)?|prepayments?|overpaid|overpayments?|(?:paid)?inadvance|credits?(?:balance)?",
    ),
    (
        Meaning.BALANCE,
        r"(?:翌月|次月|来月)(?:へ)?(?:の)?繰越(?:額|金|残高?)?|(?:当月|今月)末?残(?:高|額|金)?|差引(?:残高?|額|金額)?"
        r"|(?:入金)?残高|過不足(?:金|額)?|残金?|(?:current|account|closing|ending)?balance",
    ),
    (
        Meaning.CARRIED,
        r"(?:前月|先月)?(?:から|より)?(?:の)?繰越(?:額|金|残高?)?|(?:前月|先月)末?残(?:高|額|金)?|carriedover|broughtforward"
        r"|carriedforward|previousbalance|opening(?:balance)?",
    ),
    (
        Meaning.PAID,
        r"(?:当月|今月)?(?:の)?(?:ご)?(?:入金|領収|支払い?|受領|お支払い)(?:額|金額|済額?|済み?|確認|状況|合計)?|(?:amount)?paid(?:amount)?|received|payments?(?:received)?",
    ),
    (
        Meaning.BILLED,
        r"(?:当月|今月)?(?:の)?(?:ご)?請求(?:額|金額|合計|書)?|(?:amount)?(?:billed|charged|invoiced)|due|(?:current)?charges?",
    ),
    (Meaning.DEPOSIT_AND_KEY_MONEY, r"敷礼金?|敷金礼金|礼敷|depositkeymoney"),
    (
        Meaning.DEPOSIT_HELD,
        r"(?:お)?(?:預り|預かり)(?:敷金|保証金|敷|金)?(?:残高?|額|金額)?|(?:敷金|保証金)(?:の)?(?:お)?(?:預り|預かり|預託|残)(?:額|金|高)*"
        r"|預託(?:金|額)*|(?:sec|security)?deposits?(?:held|balance|onhand)|helddeposits?",
    ),
    (
        Meaning.DEPOSIT,
        r"(?:契約)?(?:敷金|保証金)(?:額|金額|月数)?|しききん|デポジット(?:額)?|敷|(?:sec|security|refundable)?deposits?(?:amount|agreed|paid)?",
    ),
    (
        Meaning.GUARANTOR,
        r"(?:家賃)?(?:連帯)?保証(?:会社|人|委託)(?:の)?(?:名|氏名|名称|先)?|連帯保証|(?:rent)?(?:guarantors?|guarantee)(?:company|name)?",
    ),
    (
        Meaning.GUEST_SURCHARGE,
        r"追加人数(?:料金?|加算)?|人数加算額?|(?:2|二)人目(?:料金?|加算|追加)?|(?:guest|secondperson|extraperson)?surcharge",
    ),
    (
        Meaning.MONTHLY,
        r"(?:賃料|家賃|月額|請求|月次|毎月)?等?(?:の)?(?:合計|総額|計)(?:額|金額)?|月額(?:合計|総額|計)?|monthly(?:total|charge)?|total(?:monthly|permonth)?"
        r"|(?:月額)?(?:料金|使用料|利用料)(?:合計)?",
    ),
    (Meaning.PARKING, rf"{_SEATS}{_FEE}|parking(?:fee|rent|charge)?|garage"),
    (
        Meaning.ASKING_RENT,
        r"(?:募集|査定|成約想定|想定)(?:賃料|家賃)|(?:market|asking|list|listed|advertised)rents?",
    ),
    (
        Meaning.RENT,
        rf"{_OF_NOW}(?:賃料|家賃|室料|部屋代|へや代|へやだい|やちん|居室料|住居費)等?{_SUM}"
        r"|(?:base|monthly|net|current|actual|contract|inplace)?rents?(?:amount|monthly|permonth|pm|month)?",
    ),
    (
        Meaning.COMMON_FEE,
        rf"{_OF_NOW}(?:共益|管理|共管|共益管理|管理共益|共益費管理|管理費共益|きょうえき|かんり)(?:費|ひ)等?{_SUM}|共益|共管"
        r"|common(?:area)?(?:fee|charge|maintenance)?|maintenance(?:fee)?|managementfee|servicecharge|cam(?:charges)?|admin(?:istration)?fee",
    ),
    (
        Meaning.UTILITIES,
        rf"(?:水道光熱|光熱水道?|水光熱|光熱|水道|電気|ガス|電気ガス|電気水道){_FEE}|utilit(?:y|ies)(?:fee|flat|charge|cost)?|(?:water|electric(?:ity)?|gas)(?:fee|charge)?",
    ),
    (
        Meaning.NEIGHBOURHOOD,
        r"(?:町会|町内会|町内|自治会)費?|neighbou?rhood(?:fee|association)?|residentsassociation(?:fee)?",
    ),
    (
        Meaning.OTHER_FEE,
        rf"(?:インターネット|ネット|internet|wifi|ゴミ|ごみ|清掃|catv|ケーブル(?:テレビ)?|サポート|24時間サポート|安心サポート|雑|付帯(?:サービス)?){_FEE}|その他(?:費用?|代金?|料金?|月額)"
        r"|会費|other(?:fee|charge)s?|(?:internet|wifi|cleaning)(?:fee|charge)?|消費税額?|tax",
    ),
    (Meaning.FAMILY_KANA, r"セイ|せい|姓(?:カナ|フリガナ)|(?:lastname|familyname)kana"),
    (Meaning.GIVEN_KANA, r"メイ|めい|名(?:カナ|フリガナ)|(?:firstname|givenname)kana"),
    (Meaning.KANA, rf"(?:{_WHO}|氏名|名前|お名前|name)?名?(?:の)?{_KANA_WORD}"),
    (Meaning.FAMILY, r"姓|苗字|名字|氏|lastname|surname|familyname"),
    (Meaning.GIVEN, r"名|firstname|givenname|forename"),
    (
        Meaning.CO_OCCUPANTS,
        r"(?:同居|同住)(?:人|者)?(?:の)?(?:氏名|名)?[0-9]?|co(?:occupant|tenant)s?[0-9]?|roommates?[0-9]?|others?(?:names?)?",
    ),
    (Meaning.EMAIL, rf"(?:{_WHO}の?)?(?:e|電子)?(?:mail|メール)(?:アドレス|address)?"),
    (
        Meaning.PHONE,
        rf"(?:{_WHO}の?|本人|自宅)?(?:携帯|自宅|本人)?(?:電話|でんわ|tel|telephone|phone|携帯|mobile|cell|連絡先|ケータイ)+(?:番号|no|number|phone)?\d?|contact(?:no|number)?",
    ),
    (
        Meaning.MOVE_OUT,
        r"(?:退去|解約|明渡し?)(?:予定)?(?:年月)?日?(?:予定)?|move[ds]?out(?:date|on)?|vacat(?:e|ing)(?:date)?|leaving(?:date|on)?",
    ),
    (
        Meaning.TERM,
        r"(?:契約|入居|賃貸借|賃貸|利用)?(?:期間|年数)(?:開始終了|年数?)?|(?:入居|契約)日(?:契約)?(?:満了|終了)日?|(?:契約)?開始(?:日)?(?:終了|満了)(?:日)?"
        r"|(?:contract|lease|tenancy|rental)?(?:period|term)s?|startend",
    ),
    (
        Meaning.END,
        rf"(?:契約|期間|賃貸借|賃貸|入居|利用|契約期間)*(?:の)?(?:満了|終了|満期|終期){_DAY_WORD}(?:予定日?)?|契約期限|期限|契約?(?:至|終)|至|終|いつまで|まで|契約(?:期間)?まで"
        r"|(?:contract|lease|tenancy|rental|term)?(?:end|ends|ending|expiry|expires|expiration|exp|until)(?:date|on)?|to|leaseto|contractto|checkout(?:date)?",
    ),
    (
        Meaning.START,
        rf"(?:賃貸借|賃貸|契約|入居|賃料|家賃|期間|利用|契約期間)*(?:の)?(?:開始|発生|起算|始期){_DAY_WORD}|契約(?:年月)?日|入居(?:年月)?日?|契約?(?:自|始)|自|始|いつから|から|契約(?:期間)?から"
        r"|(?:contract|lease|tenancy|rental|term|rent)?(?:start|starts|begin|begins|commencement|commences|commence)(?:date|on)?"
        r"|move[ds]?in(?:date|on)?|from|leasefrom|contractfrom|checkin(?:date)?|since",
    ),
    (
        Meaning.RENEWAL,
        r"(?:次回|契約)?(?:の)?更新(?:年月日?|予定日?|日|月|有無)?|契約(?:種別|形態|区分)|(?:lease)?renewals?(?:date)?",
    ),
    (
        Meaning.NAME,
        rf"(?:{_WHO}の?)?(?:ご|お|御)?(?:氏名|名前|なまえ|姓名|名称)|{_WHO}名?|{_WHO}(?:full)?names?|契約名義|(?:full)?names?",
    ),
    (
        Meaning.BUILDING,
        r"(?:物件|建物|棟|マンション|アパート|ハウス)(?:の)?(?:名|名称|名前)?|(?:building|property|properties|house)(?:name)?",
    ),
    (Meaning.NUMBER, r"no|№|#|番号|番|項番|連番|通番|nr"),
    (
        Meaning.STATUS,
        r"(?:契約|入居|空室|部屋|稼働|利用|現在の?)?(?:状態|状況|ステータス)|区分|入居区分|(?:unit|room|lease|tenancy|occupancy)?status|空室|入退去(?:区分)?|稼働|kind",
    ),
    (
        Meaning.NOTE,
        r"備考.*|びこう|(?:内訳|摘要|特記)(?:事項)?(?:備考)?|摘要|特約(?:事項)?|(?:解約|退去)(?:通知|予告|届|申入れ?|連絡)|(?:滞納|督促|対応)?(?:経過|経緯)|対応(?:状況|履歴)?|その他(?:事項)?|(?:備考|メモ)欄|メモ|めも|特記(?:事項)?|注記|コメント"
        r"|remarks?|notes?|memos?|comments?",
    ),
)
# Not needed to take a tenancy over; a heading that has such a word in it is passed over by its name.
_NOT_NEEDED: Final = re.compile(
    r"年計|年間|年額|annual|yearly|コード|code$|緊急|emergency|入金日|支払い?日|振込日|支払い?方法|入金方法|口座|振込|請求日|期日"
    r"|paymentmethod|paiddate|datepaid|更新料|保証料|保証人|保証会社|火災|保険|insurance|鍵|敷引|償却|仲介|媒介|renewalfee|礼金|権利金|keymoney"
    r"|間取|面積|㎡|m2$|^階$|階数|^floor|layout|size|area|type|タイプ|築|性別|年齢|国籍|nationality|勤務|職業|生年|birth"
    r"|所有者|家主|オーナー|大家|貸主|landlord|owner|agent|仲介|管理会社|住所|所在|address|用途|担当|人数|buildingno|bedroom|在留|visa|permit|passport|学校"
    r"|(?:物件|建物|building|property|room|unit|tenant|contract|lease|契約|顧客|入居者|部屋)(?:番号|no|id|種別)$"
    rf"|{_SEATS}(?:番号|区画|no|位置)|parking(?:no|space|lot)|(?:旧|前|元)(?:入居者|契約者|借主)|(?:former|previous|past)(?:tenant|resident)"
)
_NOTES_OR_SUMS: Final = re.compile(r"^その他$|特約|経過|対応")
# Paid with the contract, or paid ahead by now.
_UNCLEAR: Final = frozenset({"前家賃", "前払家賃", "前賃料"})
_PATTERNS: Final = tuple((meaning, re.compile(words)) for meaning, words in _WORDS)
# Words in the brackets of a heading that make another column of it: 賃料（改定後）, 敷金（返還済）.
_TURNS: Final = re.compile(
    r"旧|新(?!築)|前(?!受|払|納)|改定|予定|次|来|以降|返還|返金|返却|償却|募集|査定|市場|仲介|オーナー|家主|貸主|保証|管理会社"
    r"|old|new|next|former|previous|market|return|refund|planned|future|agent|owner|landlord|guarant"
)
# Money that may be somebody's, and so is asked about: 保証会社未収金, 返還敷金.
_OF_MONEY: Final = re.compile(
    r"未収|滞納|未納|未払|敷金|保証金|賃料|家賃|前受|過入金|残高|rent(?!al)|deposit|arrears|unpaid|balance|owed"
)
_NEUTRAL: Final = re.compile(r"fee|amount|date|no|name|charge|yen|jpy")
_MAY_BE_PLANNED: Final = frozenset({Meaning.MOVE_OUT, Meaning.END})
# Contained in another sum, as its head says: （内）共益費, うち管理費.
_PART_OF_SUM: Final = re.compile(
    r"^\s*(?:[(\[【]\s*(?:内|うち|内訳)\s*[)\]】]|うち|内[:・\s])\s*(?=\S)"
)
_SIGNED_ON: Final = re.compile(r"契約(?:年月)?日")
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
_REMEMBERED: Final = 4_096
"""How many headings are remembered: the same texts are looked at again and again."""


class SheetHead(NamedTuple):
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
    is_all_in_one: bool = False
    """Whether the heading says that everything of a month is in the amount: 月額（込）."""
    codes: tuple[tuple[str, str], ...] = ()
    """What codes in the cells stand for, as the heading explains them."""
    sign: Sign | None = None
    """What a figure without a sign is, as the heading or a person says."""
    days: DayOrder | None = None
    """How days are written, as a person says."""
    place: int = -1
    """The column in the sheet, from 0; -1 for one that is in no sheet."""
    is_chosen: bool = False
    """Whether a person chose the meaning for this very column."""
    has_unit: bool = False
    """Whether a person said the unit, so that the sheet's does not count."""


@lru_cache(maxsize=_REMEMBERED)
def fold_title(title: str) -> str:
    """A title without width, case, blanks, joins and text in brackets."""
    plain = normalize("NFKC", title).casefold()
    return _JOINS.sub("", _BRACKETS.sub("", plain))


@lru_cache(maxsize=_REMEMBERED)
def head_of(title: str, above: str = "") -> SheetHead:
    """The meaning of a heading, alone or below the heading of several columns."""
    plain = normalize("NFKC", title).casefold().strip()
    month = _month_of(plain)
    if month is not None:
        return SheetHead(title.strip(), Meaning.MONTH, month)
    meaning = _find_column_meaning(title, above)
    whole = normalize("NFKC", f"{above} {title}")
    is_inclusive = bool(re.search(r"込|incl", plain))
    return SheetHead(
        title.strip() or above.strip(),
        meaning,
        factor=10_000 if "万円" in whole else 1_000 if "千円" in whole else 1,
        has_reading=meaning is Meaning.NAME
        and bool(re.search(r"カナ|フリガナ|ふりがな|読み", plain)),
        includes_common_fee=meaning is Meaning.RENT and is_inclusive and "税込" not in plain,
        is_all_in_one=meaning is Meaning.MONTHLY and is_inclusive and "税込" not in plain,
        codes=tuple(codes_in(title).items()),
        sign=plain_sign(title) if meaning in WITH_SIGN else None,
    )


def _find_column_meaning(title: str, above: str) -> Meaning | None:
    if _PART_OF_SUM.match(normalize("NFKC", title)):
        part = _find_meaning(_PART_OF_SUM.sub("", normalize("NFKC", title)))
        return Meaning.INCLUDED if part in FEES else Meaning.PASSED_OVER if part else None
    own, upper = fold_title(title), fold_title(above)
    if own in ("月", "月分", "月数", "months") and _find_meaning(above) is Meaning.UNPAID:
        return Meaning.UNPAID_DETAIL
    if _AMOUNTS.fullmatch(own):
        return _find_meaning(above) if not upper or _find_meaning_change(title) is None else None
    found = _find_meaning(title)
    if found is None and upper and not _NOT_NEEDED.search(own):
        # The lower line completes the upper one: 契約 above 開始日, 敷金 above 預り額.
        return _find_meaning(f"{above}{title}")
    return found


def _find_meaning_change(title: str) -> str | None:
    """Return the words in a heading's brackets that make another column of it, if any."""
    return next(
        (
            words
            for words in _BRACKETS.findall(normalize("NFKC", title).casefold())
            if _TURNS.search(words) and not codes_in(title)
        ),
        None,
    )


@lru_cache(maxsize=_REMEMBERED)
def _find_meaning(title: str) -> Meaning | None:
    own = fold_title(title)
    if len(own) > _LONGEST_HEAD or own in _UNCLEAR:
        return None
    found = _match_whole(own) or _match_in_two_languages(own)
    if found is not None and _find_meaning_change(title) and found not in _MAY_BE_PLANNED:
        return None
    if found is None and _NOT_NEEDED.search(own) and not _OF_MONEY.search(own):
        return Meaning.PASSED_OVER
    return found


def _match_whole(own: str) -> Meaning | None:
    return next((meaning for meaning, words in _PATTERNS if words.fullmatch(own)), None)


def _match_in_two_languages(own: str) -> Meaning | None:
    """Return the meaning of a heading that says the same in English and in Japanese: Room 部屋."""
    english = "".join(letter for letter in own if letter.isascii())
    japanese = "".join(letter for letter in own if not letter.isascii())
    found = _match_whole(japanese) if english and japanese else None
    is_same = _NEUTRAL.fullmatch(english) or _match_whole(english) is found
    return found if is_same else None


def may_have_sums(head: SheetHead) -> bool:
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
            _MONTH_NAMES.split("|").index(found["named"][:3]) + 1,
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
) -> tuple[SheetHead, ...] | None:
    """The headings in a row, with the row below as their lower line; None when it is no header.

    A header has a room and an amount or a term, three columns in all. `chosen` are meanings that a
    person chose, by folded title; they take precedence.
    """
    if any(_is_data(cell) for cell in row):
        return None
    heads = tuple(head_of(cell) for cell in row) if below is None else join_heads(row, below)
    heads = settle_heads(heads, chosen)
    known = {head.meaning for head in heads if head.meaning is not None} - {Meaning.PASSED_OVER}
    if len(known) < 3 or not known & PLACES or not known & _MONEY_OR_TERM:
        return None
    return heads


def settle_heads(
    heads: tuple[SheetHead, ...], chosen: Mapping[str, Meaning] = NOTHING_CHOSEN
) -> tuple[SheetHead, ...]:
    """The headings of a table with what was chosen for them, and with what they share settled."""
    return _without_doubles(tuple(_as_chosen(head, chosen) for head in heads))


_YEAR_OF_TITLES: Final = re.compile(
    r"(?:(?P<year>20\d\d)|(?:令和|r)\s?(?P<era>\d{1,2}))\s?年?(?P<fiscal>度)?", re.IGNORECASE
)
_FIRST_FISCAL_MONTH: Final = 4


def with_years(
    heads: tuple[SheetHead, ...], texts: Sequence[str], near: date
) -> tuple[SheetHead, ...]:
    """The headings with years for a run of months: one that the titles name, else around a day.

    Months that follow each other, such as April to March, are of one run; the run is the one that
    has the month of `near` in it, or else the last one that begins before.
    """
    runs = [number for number, head in enumerate(heads) if head.month is not None]
    months = [heads[number].month or (None, 1) for number in runs]
    pairs = pairwise(months)
    if len(months) < 2 or not all(after[1] == own[1] % 12 + 1 for own, after in pairs):
        return heads
    with_year = next((place for place, month in enumerate(months) if month[0] is not None), None)
    if with_year is not None:
        first = (months[with_year][0] or near.year) * 12 + months[with_year][1] - 1 - with_year
    else:
        first = _first_of_run(months[0][1], len(months), texts, near)
    made = list(heads)
    for place, number in enumerate(runs):
        year, month = divmod(first + place, 12)
        made[number] = heads[number]._replace(month=(year, month + 1))
    return tuple(made)


def _first_of_run(month: int, count: int, texts: Sequence[str], near: date) -> int:
    """The first month of a run, counted in months from the year 0."""
    for text in texts:
        named = _YEAR_OF_TITLES.search(normalize("NFKC", text))
        if named is None or (not named["fiscal"] and month != 1):
            continue
        year = int(named["year"]) if named["year"] else 2018 + int(named["era"])
        is_next = named["fiscal"] and month < _FIRST_FISCAL_MONTH
        return (year + bool(is_next)) * 12 + month - 1
    today = near.year * 12 + near.month - 1
    starts = [(near.year + years) * 12 + month - 1 for years in (-1, 0, 1)]
    around = [start for start in starts if start <= today < start + count]
    return around[-1] if around else max(start for start in starts if start <= today)


def _as_chosen(head: SheetHead, chosen: Mapping[str, Meaning]) -> SheetHead:
    meaning = chosen.get(fold_title(head.title)) if head.title else None
    return head if meaning is None else head._replace(meaning=meaning, month=None)


def _is_data(cell: str) -> bool:
    plain = normalize("NFKC", cell).strip()
    bare = _BRACKETS.sub("", plain)
    return bool(_NO_HEAD.search(bare)) and _month_of(plain.casefold()) is None and len(plain) > 2


def join_heads(row: Sequence[str], below: Sequence[str]) -> tuple[SheetHead, ...]:
    """The headings of two lines: a lower one completes what is above it and to its left."""
    width = max(len(row), len(below))
    upper = [*row, *[""] * (width - len(row))]
    lower = [*below, *[""] * (width - len(below))]
    heads: list[SheetHead] = []
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


def is_record_line(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether two lines of headings are of one record in two lines: each has columns of its own.

    A heading above several, such as 契約期間 above 開始 and 終了, is no column of its own.
    """
    if any(_is_data(cell) for cell in (*upper, *lower)):
        return False
    both = 0
    for place, (own, under) in enumerate(zip(upper, lower, strict=False)):
        if not own.strip() or not under.strip() or _AMOUNTS.fullmatch(fold_title(under)):
            continue
        after = upper[place + 1] if place + 1 < len(upper) else "-"
        under_next = lower[place + 1] if place + 1 < len(lower) else ""
        if not after.strip() and under_next.strip():
            return False
        meanings = _find_meaning(own), _find_meaning(under)
        if None in meanings or meanings[0] is meanings[1]:
            continue
        if Meaning.TERM in meanings or meanings[1] is Meaning.UNPAID_DETAIL:
            return False
        both += 1
    return both > 1


def _without_doubles(heads: tuple[SheetHead, ...]) -> tuple[SheetHead, ...]:
    """A number is a room only if no other column is; a reading beside a name is one."""
    heads = _with_occupants(heads)
    meanings = [head.meaning for head in heads]
    made: list[SheetHead] = []
    for place, head in enumerate(heads):
        found = head
        if _HELD_FOR.fullmatch(fold_title(head.title)) and _DEPOSITS & set(
            meanings[:place] + meanings[place + 1 :]
        ):
            found = head._replace(meaning=None)
        elif head.meaning is Meaning.START and _SIGNED_ON.fullmatch(fold_title(head.title)):
            # The day of signing, where another column says when the contract begins.
            others = [other for other in heads if other.meaning is Meaning.START]
            found = head._replace(meaning=Meaning.PASSED_OVER) if len(others) > 1 else head
        elif head.meaning is Meaning.UNPAID and fold_title(head.title).endswith("有無"):
            has_amounts = meanings.count(Meaning.UNPAID) > 1
            found = head._replace(meaning=Meaning.UNPAID_DETAIL) if has_amounts else head
        elif head.meaning is Meaning.BED and Meaning.ROOM not in meanings:
            found = head._replace(meaning=Meaning.ROOM)
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


def _with_occupants(heads: tuple[SheetHead, ...]) -> tuple[SheetHead, ...]:
    """Who holds the contract beside who lives there, in two columns: both are people of the room."""
    named = [head for head in heads if head.meaning is Meaning.NAME and not head.has_reading]
    holds = [head for head in named if _HOLDS.search(fold_title(head.title))]
    lives = [head for head in named if head not in holds and _LIVES.search(fold_title(head.title))]
    if not holds or not lives:
        return heads
    return tuple(
        head._replace(meaning=Meaning.OCCUPANT) if head in lives else head for head in heads
    )
