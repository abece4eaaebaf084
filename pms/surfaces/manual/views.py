"""The views of the manual: pages, their Markdown versions, the search, and texts for programs."""

from collections.abc import Callable, Iterator

from flask import Response, abort, current_app, render_template, request
from flask_babel import force_locale
from flask_babel import gettext as _

from pms.foundation.clock import SystemClock
from pms.rules.days import day_of
from pms.surfaces import hypermedia
from pms.surfaces.manual.contents import GROUPS, SLUGS, neighbours
from pms.surfaces.manual.rendering import ORIGINAL, PICTURES, all_pages, read_page, render
from pms.surfaces.manual.search import find
from pms.surfaces.reader_choice import chosen_language, chosen_theme

_TITLE = "Property Management Service"
_SUMMARY = (
    "A multi-workspace property-management service for shared houses and apartments in Japan: "
    "catalogue, reservations and availability, with a small JSON API that is mostly for reading."
)


def index(base_url: str, *, heading: str = f"# {_TITLE}\n\n> {_SUMMARY}") -> str:
    """Return links to the Markdown pages by group, each with its summary."""
    with force_locale(ORIGINAL):
        blocks = [heading, *_listed_groups(ORIGINAL, base_url), _translations(base_url)]
    return "\n\n".join(blocks) + "\n"


def table_of_contents(language: str, base_url: str, title: str) -> str:
    """Return the front page of the manual as Markdown, in one language."""
    return "\n\n".join([f"# {title}", *_listed_groups(language, base_url)]) + "\n"


def full_text(base_url: str) -> str:
    """Return every English page, one after the other."""
    pages = (page.markdown(base_url).strip() for page in all_pages(ORIGINAL))
    return "\n\n---\n\n".join([f"# {_TITLE}\n\n> {_SUMMARY}", *pages]) + "\n"


def _listed_groups(language: str, base_url: str) -> Iterator[str]:
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


_PLAIN = "text/plain"


def front() -> Response:
    """Send the table of contents."""
    if hypermedia.prefers_markdown():
        return _negotiated(front_markdown())
    html = _once("front", lambda: render_template("manual/front.html", groups=_menu_groups()))
    return _negotiated(_answer(html, hypermedia.HTML))


def front_markdown() -> Response:
    """Send the table of contents as Markdown."""
    title = _("Manual")
    text = _once("front.md", lambda: table_of_contents(chosen_language(), _base_url(), title))
    return _answer(text, hypermedia.MARKDOWN)


def page(slug: str) -> Response:
    """Send one page, as HTML or, if the client prefers it, as Markdown."""
    if hypermedia.prefers_markdown():
        return _negotiated(markdown(slug))
    _must_exist(slug)
    return _negotiated(_answer(_once(slug, lambda: _page_html(slug)), hypermedia.HTML))


def markdown(slug: str) -> Response:
    """Send a page as Markdown."""
    if slug not in SLUGS:
        return _no_such_page()
    text = _once(f"{slug}.md", lambda: read_page(slug, chosen_language()).markdown(_base_url()))
    return _answer(text, hypermedia.MARKDOWN)


def sample_statement() -> Response:
    """Send a sample bank statement to import; it continues after the demo's month."""
    headers = {"Content-Disposition": 'attachment; filename="statement.csv"'}
    from pms.demo import bank

    csv = bank.sample_statement(day_of(SystemClock().now()))
    return Response(csv, content_type="text/csv; charset=shift_jis", headers=headers)


def picture(language: str, name: str) -> Response:
    """Send a picture of a page."""
    path = PICTURES / language / name
    if path.suffix != ".webp" or not path.is_file():
        abort(404)
    answer = Response(path.read_bytes(), mimetype="image/webp")
    return _tagged(answer)


def search() -> Response:
    """Send the sections that contain the words searched for."""
    question = request.args.get("q", "").strip()
    found = find(question, chosen_language())
    return hypermedia.page(
        "manual/search.html", question=question, found=found, groups=_menu_groups()
    )


def llms() -> Response:
    """Send the index for programs."""
    return _tagged(Response(_once("llms.txt", lambda: index(_base_url())), mimetype=_PLAIN))


def llms_full() -> Response:
    """Send the whole manual for programs."""
    text = _once("llms-full.txt", lambda: full_text(_base_url()))
    return _tagged(Response(text, mimetype=_PLAIN))


def _page_html(slug: str) -> str:
    shown = read_page(slug, chosen_language())
    before, after = (
        read_page(name, chosen_language()) if name else None for name in neighbours(slug)
    )
    return render_template(
        "manual/page.html",
        page=shown,
        rendered=render(shown, _base_url()),
        before=before,
        after=after,
        groups=_menu_groups(),
    )


def _menu_groups() -> list[tuple[object, list[object]]]:
    language = chosen_language()
    return [(name, [read_page(slug, language) for slug in slugs]) for name, slugs in GROUPS]


def _must_exist(slug: str) -> None:
    if slug not in SLUGS:
        abort(404)


def _no_such_page() -> Response:
    text = _("This page was not found. Contents of the manual: %(url)s", url=_contents_url())
    response = _answer(f"# 404\n\n{text}\n", hypermedia.MARKDOWN)
    response.status_code = 404
    return response


def _contents_url() -> str:
    return f"{_base_url()}/manual.md"


def _base_url() -> str:
    return str(current_app.config["BASE_URL"])


def _once(name: str, make: Callable[[], str]) -> str:
    """Return the cached text for this language and theme; it is made at the first request."""
    kept: dict[tuple[str, str, str], str] = current_app.extensions.setdefault("manual", {})
    key = (name, chosen_language(), chosen_theme())
    if key not in kept:
        kept[key] = make()
    return kept[key]


def _negotiated(response: Response) -> Response:
    response.vary.add("Accept")
    return response


def _answer(text: str, mimetype: str) -> Response:
    return _tagged(hypermedia.vary_by_reader(Response(text, mimetype=mimetype)))


def _tagged(response: Response) -> Response:
    response.headers.setdefault("Cache-Control", "no-cache")
    response.add_etag()
    response.make_conditional(request)
    return response
