"""What a row does not offer is never stored, and what is stored and unreadable stops no page."""

from typing import Any

import pytest
from sqlalchemy import select, update

from pms.arrivals.models import Takeover, TakeoverRow
from pms.arrivals.takeover import guides
from pms.arrivals.takeover.answered import LEFT, TAKEN
from pms.arrivals.takeover.guides import WrongCells
from pms.foundation.errors import Refused
from tests.takeover.test_guide import LATER, Office, office, row_of

__all__ = ["office"]

_ROLL = "コーポ桐,2026/11/20現在,11月分請求済\n号室,氏名,契約開始,賃料,共益費,敷金,滞納額\n"


def start(office: Office, *cells: str) -> str:
    return office.send([("a.csv", (_ROLL + "\n".join(cells) + "\n").encode())])


def codes(office: Office, id_: str) -> list[str]:
    (row,) = office.guide(id_).prepared.rows
    return [question.code for question in row.waiting]


@pytest.mark.parametrize("state", ["", "gone", "LET"])
def test_a_state_that_is_not_offered_is_refused(office: Office, state: str) -> None:
    id_ = office.start("three_rooms.tsv")
    with pytest.raises(WrongCells) as wrong:
        office.types(id_, "line 2", state=state)
    assert wrong.value.codes == {("line 2", "state"): "not_a_state"}
    assert office.count(TakeoverRow) == 0


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        (LATER, {"starts_later_paid": "yes"}),
        (LATER, {"room_twice": LEFT}),
        ("レントロール!13", {"company": TAKEN}),
    ],
)
def test_an_answer_that_is_not_offered_is_refused(
    office: Office, at: str, answer: dict[str, str]
) -> None:
    id_ = office.start("heights_aoba.xlsx")
    with pytest.raises(Refused, match="Choose one of those shown"):
        office.types(id_, at, answer)
    assert office.count(TakeoverRow) == 0


def test_rows_and_proposals_that_are_not_there_are_refused(office: Office) -> None:
    id_ = office.start("heights_aoba.xlsx")
    guide = office.guide(id_)
    with pytest.raises(Refused, match="no longer in the files"):
        office.do(guides.edit_rows, guide, [guides.TypedRow("nowhere!1", {"rent": "1"}, {})])
    with pytest.raises(Refused, match="no longer in the files"):
        office.do(guides.accept_differences, guide, {"nowhere!1": "fine"})
    with pytest.raises(Refused, match="answered already"):
        office.do(guides.answer_all, guide, "starts_later_paid")


def test_stored_answers_that_cannot_be_read_are_left_out_and_named(office: Office) -> None:
    id_ = office.start("three_rooms.tsv")
    office.types(id_, "line 2", deposit="55000")

    def spoil(session: Any) -> None:
        row = session.scalar(select(TakeoverRow))
        row.edits = {"state": "", "rent": "much", "deposit": "55000", "colour": "red"}
        session.execute(
            update(Takeover).values(answers={"asOf": "soon"}, columns={"やちん": "rent-ish"})
        )

    office.do(spoil)
    guide = office.guide(id_)
    assert sorted((left.at, left.field) for left in guide.left_out) == [
        ("", "asOf"),
        ("", "やちん"),
        ("line 2", "colour"),
        ("line 2", "rent"),
        ("line 2", "state"),
    ]
    values = row_of(guide, "line 2").values
    assert (values["state"], values["deposit"]) == ("let", "55000")


def test_stored_answers_in_another_shape_are_left_out_and_named(office: Office) -> None:
    id_ = office.start("three_rooms.tsv")

    def spoil(session: Any) -> None:
        answers = {"days": {"three_rooms.tsv": "soon"}, "sheets": "all", "readings": ["a"]}
        session.execute(update(Takeover).values(answers=answers))

    office.do(spoil)
    left = {(left.at, left.field) for left in office.guide(id_).left_out}
    assert left == {("", "three_rooms.tsv"), ("", "sheets"), ("", "readings")}


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ("101,山田 一,2025/4/1,500,0,0,0", "rent_small"),
        ("101,山田 一,2025/4/1,50000,3,50000,0", "fee_small"),
        ("101,山田 一,2025/4/1,5000,50000,5000,0", "fee_large"),
        ("101,山田 一,2025/4/1,50000,3000,1100,0", "deposit_small"),
        ("101,山田 一,2025/4/1,50000,3000,500000,0", "deposit_large"),
    ],
)
def test_an_amount_that_is_most_likely_wrong_waits_for_a_word(
    office: Office, cells: str, code: str
) -> None:
    id_ = start(office, cells)
    assert codes(office, id_) == [code]
    office.types(id_, "line 3", {code: LEFT})
    assert codes(office, id_) == []


def test_an_amount_that_is_edited_after_its_confirmation_is_asked_about_again(
    office: Office,
) -> None:
    id_ = start(office, "101,山田 一,2025/4/1,50000,3,50000,0")
    office.types(id_, "line 3", {"fee_small": LEFT})
    office.types(id_, "line 3", {"fee_small": LEFT}, commonFee="30")
    assert codes(office, id_) == ["fee_small"]
    office.types(id_, "line 3", {"fee_small": ""}, commonFee="3000")
    assert codes(office, id_) == []


def test_a_typed_amount_is_asked_about_like_one_of_the_file(office: Office) -> None:
    id_ = start(office, "101,山田 一,2025/4/1,50000,3000,50000,0")
    assert codes(office, id_) == []
    office.types(id_, "line 3", deposit="5")
    assert codes(office, id_) == ["deposit_small"]


def test_the_check_names_what_differs_and_by_how_much(office: Office) -> None:
    id_ = start(office, "101,山田 一,2025/4/1,50000,3000,50000,0")
    office.do(guides.keep_totals, id_, {"depositHeld": 55_000})
    with pytest.raises(Refused) as refused:
        office.live(id_)
    assert "deposits held are 50000 yen in the rows and 55000 yen in your books" in str(
        refused.value
    )
