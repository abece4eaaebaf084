"""The office issues and sends contracts; the operator writes templates and sets providers."""

import re
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from pms.contracts.models import Contract
from pms.contracts.templates import write_template
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.files import Files
from pms.foundation.outbox import OutboxMail
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.settings import Settings
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.reservations.models import Reservation
from pms.rules.enumerations import EsignStatus
from pms.workspaces.models import Integration
from tests.cast import Cast
from tests.staff import Browser, Staff
from tests.surfaces.dashboard.reservations.forms import fields_of

SECRET = "sk_live_0123456789abcdef"
_PROVIDER = {"address": "https://api.pay.example.com", "account": "acct_1", "secret": SECRET}


def _id_in(text: str, path: str) -> str:
    found = re.search(rf"/{path}/([0-9a-f]{{32}})", text)
    assert found
    return found[1]


def test_a_contract_is_issued_read_and_sent(
    office: Browser, cast: Cast, database: Database
) -> None:
    here = f"/reservations/{cast.sumida.resident_id}/contracts"
    assert "No contract yet" in office.get(f"{here}?lang=en").text
    assert here in office.get(f"/reservations/{cast.sumida.resident_id}/documents").text
    issued = office.post(here, {"templateId": "", "locale": "en"})
    assert issued.status_code == 303
    contract_id = _id_in(issued.location, "contracts")
    read = office.get(f"/contracts/{contract_id}").text
    assert "Fixed-term lease agreement" in read
    assert office.get(f"/contracts/{contract_id}/paper").data[:4] == b"%PDF"
    assert office.post(f"/contracts/{contract_id}/sending", {"sentAt": ""}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        [mail] = session.scalars(select(OutboxMail))
    assert f"/resident/sumida/{cast.sumida.resident_id}/documents" in unquote(mail.text)
    assert mail.recipient == cast.sumida.resident_email
    stale = office.post(f"/contracts/{contract_id}/sending?lang=en", {"sentAt": ""})
    assert (stale.status_code, "has been sent since you opened this page" in stale.text) == (
        422,
        True,
    )


def test_the_paper_of_a_signed_contract_is_the_kept_one(
    office: Browser, cast: Cast, database: Database, settings: Settings
) -> None:
    issued = office.post(
        f"/reservations/{cast.sumida.resident_id}/contracts", {"templateId": "", "locale": "en"}
    )
    contract_id = _id_in(issued.location, "contracts")
    with database.writing(cast.sumida.workspace_id) as session:
        key = Files(settings).put(b"%PDF as it was signed", "pdf")
        session.scalars(select(Contract).where(Contract.id == contract_id)).one().file_key = key
    assert office.get(f"/contracts/{contract_id}/paper").data == b"%PDF as it was signed"


def test_a_template_is_written_tried_chosen_and_archived(
    operator: Browser, office: Browser, cast: Cast
) -> None:
    new = "/contract-templates/new"
    assert "The built-in text is used" in operator.get("/contract-templates?lang=en").text
    typed = {"name": "Holiday homes", "leaseKind": "ordinary"}
    typed |= {"bodyJa": "# 短期\n\n{{resident.name}}様", "bodyEn": ""}
    unknown = operator.post(f"{new}?lang=en", typed | {"bodyEn": "{{resident.age}} {{7*7}}"})
    assert unknown.status_code == 422
    assert "resident.age" in unknown.text
    tried = operator.post(new, typed | {"step": "preview"})
    assert (tried.status_code, "見本 花子様" in tried.text) == (200, True)
    assert "Holiday homes" not in operator.get("/contract-templates").text
    assert operator.post(new, typed).status_code == 303
    operator.post(new, typed | {"name": "Long stays"})
    listed = office.get("/contract-templates?lang=en").text
    assert listed.count("Default") == 1
    assert "Archive" not in listed
    template_id = _id_in(listed, "contract-templates")
    assert "見本 花子様" in office.get(f"/contract-templates/{template_id}").text
    assert office.post(f"/contract-templates/{template_id}", typed).status_code == 403
    stale = operator.post(f"/contract-templates/{template_id}?lang=en", typed | {"version": "9"})
    assert stale.status_code == 422
    operator.post(f"/contract-templates/{template_id}/archive")
    refused = operator.post(f"/contract-templates/{template_id}/default?lang=en")
    assert (refused.status_code, "archived template" in refused.text) == (422, True)
    operator.post(f"/contract-templates/{template_id}/archive", {"back": "1"})
    assert operator.post(f"/contract-templates/{template_id}/default").status_code == 303
    shown = office.post(f"/reservations/{cast.sumida.resident_id}/contracts", {"locale": "ja"})
    assert "佐藤 花子様" in office.get(f"/contracts/{_id_in(shown.location, 'contracts')}").text


def test_what_a_value_holds_is_shown_and_never_obeyed(
    operator: Browser, cast: Cast, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.name = "# <b>{{deposit}}</b> [x](http://x.example) | y"
    operator.post(
        "/contract-templates/new",
        {"name": "T", "leaseKind": "fixed_term", "bodyEn": ""}
        | {"bodyJa": "# 契約\n\n| a |\n| - |\n| {{resident.name}} |"},
    )
    issued = operator.post(f"/reservations/{cast.sumida.resident_id}/contracts", {"locale": "ja"})
    shown = operator.get(f"/contracts/{_id_in(issued.location, 'contracts')}").text
    assert "# &lt;b&gt;{{deposit}}&lt;/b&gt; [x](http://x.example) | y</td>" in shown


def test_a_provider_is_set_changed_and_removed_and_its_secret_is_told_to_nobody(
    operator: Browser, office: Browser, cast: Cast, database: Database
) -> None:
    here = "/integrations/payments"
    assert office.get("/integrations").status_code == 403
    for lacking, reason in (
        ({"address": "http://api.pay.example.com"}, "is not an address of a provider"),
        ({"address": "https://user:pw@api.example.com"}, "is not an address of a provider"),
        ({"secret": ""}, "Enter the secret of this address"),
        ({"account": "a b"}, "Use letters, digits, - and _"),
    ):
        refused = operator.post(f"{here}?lang=en", _PROVIDER | lacking)
        assert refused.status_code == 422
        assert reason in refused.text
        assert SECRET not in refused.text
    assert operator.post(here, _PROVIDER).status_code == 303
    assert operator.post(here, _PROVIDER).status_code == 422  # somebody else was first
    for words in ("Stripe", "Secret key (sk_live_", "dashboard.stripe.com/apikeys"):
        assert words in operator.get(f"{here}?lang=en").text
    signing = operator.get("/integrations/esign?lang=en").text
    assert "Where to find it" in signing
    assert "apps.docusign.com" not in signing
    assert operator.post("/integrations/ota/test").status_code == 404
    assert operator.post(f"{here}/test").status_code == 303
    assert "Asking Stripe" in operator.get(f"{here}?lang=en").text
    kept = _PROVIDER | {"secret": "", "account": "acct_2", "version": "1"}
    assert operator.post(here, kept).status_code == 303
    elsewhere = kept | {"address": "https://evil.example.com", "version": "2"}
    assert operator.post(here, elsewhere).status_code == 422
    for shown in (operator.get("/integrations?lang=en").text, operator.get(here).text):
        assert SECRET not in shown
    assert "Ends in cdef" in operator.get("/integrations?lang=en").text
    with database.reading(cast.sumida.workspace_id) as session:
        [row] = session.scalars(select(Integration))
        events = [str(one.after) + str(one.before) for one in session.scalars(select(AuditRecord))]
    assert SECRET not in row.sealed_secret
    assert not any(SECRET in one or "cdef" in one for one in events)
    assert operator.get(f"{here}/removal").status_code == 200
    assert operator.post(f"{here}/removal").status_code == 303
    assert operator.get(f"{here}/removal").status_code == 404
    assert operator.get("/integrations/fax").status_code == 404


def test_a_seal_opens_for_its_owner_and_under_its_key_alone() -> None:
    sealed = seal(Signer("one"), "ours", SECRET)
    assert unseal(Signer("one"), "ours", sealed) == SECRET
    for signer, owner in ((Signer("one"), "theirs"), (Signer("two"), "ours")):
        with pytest.raises(UnreadableSecretError):
            unseal(signer, owner, sealed)


def test_a_contract_out_of_date_is_told_of_everywhere_and_renewed_in_one_tap(
    office: Browser, cast: Cast, database: Database
) -> None:
    of_resident = f"/reservations/{cast.sumida.resident_id}"
    here = f"{of_resident}/contracts?lang=en"
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.esign_status = EsignStatus.PENDING
    issued = office.post(here, {"templateId": "", "locale": "en"})
    contract_id = _id_in(issued.location, "contracts")
    office.post(f"/contracts/{contract_id}/sending", {"sentAt": ""})
    assert "no longer matches the current terms" not in office.get(f"{of_resident}?lang=en").text
    typed = fields_of(office.get(f"{of_resident}/people").text, "/contact")
    assert office.post(f"{of_resident}/contact", typed | {"name": "Hanako Sato"}).status_code == 303
    for path in (of_resident, f"{of_resident}/dates"):
        assert "no longer matches the current terms" in office.get(f"{path}?lang=en").text
    today = office.get("/?lang=en").text
    assert "out of date" in today
    assert "Renew: Hanako Sato" in today
    shown = office.get(here).text
    assert "can no longer be signed" in shown
    assert "Hanako Sato" in shown
    for path in (of_resident, f"{of_resident}/documents"):
        page = office.get(f"{path}?lang=en").text
        assert "Record signature on paper" not in page and "/signature" not in page
        assert page.count("Check and renew") == 2, "above the tabs and beside the contract"
    stated = office.post(f"{of_resident}/signature?lang=en", {"esignStatus": "sent"})
    assert (stated.status_code, "no longer matches what is agreed and" in stated.text) == (
        422,
        True,
    )
    renewed = office.post(f"/contracts/{contract_id}/renewal?lang=en")
    assert renewed.status_code == 303
    assert "Record signature on paper" in office.get(f"{of_resident}/documents?lang=en").text
    assert "no longer matches the current terms" not in office.get(here).text
    again = office.post(f"/contracts/{contract_id}/renewal?lang=en")
    assert (
        again.status_code,
        "document was already renewed, or the contract terms" in again.text,
    ) == (422, True)


def test_a_template_begins_with_the_text_of_its_kind_and_says_it(operator: Browser) -> None:
    new = "/contract-templates/new"
    assert "定期建物賃貸借契約書" in operator.get(new).text
    ordinary = operator.get(f"{new}?leaseKind=ordinary").text
    assert "定期建物賃貸借契約書" not in ordinary
    assert "{{term.end}}" not in ordinary.partition("<dl")[0]
    refused = operator.post(f"{new}?lang=en", {"name": "T", "bodyJa": "# T", "leaseKind": "x"})
    assert refused.status_code == 422
    operator.post(new, {"name": "普通借家", "leaseKind": "ordinary", "bodyJa": "# T {{term}}"})
    assert "Ordinary lease" in operator.get("/contract-templates?lang=en").text


def test_the_office_gives_the_explanation_on_paper(
    office: Browser, cast: Cast, clock: FixedClock, staff: Staff
) -> None:
    issued = office.post(
        f"/reservations/{cast.sumida.resident_id}/contracts", {"templateId": "", "locale": "en"}
    )
    here = f"/contracts/{_id_in(issued.location, 'contracts')}"
    assert "Not given yet" in office.get(f"{here}?lang=en").text
    assert office.get(f"{here}/explanation").data[:4] == b"%PDF"
    future = {"handedOn": "2099-01-01", "way": "met", "personId": staff.office_id}
    refused = office.post(f"{here}/explanation?lang=en", future)
    assert (refused.status_code, "is in the future" in refused.text) == (422, True)
    given = future | {"handedOn": clock.today().isoformat()}
    assert office.post(f"{here}/explanation", given).status_code == 303
    shown = office.get(f"{here}?lang=en").text
    assert "On paper, on" in shown
    assert "Record" not in shown


def test_a_fixed_term_without_its_last_day_is_refused_beside_the_form(
    office: Browser, cast: Cast, database: Database
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = session.get_one(Reservation, (cast.sumida.workspace_id, cast.sumida.resident_id))
        row.contract_end_date = None
    here = f"/reservations/{cast.sumida.resident_id}/contracts?lang=en"
    refused = office.post(here, {"templateId": "", "locale": "en"})
    assert refused.status_code == 422
    assert "fixed-term lease needs an end date" in refused.text


def test_a_contract_is_found_by_the_name_of_whose_it_is(operator: Browser, cast: Cast) -> None:
    issued = operator.post(f"/reservations/{cast.sumida.resident_id}/contracts", {"locale": "ja"})
    contract = _id_in(issued.location, "contracts")
    assert f"/contracts/{contract}" in operator.get("/search?q=hanako").text
    assert "/contracts/" not in operator.get("/search?q=nobody").text.partition('id="found"')[2]


def test_templates_come_fifty_at_a_time_and_the_default_is_known_on_each_page(
    operator: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        for number in range(52):
            write_template(
                Work(session, clock, "test"),
                template_id=None,
                name=f"Lease {number:02}",
                body_ja="{{resident.name}}様",
                body_en="",
            )
    first, second = (
        operator.get(f"/contract-templates?lang=en&page={page}").text for page in (1, 2)
    )
    assert "1–50 of 52" in first
    assert ("Lease 49" in first, "Lease 50" in first) == (True, False)
    assert ("Lease 49" in second, "Lease 51" in second) == (False, True)
    assert "The built-in text is used" not in second
