"""From the offer to the booking on a telephone without JavaScript, and what is refused on the way."""

from typing import Any

import pytest
from sqlalchemy import select

from pms.checkouts.models import Checkout
from pms.contracts.models import Contract
from pms.contracts.queries import SIGNING_PAGE, current_contract
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail, ProviderCall
from pms.foundation.settings import Settings
from pms.foundation.work import Work
from pms.ledger.payment_plan import record_payment
from pms.offers.application_states import application
from pms.offers.models import ReservationLink
from pms.reservations.models import Reservation
from pms.rules.enumerations import CheckoutState, EsignStatus, IntegrationKind, Lifecycle
from pms.workspaces.models import Integration, Workspace
from tests.cast import LONG_AGO, Cast
from tests.statements.papers import text_of
from tests.surfaces.reservation_links.conftest import DETAILS, SIGNATURE, Phone

SIGN_HERE, PAY_HERE = "https://sign.example.com/1", "https://pay.example.com/1"


def integration_of_signatures(kind: IntegrationKind = IntegrationKind.ESIGN) -> Integration:
    facts: dict[str, Any] = {"address": "https://provider.example.com", "sealed_secret": "-"}
    return Integration(kind=kind, hint="1234", set_at=LONG_AGO, set_by="staff", **facts)


def bookings(database: Database, cast: Cast) -> list[Reservation]:
    with database.reading(cast.sumida.workspace_id) as session:
        asked = select(Reservation).where(Reservation.unit_id == cast.sumida.free_room_id)
        return list(session.scalars(asked))


@pytest.mark.differs("one journey through each surface")
def test_an_applicant_goes_from_the_offer_to_the_booking(
    phone: Phone, database: Database, cast: Cast, clock: FixedClock
) -> None:
    phone.get("?lang=en")
    offer = phone.get()
    # Twelve days of 31 and the whole of January, with the water: the start is after the 15th.
    for text in ("¥93,000", "¥98,000", "¥36,000", "two periods", "¥258,935", "2026-12-20"):
        assert text in offer.text, text
    assert phone.get("/contract").headers["Location"].endswith("/details"), "nobody is named yet"
    assert 'value="田中"' in phone.get("/details").text, "what is known is filled in"
    kept = phone.post("/details", DETAILS)
    assert (kept.status_code, kept.headers["Location"]) == (303, f"{phone.home}/contract")
    unexplained = phone.get("/contract")
    assert unexplained.headers["Location"] == f"{phone.home}/explanation"
    consent = phone.get("/explanation")
    assert "By law, before you sign, we must explain" in consent.text
    assert "更新がなく、期間の満了により終了します" not in consent.text, (
        "nobody agreed to see it here"
    )
    assert phone.get("/explanation.pdf").headers["Location"].endswith("/explanation")
    refused = phone.post("/explanation", {"documentHash": "0" * 64})
    assert (refused.status_code, "Tick this to show it here." in refused.text) == (422, True)
    document = phone.hidden("/explanation", "documentHash")
    agreed = {"documentHash": document, "agreed": "y"}
    assert phone.post("/explanation", agreed).status_code == 303
    explained = phone.get("/explanation").text
    assert "更新がなく、期間の満了により終了します" in explained
    assert "I have read the explanation" in explained
    assert "更新がなく" in text_of(phone.get("/explanation.pdf").data)
    assert phone.get("/contract").status_code == 303
    assert phone.get("/contract").headers["Location"] == f"{phone.home}/explanation"
    assert "A member of our staff goes through this document with you" in explained
    phone.talk_with_staff()
    went_on = phone.post("/explanation", agreed)
    assert (went_on.status_code, went_on.headers["Location"]) == (303, f"{phone.home}/contract")
    contract = phone.get("/contract")
    for text in ("定期建物賃貸借契約書", "田中 一郎", "¥258,935"):
        assert text in contract.text, text
    assert 'lang="ja"' in contract.text
    signed = phone.sign()
    assert (signed.status_code, signed.headers["Location"]) == (303, phone.home)
    (row,) = bookings(database, cast)
    assert (row.name, row.name_kana, row.phone) == ("田中 一郎", "タナカ イチロウ", "090-1234-5678")
    assert (row.lifecycle, row.esign_status) == (Lifecycle.BOOKED, EsignStatus.SIGNED)
    payment = phone.get()
    for text in (
        "¥258,935",
        "Waiting for payment",
        "Signed",
        "/resident/sumida",
        "The payment reference",
    ):
        assert text in payment.text, text
    with database.writing(cast.sumida.workspace_id) as session:
        found = application(session, row.id, clock.today()).invoice
        assert found is not None
        record_payment(
            Work(session, clock, "person/okada"),
            reservation_id=row.id,
            entry_id=found.entry_id,
            amount_yen=found.open_yen,
        )
    paid = phone.get()
    assert "Your booking is confirmed" in paid.text
    assert "Waiting" not in paid.text


@pytest.mark.differs("one journey through each surface")
def test_two_clicks_on_sign_make_one_booking(phone: Phone, database: Database, cast: Cast) -> None:
    phone.post("/details", DETAILS)
    phone.explain()
    token, document = (
        phone.hidden("/details", "csrf_token"),
        phone.hidden("/contract", "documentHash"),
    )
    data = {"csrf_token": token, "documentHash": document, **SIGNATURE}
    for _ in range(3):
        answer = phone.client.post(f"{phone.home}/contract", data=data)
        assert (answer.status_code, answer.headers["Location"]) == (303, phone.home)
    assert len(bookings(database, cast)) == 1
    for path in ("/details", "/contract"):
        assert phone.get(path).headers["Location"] == phone.home, "there is nothing left to state"
        assert phone.client.post(phone.home + path, data=data).status_code == 303


def test_after_signing_the_paper_is_the_kept_one(
    phone: Phone, database: Database, settings: Settings, cast: Cast
) -> None:
    phone.post("/details", DETAILS)
    phone.sign()
    with database.writing(cast.sumida.workspace_id) as session:
        [contract] = session.scalars(select(Contract))
        contract.file_key = Files(settings).put(b"%PDF as it was signed", "pdf")
    assert phone.get("/contract.pdf").data == b"%PDF as it was signed"


def test_details_are_refused_beside_their_field_and_kept_as_typed(phone: Phone) -> None:
    token = phone.hidden("/details", "csrf_token")
    for fields, words in (
        ({"name": ""}, "Please fill this in."),
        ({"email": "nobody"}, "Enter an email address such as name@example.com"),
        ({"phone": ""}, "Please fill this in."),
        ({"nameKana": "Tanaka"}, "Enter hiragana or katakana only."),
        ({"arrivalDate": "2026-12-01"}, "available from"),
        ({"arrivalDate": "soon"}, "Enter a date such as 2026-11-20"),
        ({"locale": "fr"}, "is not one of the choices"),
    ):
        typed = {**DETAILS, "name": "Ichirō <b>", "csrf_token": token, **fields}
        answer = phone.client.post(f"{phone.home}/details", data=typed)
        assert (answer.status_code, words in answer.text) == (422, True), fields
        (field,) = fields
        assert f'href="#{field}' in answer.text
        assert "Error:" in answer.text
        assert field == "name" or "Ichirō &lt;b&gt;" in answer.text


def test_nothing_is_booked_without_a_whole_signature(
    phone: Phone, database: Database, cast: Cast
) -> None:
    phone.post("/details", {**DETAILS, "locale": "en"})
    for fields, words in (
        ({"agreed": ""}, "Tick this to sign."),
        ({"signature": " "}, "Please fill this in."),
        ({"documentHash": "0" * 64}, "document was replaced in the meantime. Read the"),
    ):
        answer = phone.sign({**SIGNATURE, **fields})
        assert (answer.status_code, words in answer.text) == (422, True), fields
    assert bookings(database, cast) == []


def test_a_text_that_changed_is_read_again_before_it_is_signed(
    phone: Phone, database: Database, cast: Cast
) -> None:
    phone.post("/details", {**DETAILS, "locale": "en"})
    phone.explain()
    read = phone.hidden("/contract", "documentHash")
    with database.across_workspaces_writing() as session:
        session.get_one(Workspace, cast.sumida.workspace_id).name_en = "Another Company"
    answer = phone.post("/contract", {**SIGNATURE, "documentHash": read})
    assert answer.status_code == 422
    assert "Another Company" in answer.text
    assert bookings(database, cast) == []
    assert phone.sign().status_code == 303
    (row,) = bookings(database, cast)
    with database.reading(cast.sumida.workspace_id) as session:
        contract = current_contract(session, row.id)
    assert contract is not None
    assert "Another Company" in contract.body


def test_the_pages_speak_the_language_the_applicant_chose(phone: Phone) -> None:
    phone.post("/details", {**DETAILS, "locale": "en"})
    phone.explain()
    page = phone.get("/contract").text
    assert '<html lang="en"' in page
    assert "Sign and book" in page


def test_an_earlier_offer_without_its_last_day_is_not_signed(
    phone: Phone, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.scalars(select(ReservationLink)).one().contract_end_on = None
    shown = phone.get("?lang=en")
    assert (shown.status_code, "offer has no end date" in shown.text) == (409, True)


def test_the_contract_is_a_paper_before_and_after_it_is_signed(phone: Phone) -> None:
    assert phone.get("/contract.pdf").headers["Location"].endswith("/details")
    phone.post("/details", DETAILS)
    for words in ("未署名", "田中"):
        paper = phone.get("/contract.pdf")
        assert paper.mimetype == "application/pdf"
        assert paper.headers["Cache-Control"] == "no-store"
        assert words in text_of(paper.data)
        phone.sign()


def test_with_a_provider_the_home_is_booked_and_the_contract_waits_there(
    phone: Phone, database: Database, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(integration_of_signatures())
    phone.get("?lang=en")
    phone.post("/details", DETAILS)
    phone.explain()
    assert "Book and continue to sign" in phone.get("/contract").text
    read = phone.hidden("/contract", "documentHash")
    assert phone.post("/contract", {"documentHash": "0" * 64}).status_code == 422
    assert bookings(database, cast) == [], "nothing is booked by another text than was read"
    assert phone.post("/contract", {"documentHash": read}).status_code == 303
    (row,) = bookings(database, cast)
    assert row.esign_status is EsignStatus.SENT
    waiting = phone.get().text
    assert "contract is being sent to the signature service" in waiting
    with database.writing(cast.sumida.workspace_id) as session:
        (contract,) = session.scalars(select(Contract)).all()
        (mail,) = session.scalars(select(OutboxMail)).all()
        contract.envelope = "an envelope"
    assert phone.home in mail.text
    assert "Open the signing page" in phone.get().text
    assert phone.post("/signature").status_code == 303
    with database.writing(cast.sumida.workspace_id) as session:
        call = session.scalars(select(ProviderCall).where(ProviderCall.kind == SIGNING_PAGE)).one()
        assert phone.token not in repr(call.facts), "the provider keeps where one came from"
        session.get_one(Contract, (cast.sumida.workspace_id, contract.id)).signing_url = SIGN_HERE
    assert SIGN_HERE in phone.get().text


def test_paying_online_asks_for_one_page_however_often_it_is_clicked(
    phone: Phone, database: Database, cast: Cast
) -> None:
    phone.get("?lang=en")
    phone.post("/details", DETAILS)
    phone.sign()
    assert "Pay online" not in phone.get().text
    assert phone.post("/payment").status_code == 422
    with database.writing(cast.sumida.workspace_id) as session:
        session.add(integration_of_signatures(kind=IntegrationKind.PAYMENTS))
    assert "Pay online" in phone.get().text
    for _ in range(2):
        assert phone.post("/payment").status_code == 303
    assert "This takes a few seconds" in phone.get().text
    with database.writing(cast.sumida.workspace_id) as session:
        (checkout,) = session.scalars(select(Checkout)).all()
        assert phone.token not in checkout.return_path, "the provider keeps where one came from"
        checkout.state, checkout.url = CheckoutState.OPEN, PAY_HERE
    assert PAY_HERE in phone.get().text
    with database.writing(cast.sumida.workspace_id) as session:
        checkout = session.scalars(select(Checkout)).one()
        checkout.state, checkout.url = CheckoutState.FAILED, None
    failed = phone.get().text
    assert "could not be opened" in failed
    assert "Pay online" in failed
