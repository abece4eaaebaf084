"""The macros wire what they draw: labels to controls, errors and hints to both, tokens to forms."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from pms.surfaces.assets import read_assets
from pms.surfaces.dashboard.gallery import SpecimenForm
from tests.architecture.source_tree import ROOT

COMPONENTS: Final = ROOT / "templates" / "components"


@pytest.fixture
def drawing(app: Flask) -> Iterator[Flask]:
    with app.test_request_context("/", headers={"Accept-Language": "en"}):
        yield app


def drawn(app: Flask, macro: str, call: str, **shown: object) -> str:
    source = f'{{% from "components/{macro}.html" import {macro} %}}{call}'
    return re.sub(r"\s+", " ", app.jinja_env.from_string(source).render(**shown)).strip()


def refused() -> SpecimenForm:
    form = SpecimenForm(MultiDict({"amountYen": "86,00", "moveOutDate": "soon"}))
    form.validate()
    return form


def test_a_field_is_told_by_its_label_hint_and_error(drawing: Flask) -> None:
    html = drawn(drawing, "field", "{{ field(f, hint='As in the contract.') }}", f=refused().name)
    assert '<label for="name">Name</label>' in html
    assert 'aria-describedby="name-hint name-error"' in html
    assert 'aria-invalid="true"' in html
    assert html.index("<label") < html.index('id="name-hint"') < html.index('id="name-error"')
    assert html.index('id="name-error"') < html.index("<input"), "the keyboard would cover it"


def test_a_field_without_fault_is_described_by_nothing(drawing: Flask) -> None:
    html = drawn(drawing, "field", "{{ field(f) }}", f=SpecimenForm().name)
    assert "aria-describedby" not in html
    assert "aria-invalid" not in html
    assert 'autocomplete="name"' in html


def test_money_is_text_with_digits_and_its_sign_is_not_read_out(drawing: Flask) -> None:
    html = drawn(drawing, "field", "{{ field(f) }}", f=refused().amountYen)
    assert 'inputmode="numeric"' in html
    assert 'type="text"' in html
    assert '<span class="affix" aria-hidden="true">¥</span>' in html
    assert 'value="86,00"' in html, "what was typed is kept"


def test_a_day_is_picked_by_the_browser_with_presets(drawing: Flask) -> None:
    call = "{{ date_field(f, [('Today', '2026-11-20')]) }}"
    html = drawn(drawing, "date_field", call, f=SpecimenForm().moveOutDate)
    assert 'type="date"' in html
    assert 'data-preset="2026-11-20" data-for="moveOutDate" hidden' in html


def test_the_code_is_one_field_a_phone_can_fill(drawing: Flask) -> None:
    html = drawn(drawing, "code_field", "{{ code_field(f) }}", f=SpecimenForm().code)
    assert html.count("<input") == 1
    assert 'autocomplete="one-time-code"' in html
    assert 'inputmode="numeric"' in html


def test_choices_share_one_legend(drawing: Flask) -> None:
    html = drawn(drawing, "field", "{{ field(f) }}", f=refused().reason)
    assert html.count('type="radio"') == 3
    assert html.count("<legend") == 1
    assert html.count('aria-describedby="reason-error"') == 3


def test_the_summary_leads_to_every_field(drawing: Flask) -> None:
    form = refused()
    html = drawn(drawing, "error_summary", "{{ error_summary(form) }}", form=form)
    for name in form.errors:
        assert f'href="#{name}' in html
    assert 'role="alert"' in html
    assert 'tabindex="-1" autofocus' in html
    assert drawn(drawing, "error_summary", "{{ error_summary(form) }}", form=SpecimenForm()) == ""


def test_a_form_carries_its_token_and_leaves_judging_to_the_server(drawing: Flask) -> None:
    html = drawn(drawing, "form", "{% call form('/there') %}x{% endcall %}")
    assert 'name="csrf_token"' in html
    assert "novalidate" in html


def test_attributes_are_written_as_the_page_needs_them(drawing: Flask) -> None:
    html = drawn(drawing, "button", "{{ button('Save', hx_get='/a?b&c', disabled=none) }}")
    assert (
        html
        == '<button class="button button-primary" type="submit" hx-get="/a?b&amp;c">Save</button>'
    )


def test_a_negative_month_reaches_below_the_line(drawing: Flask) -> None:
    call = "{{ bar_chart('Left', ('Income',), [('1', (10,)), ('2', (20,))], ('Net', (-10, 20))) }}"
    html = drawn(drawing, "bar_chart", call)
    assert 'points="10,100.00 30,0.00 "' in html
    assert "<table" in html


def test_every_component_says_what_it_is_for_and_holds_no_style() -> None:
    paths = sorted(COMPONENTS.glob("*.html"))
    assert paths
    for path in paths:
        text = path.read_text()
        assert text.startswith("{# "), path.name
        assert " style=" not in text, path.name
        assert "<script" not in text, path.name


def test_what_a_page_loads_is_within_its_budget() -> None:
    found = {name: len(asset.packed) for name, asset in read_assets(ROOT / "static").items()}
    assert found["desk.css"] <= 12 * 1024
    assert found["public.css"] <= 12 * 1024
    assert found["desk.js"] + found["chart.js"] <= 20 * 1024
    assert found["desk.js"] + found["recent.js"] + found["hue.js"] <= 20 * 1024
    assert found["forms.js"] <= 16 * 1024


def test_htmx_writes_no_style_and_runs_no_text(drawing: Flask) -> None:
    config = drawing.jinja_env.globals["htmx_config"]
    for said in ('"includeIndicatorStyles": false', '"allowEval": false', '"historyCacheSize": 0'):
        assert said in str(config)
