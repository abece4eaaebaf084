"""The kinds of content: what each is called, where it is, and which use cases carry it."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from flask_babel import LazyString
from flask_babel import lazy_gettext as _

from pms.foundation.clock import Clock
from pms.foundation.paging import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.rules.channel_words import LeafletKind
from pms.site.desk_content import (
    ContentRecord,
    FoundContent,
    campaign_record,
    campaigns_at_desk,
    leaflet_record,
    leaflets_at_desk,
    post_record,
    posts_at_desk,
)
from pms.site.publish_campaign import publish_campaign
from pms.site.publish_leaflet import publish_leaflet
from pms.site.publish_post import publish_post
from pms.site.remove_campaign import remove_campaign
from pms.site.remove_leaflet import remove_leaflet
from pms.site.remove_post import remove_post
from pms.site.withdraw_campaign import withdraw_campaign
from pms.site.withdraw_leaflet import withdraw_leaflet
from pms.site.withdraw_post import withdraw_post
from pms.site.write_campaign import write_campaign
from pms.site.write_leaflet import write_leaflet
from pms.site.write_post import write_post
from pms.surfaces.dashboard.content.content_form import (
    CampaignForm,
    PositionForm,
    PostForm,
    ServiceForm,
)

Form = PostForm | CampaignForm | PositionForm | ServiceForm
Deed = Callable[[WorkspaceSession, Clock, str, str], object]
_FOLDERS: Final = {LeafletKind.POSITION: "positions", LeafletKind.SERVICE: "services"}


class Words(NamedTuple):
    """What the screens of a kind say."""

    many: LazyString
    lead: LazyString
    new: LazyString
    none: LazyString
    hint: LazyString


class Publication(NamedTuple):
    """When something comes out, nothing meaning now, and in which version it was looked at."""

    at: datetime | None
    version: int | None


class Kind(NamedTuple):
    """One kind of content; `folder` is its part of an address, here and on the website."""

    name: str
    folder: str
    tab: str
    list_rule: str
    words: Words
    form: type[Form]
    found: Callable[[WorkspaceSession, Paging, date], FoundContent]
    record: Callable[[WorkspaceSession, str, date], ContentRecord]
    write: Callable[..., str]
    publish: Callable[[WorkspaceSession, Clock, str, str, Publication], object]
    withdraw: Deed
    remove: Deed
    columns: Mapping[str, str] = MappingProxyType({})
    """What the audit calls fields that are not called by their column."""

    def named(self, id_: str) -> dict[str, Any]:
        """Return the id by the name it has in addresses and use cases."""
        return {f"{self.name}_id": id_}

    @property
    def is_timed(self) -> bool:
        """Whether it may come out at an instant to come."""
        return self.name == "post"

    @property
    def is_ordered(self) -> bool:
        """Whether people put it in order."""
        return self.name in list(LeafletKind)


POST: Final = Kind(
    "post",
    "posts",
    "content",
    "/content",
    Words(
        _("Posts"),
        _("News and stories of the website; a post may wait for its instant."),
        _("Write a post"),
        _("No posts yet"),
        _("A first post tells visitors who you are."),
    ),
    PostForm,
    posts_at_desk,
    post_record,
    write_post,
    lambda session, clock, actor, id_, wanted: publish_post(
        session, clock, actor, post_id=id_, at=wanted.at, version=wanted.version
    ),
    lambda session, clock, actor, id_: withdraw_post(session, clock, actor, post_id=id_),
    lambda session, clock, actor, id_: remove_post(session, clock, actor, post_id=id_),
)
CAMPAIGN: Final = Kind(
    "campaign",
    "campaigns",
    "campaigns",
    "/content/campaigns",
    Words(
        _("Campaigns"),
        _("Offers with their days, shown on the units they are for."),
        _("Write a campaign"),
        _("No campaigns yet"),
        _("A campaign stands on the website and on each of its units."),
    ),
    CampaignForm,
    campaigns_at_desk,
    campaign_record,
    write_campaign,
    lambda session, clock, actor, id_, wanted: publish_campaign(
        session, clock, actor, campaign_id=id_, version=wanted.version
    ),
    lambda session, clock, actor, id_: withdraw_campaign(session, clock, actor, campaign_id=id_),
    lambda session, clock, actor, id_: remove_campaign(session, clock, actor, campaign_id=id_),
    MappingProxyType({"startsOn": "first_on", "endsOn": "last_on"}),
)


def _leaflet(kind: LeafletKind, words: Words, form: type[Form]) -> Kind:
    def found(session: WorkspaceSession, paging: Paging, _today: date) -> FoundContent:
        return leaflets_at_desk(session, kind, paging)

    def record(session: WorkspaceSession, leaflet_id: str, _today: date) -> ContentRecord:
        return leaflet_record(session, kind, leaflet_id)

    def write(session: WorkspaceSession, clock: Clock, actor: str, **given: Any) -> str:
        given["leaflet_id"] = given.pop(f"{kind}_id", None)
        return write_leaflet(session, clock, actor, kind=kind, **given)

    folder = _FOLDERS[kind]
    publish, withdraw = partial(publish_leaflet, kind=kind), partial(withdraw_leaflet, kind=kind)
    remove = partial(remove_leaflet, kind=kind)
    return Kind(
        kind.value,
        folder,
        folder,
        f"/content/{folder}",
        words,
        form,
        found,
        record,
        write,
        lambda session, clock, actor, id_, wanted: publish(
            session, clock, actor, leaflet_id=id_, version=wanted.version
        ),
        lambda session, clock, actor, id_: withdraw(session, clock, actor, leaflet_id=id_),
        lambda session, clock, actor, id_: remove(session, clock, actor, leaflet_id=id_),
    )


POSITION: Final = _leaflet(
    LeafletKind.POSITION,
    Words(
        _("Positions"),
        _("Jobs you offer, in the order of the website."),
        _("Write a position"),
        _("No positions yet"),
        _("Who applies on the website appears among the leads."),
    ),
    PositionForm,
)
SERVICE: Final = _leaflet(
    LeafletKind.SERVICE,
    Words(
        _("Services"),
        _("What you do for owners and residents, in the order of the website."),
        _("Write a service"),
        _("No services yet"),
        _("Tell owners what you take off their hands."),
    ),
    ServiceForm,
)
LEAFLETS: Final = (POSITION, SERVICE)
KINDS: Final = (POST, CAMPAIGN, POSITION, SERVICE)
