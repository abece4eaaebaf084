"""Every word of an enumeration is said in both languages, and states have the tone of a tag."""

from enum import StrEnum
from typing import get_args

import pytest
from flask import Flask, render_template_string

from pms.jobs.daily_jobs import DAILY_JOBS
from pms.rules import enumerations
from pms.rules.enumerations import (
    AvailabilityState,
    EsignStatus,
    Lifecycle,
    PaymentStatus,
    RunKind,
    RunState,
    SettlementState,
)
from pms.surfaces.labels.enumerations import LABELS, TONES, Tone, choices, label_of, tone

ENUMERATIONS = [
    found
    for found in vars(enumerations).values()
    if isinstance(found, type) and issubclass(found, StrEnum) and found is not StrEnum
]


@pytest.mark.parametrize("words", ENUMERATIONS, ids=lambda words: words.__name__)
def test_every_enumeration_of_the_rules_has_words(words: type[StrEnum]) -> None:
    assert set(LABELS[words]) == {member.value for member in words}


def test_every_member_is_said_in_japanese_and_english(app: Flask) -> None:
    said = {}
    for language in ("ja", "en"):
        with app.test_request_context(f"/?lang={language}"):
            said[language] = [label_of(member) for words in LABELS for member in words]
    alike = {one for one, other in zip(said["ja"], said["en"], strict=True) if one == other}
    assert alike <= {"Wi-Fi", "LINE", "WhatsApp"}
    assert all(said["ja"])


def test_one_value_is_said_by_what_it_is_a_state_of(app: Flask) -> None:
    with app.test_request_context("/?lang=ja"):
        assert label_of(PaymentStatus.PENDING) == "入金待ち"
        assert label_of(EsignStatus.PENDING) == "未送付"


def test_a_template_says_a_state_and_its_tone(app: Flask) -> None:
    with app.test_request_context("/?lang=en"):
        said = render_template_string("{{ state|label }} {{ state|tone }}", state=Lifecycle.LIVING)
    assert said == "Current ok"


@pytest.mark.parametrize(
    "states",
    [AvailabilityState, EsignStatus, Lifecycle, PaymentStatus, RunState, SettlementState],
    ids=lambda states: states.__name__,
)
def test_what_asks_for_attention_has_a_tone(states: type[StrEnum]) -> None:
    tones = {tone(member) for member in states}
    assert tones <= set(get_args(Tone))
    assert len(tones) > 2


def test_a_tone_is_given_to_members_alone() -> None:
    for words, tones in TONES.items():
        assert set(tones) <= {member.value for member in words}


def test_a_form_offers_every_member_with_its_word(app: Flask) -> None:
    with app.test_request_context("/?lang=en"):
        assert ("living", "Current") in choices(Lifecycle)


def test_every_daily_job_is_a_kind_of_run() -> None:
    assert {job.name for job in DAILY_JOBS} <= {kind.value for kind in RunKind}
