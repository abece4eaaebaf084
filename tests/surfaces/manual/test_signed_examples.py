"""The manual's examples of signed deliveries run in a shell, and the service takes what they send."""

import shutil
import subprocess
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.surfaces.manual.rendering import fences, read_page
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.cast import Cast

SECRET = "a-secret-of-the-manual"
# What curl is told is written down instead of sent; the time is that of the test.
_SHELL = """
set -eu
curl() { for word in "$@"; do printf '%s\\0' "$word"; done > "$SENT"; }
date() { echo "$NOW"; }
"""
EXAMPLES = {
    fence.marks["signed"]: fence.body
    for fence in fences(read_page("webhooks", "en").source)
    if "signed" in fence.marks
}


def test_each_source_that_signs_has_an_example() -> None:
    assert set(EXAMPLES) == {"payments", "esign", "line", "whatsapp"}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
def test_what_an_example_sends_is_taken(
    app: Flask, cast: Cast, database: Database, clock: FixedClock, tmp_path: Path
) -> None:
    for source in EXAMPLES:
        _keep_secret(cast, database, clock, source)
        client, words = app.test_client(), _words(source, cast.sumida.slug, clock, tmp_path)
        assert _send(client, words) == 200
        spoilt = [w.replace(": ", ":  ") if w.startswith("{") else w for w in words]
        spoilt[-1] = words[-1]
        assert _send(client, spoilt) == 401


def _keep_secret(cast: Cast, database: Database, clock: FixedClock, source: str) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        add_webhook_secret(
            Work(session, clock, "staff"),
            Signer(database.settings.secret_key),
            source=WebhookSource(source),
            purpose=SecretPurpose.SIGNATURE,
            secret=SECRET,
        )


def _words(source: str, slug: str, clock: FixedClock, folder: Path) -> list[str]:
    sent = folder / "sent"
    subprocess.run(
        ["/bin/bash", "-c", _SHELL + EXAMPLES[source]],
        env={
            "PATH": "/usr/bin:/bin:/usr/local/bin",
            "SECRET": SECRET,
            "WORKSPACE": slug,
            "NOW": str(int(clock.now().timestamp())),
            "SENT": str(sent),
        },
        check=True,
    )
    return sent.read_text(encoding="utf-8").split("\0")[:-1]


def _send(client: FlaskClient, words: list[str]) -> int:
    pairs = list(zip(words[::2], words[1::2], strict=False))
    headers = dict(word.split(": ", 1) for option, word in pairs if option == "-H")
    [body] = [word for option, word in pairs if option == "-d"]
    address = words[-1].removeprefix("{base_url}")
    return client.post(address, data=body.encode(), headers=headers).status_code
