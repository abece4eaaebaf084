"""What the website shows: posts, campaigns, positions, services and its own words."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from pms.surfaces.dashboard.content import campaign_units, pages, publishing, removing, website
from pms.surfaces.dashboard.content.kinds import KINDS, LEAFLETS, Kind
from pms.surfaces.dashboard.content.ordering import move
from pms.surfaces.dashboard.reach import OFFICE, Address

_BYTES: Final = 800_000
"""Two texts of the longest, each letter written in nine bytes, and what the form carries unseen."""


def _addresses(kind: Kind) -> Iterator[Address]:
    name, all_, bytes_ = kind.name, f"/content/{kind.folder}", _BYTES
    one = f"{all_}/<{name}_id>"
    yield Address(kind.list_rule, kind.tab, partial(pages.index, kind), OFFICE)
    yield Address(f"{all_}/new", f"new_{name}", partial(pages.new, kind), OFFICE)
    yield Address(f"{all_}/new", f"add_{name}", partial(pages.add, kind), OFFICE, "POST", bytes_)
    yield Address(one, name, partial(pages.show, kind), OFFICE)
    yield Address(one, f"edit_{name}", partial(pages.save, kind), OFFICE, "POST", bytes_)
    publication = f"{one}/publication"
    check, publish = partial(publishing.check, kind), partial(publishing.publish, kind)
    yield Address(publication, f"check_{name}_publication", check, OFFICE)
    yield Address(publication, f"publish_{name}", publish, OFFICE, "POST")
    withdraw = partial(publishing.withdraw, kind)
    yield Address(f"{one}/withdrawal", f"withdraw_{name}", withdraw, OFFICE, "POST")
    removal = f"{one}/removal"
    yield Address(removal, f"check_{name}_removal", partial(removing.check, kind), OFFICE)
    yield Address(removal, f"remove_{name}", partial(removing.remove, kind), OFFICE, "POST")


_CAMPAIGN: Final = "/content/campaigns/<campaign_id>"
ADDRESSES: tuple[Address, ...] = (
    *(address for kind in KINDS for address in _addresses(kind)),
    Address(f"{_CAMPAIGN}/end", "end_campaign", publishing.end, OFFICE, "POST"),
    Address(f"{_CAMPAIGN}/units", "choose_campaign_units", campaign_units.choose, OFFICE, "POST"),
    Address(
        f"{_CAMPAIGN}/units/removal", "drop_campaign_units", campaign_units.drop, OFFICE, "POST"
    ),
    *(
        Address(
            f"/content/{kind.folder}/<{kind.name}_id>/place",
            f"move_{kind.name}",
            partial(move, kind),
            OFFICE,
            "POST",
        )
        for kind in LEAFLETS
    ),
    Address("/content/website", "website", website.show, OFFICE),
    Address("/content/website", "set_website", website.save, OFFICE, "POST"),
)
