"""What some reservations have open is what the whole workspace says of them."""

import random
from datetime import date, timedelta

import pytest

from pms.foundation.errors import Problem
from pms.ledger.charges import post_arrears_charge, post_charge, post_credit
from pms.ledger.debts import unsettled_standings, unsettled_standings_of
from pms.ledger.posting import void_entry
from tests.ledger.conftest import Books, in_both

pytestmark = pytest.mark.differs("indexes, and how empty lists are asked for")
_WORDS = in_both("家賃", "Rent")


def _write(books: Books, chance: random.Random, who: str) -> None:
    yen = chance.choice((1_000, 2_000, 3_000))
    entries = [entry.id for entry in books.entries(who)]
    match chance.randrange(5):
        case 0 if entries:
            books.do(void_entry, chance.choice(entries))
        case 1 if entries:
            books.do(post_arrears_charge, entry_id=chance.choice(entries), amount_yen=yen)
        case 2:
            books.pay(books.clock.today(), who, yen)
        case 3:
            books.do(post_credit, reservation_id=who, amount_yen=yen, label=_WORDS)
        case _:
            books.do(post_charge, reservation_id=who, amount_yen=yen, label=_WORDS)


def test_of_some_it_is_what_it_is_of_all(books: Books) -> None:
    chance = random.Random(7)
    people = [books.resident(date(2026, 9, 1), date(2027, 8, 31)) for _ in range(4)]
    began = books.clock.today()
    for _ in range(40):
        books.at(books.clock.today() + timedelta(days=chance.randrange(2)))
        try:
            _write(books, chance, chance.choice(people))
        except Problem:
            continue
    for on in (began + timedelta(days=4), books.clock.today()):
        with books.reading() as session:
            everybody = unsettled_standings(session, on)
            assert everybody
            for some in ([], people[:1], people[1:]):
                found = unsettled_standings_of(session, on, some)
                assert found.keys() == everybody.keys() & set(some)
                for who in found:
                    assert set(found[who]) == set(everybody[who])
