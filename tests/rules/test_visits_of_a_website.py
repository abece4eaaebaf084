"""Of what a website tells about its visitors only what names nobody is kept."""

from datetime import date
from hashlib import blake2b

import pytest

from pms.rules.telemetry import (
    LONGEST_CAMPAIGN,
    LONGEST_PATH,
    campaign_of,
    first_open_day,
    is_long_path,
    kept_path,
    referrer_host,
    visitor_mark,
)


@pytest.mark.parametrize(
    ("path", "is_long"),
    [
        ("x" * LONGEST_PATH, False),
        ("家" * 333, False),
        ("家" * 334, True),
        ("x" * 1001, True),
        ("👍" * 250, False),
        ("👍" * 251, True),
    ],
)
def test_a_path_is_measured_in_bytes(path: str, is_long: bool) -> None:
    assert is_long_path(path) is is_long


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("/rooms?name=Tess", "/rooms"),
        ("/rooms#top", "/rooms"),
        ("/rooms?a?b#c#d", "/rooms"),
        ("/rooms/a#b#c", "/rooms/a"),
        ("/of/tess@house.example/room", "/of/…/room"),
        ("/of/tess%40house.example/room", "/of/…/room"),
        ("/of/a@b/c%40d/e", "/of/…/…/e"),
    ],
)
def test_a_path_is_kept_without_its_query_and_without_addresses_of_mail(
    text: str, kept: str
) -> None:
    assert kept_path(text) == kept


@pytest.mark.parametrize(
    ("path", "said", "campaign"),
    [
        ("/?utm_campaign=autumn", "spring", "spring"),
        ("/?utm_campaign=autumn", "", "autumn"),
        ("/?a=1&utm_campaign=autumn&b=2", "", "autumn"),
        ("/?utm_campaign=a%20b+c", "", "a b c"),
        ("/?utm_campaign=a+b", "", "a b"),
        ("/?utm_campaign=a%20b", "", "a b"),
        ("/?utm_campaign=one&utm_campaign=two", "", "one"),
        ("/?q=?utm_campaign=x", "", ""),
        ("/?utm_campaign=a?b", "", "a?b"),
        ("/?utm_campaign=autumn#top#x", "", "autumn"),
        ("/#top?utm_campaign=x", "", ""),
        ("/?utm_campaign=a%00b", "", ""),
        ("/?utm_campaign=%20a%20", "", "a"),
        ("/?utm_source=mail", "", ""),
        ("/utm_campaign=x", "", ""),
        ("/", "", ""),
        ("/", "x" * 101, "x" * LONGEST_CAMPAIGN),
        ("/?utm_campaign=" + "x" * 101, "", "x" * LONGEST_CAMPAIGN),
    ],
)
def test_a_campaign_is_what_was_said_or_what_the_query_names(
    path: str, said: str, campaign: str
) -> None:
    assert campaign_of(path, said) == campaign


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("https://News.Example/a/b?c#d", "news.example"),
        ("https://news.example?c", "news.example"),
        ("https://news.example#d", "news.example"),
        ("https://news.example?a?b", "news.example"),
        ("https://news.example#a#b", "news.example"),
        ("https://tess:secret@news-1.example:8443/", "news-1.example"),
        ("https://a@b@news.example:1:2", "news.example"),
        ("https://news.example/see/https://other.example", "news.example"),
        ("news.example", ""),
        ("https://", ""),
        ("https://.", ""),
        ("https://a", "a"),
        ("https://ニュース.example", ""),
        ("https://a_b.example", ""),
        ("https://" + "a" * 253, "a" * 253),
        ("https://" + "a" * 254, ""),
    ],
)
def test_a_referrer_is_kept_as_its_host_alone(text: str, host: str) -> None:
    assert referrer_host(text) == host


def test_a_visitor_is_another_one_under_another_salt() -> None:
    mark = visitor_mark("salt", "tess")
    assert mark == blake2b(b"tess", key=b"salt", digest_size=12).hexdigest()
    assert mark != visitor_mark("other", "tess")
    assert visitor_mark("salt", "") == ""


def test_the_two_days_before_today_are_still_open() -> None:
    assert first_open_day(date(2026, 11, 20)) == date(2026, 11, 18)
