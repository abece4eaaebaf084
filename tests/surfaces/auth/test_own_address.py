"""The page on which a member of staff changes their own address."""

import re

import pytest
from flask import Flask

from pms.foundation.clock import FixedClock
from tests.staff import Browser, Staff, open_browser
from tests.surfaces.auth.conftest import PASSWORD, Post


@pytest.fixture
def operator(app: Flask, clock: FixedClock, staff: Staff) -> Browser:
    """Sumida's operator, signed in by password."""
    return open_browser(app, clock, staff.operator_id, "sumida")


@pytest.fixture
def elsewhere(app: Flask, clock: FixedClock, staff: Staff) -> Browser:
    """The same person on another device."""
    return open_browser(app, clock, staff.operator_id, "sumida")


@pytest.mark.parametrize(
    ("language", "sent", "changed"),
    [
        ("en", "We have sent an email to", "You now sign in with tomoko@new.example"),
        ("ja", "にメールを送信しました", "今後のログインには tomoko@new.example を使います"),
    ],
)
def test_the_own_address_is_changed_by_the_code_mailed_to_the_new_one(
    operator: Browser,
    elsewhere: Browser,
    post: Post,
    *,
    language: str,
    sent: str,
    changed: str,
) -> None:
    assert "/me/address" in operator.get(f"/me?lang={language}").text
    typed = {"email": "tomoko@new.example", "currentPassword": PASSWORD}
    answer = operator.post("/me/address", typed)
    assert answer.location == "/dashboard/sumida/me/address/code"
    page = operator.get("/me/address/code").text
    assert sent in page
    assert "tomoko@new.example" in page
    assert operator.post("/me/address/code", {"pin": "12"}).status_code == 422
    assert elsewhere.get("/me").status_code == 200
    assert operator.post("/me/address/code", {"pin": post.pin()}).status_code == 303
    page = operator.get("/me").text
    assert changed in page
    assert "operator@sumida.example" not in page
    assert elsewhere.get("/me").status_code == 303
    assert operator.get("/me/address/code").location == "/dashboard/sumida/me/address"


@pytest.mark.parametrize("address", ["", "tomoko", "operator@sumida.example"])
def test_an_address_that_cannot_become_the_new_one_is_refused_in_place(
    operator: Browser, post: Post, address: str
) -> None:
    typed = {"email": address, "currentPassword": PASSWORD}
    answer = operator.post("/me/address?lang=en", typed)
    assert answer.status_code == 422
    assert 'id="email-error"' in answer.text or 'href="#email"' in answer.text
    assert post.count() == 0


def test_an_address_with_an_account_gets_the_page_that_a_free_one_gets(operator: Browser) -> None:
    pages = []
    for address in ("tomoko@new.example", "office@sumida.example"):
        typed = {"email": address, "currentPassword": PASSWORD}
        answer = operator.post("/me/address", typed)
        page = operator.get("/me/address/code").text.replace(address, "")
        refused = operator.post("/me/address/code", {"pin": "000000"})
        shown = re.sub(r"[\w+/=.-]{30,}", "", page + refused.text.replace(address, ""))
        pages.append((answer.status_code, answer.location, refused.status_code, shown))
    assert pages[0] == pages[1]


def test_a_code_without_a_request_leads_to_the_form(operator: Browser) -> None:
    for answer in (
        operator.get("/me/address/code"),
        operator.post("/me/address/code", {"pin": "123456"}),
    ):
        assert (answer.status_code, answer.location) == (303, "/dashboard/sumida/me/address")
