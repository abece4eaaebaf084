"""What a workspace uses personal data for is below each public form that takes some."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.phrases import Bilingual
from pms.foundation.work import Work
from pms.rules.retention import RetentionYears
from pms.workspaces.personal_data_terms import set_personal_data_terms
from tests.architecture.source_tree import ROOT
from tests.cast import Cast
from tests.surfaces.guest_checkin.conftest import made_stay
from tests.surfaces.reservation_links.conftest import made_phone

PUBLIC: Final = ("portals", "reservation_links", "guest_checkin", "contractor_links")
# Ticks, choices and figures that tell nothing of a person beyond the record they belong to.
IMPERSONAL: Final = frozenset(
    {"acceptsRules", "agreed", "arrivalTime", "locale", "moveOutDate", "pin", "signature", "way"}
)
_OPENED = re.compile(r"\{%-?\s*call ui\.(?:form|posted)\(")
_NESTED = re.compile(r"\{%-?\s*(call|endcall)\b")
_FIELD = re.compile(
    r"ui\.(?:field|file_field|date_field|select|choice_cards)\(\s*form[.\[](\w+)"
    r"|(picture_fields|<textarea|type=\"file\")"
)


class PublicForm(NamedTuple):
    """A form of a template, with all that is inside of it."""

    where: str
    body: str

    @property
    def asked(self) -> set[str]:
        return {name or other for name, other in _FIELD.findall(self.body)}


def public_forms() -> Iterator[PublicForm]:
    for surface in PUBLIC:
        for path in sorted((ROOT / "templates" / surface).rglob("*.html")):
            text = path.read_text("utf-8")
            for opened in _OPENED.finditer(text):
                depth, end = 1, opened.end()
                for found in _NESTED.finditer(text, opened.end()):
                    depth += 1 if found[1] == "call" else -1
                    if depth == 0:
                        end = found.start()
                        break
                line = text.count("\n", 0, opened.start()) + 1
                yield PublicForm(f"{path.relative_to(ROOT)}:{line}", text[opened.start() : end])


def test_every_public_form_that_takes_personal_data_says_what_for() -> None:
    forms = list(public_forms())
    taking = [form for form in forms if form.asked - IMPERSONAL]
    lacking = [form.where for form in taking if "ui.purpose_of_use()" not in form.body]
    assert not lacking, f"add ui.purpose_of_use() to {lacking}"
    assert {form.where.split("/")[1] for form in taking} == set(PUBLIC)
    assert len(taking) < len(forms)


@pytest.fixture
def write_purpose(database: Database, clock: FixedClock, cast: Cast) -> Bilingual:
    purpose = Bilingual("入居の手続きのため。<b>", "To let rooms.")
    with database.writing(cast.sumida.workspace_id) as session:
        set_personal_data_terms(
            Work(session, clock, "staff"), purpose=purpose, years=RetentionYears()
        )
    return purpose


@pytest.mark.usefixtures("write_purpose")
def test_it_is_the_text_of_the_workspace_in_the_language_of_the_reader(
    app: Flask, client: FlaskClient, clock: FixedClock, cast: Cast
) -> None:
    applicant = made_phone(client, clock, cast.sumida)
    other = made_phone(client, clock, cast.minato)
    stay = made_stay(app, clock, cast.sumida)
    pages = (
        f"{applicant.home}/details",
        f"{stay.home}/people/1",
        f"/resident/{cast.sumida.slug}/sign-in",
        f"/owner/{cast.sumida.slug}/sign-in",
    )
    for page in pages:
        answer = client.get(f"{page}?lang=en")
        assert answer.status_code == 200, page
        assert "To let rooms." in answer.text, page
        assert "入居の手続きのため。&lt;b&gt;" in client.get(f"{page}?lang=ja").text, page
    elsewhere = client.get(f"{other.home}/details?lang=en").text
    assert "To let rooms." not in elsewhere
    assert "uses what you enter to handle your enquiry" in elsewhere
