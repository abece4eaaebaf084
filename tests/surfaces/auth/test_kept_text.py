"""What somebody typed while their session ended is there again once the same person is back."""

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select
from wtforms import Form

from pms.access.models import KeptForm
from pms.access.own_sessions import sign_out_everywhere
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.surfaces import dashboard
from pms.surfaces.kept_fields import may_be_kept
from tests.staff import Staff
from tests.surfaces.auth.conftest import Stranger

PATH = "/dashboard/sumida/people"
TYPED = {
    "email": "typed@new.example",
    "role": "office",
    "reach": "all",
    "password": "Passwords, secrets, codes and files are not kept",
}
OWN_PAGE = {"Origin": "http://localhost"}


@pytest.fixture
def cut_off(stranger: Stranger, database: Database, staff: Staff, clock: FixedClock) -> Stranger:
    """Somebody whose session ended in the middle of a form."""
    stranger.signs_in()
    with database.across_workspaces_writing() as session:
        sign_out_everywhere(session, clock, staff.operator_id)
    return stranger


def test_the_text_is_shown_and_sent_after_signing_in_again(cut_off: Stranger) -> None:
    refused = cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE)
    way = refused.location or ""
    assert way.startswith("/sign-in?kept=")
    kept = way.partition("kept=")[2]
    back = cut_off.signs_in(kept=kept).location or ""
    page = cut_off.opens(back).text
    assert "typed@new.example" in page
    assert "Passwords, secrets, codes and files are not kept" not in page
    sent = cut_off.sends(PATH, {name: TYPED[name] for name in ("email", "role", "reach")})
    assert sent.location == PATH


SECRETS = {
    "/dashboard/sumida/me/password": ("currentPassword", "newPassword"),
    "/dashboard/sumida/me/second-factor/removal": ("code",),
    "/dashboard/sumida/integrations/payment": ("secret",),
    "/dashboard/sumida/integrations/webhooks/line/secrets": ("secret",),
    "/dashboard/sumida/buildings/x/handbook": ("guardedCode",),
}


@pytest.mark.parametrize("path", SECRETS)
def test_no_secret_is_ever_written_down_or_shown(
    cut_off: Stranger, database: Database, path: str
) -> None:
    typed = {"note": "worth keeping", **dict.fromkeys(SECRETS[path], "hunter2-hunter2")}
    refused = cut_off.client.post(path, data=typed, headers=OWN_PAGE)
    kept = (refused.location or "").partition("kept=")[2]
    with database.across_workspaces_reading() as session:
        assert [row.fields for row in session.scalars(select(KeptForm))] == [
            [["note", "worth keeping"]]
        ]
    page = cut_off.opens(cut_off.signs_in(kept=kept).location or "").text
    assert "worth keeping" in page
    assert "hunter2" not in page
    assert "<form" not in page.partition("<main")[2].partition("</main>")[0]


def test_a_form_of_nothing_but_secrets_is_not_kept(cut_off: Stranger) -> None:
    typed = {"currentPassword": "hunter2", "newPassword": "hunter2-hunter2"}
    path = "/dashboard/sumida/me/password"
    assert cut_off.client.post(path, data=typed, headers=OWN_PAGE).location == "/sign-in"


LEFT_OUT = {
    "code": "digits of an app, recovery codes",
    "guardedCode": "entrance codes, and what belongs to them",
    "codeChange": "sent without its code it would take the code away",
    "codeSeen": "sent without its code it would take the code away",
    "secret": "secrets of providers",
    "account": "sent without its secret it would be refused",
    "password": "passwords",
    "currentPassword": "passwords",
    "newPassword": "passwords",
    "file": "no file is kept",
    "photo": "no file is kept",
    "logo": "no file is kept",
    "picture": "no file is kept",
    "number": "numbers of identity papers",
    **dict.fromkeys(
        (
            *("bankCode", "bankName", "branchCode", "branchName"),
            *("accountKind", "accountNumber", "accountHolder"),
            *("customer", "debitClient", "payeeAccount", "payoutAccount", "payoutClient"),
        ),
        "accounts at banks",
    ),
}


def test_of_every_field_of_the_dashboard_it_is_decided_whether_it_is_kept() -> None:
    for module in pkgutil.walk_packages(dashboard.__path__, "pms.surfaces.dashboard."):
        importlib.import_module(module.name)
    undecided = {
        f"{form.__module__}: {name}"
        for form in _forms(Form)
        for name in dir(form)
        if hasattr(getattr(form, name), "field_class") and may_be_kept(name) == (name in LEFT_OUT)
    }
    assert not undecided, "name it in kept_fields.py, or above with the reason why not"


def _forms(base: type[Form]) -> Iterator[type[Form]]:
    for form in base.__subclasses__():
        if form.__module__.startswith("pms.surfaces.dashboard."):
            yield form
        yield from _forms(form)


def test_another_person_does_not_see_it(cut_off: Stranger) -> None:
    kept = (cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE).location or "").partition("=")[
        2
    ]
    cut_off.signs_in(email="office@sumida.example")
    assert cut_off.opens(f"/sign-in/kept/{kept}").location == "/workspaces"


def test_it_is_forgotten_after_half_a_day(cut_off: Stranger, clock: FixedClock) -> None:
    kept = (cut_off.client.post(PATH, data=TYPED, headers=OWN_PAGE).location or "").partition("=")[
        2
    ]
    clock.advance(timedelta(hours=12))
    assert cut_off.signs_in(kept=kept).location == f"/sign-in/kept/{kept}"
    assert cut_off.opens(f"/sign-in/kept/{kept}").location == "/workspaces"


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_a_form_of_another_site_is_not_kept(cut_off: Stranger, headers: dict[str, str]) -> None:
    refused = cut_off.client.post(PATH, data=TYPED, headers=headers)
    assert refused.location == "/sign-in"


def test_a_form_that_postgresql_could_not_store_is_not_kept(cut_off: Stranger) -> None:
    typed = {**TYPED, "email": "a\0"}
    assert "kept=" not in (cut_off.client.post(PATH, data=typed, headers=OWN_PAGE).location or "")


def test_nothing_is_kept_for_who_never_was_in(app: Flask, stranger: Stranger) -> None:
    assert stranger.client.post(PATH, data=TYPED, headers=OWN_PAGE).location == "/sign-in"


def test_nobody_keeps_a_library(cut_off: Stranger) -> None:
    long = TYPED | {"note": "x" * 200_001}
    assert cut_off.client.post(PATH, data=long, headers=OWN_PAGE).location == "/sign-in"


def test_the_same_person_keeps_the_forms_of_other_tabs(cut_off: Stranger) -> None:
    cut_off.opens("/sign-in")
    with cut_off.client.session_transaction() as cookie:
        before = cookie["csrf_token"]
    cut_off.signs_in()
    with cut_off.client.session_transaction() as cookie:
        assert cookie["csrf_token"] == before
    cut_off.signs_in(email="office@sumida.example")
    with cut_off.client.session_transaction() as cookie:
        assert cookie.get("csrf_token") != before
