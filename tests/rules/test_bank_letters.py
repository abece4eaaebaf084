"""The bytes of a bank's fields, read and cut."""

import pytest

from pms.rules.bank_letters import bank_bytes, cut_bytes, half_width_length, read_bank_bytes


@pytest.mark.parametrize(
    ("data", "text", "is_sound"),
    [
        (b" A~  ", " A~", True),
        (b"\xa1\xb1\xdf", "｡ｱﾟ", True),
        (b"\x1fA", "<1F>A", False),
        (b"A\x7f", "A<7F>", False),
        (b"\xa0\xe0", "<A0><E0>", False),
        (b"\x05", "<05>", False),
    ],
)
def test_a_byte_that_is_no_letter_is_shown_by_its_number(
    data: bytes, text: str, is_sound: bool
) -> None:
    assert read_bank_bytes(data) == (text, is_sound)


@pytest.mark.parametrize(
    ("text", "longest", "length"),
    [("アイウ", 3, 3), ("アイウ", 2, 2), ("アガ", 3, 3), ("アガ", 2, 1), ("アパイ", 3, 3)],
)
def test_a_field_is_filled_but_no_kana_loses_its_mark(text: str, longest: int, length: int) -> None:
    written = bank_bytes(text)
    assert cut_bytes(written, longest) == written[:length]


def test_a_mark_widens_a_name_by_a_byte() -> None:
    assert [half_width_length(text) for text in ("ガパ", "ｶﾞ", "カ ", "XA")] == [4, 2, 1, 2]


def test_a_mark_alone_and_the_first_and_last_kana_are_written() -> None:
    assert bank_bytes("アン゛".replace("゛", "\u3099")) == b"\xb1\xdd\xde"
    assert bank_bytes("カ\u309a") == b"\xb6\xdf"
    assert bank_bytes("a-1 (b)") == b"A-1 (B)"
