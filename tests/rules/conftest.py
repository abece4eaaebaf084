"""How the properties of the law are tried, and in which time zones."""

import time
from collections.abc import Iterator

import pytest
from hypothesis import settings

ZONES = ("UTC", "Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu")

# A busy machine makes one example slow without making the law wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()
