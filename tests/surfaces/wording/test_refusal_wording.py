"""A refusal is said in the language of the reader, with days, amounts and states in its words."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Final

import pytest
from flask import Flask

from pms.foundation.errors import Problem, Refused, TooMany, no_such
from pms.foundation.phrases import Phrase, all_of, any_of, join_with_commas
from pms.rules.enumerations import EsignStatus, Lifecycle
from pms.sheets.refusals import SheetRefused
from pms.surfaces.labels.refusals import refusal_text

MOVE_OUT: Final = date(2026, 12, 1)
MOVE_IN: Final = date(2027, 1, 15)


@contextmanager
def reading(app: Flask, language: str) -> Iterator[None]:
    with app.test_request_context(f"/?lang={language}"):
        yield


def both(app: Flask, problem: Problem) -> tuple[str, str]:
    lines = []
    for language in ("ja", "en"):
        with reading(app, language):
            lines.append(refusal_text(problem))
    return lines[0], lines[1]


def too_early() -> Refused:
    return Refused(
        "moveOutDate: {move_out_on} is before the move-in. Choose {start_on} or a later day.",
        move_out_on=MOVE_OUT,
        start_on=MOVE_IN,
    )


def test_programs_read_the_finished_english_with_the_field() -> None:
    assert too_early().message == (
        "moveOutDate: 2026-12-01 is before the move-in. Choose 2027-01-15 or a later day."
    )


def test_people_read_their_language_without_the_field(app: Flask) -> None:
    assert both(app, too_early()) == (
        "退去日（2026年12月1日）は、入居日（2027年1月15日）以降の日付を入力してください。",
        "1 December 2026 is before the move-in. Choose 15 January 2027 or a later day.",
    )


def test_the_field_stands_before_the_sentence_when_it_is_asked_for(app: Flask) -> None:
    with reading(app, "en"):
        refusal = refusal_text(Refused("name: a name has no end."), with_field=True)
    assert refusal == "name: A name has no end."


@pytest.mark.parametrize(
    ("template", "field"),
    [
        ("moveOutDate: it is past.", "moveOutDate"),
        ("deductions[{place}].amountYen: too much.", "deductions[2].amountYen"),
        ("{field}: it is past.", "moveInDate"),
        ("There is no unit 'a: b'.", None),
        ("qualified invoice number: 'T1' is too short.", None),
        ("Authorization: this key is not known here.", None),
    ],
)
def test_a_refusal_names_its_field(template: str, field: str | None) -> None:
    assert Refused(template, place=2, field="moveInDate").field == field


def test_states_and_amounts_are_said_in_words(app: Flask) -> None:
    held = Refused(
        "settlement: this {lifecycle} reservation has nothing to settle.",
        lifecycle=Lifecycle.TRANSFERRED,
    )
    assert both(app, held) == (
        "「契約変更済み」のこの契約に、精算するものはありません。",
        "This transferred reservation has nothing to settle.",
    )
    with reading(app, "en"):
        assert refusal_text(Refused("{held_yen} yen are held.", held_yen=-1_234_567)) == (
            "−1,234,567 yen are held."
        )


def test_parts_of_a_sentence_are_translated_and_joined(app: Flask) -> None:
    missing = Phrase(
        "the contract is not signed (esignStatus {state})", state=EsignStatus.PARTIALLY_SIGNED
    )
    refused = Refused(
        "lifecycle: the booking cannot be confirmed: {missing}.", missing=all_of([missing, missing])
    )
    assert refused.message.count("(esignStatus partially_signed) and the contract") == 1
    assert both(app, refused) == (
        "予約を確定できません。契約書が署名済みではありません（一部署名済み）、"
        "契約書が署名済みではありません（一部署名済み）。",
        "The booking cannot be confirmed: the contract is not signed (partly signed)"
        " and the contract is not signed (partly signed).",
    )


def test_alternatives_and_lists_are_joined_as_each_language_joins_them(app: Flask) -> None:
    states = (Lifecycle.LIVING, Lifecycle.CANCELLED)
    either = Refused("{states}", states=any_of(states))
    plain = Refused("{states}", states=join_with_commas(states))
    assert (either.message, plain.message) == ("living or cancelled", "living, cancelled")
    assert both(app, either) == ("入居中またはキャンセル", "Current or cancelled")
    assert both(app, plain) == ("入居中、キャンセル", "Current, cancelled")


def test_months_and_instants_are_said_as_they_are_in_japan(app: Flask) -> None:
    refusal = Refused(
        "{month_on:%Y-%m} and {at:%Y-%m-%d at %H:%M} and {plain_at}",
        month_on=MOVE_IN,
        at=datetime(2026, 11, 20, 20, 5, tzinfo=UTC),
        plain_at=datetime(2026, 11, 20, 20, 5, tzinfo=UTC),
    )
    assert refusal.message == "2027-01 and 2026-11-20 at 20:05 and 2026-11-20T20:05:00+00:00"
    assert both(app, refusal)[1] == (
        "January 2027 and 21 November 2026 at 05:05 and 21 November 2026 at 05:05"
    )
    assert both(app, refusal)[0].startswith("2027年1月 and 2026年11月21日 05:05")


def test_a_sheet_is_refused_in_the_words_it_brings(app: Flask) -> None:
    assert both(app, SheetRefused("empty_file")) == ("ファイルが空です。", "The file is empty.")


def test_what_a_person_typed_is_said_as_it_is(app: Flask) -> None:
    wanted = Phrase("an email address such as name@example.jp")
    typed = Refused(
        "{field}: '{value}' is not {allowed}.", field="email", value="{day} %s <b>", allowed=wanted
    )
    assert both(app, typed) == (
        "「{day} %s <b>」は使えません。name@example.jpのようなメールアドレスを入力してください。",
        "'{day} %s <b>' is not an email address such as name@example.jp.",
    )


def test_a_refusal_is_put_beside_the_field_of_the_form_that_asked(app: Flask) -> None:
    moved = Refused("lastDay: {day} is past.", day=MOVE_OUT).beside("movesOn")
    assert (moved.field, moved.message) == ("movesOn", "movesOn: 2026-12-01 is past.")
    assert both(app, moved)[1] == "1 December 2026 is past."


def test_a_spent_budget_still_tells_when_to_come_again() -> None:
    spent = TooMany("Wait {retry_after_seconds} seconds.", retry_after_seconds=7)
    assert (spent.message, spent.retry_after_seconds) == ("Wait 7 seconds.", 7)


def test_what_is_not_there_is_named_in_each_language_without_its_id(app: Flask) -> None:
    missing = no_such("reservation", "0190")
    assert missing.message == "There is no reservation '0190'."
    assert both(app, missing) == ("契約が見つかりません。", "This reservation was not found.")
    assert both(app, no_such("fee")) == ("費用項目が見つかりません。", "This fee was not found.")


def test_what_was_left_empty_is_asked_for_and_never_quoted(app: Flask) -> None:
    empty = Refused("slug: '{slug}' is not possible. Use letters.", slug=" ")
    nameless = Refused("'{given}' is not a status of a transfer.", given="")
    with app.test_request_context("/?lang=ja"):
        assert refusal_text(empty) == "入力してください。"
        assert refusal_text(nameless) == "必要な項目が空欄です。入力してやり直してください。"
    with app.test_request_context("/?lang=en"):
        assert refusal_text(empty, with_field=True) == "slug: Please fill this in."
        typed = Refused("slug: '{slug}' is not possible. Use letters.", slug="x y")
        assert refusal_text(typed) == "'x y' is not possible. Use letters."
