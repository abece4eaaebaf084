"""Operators write what personal data is used for, and how long it is kept."""

from flask.testing import FlaskClient

from tests.staff import Browser


def test_operators_write_the_purpose_and_the_years(operator: Browser, client: FlaskClient) -> None:
    page = operator.get("/settings/personal-data?lang=en").text
    assert "to keep the records that the law requires" in page
    typed = {
        "purposeJa": "入居の手続きのため。",
        "purposeEn": "",
        "enquiryYears": "2",
        "waitlistYears": "1",
        "formerYears": "3",
        "contractYears": "10",
        "ledgerYears": "7",
        "fiscalYearEndsIn": "12",
    }
    refused = operator.post("/settings/personal-data?lang=en", {**typed, "ledgerYears": "6"})
    assert refused.status_code == 422
    assert operator.post("/settings/personal-data", typed).status_code == 303
    assert 'value="12"' in operator.get("/settings/personal-data").text
    slug = operator.home.rpartition("/")[2]
    # Readers of the other language see the text that there is.
    shown = client.get(f"/resident/{slug}/sign-in?lang=en").text
    assert '<span lang="ja">入居の手続きのため。</span>' in shown


def test_the_office_leaves_the_rules_to_operators(office: Browser) -> None:
    assert office.get("/settings/personal-data").status_code == 403
