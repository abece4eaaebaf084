"""Whatever a client sends, it gets a documented 4xx with one field, or an answer; never a 5xx."""

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from tests.surfaces.agent_api.asking import ROOT, Asker, addresses, error_of
from tests.surfaces.agent_api.test_questions_to_the_database import statements
from tests.tiers import examples

NAMES = (
    "area",
    "areas",
    "priceMin",
    "priceMax",
    "type",
    "layout",
    "layouts",
    "bedrooms",
    "moveInBy",
    "availableNow",
    "hasCampaign",
    "search",
    "sort",
    "page",
    "limit",
    "building",
    "unit",
    "email",
    "paymentStatus",
    "esignStatus",
    "excludeRecords",
    "locale",
    "from",
    "to",
    "status",
)
NUMBERS = ("priceMin", "priceMax", "bedrooms", "page", "limit")
NASTY: tuple[bytes, ...] = (
    b"",
    b" ",
    b"\0",
    b"a\0b",
    b"\xed\xa0\x80",
    b"\xed\xb0\x80",
    b"\xff\xfe",
    b"\xc0\x80",
    b"\xf4\x90\x80\x80",
    b"12345678901234567890",
    b"99999999999999999999999",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-9223372036854775808",
    b"-1",
    b"-0",
    b"+1",
    b"1_000",
    b"1,000",
    b"1.0",
    b"1e3",
    b"0x10",
    b"1e400",
    b"NaN",
    b"Infinity",
    b"true",
    b"null",
    "１２３".encode(),
    "²".encode(),
    "٣".encode(),
    b"0001-01-01",
    b"0000-00-00",
    b"9999-12-31",
    b"2026-02-30",
    b"2026-W01-1",
    "２０２６-01-01".encode(),
    b"'; DROP TABLE unit; --",
    b"%' OR 1=1 --",
    b"%%%___\\\\",
    b"${jndi:ldap://x}",
    b"../../../etc/passwd",
    b"<script>alert(1)</script>",
    "\u202eevil\u200b\ufeff".encode(),
    "e\u0301".encode() * 50,
    "\U0001f600".encode(),
    b"x" * 200,
    b"x" * 201,
    b"x" * 100_000,
    b"," * 3_000,
    b"a," * 1_000,
)
raw_values = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=30).map(lambda text: text.encode()),
    st.binary(max_size=20),
    st.integers(-(10**30), 10**30).map(lambda n: str(n).encode()),
    st.floats().map(lambda n: str(n).encode()),
    st.dates().map(lambda day: day.isoformat().encode()),
)
pairs = st.lists(st.tuples(st.sampled_from(NAMES), raw_values), max_size=6)
latin = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=60)
MANY = settings(
    max_examples=examples(40, 120), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DOCUMENTED = {200, 304, 400, 401, 403, 404, 405, 413, 414, 415, 429}


def encoded(given_pairs: list[tuple[str, bytes]]) -> str:
    return "&".join(f"{name}={quote(value, safe='')}" for name, value in given_pairs)


def sane(answer: TestResponse) -> TestResponse:
    """One of the documented statuses, strict JSON, and one field in a refusal."""
    assert answer.status_code in DOCUMENTED, (answer.status_code, answer.text[:500])
    if answer.status_code >= 400:
        error_of(answer)
        assert len(answer.data) < 5_000
    elif answer.status_code == 200 and answer.data:
        assert json.loads(answer.data, parse_constant=no_constant)["ok"] is True
    return answer


def no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def ask_raw(asker: Asker, path: str, query: str = "", **environ: Any) -> TestResponse:
    """Ask with the octets as they are, past what a client would tidy up."""
    overrides = {"QUERY_STRING": query, "HTTP_AUTHORIZATION": f"Bearer {asker.key}"} | environ
    overrides["PATH_INFO"] = (ROOT + path).encode().decode("latin-1")
    return sane(asker.client.get("/", environ_overrides=overrides))


def ask_every_address(website: Asker, office: Asker, query: str) -> None:
    for address in addresses(website.client.application, ["GET"]):
        path = address.path.split("<")[0] + ("x" if "<" in address.path else "")
        ask_raw(office if "residents" in path else website, path, query)


def test_every_parameter_of_every_address_may_be_anything(website: Asker, office: Asker) -> None:
    @MANY
    @given(pairs)
    def tried(asked: list[tuple[str, bytes]]) -> None:
        ask_every_address(website, office, encoded(asked))

    with statements() as sent:
        tried()
    assert {statement.split()[0] for statement in sent} == {"SELECT"}


@pytest.mark.parametrize(
    "path",
    [
        "/properties",
        pytest.param("/residents", marks=pytest.mark.thorough("parameters are read alike")),
        pytest.param("/showings", marks=pytest.mark.thorough("parameters are read alike")),
    ],
)
def test_each_nasty_value_alone_in_each_parameter(website: Asker, office: Asker, path: str) -> None:
    ask = office if path == "/residents" else website
    for name in NAMES:
        for value in NASTY:
            answer = ask_raw(ask, path, encoded([(name, value)]))
            if path == "/properties" and name in NUMBERS:
                is_number = value in (b"9223372036854775807",)
                assert answer.status_code == (200 if is_number else 400), (name, value)
            if not is_utf8(value):
                assert answer.status_code == 400


def is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_a_known_parameter_given_twice_is_refused(website: Asker, office: Asker) -> None:
    for name in NAMES:
        ask = office if name in ("unit", "email", "paymentStatus", "esignStatus") else website
        path = "/residents" if ask is office else "/properties"
        if name in ("from", "to", "status"):
            path = "/showings"
        value = {"page": "1", "limit": "1", "bedrooms": "1", "priceMin": "1"}.get(name, "true")
        answer = ask_raw(ask, path, f"{name}={value}&{name}={value}")
        assert answer.status_code == 400, name
        assert f"{name}: given more than once." in error_of(answer)
    assert ask_raw(website, "/properties", "colour=red&colour=blue").status_code == 200


def test_the_query_itself_may_be_anything(website: Asker, office: Asker) -> None:
    @MANY
    @given(st.text(st.characters(max_codepoint=255), max_size=80))
    def tried(query: str) -> None:
        ask_every_address(website, office, query)

    tried()
    for query in ("&" * 50_000, "=" * 1_000, "%", "%f", "%zz=%", "a" * 100_000, "?" * 500, ";;;"):
        ask_every_address(website, office, query)


def test_a_path_may_be_anything(website: Asker, office: Asker) -> None:
    @MANY
    @given(st.binary(max_size=60) | st.sampled_from(NASTY))
    def tried(part: bytes) -> None:
        for address in addresses(website.client.application, ["GET"]):
            ask = office if "residents" in address.path else website
            stem = address.path.split("<")[0]
            overrides = {"HTTP_AUTHORIZATION": f"Bearer {ask.key}"}
            overrides["PATH_INFO"] = ROOT + stem + part.decode("latin-1")
            answer = ask.client.get("/", environ_overrides=overrides)
            sane(answer)

    tried()


@pytest.mark.parametrize("kind", ["units", "buildings", "posts"])
@pytest.mark.parametrize("slug", [b"\0", b"a\0b", b"\x1b[31m", b"x" * 5_000])
def test_a_page_that_could_not_be_named_is_not_there(
    website: Asker, kind: str, slug: bytes
) -> None:
    overrides = {"HTTP_AUTHORIZATION": f"Bearer {website.key}"}
    overrides["PATH_INFO"] = f"{ROOT}/site/{kind}/{slug.decode()}"
    answer = sane(website.client.get("/", environ_overrides=overrides))
    assert answer.status_code == 404


def test_headers_may_be_anything(website: Asker) -> None:
    @MANY
    @given(latin, latin, latin, latin)
    def tried(match: str, accepts: str, request_id: str, language: str) -> None:
        headers = {
            "HTTP_IF_NONE_MATCH": match,
            "HTTP_ACCEPT_ENCODING": accepts,
            "HTTP_X_REQUEST_ID": request_id,
            "HTTP_ACCEPT_LANGUAGE": language,
            "HTTP_ACCEPT": accepts,
            "HTTP_RANGE": match,
            "HTTP_IF_MODIFIED_SINCE": match,
            "HTTP_COOKIE": accepts,
            "CONTENT_TYPE": accepts,
        }
        for path in ("/properties", "/nowhere", "/site/config"):
            answer = ask_raw(website, path, **headers)
            answer.get_data()
            assert 8 <= len(answer.headers["X-Request-Id"]) <= 64

    tried()


def test_a_credential_may_be_anything(website: Asker) -> None:
    @MANY
    @given(latin, st.sampled_from(["", "Bearer ", "bearer ", "Basic ", "Digest "]))
    def tried(text: str, scheme: str) -> None:
        overrides = {"HTTP_AUTHORIZATION": scheme + text}
        answer = website.client.get(f"{ROOT}/properties", environ_overrides=overrides)
        assert sane(answer).status_code == 401

    tried()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"NaN",
        b'{"a": 1, "a": 2}',
        b"\xff\xfe\0",
        b"x" * (2 * 1024 * 1024),
        b"",
    ],
    ids=["lists", "objects", "nan", "twice", "binary", "large", "empty"],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_a_body_where_none_belongs_changes_nothing(
    website: Asker, body: bytes, method: str
) -> None:
    for path in ("/properties", "/site/posts/x", "/nowhere", "/inquiries"):
        for kind in ("application/json", "multipart/form-data", "text/plain; charset=é"):
            sane(
                website.client.open(
                    ROOT + path,
                    method=method,
                    data=body,
                    headers={**website.header, "Content-Type": kind},
                )
            )


@pytest.mark.parametrize("method", ["PROPFIND", "get", "X" * 300, "TRACE", "CONNECT"])
def test_a_method_may_be_anything(website: Asker, method: str) -> None:
    for path in ("/properties", "/nowhere"):
        sane(website.client.open(ROOT + path, method=method, headers=website.header))


@pytest.mark.parametrize("path", ["/x" * 50_000, "/" * 10_000, "/properties/" + "é" * 20_000])
def test_a_path_may_be_long(website: Asker, path: str) -> None:
    assert ask_raw(website, path).status_code == 404
