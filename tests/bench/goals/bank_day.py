"""S16: a bank file matched with residents, and the page of bank day with 20,000 transfers."""

import csv
import gc
import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import date
from functools import partial
from io import StringIO
from itertools import product
from statistics import median
from typing import Final

from sqlalchemy import create_engine, select, text
from sqlalchemy.orm import Session

from app import create_app
from pms.bank.bank_day import is_still_known, open_book
from pms.bank.book_files import match_statements, read_book
from pms.bank.models import BankTransfer
from pms.bank.payers import learn_payer
from pms.bank.statement_files import read_bank_file
from pms.bank.transfers import place_as_offered, set_transfer_aside
from pms.bank.verdicts import renew_verdicts, show_day, waiting_day
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.db import insert_new
from pms.foundation.files import Files
from pms.foundation.ids import new_id
from pms.foundation.migrating import migrate
from pms.foundation.phrases import Bilingual
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.ledger.charges import post_charge
from pms.ledger.payment_plan import record_payment
from pms.reservations.models import Reservation
from pms.rules.bank_statements import MoneyMove
from pms.rules.days import day_of
from pms.rules.enumerations import TransferState
from pms.rules.transfer_matching import MatchCertainty
from tests.bench.rounds import Figure, spread
from tests.bench.stage import Stage
from tests.databases import settings_of_a_test
from tests.demo.seeding import NOON, plain_album, seeded
from tests.screens.grown import grow_database
from tests.staff import open_browser

_TODAY: Final = date(2026, 11, 20)
_RESIDENTS, _TRANSFERS, _WAITING, _DIGITS = 500, 1_000, 20_000, 8
_SURNAMES: Final = (
    *("サトウ", "スズキ", "タカハシ", "タナカ", "イトウ", "ワタナベ", "ヤマモト", "ナカムラ"),
    *("コバヤシ", "カトウ", "ヨシダ", "ヤマダ", "ササキ", "ヤマグチ", "マツモト", "イノウエ"),
    *("キムラ", "ハヤシ", "シミズ", "ヤマザキ", "モリ", "アベ", "イケダ", "ハシモト", "イシカワ"),
)
_NAMES: Final = (
    *("タロウ", "ハナコ", "ケンジ", "ユウコ", "アキラ", "ミサキ", "ショウタ", "メグミ", "ダイスケ"),
    *("ナオミ", "コウジ", "サクラ", "リョウ", "アイ", "マコト", "ヨウコ", "ヒロシ", "ケイコ"),
    *("ツバサ", "ミドリ"),
)


def judge_bank_day(stage: Stage) -> Iterable[Figure]:
    """Matching itself, then the page that shows it."""
    yield from _judge_matching(stage)
    yield from _judge_page(stage)


def _judge_matching(stage: Stage) -> Iterable[Figure]:
    """Read the file, read who owes what, and answer every transfer, in CPU seconds."""
    statement, residents = _statement(), _residents()

    def match() -> float:
        began = time.process_time()
        book = read_book(residents)
        found = match_statements(read_bank_file(statement, _TODAY).statements, book)
        seconds = time.process_time() - began
        certain = sum(one.verdict is MatchCertainty.CERTAIN for one in found)
        assert certain > _RESIDENTS / 2, certain
        return seconds

    what = f"{_TRANSFERS:,} transfers against {_RESIDENTS} residents, CPU"
    yield Figure("S16", what, spread([match() for _ in range(stage.rounds)]), 2, 0.5, "s")


def _judge_page(stage: Stage) -> Iterable[Figure]:
    """The page of bank day after each kind of change, in CPU of the request, and the job's own."""
    settings = settings_of_a_test(stage.folder / "bank-day")
    migrate(settings)
    seeded(settings, plain_album(Files(settings)))
    workspace_id = _find_id(settings, _WORKSPACE)
    grow_database(settings.database_url, workspace_id, 10 if stage.is_quick else 100)
    clock, database = FixedClock(NOON), Database(settings)
    with database.writing(workspace_id) as session:
        _add_waiting_transfers(session, 2_000 if stage.is_quick else _WAITING)
    database.refresh_statistics()
    spent = _cpu_of(lambda: renew_verdicts(database, clock, workspace_id))
    yield Figure(
        "S16", "all verdicts made for the first time by the job, CPU", spread([spent]), 20, 10, "s"
    )
    costs: dict[str, list[tuple[float, float]]] = {what: [] for what in _CHANGES}
    with _bank_page(settings) as visit_page:
        visit_page()
        # As a worker of the server, which searches little for garbage.
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        for number, (what, change) in product(range(min(stage.rounds, 3)), _CHANGES.items()):
            database.write_as(workspace_id, clock, "bench", partial(change, number))
            shown = _cpu_of(visit_page)
            costs[what].append(
                (shown, _cpu_of(lambda: renew_verdicts(database, clock, workspace_id)))
            )
    for what, found in costs.items():
        page, job = zip(*found, strict=True)
        note = f"the job {median(job):.2f} s"
        yield Figure("S16", f"the page after {what}, CPU", spread(page), 0.2, 0.1, "s", note=note)
    database.dispose()


@contextmanager
def _bank_page(settings: Settings) -> Iterator[Callable[[], object]]:
    """The page of bank matching as a visit of an operator."""
    clock = FixedClock(NOON)
    with redirect_stdout(StringIO()):
        app = create_app(settings, clock=clock)
        staff = open_browser(app, clock, _find_id(settings, _OPERATOR), _SLUG, is_secure=True)

        def visit() -> object:
            answer = staff.get("/bank", follow_redirects=True)
            assert answer.status_code == 200, answer.status_code
            return answer

        yield visit
        app.extensions["pms.database"].dispose()


_SLUG: Final = "midori-living"
_WORKSPACE: Final = f"SELECT id FROM workspace WHERE slug = '{_SLUG}'"
_OPERATOR: Final = "SELECT id FROM person WHERE email = 'operator@midori.example'"


def _find_id(settings: Settings, question: str) -> str:
    engine = create_engine(settings.database_url)
    with engine.connect() as connection:
        found = str(connection.execute(text(question)).scalar_one())
    engine.dispose()
    return found


def _cpu_of(act: Callable[[], object]) -> float:
    began = time.process_time()
    act()
    return time.process_time() - began


def _add_waiting_transfers(session: Session, count: int) -> None:
    """Add transfers of residents: nine of ten pay a bill, others have a part of a name or amount."""
    book = open_book(session, day_of(NOON))
    people = {person.id: person for person in book.people}
    bills = [bill for bill in book.bills if bill.resident_id in people]
    some = session.scalars(select(BankTransfer)).first()
    assert some is not None
    facts = {column.key: getattr(some, column.key) for column in BankTransfer.__mapper__.columns}
    rows = []
    for number in range(count):
        bill = bills[number % len(bills)]
        payer = people[bill.resident_id].names[0]
        rows.append(
            facts
            | {
                "id": new_id(),
                "key": f"bench {number}",
                "number": f"{number:0{_DIGITS}}",
                "booked_on": day_of(NOON),
                "is_deposit": True,
                "move": MoneyMove.TRANSFER,
                "yen": bill.open_yen if number % 10 != 7 else bill.open_yen + 1_234,
                "payer": payer.split()[0] if number % 10 == 3 else payer,
                "message": "",
                "state": TransferState.WAITING,
            }
        )
    insert_new(session, BankTransfer, rows)


def _find_resident(work: Work, number: int) -> Reservation:
    owing = select(Reservation).where(is_still_known(day_of(NOON))).order_by(Reservation.id)
    return work.session.scalars(owing.offset(number * 37).limit(1)).one()


def _post_a_bill(number: int, work: Work) -> None:
    label = Bilingual("鍵", "Key")
    post_charge(work, reservation_id=_find_resident(work, number).id, amount_yen=3_300, label=label)


def _take_a_payment(number: int, work: Work) -> None:
    id_ = _find_resident(work, number).id
    record_payment(work, reservation_id=id_, amount_yen=1_000)


def _place_an_offer(number: int, work: Work) -> None:
    shown = show_day(
        work.session, work.clock.today(), lambda day: day.likely[::-1][number * 100 :][:100]
    )
    likely = shown.matched.values()
    # Transfers of the demo that were copied share the reference of their payment.
    one = next(one for one in likely if len(one.match.row.number) == _DIGITS)
    place_as_offered(work, one.transfer_id, one.match.offers[0].mark)


def _set_one_aside(number: int, work: Work) -> None:
    day = waiting_day(work.session, work.clock.today())
    set_transfer_aside(work, day.certain[number * 11].transfer_id, TransferState.NOT_OURS)


def _rename_a_resident(number: int, work: Work) -> None:
    row = _find_resident(work, number)
    row.name_kana = f"{row.name_kana}コ"


def _learn_a_payer(number: int, work: Work) -> None:
    id_ = _find_resident(work, number).id
    learn_payer(work, payer=f"カ）アオゾラ{number}", reservation_id=id_)


_CHANGES: Final[dict[str, Callable[[int, Work], None]]] = {
    "nothing": lambda _number, _work: None,
    "a bill": _post_a_bill,
    "a payment": _take_a_payment,
    "an offer taken": _place_an_offer,
    "a transfer set aside": _set_one_aside,
    "a resident renamed": _rename_a_resident,
    "a payer learnt": _learn_a_payer,
}


def _people() -> list[str]:
    return [f"{surname} {name}" for surname, name in product(_SURNAMES, _NAMES)][:_RESIDENTS]


def _rent(number: int) -> int:
    return 48_000 + 500 * (number % 97)


def _residents() -> bytes:
    residents = [
        {
            "id": f"R{number:04}",
            "building": "カワセミ",
            "room": str(number),
            "unit": f"カワセミ {number}",
            "name": {"ja": person, "kana": person, "roman": ""},
            "language": "ja",
            "reference": f"{number:06}",
            "aliases": [],
            "bills": [
                {
                    "id": f"B{number:04}-{month}",
                    "kind": "rent",
                    "period": f"2026-{month}",
                    "issued": f"2026-{month - 1:02}-25",
                    "due": f"2026-{month - 1:02}-27",
                    "amount": _rent(number),
                    "open": _rent(number),
                }
                for month in (11, 12)
            ],
        }
        for number, person in enumerate(_people())
    ]
    return json.dumps({"feesSeen": [330, 440, 660], "residents": residents}).encode()


def _statement() -> bytes:
    """Each resident pays a month, then the other; every tenth name or amount is not as billed."""
    text = StringIO()
    lines, balance = csv.writer(text), 1_000_000
    lines.writerow(["日付", "内容", "出金金額(円)", "入金金額(円)", "残高(円)"])
    people = _people()
    for number in range(_TRANSFERS):
        payer, yen = people[number % _RESIDENTS], _rent(number % _RESIDENTS)
        payer = payer.split()[0] if number % 10 == 3 else payer
        yen -= 440 if number % 10 == 7 else 0
        balance += yen
        lines.writerow(["2026/11/10", f"振込 {payer}", "", yen, balance])
    return text.getvalue().encode()
