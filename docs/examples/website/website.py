"""A website of one's own, made of the service's JSON API with Python's standard library alone.

python website.py build             poll, and write what changed
python website.py enquire --name …  send an enquiry, as a visitor's form would
python website.py count /ja/ …      report visits of pages
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from uuid import uuid4

from asking import Kept, Service, StoppedError
from pages import LISTS, STYLE, Site, is_safe, moved, pages, sitemap, start

LOCALES = ("ja", "en")


def build(settings: Mapping[str, str]) -> None:
    """Poll everything, and write the pages whose words are not what stands there."""
    folder = Path(settings.get("SITE_DIR", "public"))
    kept = Kept(_service(settings, "READ_KEY"), _kept_file(settings))
    files = dict(_files(kept))
    kept.save()
    if kept.fresh == 0 and all((folder / place).exists() for place in files):
        print(f"Unchanged: {kept.unchanged} answers are as they were. Nothing is built.")
        return
    written = [place for place, text in sorted(files.items()) if _write(folder / place, text)]
    gone = _remove_others(folder, set(files))
    for place in written:
        print(f"wrote {place}")
    for place in gone:
        print(f"removed {place}")
    print(
        f"{len(written)} pages written, {len(gone)} removed, {len(files)} in all; "
        f"{kept.fresh} answers were new, {kept.unchanged} as they were."
    )


def enquire(settings: Mapping[str, str], given: argparse.Namespace) -> None:
    """Send an enquiry; sent again under the same name, it is still one."""
    name = given.again or str(uuid4())
    body = {
        "name": given.name,
        "email": given.email,
        "message": given.message,
        "unitId": given.unit,
        "moveInDate": given.move_in,
        "locale": given.locale,
        "externalId": given.external_id or f"website-{name}",
    }
    told = {field: value for field, value in body.items() if value}
    answer = _service(settings, "ACTIONS_KEY").post("/api/agent/inquiries", told, name)
    print(f"Enquiry {answer.body['id']} is received. To send it again: --again {name}")


def count(settings: Mapping[str, str], given: argparse.Namespace) -> None:
    """Report that pages were seen."""
    events = [{"type": "page_view", "path": path} for path in given.paths]
    service = _service(settings, "TELEMETRY_KEY")
    answer = service.post("/api/agent/analytics", {"events": events}, str(uuid4()))
    print(f"{answer.body['accepted']} visits are counted.")


def _files(kept: Kept) -> Iterator[tuple[str, str]]:
    """Give every file of the website."""
    for locale in LOCALES:
        config = kept.read(f"/api/agent/site/config?locale={locale}")["config"]
        lists = {
            name: tuple(kept.all(f"/api/agent/site/{name}?locale={locale}", name)) for name in LISTS
        }
        # A list tells a post in a few words; its text is an answer of its own.
        lists["posts"] = tuple(
            kept.read(f"/api/agent/site/posts/{post['slug']}?locale={locale}")["post"]
            for post in lists["posts"]
            if is_safe(post["slug"])
        )
        yield from pages(Site(locale, config, lists))
    redirects = kept.read("/api/agent/site/redirects")["redirects"]
    yield from moved(redirects, config["url"].rstrip("/"))
    yield "index.html", start(config)
    yield "style.css", STYLE
    yield "sitemap.xml", sitemap(kept.read("/api/agent/site/sitemap")["sitemap"])


def _write(file: Path, text: str) -> bool:
    if file.exists() and file.read_text("utf-8") == text:
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.part")
    part.write_text(text, "utf-8")
    part.replace(file)
    return True


def _remove_others(folder: Path, places: set[str]) -> list[str]:
    """Remove pages of what is no longer shown; only what this script writes, and nothing else."""
    gone = []
    for locale in LOCALES:
        for file in sorted((folder / locale).rglob("index.html")):
            place = file.relative_to(folder).as_posix()
            if place not in places:
                file.unlink()
                gone.append(place)
                if not any(file.parent.iterdir()):
                    file.parent.rmdir()
    return gone


def _service(settings: Mapping[str, str], key: str) -> Service:
    for name in ("BASE_URL", key):
        if not settings.get(name):
            raise StoppedError(f"{name} is not set in the environment.")
    return Service(settings["BASE_URL"], settings[key])


def _kept_file(settings: Mapping[str, str]) -> Path:
    return Path(settings.get("STATE_DIR", "state")) / "answers.json"


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    ways = parser.add_subparsers(dest="way", required=True)
    ways.add_parser("build", help="poll, and write what changed")
    asking = ways.add_parser("enquire", help="send an enquiry")
    for name in ("--name", "--email", "--message"):
        asking.add_argument(name, required=True)
    asking.add_argument("--unit", help="the id of a unit")
    asking.add_argument("--move-in", help="a day such as 2026-12-01")
    asking.add_argument("--locale", choices=LOCALES, default="ja")
    asking.add_argument("--external-id", help="your own number of it")
    asking.add_argument("--again", help="the name under which it was sent before")
    counting = ways.add_parser("count", help="report visits")
    counting.add_argument("paths", nargs="+", help="a path that begins with /")
    return parser.parse_args(arguments)


def main(arguments: list[str], settings: Mapping[str, str]) -> int:
    """Do what is asked; return the exit status."""
    given = _asked(arguments)
    try:
        if given.way == "build":
            build(settings)
        elif given.way == "enquire":
            enquire(settings, given)
        else:
            count(settings, given)
    except StoppedError as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
