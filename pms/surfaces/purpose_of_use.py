"""For what the workspace of a request uses personal data, as its public forms say it."""

from flask import Flask, g
from flask_babel import gettext as _

from pms.foundation.phrases import Bilingual
from pms.surfaces.reader_choice import chosen_language
from pms.surfaces.request_scope import reading_session
from pms.workspaces.personal_data_terms import personal_data_terms
from pms.workspaces.queries import branding


def install(app: Flask) -> None:
    """Give templates the workspace's text, and the one for workspaces that wrote none."""
    app.jinja_env.globals.update(
        stated_purpose_of_use=stated_purpose_of_use, default_purpose_of_use=default_purpose_of_use
    )


def stated_purpose_of_use() -> Bilingual:
    """Return what the workspace of the request wrote; empty if nothing."""
    return personal_data_terms(reading_session(g.workspace_id)).purpose


def default_purpose_of_use() -> str:
    """Return the text for workspaces that wrote none, in the reader's language."""
    name = branding(reading_session(g.workspace_id)).name.in_language(chosen_language())
    text: str = _(
        "%(name)s uses what you enter to handle your enquiry, application, contract, stay or work, to "
        "contact you about it, to bill and pay, and to keep the records that the law requires. It is "
        "passed on only to those who need it for this, such as payment, guarantee and repair "
        "companies, or where the law requires it.",
        name=name,
    )
    return text
