"""Fields of a body are read strictly, and all that is wrong with them is told at once."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from pms.foundation.errors import Refused
from pms.rules.enumerations import Locale
from pms.surfaces.agent_api.json_body import JsonBody


def body(**given: Any) -> JsonBody:
    return JsonBody.of(json.dumps(given).encode())


def refusal_of(asked: JsonBody) -> str:
    with pytest.raises(Refused) as refused:
        asked.finish()
    return refused.value.message


def test_a_text_is_composed_trimmed_and_may_have_lines() -> None:
    asked = body(a=" e\u0301\r\nb\rc\t ", b="", c="  ", d=None)
    assert asked.text("a", 10) == "é\nb\nc"
    assert [asked.text(name, 10) for name in "bcde"] == [None] * 4
    asked.finish()


@pytest.mark.parametrize("bad", ["\0", "a\0b", "\ud800", "a\udfffb", "\x1b[31m", "\x7f", "\u0085"])
def test_a_text_holds_no_nul_no_surrogate_and_no_control(bad: str) -> None:
    asked = body(a=f"x{bad}x")
    asked.text("a", 10)
    assert refusal_of(asked).startswith("a: '")
    assert refusal_of(asked).isprintable()


def test_a_line_is_one_line() -> None:
    asked = body(a="x\nBcc: everyone@example.jp")
    asked.line("a", 100)
    assert refusal_of(asked).startswith(
        "a: 'x\ufffdBcc: everyone@example.jp' is not a line without "
    )


@pytest.mark.parametrize("bad", [1, 1.5, True, [], {}, ["a"]])
def test_what_is_no_text_is_named(bad: object) -> None:
    asked = body(a=bad, b=bad, c=bad, d=bad, e=bad)
    asked.text("a", 10)
    asked.day("b")
    asked.instant("c")
    asked.choice("d", Locale)
    asked.identity("e")
    assert [part in refusal_of(asked) for part in ("a: '", "b: '", "c: '", "d: '", "e: '")] == [
        True
    ] * 5


def test_a_text_is_as_long_as_it_may_be_after_it_is_composed() -> None:
    asked = body(a="e\u0301" * 10, b="x" * 11)
    assert asked.text("a", 10) == "é" * 10
    asked.text("b", 10)
    assert refusal_of(asked) == "b: '11 characters' is not a text of 0 to 10 characters."


def test_what_is_needed_and_not_there_is_named_with_what_is_wanted() -> None:
    asked = body(b="  ", c=None)
    for name in "abc":
        asked.text(name, 5, needed=True)
    asked.whole("d", 1, 9, needed=True)
    asked.day("e", needed=True)
    asked.choice("f", Locale, needed=True)
    asked.identity("g", needed=True)
    asked.items("h", 1, 3)
    message = refusal_of(asked)
    assert message.count("missing; wanted is ") == 8
    assert "f: missing; wanted is one of ja, en." in message


@pytest.mark.parametrize("bad", [0, 10, -1, 1.0, 5.5, "5", "５", True, [], {}, 2**63 - 1])
def test_a_whole_number_is_a_whole_number_within_its_bounds(bad: object) -> None:
    asked = body(a=bad, b=5)
    asked.whole("a", 1, 9)
    assert asked.whole("b", 1, 9) == 5
    assert asked.whole("c", 1, 9) is None
    assert refusal_of(asked).startswith("a: '")
    assert refusal_of(asked).endswith("is not a whole number from 1 to 9.")


@pytest.mark.parametrize(
    "bad",
    ["1899-12-31", "2201-01-01", "2026-02-30", "20260101", "2026-W01-1", "２０２６-01-01", "0", ""],
)
def test_a_day_is_a_day_between_1900_and_2200(bad: str) -> None:
    asked = body(a=bad, b="1900-01-01", c="2200-12-31")
    asked.day("a")
    assert (asked.day("b"), asked.day("c")) == (date(1900, 1, 1), date(2200, 12, 31))
    assert refusal_of(asked) == f"a: '{bad}' is not a day YYYY-MM-DD from 1900-01-01 to 2200-12-31."


@pytest.mark.parametrize(
    "bad",
    [
        "2026-07-01",
        "2026-07-01T09:30:00",
        "2026-07-01 09:30:00Z",
        "2026-07-01T24:00:00Z",
        "2026-07-01T09:30:60Z",
        "2026-07-01T09:30:00+99:00",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
        "1899-12-31T00:00:00Z",
        "２０２６-07-01T09:30:00Z",
    ],
)
def test_an_instant_has_an_offset_and_a_year_that_is_read(bad: str) -> None:
    asked = body(a=bad)
    asked.instant("a")
    assert refusal_of(asked) == f"a: '{bad}' is not an instant such as 2026-07-01T09:30:00Z."


def test_an_instant_is_kept_in_utc_to_the_second() -> None:
    asked = body(a="2026-07-01T09:30:00.999999+09:00", b="2026-07-01T00:30:00Z")
    wanted = datetime(2026, 7, 1, 0, 30, tzinfo=UTC)
    assert (asked.instant("a"), asked.instant("b")) == (wanted, wanted)
    asked.finish()


def test_addresses_and_numbers_are_checked_with_all_the_rest() -> None:
    asked = body(email="a@b", phone="call me", unit="x")
    asked.email("email", needed=True)
    asked.phone("phone")
    asked.identity("unit")
    assert refusal_of(asked) == (
        "email: 'a@b' is not an email address that can be mailed: write a domain such as "
        "example.jp after the @."
        " phone: 'call me' is not a telephone number such as 03-1234-5678."
        " unit: 'x' is not an id of 32 hexadecimal digits."
    )


def test_problems_within_a_list_are_named_by_their_place() -> None:
    asked = body(items=[{"quantity": 1}, {"quantity": 0}, 5, {"more": [{"x": "y"}]}])
    items = asked.items("items", 1, 5)
    for item in items:
        item.whole("quantity", 1, 9)
    items[-1].items("more", 1, 1)[0].day("x")
    message = refusal_of(asked)
    assert "items[1].quantity: '0' is not a whole number from 1 to 9." in message
    assert "items[2]: '5' is not an object." in message
    assert "items[3].more[0].x: 'y' is not a day" in message


@pytest.mark.parametrize("bad", [[], [{}] * 4, {}, "x", 1])
def test_a_list_has_so_many_objects(bad: object) -> None:
    asked = body(a=bad)
    assert asked.items("a", 1, 3) == []
    assert refusal_of(asked).endswith("is not a list of 1 to 3 objects.")


def test_a_small_object_holds_plain_values_under_printable_names() -> None:
    given = {"a": "b", "c": 1, "d": 1.5, "e": True, "f": None}
    asked = body(p=given, q={"a": []}, r={"\0": 1}, s={"x" * 61: 1}, t=dict.fromkeys("abc"), u=[])
    assert asked.plain("p") == given
    assert asked.plain("none") == {}
    asked.finish()
    asked.plain("q")
    asked.plain("r")
    asked.plain("s")
    asked.plain("t", most_names=2)
    asked.plain("u")
    message = refusal_of(asked)
    assert "q.a: 'a list' is not a text, a number, true, false or null." in message
    assert "r.\ufffd: '1 characters' is not a printable name of 1 to 60." in message
    assert "t: 'an object of 3' is not an object of at most 2 names." in message
    assert "u: 'a list' is not an object" in message


def test_a_flag_is_true_or_false() -> None:
    asked = body(a=True, b=False, c="true")
    assert [asked.flag(name) for name in "abd"] == [True, False, False]
    asked.flag("c")
    assert refusal_of(asked) == "c: 'true' is not true or false."


def test_a_field_nobody_asks_for_is_ignored() -> None:
    asked = body(colour="red", a="b")
    assert asked.text("a", 5) == "b"
    asked.finish()


@pytest.mark.parametrize(
    ("raw", "kind"),
    [(b"[]", "a list"), (b'"a"', "a text"), (b"1", "a number"), (b"null", "null"), (b"true", "tr")],
)
def test_a_body_is_an_object(raw: bytes, kind: str) -> None:
    with pytest.raises(Refused, match=rf"The body is {kind}.* not an object"):
        JsonBody.of(raw)


def test_only_the_first_problems_of_very_many_are_told() -> None:
    asked = body(items=[{"a": 0}] * 100)
    for item in asked.items("items", 1, 100):
        item.whole("a", 1, 2)
    assert refusal_of(asked).endswith("And 80 more.")
    with pytest.raises(Refused) as refused:
        JsonBody.of(b"{" + b'"a":NaN,' * 1_000 + b'"b":1}')
    assert len(refused.value.message) < 5_000
