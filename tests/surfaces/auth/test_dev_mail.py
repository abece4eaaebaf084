"""The page of mails is there on one's own machine, and nowhere near production."""

from dataclasses import replace

import pytest
from flask import Flask

from app import create_app
from pms.foundation.clock import FixedClock
from pms.foundation.settings import Settings
from tests.surfaces.auth.conftest import Post, Stranger


def test_it_shows_the_mail_that_was_sent(stranger: Stranger, post: Post) -> None:
    assert stranger.opens("/mail").status_code == 200
    stranger.asks_for_a_pin()
    digits = post.pin()
    listed = stranger.opens("/mail").text
    assert digits in listed
    (id_,) = {part[:32] for part in listed.split("/mail/")[1:]}
    assert digits in stranger.opens(f"/mail/{id_}").text
    assert stranger.opens(f"/mail/{'0' * 32}").status_code == 404
    assert stranger.opens("/mail/..%2Fpms").status_code == 404


@pytest.mark.parametrize(
    "other",
    [
        {"env": "production", "base_url": "https://pms.example"},
        {"smtp_url": "smtp://mail.example:25"},
    ],
)
def test_it_is_not_in_production_nor_beside_a_mail_server(
    app: Flask, settings: Settings, clock: FixedClock, other: dict[str, str]
) -> None:
    changed = create_app(replace(settings, **other), clock=clock)  # type: ignore[arg-type]
    assert changed.test_client().get("/mail").status_code == 404
    assert "/mail" not in changed.test_client().get("/").text
    changed.extensions["pms.database"].dispose()
