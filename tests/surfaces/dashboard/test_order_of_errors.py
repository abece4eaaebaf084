"""The summary of what a form lacks names the fields from top to bottom, as the page shows them."""

import re

import pytest

from tests.staff import Browser


@pytest.mark.parametrize(
    "path",
    [
        "/people", "/units", "/buildings", "/owners", "/fees", "/tasks", "/requests/new",
        "/enquiries", "/waitlist", "/viewings", "/settings", "/settings/bank", "/settings/figures",
        "/settings/stays", "/settings/sign-in", "/keys", "/contract-templates/new",
        "/projects/new", "/reply-templates", "/content/website",
    ],
)  # fmt: skip
def test_errors_are_listed_in_the_order_of_the_fields(operator: Browser, path: str) -> None:
    refused = operator.post(path, {"next": ""})
    assert refused.status_code == 422, path
    summary = refused.text.partition('id="error-summary"')[2].partition("</ul>")[0]
    named = re.findall(r'href="#([^"]+)"', summary)
    assert named or "<li>" in summary
    places = [refused.text.find(f'id="{field}"') for field in named]
    assert -1 not in places, named
    assert places == sorted(places), named
