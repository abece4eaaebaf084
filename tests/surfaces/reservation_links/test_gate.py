"""What a reservation link opens, for how long, and what is told to whoever has none."""

import logging
import re
from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer, named_link
from pms.foundation.work import Work
from pms.offers.offer_links import RESERVATION_LINK, renew_reservation_link, revoke_reservation_link
from pms.offers.offers import offer_record
from pms.site.models import SiteConfiguration
from tests.cast import Cast
from tests.surfaces.reservation_links.conftest import DETAILS, OFFICE, Phone, made_phone

PHONE_NUMBER = "03-9876-5432"
PAGES = ("", "/details", "/explanation", "/contract", "/nothing/here")


def give_phone_number(database: Database, cast: Cast) -> None:
    id_ = cast.sumida.workspace_id
    with database.writing(id_) as session:
        session.get_one(SiteConfiguration, (id_, id_)).contact_phone = PHONE_NUMBER


def test_no_page_is_kept_found_or_told_of(phone: Phone) -> None:
    phone.post("/details", DETAILS)
    phone.explain()
    for path in PAGES:
        answer = phone.get(path)
        assert answer.status_code == (404 if "nothing" in path else 200)
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert "Set-Cookie" not in answer.headers
        title = re.findall("<title>(.*?)</title>", answer.text)[0]
        assert "102" not in title
        assert "田中" not in title
        assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", answer.text)


def test_every_address_refuses_what_is_no_link_with_the_same_body(
    client: FlaskClient, phone: Phone, elsewhere: Phone
) -> None:
    signer = Signer(str(client.application.secret_key))
    reading = client.application.extensions["pms.auth_context"].reading
    named = named_link(reading, signer, RESERVATION_LINK, phone.token)
    foreign = named_link(reading, signer, RESERVATION_LINK, elsewhere.token)
    assert named is not None
    assert foreign is not None
    bad = [
        "nonsense",
        "x" * 900,
        phone.token[:-1],
        signer.sign_parts(RESERVATION_LINK.purpose, *named[:2], "0" * 32),
        signer.sign_parts("share-link", *named),
        signer.sign_parts(RESERVATION_LINK.purpose, foreign.workspace_id, *named[1:]),
        signer.sign_parts(RESERVATION_LINK.purpose, named.workspace_id, *foreign[1:]),
        Signer("another key").sign_parts(RESERVATION_LINK.purpose, *named),
    ]
    bodies = set()
    for token in bad:
        for path in ("", "/contract"):
            answer = client.get(f"/reserve/{token}{path}", headers={"Accept-Language": "en"})
            assert answer.status_code == 404, token
            bodies.add(answer.text)
    assert len(bodies) == 1
    assert "隅田" not in bodies.pop()


@pytest.mark.parametrize("way", ["expired", "revoked", "gone"])
def test_an_offer_that_is_over_says_whom_to_phone_and_nothing_else(
    way: str, phone: Phone, clock: FixedClock, cast: Cast, database: Database
) -> None:
    give_phone_number(database, cast)
    phone.post("/details", DETAILS)
    if way == "expired":
        clock.advance(timedelta(days=7))
    elif way == "revoked":
        with database.writing(cast.sumida.workspace_id) as session:
            revoke_reservation_link(Work(session, clock, OFFICE), link_id=phone.link_id)
    else:
        rival = made_phone(phone.client, clock, cast.sumida)
        rival.post("/details", {**DETAILS, "name": "鈴木 春子"})
        assert rival.sign({"signature": "鈴木 春子", "agreed": "y"}).status_code == 303
    posted = (("POST", "/details"), ("POST", "/contract"), ("POST", "/payment"))
    for method, path in (*(("GET", path) for path in PAGES), *posted):
        answer = phone.client.open(phone.home + path, method=method)
        assert answer.status_code == 410, path
        assert f'href="tel:{PHONE_NUMBER.replace("-", "")}"' in answer.text
        for secret in ("田中", "鈴木", "tanaka@", "93,000"):
            assert secret not in answer.text, (path, secret)


def test_a_form_of_another_link_or_of_none_changes_nothing(
    phone: Phone, elsewhere: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    foreign = elsewhere.hidden("/details", "csrf_token")
    for token in ("", "guessed", foreign):
        data = {**DETAILS, "csrf_token": token}
        assert phone.client.post(f"{phone.home}/details", data=data).status_code == 400
    with database.reading(cast.sumida.workspace_id) as session:
        assert offer_record(session, phone.link_id, clock.now()).details is None


def test_a_renewed_link_ends_the_one_given_out_before(
    phone: Phone, clock: FixedClock, cast: Cast, database: Database
) -> None:
    signer = Signer(str(phone.client.application.secret_key))
    with database.writing(cast.sumida.workspace_id) as session:
        made = renew_reservation_link(
            Work(session, clock, OFFICE), link_id=phone.link_id, signer=signer
        )
    assert phone.get().status_code == 404
    assert phone.client.get(f"/reserve/{made.token}").status_code == 200


def test_the_log_tells_an_opening_without_what_opens_it(
    phone: Phone, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        phone.get()
        phone.post("/details", DETAILS)
    written = caplog.text + "".join(capfd.readouterr())
    assert phone.token not in written


def test_an_opening_is_noted_once_a_minute(
    phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    def opened_at() -> object:
        with database.reading(cast.sumida.workspace_id) as session:
            return offer_record(session, phone.link_id, clock.now()).last_opened_at

    phone.get()
    first = opened_at()
    assert first == clock.now()
    clock.advance(timedelta(seconds=30))
    phone.get()
    assert opened_at() == first
    clock.advance(timedelta(minutes=1))
    phone.get()
    assert opened_at() == clock.now()


def test_an_address_is_short_and_one_of_an_earlier_release_stays_good(
    client: FlaskClient, phone: Phone
) -> None:
    signer = Signer(str(client.application.secret_key))
    reading = client.application.extensions["pms.auth_context"].reading
    named = named_link(reading, signer, RESERVATION_LINK, phone.token)
    assert named is not None
    assert len(phone.token) < 64
    for token in (phone.token, signer.sign_parts(RESERVATION_LINK.purpose, *named)):
        assert client.get(f"/reserve/{token}").status_code == 200
