"""Fields hold one value, or any of a list, and say in our own words what is wrong."""

from flask import Flask
from werkzeug.datastructures import MultiDict
from wtforms import Form
from wtforms.widgets import Select

from pms.surfaces.fields import ChoiceField, FlagField, ManyField, Required, TextField


class Wishes(Form):
    """One of each kind that differs."""

    name = TextField()
    kind = ChoiceField(choices=[("a", "A"), ("b", "B")])
    days = ManyField(choices=[("mon", "Monday"), ("tue", "Tuesday")])
    quiet = FlagField()


def errors(app: Flask, *given: tuple[str, str]) -> dict[str, list[str]]:
    with app.test_request_context("/?lang=en"):
        form = Wishes(MultiDict(given))
        form.validate()
        return {name: [str(each) for each in found] for name, found in form.errors.items()}


def test_a_field_sent_twice_is_refused_and_one_of_a_list_is_not(app: Flask) -> None:
    twice = "This was sent more than once. Send it once."
    assert errors(app, ("name", ""), ("name", "x"), ("kind", "a"), ("kind", "b")) == {
        "name": [twice],
        "kind": [twice],
    }
    assert errors(app, ("quiet", "y"), ("quiet", "y")) == {"quiet": [twice]}
    assert errors(app, ("days", "mon"), ("days", "tue"), ("name", "x")) == {}


def test_what_is_none_of_the_choices_is_named(app: Flask) -> None:
    assert errors(app, ("kind", "z"), ("days", "mon"), ("days", "sun")) == {
        "kind": ["z is not one of the choices."],
        "days": ["sun is not one of the choices."],
    }


def test_a_text_is_composed_however_it_was_typed(app: Flask) -> None:
    with app.test_request_context("/"):
        assert Wishes(MultiDict([("name", " か\u3099 ")])).name.data == "が"


class Asked(Form):
    """A text and a choice that must be given."""

    name = TextField(validators=[Required()])
    kind = ChoiceField(validators=[Required()], choices=[("a", "A")])


def test_a_missing_text_is_to_be_filled_in_and_a_missing_choice_to_be_chosen(app: Flask) -> None:
    with app.test_request_context("/?lang=ja"):
        form = Asked(MultiDict())
        form.validate()
        assert form.errors == {"name": ["入力してください。"], "kind": ["選択してください。"]}


def test_options_are_written_as_wtforms_writes_them(app: Flask) -> None:
    with app.test_request_context():
        form = Wishes(data={"kind": "<b>"})
        form.kind.choices = [("a", "A"), ("<b>", "B & C"), ("c", "")]
        assert form.kind() == Select()(form.kind)
        assert '<option selected value="&lt;b&gt;">B &amp; C</option>' in form.kind()
