"""Fixed texts of pages: looked up once a language, and told in the one that is spoken just now."""

from flask import Flask
from flask_babel import force_locale
from markupsafe import Markup

from pms.surfaces.page_templates import gettext


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
