"""Words a mail from its occasion's templates: `templates/mail/<occasion>.<language>.{txt,html}`."""

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pms.foundation.wording import said_day, said_month, said_yen
from pms.rules.brand_colour import brand_colour

TEMPLATES: Final = Path(__file__).parents[2] / "templates" / "mail"


class MailText(NamedTuple):
    """A mail in one language, as text and as HTML."""

    subject: str
    text: str
    html: str


def mail_text(occasion: str, locale: str, *, hue: int, **facts: Any) -> MailText:
    """Return the mail of an occasion; the first line of the text template is the subject.

    `hue` is the workspace's own, for the frame around the HTML. A fact that a template asks for and nobody gave is a programming error and raises.
    """
    language = "en" if locale == "en" else "ja"
    facts = {**facts, "language": language, "brand": brand_colour(hue)}
    written = _templates(language).get_template(f"{occasion}.{language}.txt").render(facts)
    html = _templates(language).get_template(f"{occasion}.{language}.html").render(facts)
    subject, _, text = written.partition("\n")
    return MailText(subject.strip(), text.strip("\n") + "\n", html)


@cache
def _templates(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=lambda name: bool(name and name.endswith(".html")),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["yen"] = said_yen
    environment.filters["day"] = lambda day: said_day(day, language)
    environment.filters["month"] = lambda day: said_month(day, language)
    return environment
