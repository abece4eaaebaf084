"""Makes up residents, their bills and how they pay them, with whose each transfer really is.

The names come from few parts, so that surnames, whole names, amounts and rooms meet by chance as
they do in a large house; the traps are sown on top.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from pms.rules.bank_letters import bank_bytes, cut_bytes, read_bank_bytes
from pms.rules.bank_statements import BankRow, MoneyMove
from pms.rules.open_bills import USUAL_FEES, OpenBill, PaymentPart
from pms.rules.payer_names import name_words
from pms.rules.people_index import RentPayer

_JAPANESE = (
    "ヤマダ:YAMADA ヤマモト:YAMAMOTO サトウ:SATO スズキ:SUZUKI タカハシ:TAKAHASHI オオノ:ONO オノ:ONO "
    "イトウ:ITO コバヤシ:KOBAYASHI マエダ:MAEDA マエ:MAE フジタ:FUJITA フジイ:FUJII ワタナベ:WATANABE "
    "ゴウダ:GODA シミズ:SHIMIZU ハヤシ:HAYASHI モリ:MORI モリタ:MORITA ウエノ:UENO"
)
_GIVEN = (
    "リョウ:RYO リョウコ:RYOKO ユウ:YU ユウコ:YUKO ユウト:YUTO ユキ:YUKI マイ:MAI マキ:MAKI レン:REN "
    "ジュン:JUN ジュンイチ:JUNICHI ゴウ:GO エリ:ERI ケンイチ:KENICHI サオリ:SAORI カズキ:KAZUKI "
    "キョウコ:KYOKO ショウタ:SHOTA ヨウ:YO"
)
_VIETNAMESE = "グエン:NGUYEN チャン:TRAN ファム:PHAM レ:LE ホアン:HOANG ヴー:VU ブイ:BUI"
_MIDDLE = "ティ:THI ヴァン:VAN ゴック:NGOC ミン:MINH タイン:THANH ドゥック:DUC"
_LAST = "マイ:MAI フオン:HUONG リン:LINH ナム:NAM フン:HUNG ソン:SON アイン:ANH ホア:HOA"
_NEPALESE = "グルン:GURUNG タパ:THAPA マガル:MAGAR シュレスタ:SHRESTHA ライ:RAI"
_NEPALESE_GIVEN = "シタ:SITA スニタ:SUNITA ラム:RAM ビカス:BIKASH プラカス:PRAKASH"
_NEPALESE_LAST = "クマル:KUMAR クマリ:KUMARI バハドゥル:BAHADUR プラサド:PRASAD"
_CHINESE = "ワン:WANG リー:LI ジャン:ZHANG チェン:CHEN ジョウ:ZHOU"
_CHINESE_GIVEN = "リーファ:LIHUA シャオミン:XIAOMING グオファ:GUOHUA ウェイ:WEI ハオラン:HAORAN"
_ENGLISH = "スミス:SMITH クラーク:CLARK パーカー:PARKER ウォーカー:WALKER ジョンソン:JOHNSON"
_ENGLISH_GIVEN = "ルーシー:LUCY マーティン:MARTIN エマ:EMMA ジョージ:GEORGE メアリー:MARY"
_STRANGERS = (
    "ホソカワ ヨシアキ",
    "ツルミ ツネオ",
    "モガミ テルミ",
    "クマガイ マサコ",
    "ハマグチ フミエ",
)
_COMPANIES = (
    "アオバコウギョウ",
    "ユキワリショウジ",
    "スミレセイソウ",
    "ツキミセイサクショ",
    "ナギサスイサン",
)
_FORMS = (
    ("カ）", "（カ", "カブシキガイシャ"),
    ("ユ）", "（ユ", "ユウゲンガイシャ"),
    ("ド）", "（ド", "ゴウドウガイシャ"),
)
_FIRST_DAY = date(2026, 10, 26)


@dataclass(frozen=True)
class Truth:
    """Whose a transfer really is and what it pays.

    `at_best` is how certain a careful clerk would be; without a word the names met by chance.
    """

    habit: str
    person_ids: tuple[str, ...] = ()
    parts: tuple[PaymentPart, ...] = ()
    at_best: str = ""


@dataclass
class MadeUp:
    """Everything that was made up."""

    people: list[RentPayer] = field(default_factory=list)
    bills: list[OpenBill] = field(default_factory=list)
    rows: list[BankRow] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)


def make_up(seed: int, residents: int = 300, transfers: int = 600) -> MadeUp:
    """The same world for the same seed."""
    return _World(Random(seed), residents).played(transfers)


class _World:
    def __init__(self, random: Random, residents: int) -> None:
        self.random, self.made = random, MadeUp()
        self.open: dict[str, OpenBill] = {}
        self.begun: set[str] = set()
        self.settled: set[str] = set()
        self.bills_of: defaultdict[str, list[str]] = defaultdict(list)
        references = random.sample(range(100000, 999999), residents)
        self.groups: list[tuple[str, list[str]]] = []
        self.family: dict[str, str] = {}
        for number in range(residents):
            self._add_person(f"P{number:04d}", str(references[number]))
        self._add_aliases()
        self.made.people = list(self.people.values())
        self.made.bills = list(self.open.values())
        self.shared = Counter(key for one in self.people.values() for key in _keys(one))
        self.first_words = Counter(
            word for one in self.people.values() for word in {name_words(n)[0] for n in one.names}
        )

    people: dict[str, RentPayer]

    def _add_person(self, id_: str, reference: str) -> None:
        kana, roman = self._name()
        people = self.__dict__.setdefault("people", {})
        people[id_] = RentPayer(
            id_,
            (kana, roman),
            str(self.random.randrange(1, 10) * 100 + self.random.randrange(1, 19)),
            (reference,),
        )
        rent = self.random.randrange(40000, 70000, 1000)
        months = self.random.choices((1, 2, 3, 0), (80, 14, 3, 3))[0]
        for month in range(months):
            due = date(2026, 10, 31) - timedelta(days=30 * (months - 1 - month))
            self._add_bill(id_, rent, due)
        if self.random.random() < 0.12:
            self._add_bill(id_, self.random.randrange(3000, 15000), date(2026, 11, 5))

    def _add_bill(self, person: str, yen: int, due: date) -> None:
        id_ = f"B{len(self.open):04d}"
        self.open[id_] = OpenBill(id_, person, due, due - timedelta(days=6), yen)
        self.bills_of[person].append(id_)

    def _name(self) -> tuple[str, str]:
        pools = self.random.choices(
            (
                (_JAPANESE, _GIVEN),
                (_VIETNAMESE, _MIDDLE, _LAST),
                (_NEPALESE, _NEPALESE_GIVEN, _NEPALESE_LAST),
                (_NEPALESE, _NEPALESE_GIVEN),
                (_CHINESE, _CHINESE_GIVEN),
                (_ENGLISH, _ENGLISH_GIVEN),
            ),
            (50, 18, 8, 4, 10, 10),
        )[0]
        parts = [self.random.choice(pool.split()).split(":") for pool in pools]
        return " ".join(kana for kana, _ in parts), " ".join(roman for _, roman in parts)

    def _add_aliases(self) -> None:
        ids = list(self.people)
        for company in _COMPANIES:
            for forms in self.random.sample(_FORMS, 2):
                chosen = self.random.sample(ids, self.random.choice((1, 2, 4)))
                self._remember(chosen, f"{forms[0]}{company}")
                self.groups.append((company + "|" + "|".join(forms), chosen))
        for name in _STRANGERS[2:]:
            person = self.random.choice(ids)
            self._remember([person], name)
            self.family[person] = name

    def _remember(self, ids: list[str], alias: str) -> None:
        for id_ in ids:
            person = self.people[id_]
            self.people[id_] = person._replace(aliases=(*person.aliases, alias))

    def played(self, transfers: int) -> MadeUp:
        habits = [name for name in dir(self) if name.startswith("pays_")]
        weights = [30 if name in _USUAL else 3 for name in habits]
        while len(self.made.rows) < transfers:
            getattr(self, self.random.choices(habits, weights)[0])()
        return self.made

    # What a row says, and what it means.

    def _row(self, payer: str, yen: int, truth: Truth, message: str = "", **other: object) -> None:
        number = f"{len(self.made.rows) + 1:08d}"
        written, _ = read_bank_bytes(cut_bytes(bank_bytes(payer), 48))
        row = BankRow(
            len(self.made.rows) + 2,
            number,
            _FIRST_DAY + timedelta(days=len(self.made.rows) // 40),
            True,
            MoneyMove.TRANSFER,
            yen,
            written,
            message,
        )
        self.made.rows.append(replace(row, **other))  # type: ignore[arg-type]
        self.made.truths.append(truth)
        if truth.at_best != "certain":
            # Nobody knows what a clerk makes of it, so nothing more is made up about them.
            self.settled.update(truth.person_ids)
        for part in truth.parts:
            bill = self.open[part.bill_id]
            self.begun.add(part.bill_id)
            self.open[part.bill_id] = bill._replace(open_yen=bill.open_yen - part.yen)

    def _still(self, person: str) -> list[OpenBill]:
        found = [self.open[id_] for id_ in self.bills_of[person] if self.open[id_].open_yen > 0]
        return sorted(found, key=lambda bill: (bill.due_on, bill.issued_on, bill.id))

    def _debtor(self, most: int = 9) -> tuple[RentPayer, list[OpenBill]] | None:
        for _ in range(60):
            person = self.random.choice(list(self.people.values()))
            if person.id in self.settled:
                continue
            bills = self._still(person.id)
            # A rest that a fee left open is no bill that anybody pays.
            if 1 <= len(bills) <= most and not any(bill.id in self.begun for bill in bills):
                return person, bills
        return None

    def _is_alone(self, person: RentPayer) -> bool:
        """Whether nobody else bears any of the names, or names that take them in."""
        mine = [set(name_words(name)) for name in person.names]
        others = [
            set(name_words(n)) for o in self.people.values() if o.id != person.id for n in o.names
        ]
        return not any(one <= other or other <= one for one in mine for other in others)

    def _said(self, person: RentPayer) -> str:
        kana, roman = person.names
        return self.random.choice(
            (kana, kana, kana, kana.replace(" ", ""), roman, " ".join(roman.split()[::-1]))
        )

    def _usual(
        self, person: RentPayer, bills: list[OpenBill]
    ) -> tuple[int, tuple[PaymentPart, ...], bool]:
        """An amount with what it pays, and whether no other bills add up to it."""
        way = self.random.choice(("one", "one", "one", "all", "fee", "part"))
        chosen = bills if way == "all" or len(bills) == 1 else bills[:1]
        yen = sum(bill.open_yen for bill in chosen)
        parts = tuple(PaymentPart(bill.id, person.id, bill.open_yen) for bill in chosen)
        if way == "fee" and len(chosen) == 1:
            yen -= self.random.choice(USUAL_FEES)
            parts = (PaymentPart(chosen[0].id, person.id, yen),)
        elif way == "part" and len(bills) == 1:
            yen = self.random.randrange(1, yen)
            parts = (PaymentPart(chosen[0].id, person.id, yen),)
        return yen, parts, yen > 0 and (len(bills) == 1 or chosen == bills or way != "fee")

    def _pays(self, habit: str, say: object, *, sure: bool = True, message: object = None) -> None:
        found = self._debtor()
        if found is None:
            return
        person, bills = found
        yen, parts, is_plain = self._usual(person, bills)
        if yen <= 0:
            return
        fits_other = any(
            bill.open_yen == yen and bill.resident_id != person.id for bill in self.open.values()
        )
        is_part = sum(part.yen for part in parts) < sum(
            self.open[part.bill_id].open_yen for part in parts
        )
        is_sure = sure and is_plain and self._is_alone(person) and not (is_part and fits_other)
        text = say(person)  # type: ignore[operator]
        edi = message(person) if message else ""  # type: ignore[operator]
        self._row(text, yen, Truth(habit, (person.id,), parts, "certain" if is_sure else ""), edi)

    def pays_by_full_name(self) -> None:
        self._pays("full_name", self._said)

    def pays_by_reference(self) -> None:
        def say(person: RentPayer) -> str:
            number, name = person.references[0], self._said(person)
            gap = self.random.choice(("", " "))
            return self.random.choice((f"{number}{gap}{name}", f"{name}{gap}{number}", number))

        self._pays("reference", say)

    def pays_by_reference_with_a_hyphen(self) -> None:
        self._pays("hyphen", lambda p: f"{p.references[0][:3]}-{p.references[0][3:]} {p.names[0]}")

    def pays_with_a_message(self) -> None:
        self._pays(
            "message", lambda _: _STRANGERS[0], message=lambda p: p.references[0], sure=False
        )

    def pays_with_words_around(self) -> None:
        word = self.random.choice(
            ("ヤチン", "ヤチン（11ガツ）", "11ガツブン", "ヤチン 11ガツブン ")
        )
        self._pays("words", lambda p: f"{word}{p.names[0].replace(' ', '')}")

    def pays_with_a_telephone(self) -> None:
        self._pays("telephone", lambda p: f"{p.names[0]} 090{self.random.randrange(10**8):08d}")

    def pays_by_room_and_surname(self) -> None:
        found = self._debtor(1)
        if found:
            person, (bill,) = found
            text = (
                f"{person.room}{self.random.choice(('ゴウシツ ', ' '))}{person.names[0].split()[0]}"
            )
            parts = (PaymentPart(bill.id, person.id, bill.open_yen),)
            self._row(text, bill.open_yen, Truth("room", (person.id,), parts))

    def pays_by_a_company_with_the_name(self) -> None:
        self._pays("company_name", lambda p: f"ド）マツカゼコウム {p.names[0]}")

    def pays_cut_at_48(self) -> None:
        found = self._debtor(1)
        if found:
            person, (bill,) = found
            long = "カ）トウキョウグローバルスタッフサービスジンザイホンブ ヤチンシ"
            parts = (PaymentPart(bill.id, person.id, bill.open_yen),)
            self._row(f"{long} {person.names[0]}", bill.open_yen, Truth("cut", (person.id,), parts))

    def pays_by_a_remembered_company(self) -> None:
        named, ids = self.random.choice(self.groups)
        company, before, behind, long = named.split("|")
        if self.settled & set(ids):
            return
        bills = [bill for id_ in ids for bill in self._still(id_)]
        if not bills or any(bill.id in self.begun for bill in bills):
            return
        text = self.random.choice(
            (f"{before}{company}", f"{company}{behind}", f"{long} {company}", f"{company} {long}")
        )
        yen = sum(bill.open_yen for bill in bills)
        parts = tuple(PaymentPart(bill.id, bill.resident_id, bill.open_yen) for bill in bills)
        payers = tuple(dict.fromkeys(bill.resident_id for bill in bills))
        self._row(text, yen, Truth("company", payers, parts, "certain"))

    def pays_by_a_company_some(self) -> None:
        named, ids = self.random.choice(self.groups)
        company, before, *_ = named.split("|")
        payer = self.random.choice(ids)
        if self.settled & set(ids):
            return
        bills = self._still(payer)
        if bills and len({bill.open_yen for id_ in ids for bill in self._still(id_)}) == len(
            [bill for id_ in ids for bill in self._still(id_)]
        ):
            parts = (PaymentPart(bills[0].id, payer, bills[0].open_yen),)
            self._row(
                f"{before}{company}", bills[0].open_yen, Truth("company_some", (payer,), parts)
            )

    def pays_by_family(self) -> None:
        if not self.family:
            return
        person = self.random.choice(list(self.family))
        bills = self._still(person)
        if (
            bills
            and person not in self.settled
            and not any(bill.id in self.begun for bill in bills)
        ):
            parts = tuple(PaymentPart(bill.id, person, bill.open_yen) for bill in bills)
            yen = sum(bill.open_yen for bill in bills)
            self._row(self.family[person], yen, Truth("family", (person,), parts, "certain"))

    # Traps: none of these is certain for anybody but whom it is of.

    def pays_by_surname(self) -> None:
        self._pays("surname", lambda p: p.names[0].split()[0], sure=False)

    def pays_by_another_given_name(self) -> None:
        self._pays("given", lambda p: f"{p.names[0].split()[0]} テルミ", sure=False)

    def pays_with_the_middle_left_out(self) -> None:
        self._pays(
            "middle", lambda p: f"{p.names[0].split()[0]} {p.names[0].split()[-1]}", sure=False
        )

    def pays_with_a_letter_wrong(self) -> None:
        def say(person: RentPayer) -> str:
            name = person.names[0]
            place = self.random.randrange(1, len(name))
            return self.random.choice(
                (name[:place] + name[place + 1 :], name[:place] + "ー" + name[place:])
            )

        self._pays("letter", say, sure=False)

    def pays_with_the_reference_of_another(self) -> None:
        other = self.random.choice(list(self.people.values()))
        if not self._is_alone(other):
            return
        self._pays("conflict", lambda p: f"{other.references[0]} {p.names[0]}", sure=False)

    def pays_with_the_reference_mistyped(self) -> None:
        def say(person: RentPayer) -> str:
            digits = list(person.references[0])
            place = self.random.randrange(6)
            digits[place] = str((int(digits[place]) + 1) % 10)
            return f"{''.join(digits)} {person.names[0].split()[0]}"

        self._pays("mistyped", say, sure=False)

    def pays_twice(self) -> None:
        done = [
            place
            for place, truth in enumerate(self.made.truths)
            if truth.at_best == "certain" and not self.settled & set(truth.person_ids)
        ]
        if done:
            place = self.random.choice(done)
            row, truth = self.made.rows[place], self.made.truths[place]
            if any(self._still(person) for person in truth.person_ids):
                return
            self._row(
                row.payer, row.yen, Truth("twice", truth.person_ids, (), "likely"), row.message
            )

    def pays_too_much(self) -> None:
        found = self._debtor(1)
        if found:
            person, (bill,) = found
            parts = (PaymentPart(bill.id, person.id, bill.open_yen),)
            truth = Truth("over", (person.id,), parts, "likely" if self._is_alone(person) else "")
            self._row(person.names[0], bill.open_yen * 2, truth)

    def pays_as_a_stranger(self) -> None:
        bill = self.random.choice(list(self.open.values()))
        name = self.random.choice(
            (_STRANGERS[0], _STRANGERS[1], "ヤマモト（カ", "カ）サトウ", "テンピョウデンリョク（カ")
        )
        self._row(name, max(bill.open_yen, 1), Truth("stranger", at_best="unknown"))

    def pays_as_another_company_of_a_remembered_name(self) -> None:
        named, _ = self.random.choice(self.groups)
        company = named.split("|")[0]
        known = {
            alias[:2] for one in self.people.values() for alias in one.aliases if company in alias
        }
        other = [forms[0] for forms in _FORMS if forms[0] not in known]
        if other:
            bill = self.random.choice(list(self.open.values()))
            truth = Truth("other_company", at_best="unknown")
            self._row(f"{other[0]}{company}", max(bill.open_yen, 1), truth)

    def pays_a_refund(self) -> None:
        person = self.random.choice(list(self.people.values()))
        self._row(
            person.names[0], 61200, Truth("refund"), is_deposit=False, move=MoneyMove.TRANSFER
        )

    def pays_interest(self) -> None:
        truth = Truth("interest", at_best="unknown")
        self._row("", self.random.randrange(1, 90), truth, move=MoneyMove.INTEREST, text="ﾘｿｸ")

    def pays_and_takes_back(self) -> None:
        found = self._debtor(1)
        if found:
            person, (bill,) = found
            self._row(person.names[0], bill.open_yen, Truth("taken_back", at_best="unknown"))
            self.settled.add(person.id)
            self._row(
                person.names[0],
                bill.open_yen,
                Truth("correction"),
                is_deposit=False,
                move=MoneyMove.CORRECTION,
            )

    def pays_with_broken_letters(self) -> None:
        found = self._debtor(1)
        if found:
            person, (bill,) = found
            parts = (PaymentPart(bill.id, person.id, bill.open_yen),)
            name = person.names[0]
            self._row(name, bill.open_yen, Truth("broken", (person.id,), parts), is_broken=True)


_USUAL = frozenset({"pays_by_full_name", "pays_by_reference"})


def _keys(person: RentPayer) -> set[str]:
    return {"".join(sorted(name_words(name))) for name in person.names}
