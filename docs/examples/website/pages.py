"""Turns answers of the service into pages; every word of them is escaped.

The one exception is `bodyHtml`: the service makes it of Markdown and lets no markup of its writers
through. Days stand on a page only where the service confirms them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

Record = Mapping[str, Any]

WORDS: Mapping[str, Mapping[str, str]] = {
    "ja": {
        "units": "お部屋",
        "buildings": "建物",
        "posts": "お知らせ",
        "campaigns": "キャンペーン",
        "positions": "採用",
        "services": "サービス",
        "available_now": "すぐに入居できます",
        "available_from": "入居できます",
        "reserved": "予約済み",
        "possibly_available": "空く可能性があります（入居日は未定）",
        "occupied": "入居中",
        "from": "{day} から入居できます",
        "rent": "賃料",
        "total": "月々の合計",
        "deposit": "敷金",
        "yen": "{yen:,}円",
        "until": "{day} まで",
        "none": "いまご案内できるものはありません。",
        "other": "English",
        "free": "空き {count} 室",
    },
    "en": {
        "units": "Rooms",
        "buildings": "Houses",
        "posts": "News",
        "campaigns": "Offers",
        "positions": "Jobs",
        "services": "Services",
        "available_now": "Free now",
        "available_from": "Free soon",
        "reserved": "Reserved",
        "possibly_available": "May become free; no move-in date yet",
        "occupied": "Lived in",
        "from": "Free from {day}",
        "rent": "Rent",
        "total": "Each month in all",
        "deposit": "Deposit",
        "yen": "¥{yen:,}",
        "until": "until {day}",
        "none": "Nothing to show at the moment.",
        "other": "日本語",
        "free": "{count} free",
    },
}
OTHER = {"ja": "en", "en": "ja"}
LISTS = ("units", "buildings", "campaigns", "posts", "services", "positions")
_SAFE_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
STYLE = """:root{color-scheme:light dark;--line:light-dark(#d7dbe0,#383e45)}
*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:1rem;line-height:1.75;
font-family:sans-serif;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}nav a{padding:.5rem 0}
ul.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));
gap:1rem;padding:0;list-style:none}
.cards>li{border:1px solid var(--line);border-radius:8px;padding:1rem}
img{max-width:100%;height:auto;border-radius:8px}h1{line-height:1.3}
.state{font-weight:700}.soft{font-weight:400;font-style:normal;border-bottom:1px dashed}
footer{margin-top:2rem;border-top:1px solid var(--line)}
"""


class Site(NamedTuple):
    """Everything a website of one language is made of."""

    locale: str
    config: Record
    lists: Mapping[str, tuple[Record, ...]]


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Give each page as its place below the folder and its HTML."""
    yield f"{site.locale}/index.html", _front(site)
    for name in LISTS:
        for record in site.lists[name]:
            if is_safe(record["slug"]):
                place = f"{site.locale}/{name}/{record['slug']}/index.html"
                yield (
                    place,
                    _page(
                        site,
                        record["title" if "title" in record else "name"],
                        _ONE[name](site, record),
                        f"{name}/{record['slug']}/",
                    ),
                )


def is_safe(slug: str) -> bool:
    """Tell whether a slug names a folder and nothing else."""
    return _SAFE_SLUG.fullmatch(slug) is not None


def sitemap(entries: Iterable[Record]) -> str:
    """Return sitemap.xml of what the service lists."""
    urls = "".join(
        f"<url><loc>{escape(entry['url'])}</loc>"
        f"<lastmod>{escape(entry['lastModified'])}</lastmod></url>\n"
        for entry in entries
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )


def moved(redirects: Iterable[Record], base_url: str) -> Iterator[tuple[str, str]]:
    """Give what leads from old addresses to new ones: a file for the host, and pages that lead on."""
    lines = []
    for one in redirects:
        old, new = (one[name].removeprefix(base_url) for name in ("from", "to"))
        if not all(map(is_safe, old.strip("/").split("/"))):
            continue
        lines.append(f"{old} {new} 301\n{old}/ {new}/ 301\n")
        head = f'<link rel="canonical" href="{_say(one["to"])}"><meta http-equiv="refresh"'
        yield (
            f"{old.strip('/')}/index.html",
            f'<!doctype html>\n<meta charset="utf-8">{head} content="0; url={_say(new)}/">\n'
            f'<title>301</title><p><a href="{_say(new)}/">{_say(one["to"])}</a></p>\n',
        )
    yield "_redirects", "".join(lines)


def start(config: Record) -> str:
    """Return the page that leads to a language."""
    first = config["defaultLocale"]
    links = "".join(
        f'<li lang="{one}"><a href="{one}/">{name}</a></li>'
        for one, name in (("ja", "日本語"), ("en", "English"))
    )
    return _html(first, config["title"], f"<h1>{_say(config['title'])}</h1><ul>{links}</ul>", "")


def availability(unit: Record, locale: str) -> str:
    """Say whether a unit is free; a day only where it is confirmed."""
    told, words = unit["availability"], WORDS[locale]
    state = told["state"]
    if told["confirmed"] and told["moveInFrom"] and state == "available_from":
        said, kind = words["from"].format(day=told["moveInFrom"]), "state"
    else:
        said = words.get(state, told["label"])
        kind = "state soft" if state == "possibly_available" else "state"
    return f'<p class="{kind}">{_say(said)}</p>'


def _front(site: Site) -> str:
    words, config = WORDS[site.locale], site.config
    parts = [f"<h1>{_say(config['title'])}</h1><p>{_say(config['tagline'])}</p>"]
    for name in LISTS:
        cards = "".join(
            f"<li>{_card(site, name, one)}</li>" for one in site.lists[name] if is_safe(one["slug"])
        )
        shown = f'<ul class="cards">{cards}</ul>' if cards else f"<p>{_say(words['none'])}</p>"
        parts.append(f'<section id="{name}"><h2>{_say(words[name])}</h2>{shown}</section>')
    return _page(site, config["title"], "".join(parts), "")


def _card(site: Site, name: str, record: Record) -> str:
    title = record["title" if "title" in record else "name"]
    link = f'<h3><a href="/{site.locale}/{name}/{quote(record["slug"])}/">{_say(title)}</a></h3>'
    if name == "units":
        return link + availability(record, site.locale) + _price(record)
    if name == "buildings":
        free = WORDS[site.locale]["free"].format(count=record["units"]["availableNow"])
        return f"{link}<p>{_say(record['area'])} · {_say(free)}</p>"
    if name == "campaigns":
        return link + _days(site, record)
    return f"{link}<p>{_say(record.get('summary') or record.get('place'))}</p>"


def _unit(site: Site, unit: Record) -> str:
    words, house = WORDS[site.locale], unit["building"]
    facts = [unit["typeLabel"], unit["layout"], unit["sizeLabel"], unit["floorLabel"]]
    langs = unit["lang"]
    rows = [(words["rent"], unit["priceLabel"]), (words["total"], unit["monthlyTotalLabel"])]
    if unit["deposit"] is not None:
        rows.append((words["deposit"], words["yen"].format(yen=unit["deposit"])))
    prices = "".join(f"<dt>{_say(name)}</dt><dd>{_say(value)}</dd>" for name, value in rows)
    features = "".join(f"<li>{_say(one)}</li>" for one in unit["features"])
    offer = unit["campaign"]
    return (
        f"<h1>{_say(unit['title'])}</h1>{availability(unit, site.locale)}"
        f"<p{_lang(langs, 'layout')}>{_say(' · '.join(filter(None, facts)))}</p>"
        + (f"<p><strong>{_say(offer['title'])}</strong></p>" if offer else "")
        + f"{_pictures(unit)}<dl>{prices}</dl><ul{_lang(langs, 'features')}>{features}</ul>"
        f"<p{_lang(langs, 'description')}>{_say(unit['description'])}</p>"
        f'<p><a href="/{site.locale}/buildings/{quote(house["slug"])}/">{_say(house["name"])}</a>'
        f" {_say(house['address'])}</p>"
    )


def _building(site: Site, house: Record) -> str:
    units = [one for one in site.lists["units"] if one["building"]["slug"] == house["slug"]]
    cards = "".join(f"<li>{_card(site, 'units', one)}</li>" for one in units)
    return (
        f"<h1>{_say(house['name'])}</h1><p>{_say(house['address'])}</p>"
        f"<p>{_say(house['access'])}</p>{_pictures(house)}<p>{_say(house['description'])}</p>"
        f'<ul class="cards">{cards}</ul>'
    )


def _text(site: Site, record: Record) -> str:
    return f"<h1>{_say(record['title'])}</h1>{record['bodyHtml']}"


def _campaign(site: Site, record: Record) -> str:
    rooms = {one["slug"]: one for one in site.lists["units"]}
    cards = "".join(
        f"<li>{_card(site, 'units', rooms[slug])}</li>"
        for slug in record["unitSlugs"]
        if slug in rooms
    )
    return f'{_text(site, record)}{_days(site, record)}<ul class="cards">{cards}</ul>'


_ONE = {
    "units": _unit,
    "buildings": _building,
    "posts": _text,
    "campaigns": _campaign,
    "positions": _text,
    "services": _text,
}


def _days(site: Site, record: Record) -> str:
    last = record["endsOn"]
    until = WORDS[site.locale]["until"].format(day=last) if last else ""
    return f"<p>{_say(record['startsOn'])} – {_say(until)}</p>"


def _price(unit: Record) -> str:
    return f"<p>{_say(unit['priceLabel'])}</p>" if unit["priceLabel"] else ""


def _pictures(record: Record) -> str:
    shown = []
    for image in record["images"]:
        sizes = [one for one in image["sizes"] if one["url"].startswith(("https://", "http://"))]
        if sizes:
            widths = ", ".join(f"{one['url']} {one['width']}w" for one in sizes)
            last = sizes[-1]
            shown.append(
                f'<img src="{escape(last["url"])}" srcset="{escape(widths)}" '
                f'sizes="(min-width: 64rem) 60rem, 100vw" width="{int(last["width"])}" '
                f'height="{int(last["height"])}" alt="{_say(image["alt"])}" loading="lazy">'
            )
    return "".join(shown)


def _page(site: Site, title: str, main: str, place: str) -> str:
    locale, config = site.locale, site.config
    words, other = WORDS[locale], OTHER[locale]
    menu = "".join(f'<a href="/{locale}/#{name}">{_say(words[name])}</a>' for name in LISTS)
    contact = " · ".join(
        _say(config["contact"][name])
        for name in ("phone", "email", "address")
        if config["contact"][name]
    )
    links = " ".join(
        f'<a rel="me noopener" href="{escape(address)}">{_say(name)}</a>'
        for name, address in sorted(config["socialLinks"].items())
        if address.startswith("https://")
    )
    return _html(
        locale,
        title if title == config["title"] else f"{title} - {config['title']}",
        f'<nav><a href="/{locale}/">{_say(config["title"])}</a>{menu}'
        f'<a lang="{other}" href="/{other}/{place}">{_say(words["other"])}</a></nav>'
        f"<main>{main}</main><footer><p>{contact}</p><p>{links}</p></footer>",
        "/",
    )


def _html(locale: str, title: str, body: str, root: str) -> str:
    return (
        f'<!doctype html>\n<html lang="{_say(locale)}">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{_say(title)}</title><link rel="stylesheet" href="{root}style.css"></head>\n'
        f"<body>{body}</body>\n</html>\n"
    )


def _lang(langs: Mapping[str, str], field: str) -> str:
    """Return the attribute of a text that is not in the language of the page."""
    return f' lang="{_say(langs[field])}"' if field in langs else ""


def _say(text: object) -> str:
    return "" if text is None else escape(str(text))
