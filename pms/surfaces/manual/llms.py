"""The manual as programs read it: an index of Markdown pages, and all of it in one text."""

from collections.abc import Iterator

from flask_babel import force_locale

from pms.surfaces.manual.contents import GROUPS
from pms.surfaces.manual.pages import ORIGINAL, all_pages, read_page

_TITLE = "Property Management Service"
_SUMMARY = (
    "A multi-workspace property-management service for shared houses and apartments in Japan: "
    "catalogue, reservations and availability, with a small JSON API that is mostly for reading."
)


def index(base_url: str, *, heading: str = f"# {_TITLE}\n\n> {_SUMMARY}") -> str:
    """The pages by group as links to Markdown, each with its summary."""
    with force_locale(ORIGINAL):
        blocks = [heading, *_groups(ORIGINAL, base_url), _translations(base_url)]
    return "\n\n".join(blocks) + "\n"


def table_of_contents(language: str, base_url: str, title: str) -> str:
    """The front page of the manual as Markdown, in one language."""
    return "\n\n".join([f"# {title}", *_groups(language, base_url)]) + "\n"


def full_text(base_url: str) -> str:
    """Every English page, one after the other."""
    pages = (page.markdown(base_url).strip() for page in all_pages(ORIGINAL))
    return "\n\n---\n\n".join([f"# {_TITLE}\n\n> {_SUMMARY}", *pages]) + "\n"


def _groups(language: str, base_url: str) -> Iterator[str]:
    suffix = "" if language == ORIGINAL else f"?lang={language}"
    for name, slugs in GROUPS:
        pages = (read_page(slug, language) for slug in slugs)
        lines = (
            f"- [{page.title}]({base_url}/manual/{page.slug}.md{suffix}): {page.summary}"
            for page in pages
        )
        yield f"## {name}\n\n" + "\n".join(lines)


def _translations(base_url: str) -> str:
    lines = (
        f"- [{page.title}]({base_url}/manual/{page.slug}.md?lang=ja)" for page in all_pages("ja")
    )
    return "## Optional\n\n" + "\n".join(
        [f"- [All of it in one text]({base_url}/llms-full.txt)", *lines]
    )
