"""Pages travel packed, unless another site could have had them asked for; templates compile once."""

import gzip

import pytest
from flask.testing import FlaskClient

from app import create_app
from pms.foundation.settings import Settings
from pms.surfaces.page_templates import KeptTemplates
from tests.staff import Browser

_TAKES_GZIP = {"Accept-Encoding": "gzip"}


def test_a_page_is_packed_and_the_same(operator: Browser) -> None:
    plain = operator.get("/reservations")
    packed = operator.get("/reservations", headers=_TAKES_GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 3
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert "</html>" in gzip.decompress(packed.data).decode()


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_that_another_site_leads_to_is_not_packed(operator: Browser, site: str) -> None:
    headers = {**_TAKES_GZIP, "Sec-Fetch-Site": site}
    assert "Content-Encoding" not in operator.get("/search?q=x", headers=headers).headers


def test_behind_tls_a_browser_that_does_not_say_who_asks_gets_it_plain(operator: Browser) -> None:
    operator.client.set_cookie("session", "x", domain="localhost")
    shown = operator.client.get("/sign-in", base_url="https://localhost", headers=_TAKES_GZIP)
    assert "Content-Encoding" not in shown.headers


def test_a_template_that_was_compiled_is_compiled_by_no_other_process(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for compiles in (True, False):
        app = create_app(settings)
        app.jinja_env.bytecode_cache = KeptTemplates(settings)
        if not compiles:
            monkeypatch.setattr(app.jinja_env, "compile", None)  # whoever needs it fails
        assert app.jinja_env.get_template("dashboard/today/page.html").blocks
        app.extensions["pms.database"].dispose()


def test_an_unchanged_page_of_the_manual_is_still_told_so(client: FlaskClient) -> None:
    first = client.get("/manual/", headers=_TAKES_GZIP)
    assert first.headers["Content-Encoding"] == "gzip"
    again = client.get("/manual/", headers={**_TAKES_GZIP, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
