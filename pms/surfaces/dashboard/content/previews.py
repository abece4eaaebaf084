"""What a text becomes on the website, in both languages beside each other."""

from typing import NamedTuple

from wtforms import Form

from pms.foundation.bilingual import Bilingual
from pms.foundation.markdown import to_html
from pms.rules.enumerations import Locale
from pms.site.desk_content import site_record
from pms.surfaces.dashboard.content.kinds import Kind
from pms.surfaces.dashboard.desk import reading


class Preview(NamedTuple):
    """What readers of one language are shown; what is missing stands there in the other."""

    locale: Locale
    title: str
    lead: str
    html: str
    is_borrowed: bool
    """Whether the text is the other language's."""


def previews(form: Form) -> tuple[Preview, ...]:
    """Return what a form becomes for readers of each language."""
    title = Bilingual(form["titleJa"].data, form["titleEn"].data)
    body = Bilingual(form["bodyJa"].data, form["bodyEn"].data)
    lead = _lead(form)
    return tuple(
        Preview(
            locale,
            title.said(locale) or "",
            lead.said(locale) or "",
            to_html(body.said(locale) or ""),
            not (body.ja if locale == Locale.JA else body.en),
        )
        for locale in Locale
    )


def address_of(kind: Kind, slug: str, locale: str) -> str | None:
    """Return where a website shows it, nothing while the website has no address."""
    site = site_record(reading())
    return f"{site.base_url}/{locale}/{kind.folder}/{slug}" if site else None


def _lead(form: Form) -> Bilingual:
    for name in ("summary", "place"):
        if f"{name}Ja" in form:
            return Bilingual(form[f"{name}Ja"].data, form[f"{name}En"].data)
    return Bilingual(None, None)
