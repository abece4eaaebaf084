"""Fixed texts of pages: looked up once a language, and told in the one that is spoken just now."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from flask_babel import force_locale
from jinja2 import UndefinedError
from markupsafe import Markup

from pms.surfaces.page_templates import gettext, language_asked_once


def test_each_reader_reads_their_own_language_whoever_read_before(app: Flask) -> None:
    for language, said in (("en", "Undo"), ("ja", "元に戻す"), ("en", "Undo")):
        with app.test_request_context(headers={"Accept-Language": language}):
            assert _shown(app, '{{ _("Undo") }}') == said
            assert gettext("Undo") == said


def test_a_forced_language_goes_before_the_readers(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert gettext("Undo") == "Undo"
        with force_locale("ja"):
            assert gettext("Undo") == "元に戻す"
        assert gettext("Undo") == "Undo"


def test_values_are_escaped_in_pages_alone(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        page = '{{ _("%(task)s: %(state)s", task="<b>", state="100 %") }}'
        assert _shown(app, page) == "&lt;b&gt;: 100 %"
        assert gettext("%(task)s: %(state)s", task="<b>", state="x") == "<b>: x"


def test_a_text_without_values_is_a_pattern_too(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert _shown(app, '{{ _("100 %%") }}') == "100 %"
        assert _shown(app, '{{ pgettext("task", "Done") }}') == "Done"


def _shown(app: Flask, source: str) -> str:
    return str(Markup(app.jinja_env.from_string(source).render()))


def test_two_pages_rendered_at_the_same_time_keep_the_languages_of_their_readers(
    app: Flask,
) -> None:
    both_are_rendering = Barrier(2, timeout=20)

    def render(language: str) -> str:
        reader = app.test_request_context(headers={"Accept-Language": language})
        with reader, language_asked_once():
            first = _shown(app, '{{ _("Undo") }}')
            both_are_rendering.wait()
            return f"{first} {gettext('Undo')}"

    with ThreadPoolExecutor(2) as readers:
        assert list(readers.map(render, ("en", "ja"))) == ["Undo Undo", "元に戻す 元に戻す"]


def test_a_page_that_fails_leaves_no_language_to_the_next_reader(app: Flask) -> None:
    reader = app.test_request_context(headers={"Accept-Language": "ja"})
    with reader, pytest.raises(UndefinedError), language_asked_once():
        _shown(app, '{{ _("Undo") }}{{ absent.one }}')
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert gettext("Undo") == "Undo"


def test_a_text_is_kept_under_its_own_language_though_another_is_forced(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}), language_asked_once():
        with force_locale("ja"):
            assert _shown(app, '{{ _("Save") }}') == "Save"
        assert gettext("Save") == "Save"
    with app.test_request_context(headers={"Accept-Language": "en"}):
        assert _shown(app, '{{ _("Save") }}') == "Save"


def test_the_globals_of_one_template_reach_no_other(app: Flask) -> None:
    environment = app.jinja_env
    own = environment.from_string("{{ house }}", globals={"house": "Midori"})
    with app.test_request_context():
        assert own.render() == "Midori"
        assert environment.from_string("{{ house }}").render() == ""
    assert "house" not in environment.globals


def test_a_page_has_none_of_the_indentation_of_its_template(app: Flask) -> None:
    source = """
      <p
        class="hint"
        {% if kind %} lang="{{ kind }}"{% endif %}
        id="x">
        Two
        words {{ kind }}
        and more
      </p>
    """
    with app.test_request_context():
        page = app.jinja_env.from_string(source).render(kind="en")
    assert page == '\n<p class="hint"\n lang="en" id="x"> Two words en and more\n</p>\n'
