"""A language model proposes how a strange sheet is read: off at first, judged, and confirmed by a person."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from flask import Flask

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.rules.enumerations import IntegrationKind
from pms.site.assistant_settings import StatedAssistant, assistant_figures, set_assistant
from pms.surfaces.assistance import EXTENSION
from pms.workspaces.integrations import set_integration
from tests.cast import Cast
from tests.servers.model import Model, open_model
from tests.servers.provider import NEAR
from tests.staff import Browser
from tests.surfaces.dashboard.test_takeover import send_text

_STRANGE = (
    "一覧,,,,\nへやばん,だれ,いつから,おうちだい,あずかり\n"
    "101,山田 一,2025/4/1,50,100\n102,佐藤 二,2025/5/1,51,0\n"
)
_COLUMNS: dict[str, dict[str, Any]] = {
    "A": {"meaning": "room"},
    "B": {"meaning": "name"},
    "C": {"meaning": "start"},
    "D": {"meaning": "rent", "unit": 1000},
    "E": {"meaning": "depositHeld", "unit": 1000},
}
_ANSWER = json.dumps({"headerRow": 2, "columns": _COLUMNS})


@pytest.fixture
def model(app: Flask, database: Database, clock: FixedClock, cast: Cast) -> Iterator[Model]:
    """Sumida's language model, which may be asked about sheets."""
    with open_model() as provider:
        app.extensions[f"{EXTENSION}.limits"] = NEAR
        with database.writing(cast.sumida.workspace_id) as session:
            work = Work(session, clock, "person/1")
            set_integration(
                work,
                Signer(database.settings.secret_key),
                kind=IntegrationKind.ASSISTANT,
                address=provider.address,
                account="gpt-small",
                secret="sk-test-0123456789",
                limits=NEAR,
            )
            stated = StatedAssistant(
                True, False, Decimal("0.5"), Decimal(2), 1_000, 50, "", "", reads_sheets=True
            )
            version = assistant_figures(session).version
            set_assistant(work, stated=stated, expected_version=version)
        yield provider


def test_nothing_is_sent_unless_the_workspace_allows_it(office: Browser) -> None:
    guide = send_text(office, _STRANGE)
    assert "files/proposal" not in office.get(f"{guide}/files").text
    refused = office.post(f"{guide}/files/proposal?lang=en", {"sheet": "0"})
    assert (refused.status_code, "is off in the assistant" in refused.text) == (422, True)


def test_a_proposal_is_shown_and_nothing_is_stored_before_it_is_saved(
    office: Browser, model: Model
) -> None:
    model.says = f"Here it is:\n{_ANSWER}"
    guide = send_text(office, _STRANGE)
    assert "files/proposal" in office.get(f"{guide}/files").text
    shown = office.post(f"{guide}/files/proposal?lang=en", {"sheet": "0"})
    assert shown.status_code == 200
    assert "Proposed by the language model." in shown.text
    assert "With it 2 tenancies are read." in shown.text
    assert 'name="header" value="2"' in shown.text
    assert "No header row was found" in office.get(f"{guide}/files?lang=en").text
    (asked,) = model.asked
    assert "おうちだい" in asked["messages"][1]["content"]


def test_a_proposal_that_is_saved_is_a_reading_like_any_other(
    office: Browser, model: Model
) -> None:
    model.says = _ANSWER
    guide = send_text(office, _STRANGE)
    office.post(f"{guide}/files/proposal", {"sheet": "0"})
    kept = {"sheet": "0", "header": "2"}
    for place, column in enumerate(_COLUMNS.values()):
        kept |= {f"{name}-{place}": str(value) for name, value in column.items()}
    assert office.post(f"{guide}/files", kept).status_code == 303
    assert 'value="50000"' in office.get(f"{guide}/rooms").text


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("I cannot say.", "did not recognize the columns"),
        ('{"columns": [1]}', "did not recognize the columns"),
        ('{"columns": {"A": {"meaning": "ownTerms"}}}', "did not recognize the columns"),
        ('{"headerRow": 99, "columns": {"A": {"meaning": "note"}}}', "No tenancy can be read"),
    ],
)
def test_what_the_model_must_not_say_is_refused_in_words(
    office: Browser, model: Model, said: str, why: str
) -> None:
    model.says = said
    guide = send_text(office, _STRANGE)
    refused = office.post(f"{guide}/files/proposal?lang=en", {"sheet": "0"})
    assert (refused.status_code, why in refused.text) == (422, True)


def test_a_total_that_the_proposal_does_not_meet_is_named(office: Browser, model: Model) -> None:
    answer = json.loads(_ANSWER)
    # The rents are not in thousands, the total says so.
    model.says = json.dumps(answer)
    guide = send_text(office, _STRANGE + "合計,,,999,100\n")
    shown = office.post(f"{guide}/files/proposal?lang=en", {"sheet": "0"})
    assert "The totals of the sheet do not agree:" in shown.text
