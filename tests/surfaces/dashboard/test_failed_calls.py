"""The operator reads in words what was asked of a provider and why it failed."""

import ast
from collections.abc import Iterator
from functools import cache

import pytest
from flask import Flask
from markupsafe import escape

from pms.channels.sending import FETCHING, NAMING, SENDING
from pms.channels.taken_back_messages import FORGETTING
from pms.checkouts.open_bills import LOOKING
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.outbox import mark_call_failed, put_call
from pms.jobs.provider_calls import ALL_CALLS
from pms.rules import message_words as message_failures
from pms.surfaces.labels.provider_calls import CALL_LABELS, call_label, failure_text
from tests.architecture.source_tree import Source, python_sources
from tests.cast import Cast
from tests.staff import Browser
from tests.surfaces.dashboard.conversation_records import begun, said

TOLD_OTHERWISE = (
    "the address leads into a private network",
    "the address is unknown",
    "ConnectionRefusedError: [Errno 111] Connection refused",
    "ConnectionResetError:",
    "RemoteDisconnected: Remote end closed connection without response",
    "IncompleteRead: IncompleteRead(3 bytes read)",
    "SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed",
    "KeyError",
    "NoResultFound",
    "503: no reason given",
)
"""Reasons that are put together while the program runs, or that Python gives."""


def _reasons(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "ProviderError":
            continue
        match node.args:
            case [ast.Constant(value=str(reason)), *_]:
                yield reason
            case [ast.Name(id=name), *_] if name.isupper():
                yield getattr(message_failures, name)


@cache
def reasons_of_the_program() -> list[str]:
    """Every reason the program gives itself for a call that failed."""
    sources = [one for one in python_sources() if one.path.startswith("pms/")]
    raising = (one for one in sources if "ProviderError" in one.text)
    return [*(reason for one in raising for reason in _reasons(one)), *TOLD_OTHERWISE]


def put_failed(
    database: Database,
    clock: FixedClock,
    cast: Cast,
    *,
    kind: str,
    subject_id: str,
    failure: str,
) -> None:
    """A call that is tried again later."""
    with database.writing(cast.sumida.workspace_id) as session:
        call = put_call(session, clock, kind=kind, subject_id=subject_id, facts={"handle": "U1"})
        session.flush()
        mark_call_failed(call, clock, failure)


def test_every_kind_of_call_has_a_word(app: Flask) -> None:
    assert set(CALL_LABELS) == set(ALL_CALLS)
    with app.test_request_context("/?lang=en"):
        assert len({call_label(kind) for kind in ALL_CALLS}) == len(ALL_CALLS)
        assert "." not in call_label("faxes.send")


def test_every_reason_the_program_gives_has_words(app: Flask) -> None:
    reasons = reasons_of_the_program()
    assert len(reasons) > 25
    with app.test_request_context("/?lang=en"):
        for reason in reasons:
            words = failure_text(reason)
            assert words[0].isupper() and words.endswith(".")
            assert "Errno" not in words and "Error" not in words


def test_what_a_provider_said_stays_in_its_own_words(app: Flask) -> None:
    with app.test_request_context("/?lang=en"):
        assert failure_text("400: The property, 'to', is invalid") == (
            "The provider rejected it (400): The property, 'to', is invalid"
        )
        assert failure_text("WhatsApp 131026: undeliverable") == "WhatsApp 131026: undeliverable"


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_page_of_providers_shows_no_code(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock, language: str
) -> None:
    reasons = reasons_of_the_program()
    raw = [one for one in reasons if not one[0].isupper() or "Err" in one or " " not in one]
    calls = max(len(raw), len(ALL_CALLS))
    for number in range(calls):
        kind = list(ALL_CALLS)[number % len(ALL_CALLS)]
        put_failed(
            database, clock, cast, kind=kind, subject_id=new_id(), failure=raw[number % len(raw)]
        )
    page = operator.get(f"/integrations?lang={language}").text
    assert not [kind for kind in ALL_CALLS if kind in page]
    assert not [one for one in raw if f">{escape(one)}<" in page]


def test_a_call_about_a_message_leads_to_its_conversation(
    operator: Browser, cast: Cast, database: Database, clock: FixedClock
) -> None:
    with database.writing(cast.sumida.workspace_id) as session:
        row = begun(session, clock)
        message_id, conversation_id = said(session, clock, row, "こんにちは").id, row.id
    for kind in (SENDING, FETCHING, FORGETTING):
        put_failed(database, clock, cast, kind=kind, subject_id=message_id, failure="too slow")
    for kind, subject_id in ((NAMING, conversation_id), (LOOKING, new_id()), (SENDING, new_id())):
        put_failed(database, clock, cast, kind=kind, subject_id=subject_id, failure="too slow")
    page = operator.get("/integrations?lang=en").text
    assert page.count(f'/inbox/{conversation_id}#message-{message_id}"') == 3
    assert page.count(f'/inbox/{conversation_id}"') == 1
    assert page.count("The provider did not answer in time.") == 6
