"""JSON is read strictly: every oddity is named with its place, and no text costs more than reading it."""

import time

import pytest

from pms.rules.provider_json import MOST_LEVELS, BadJson, describe_value, read_json


def problems(raw: bytes) -> tuple[str, ...]:
    with pytest.raises(BadJson) as refused:
        read_json(raw)
    return refused.value.problems


def test_plain_json_is_read_as_it_is() -> None:
    body = read_json('{"a": [1, -2, 1.5, true, null, "é", {}], "b": 9223372036854775807}'.encode())
    assert body == {"a": [1, -2, 1.5, True, None, "é", {}], "b": 2**63 - 1}


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b" ",
        b"{",
        b'{"a": 1',
        b'{"a": "b',
        b'"\\',
        b"{'a': 1}",
        b'{"a": 1,}',
        b'{"a": 01}',
        b'{"a": +1}',
        b'{"a": .5}',
        b'{"a": 0x1}',
        b'{"a": 1_000}',
        '{"a": １２}'.encode(),
        b'{"a": "\n"}',
        b'{"a": "\0"}',
        b'{"a": 1} {"a": 1}',
        b'\xef\xbb\xbf{"a": 1}',
        b'{"a": "\\x41"}',
        b"undefined",
    ],
)
def test_what_is_no_json_is_named_with_its_place(raw: bytes) -> None:
    (problem,) = problems(raw)
    assert problem.startswith("The body is not JSON: ")
    assert " at character " in problem


@pytest.mark.parametrize("raw", [b"\xff", b'{"a": "\xed\xa0\x80"}', b'"\xc0\x80"', b"\xff\xfe{\0"])
def test_what_is_no_utf8_is_named_with_its_octet(raw: bytes) -> None:
    (problem,) = problems(raw)
    assert problem.startswith("The body is not valid UTF-8 at octet ")


def test_a_name_given_twice_is_named_with_its_path() -> None:
    found = problems(b'{"a": 1, "b": [{"c": 1, "d": 2, "c": 3, "c": 4}], "a": 2}')
    assert found == ("a: given more than once.", "b[0].c: given more than once.")


def test_numbers_no_program_keeps_are_named_with_their_paths() -> None:
    found = problems(
        b'{"a": [1, 9223372036854775808], "b": {"c": NaN}, "d": -Infinity, "e": 1e999}'
    )
    assert [one.split(" is not ")[0] for one in found] == [
        "a[1]: '9223372036854775808'",
        "b.c: 'NaN'",
        "d: '-Infinity'",
        "e: '1e999'",
    ]
    assert problems(b"9" * 100_000)[0].startswith("The body: '9999")


def test_it_may_be_nested_so_deep_and_no_deeper() -> None:
    assert read_json(b"[" * MOST_LEVELS + b"]" * MOST_LEVELS)
    deeper = MOST_LEVELS + 1
    assert "32 levels" in problems(b"[" * deeper + b"]" * deeper)[0]
    assert "32 levels" in problems(b'{"a":' * deeper + b"1" + b"}" * deeper)[0]
    # Brackets within a text open nothing.
    assert read_json(b'["' + b"[" * 1_000 + b'\\"' + b"{" * 1_000 + b'"]')


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b"[]" * 500_000,
        b'"' + b'\\"' * 500_000,
        b'"' * 1_000_000,
        b'{"a":"' + b"\\" * 1_000_000,
        b"{" + b'"a":1,' * 150_000 + b'"a":1}',
        b"[" + b"1e999," * 150_000 + b"1]",
        b"9" * 1_000_000,
    ],
    ids=[str(number) for number in range(9)],
)
def test_no_text_of_a_mebibyte_takes_long(raw: bytes) -> None:
    began = time.process_time()
    problems(raw)
    assert time.process_time() - began < 5


def test_what_is_shown_of_a_value_is_short_and_printable() -> None:
    values: tuple[object, ...] = (None, True, 1, 1.5, [], {}, "a")
    assert [describe_value(value) for value in values] == [
        "null",
        "true",
        "1",
        "1.5",
        "a list",
        "an object",
        "a",
    ]
    assert describe_value("x" * 61) == "x" * 60 + "…"
    assert describe_value("a\ud800\0\n\u202e") == "a" + "\ufffd" * 4
