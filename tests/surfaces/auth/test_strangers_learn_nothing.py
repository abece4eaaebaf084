"""A known and an unknown address get the same answer: status, headers, length, body and time."""

import re
from time import process_time

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.surfaces.auth.conftest import Stranger

KNOWN, UNKNOWN = "operator@sumida.example", "nobodyhe@sumida.example"
# What is new in every answer, whoever asks: ids, tokens, the cookie that holds them.
FRESH = re.compile(r'(?<=value=")[\w.-]{60,}(?=")|/pin/[0-9a-f]{16}|[0-9a-f]{32}')
PATHS_OF_A_PIN = ("password", "code")


def comparable(answer: TestResponse, address: str) -> tuple[int, dict[str, str], str]:
    headers = {
        name: FRESH.sub("", value)
        for name, value in answer.headers
        if name not in ("Set-Cookie", "X-Request-Id")
    }
    return answer.status_code, headers, FRESH.sub("", answer.text.replace(address, "someone"))


def cookie_names(answer: TestResponse) -> list[str]:
    return [cookie.partition("=")[0] for cookie in answer.headers.getlist("Set-Cookie")]


@pytest.mark.parametrize("way", PATHS_OF_A_PIN)
def test_the_first_answer_is_the_same(app: Flask, stranger: Stranger, way: str) -> None:
    answers = []
    for address in (KNOWN, UNKNOWN):
        browser = Stranger(app.test_client())
        fields = {"email": address, "password": "wrong", "way": way}
        answers.append((browser.sends("/sign-in", fields), address))
    (known, _), (unknown, _) = answers
    assert comparable(*answers[0]) == comparable(*answers[1])
    assert cookie_names(known) == cookie_names(unknown)
    assert len(known.text) - len(KNOWN) * known.text.count(KNOWN) == len(unknown.text) - len(
        UNKNOWN
    ) * unknown.text.count(UNKNOWN)


def test_the_page_of_the_pin_and_every_refusal_are_the_same(app: Flask, stranger: Stranger) -> None:
    seen: list[list[tuple[int, dict[str, str], str]]] = []
    for address in (KNOWN, UNKNOWN):
        browser = Stranger(app.test_client())
        page = browser.asks_for_a_pin(address).location or ""
        answers = [browser.opens(page)]
        answers += [browser.types_the_pin(page, "000000") for _ in range(6)]
        answers += [browser.sends(f"{page}/again", {}) for _ in range(4)]
        answers += [browser.opens(page)]
        seen.append([comparable(answer, address) for answer in answers])
    assert seen[0] == seen[1]


@pytest.mark.only_on("sqlite")
@pytest.mark.parametrize("way", PATHS_OF_A_PIN)
def test_the_time_is_the_same(app: Flask, stranger: Stranger, way: str) -> None:
    took: dict[str, list[float]] = {KNOWN: [], UNKNOWN: []}
    for number in range(25):
        for address, times in took.items():
            browser = Stranger(app.test_client())
            browser.client.environ_base["REMOTE_ADDR"] = f"10.{len(address)}.{number}.1"
            page = browser.opens("/sign-in").text
            token = re.search(r'csrf_token" value="([^"]+)"', page)
            assert token is not None
            fields = {"email": address, "password": "x", "way": way, "csrf_token": token[1]}
            began = process_time()
            browser.client.post("/sign-in", data=fields)
            times.append(process_time() - began)
    # The first few are free, the others slowed down: both halves are compared, each by its least,
    # as whatever else the machine does only adds.
    for part in (slice(0, 3 if way == "code" else 5), slice(6, None)):
        known, unknown = min(took[KNOWN][part]), min(took[UNKNOWN][part])
        assert 0.5 < known / unknown < 2
