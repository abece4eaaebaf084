"""The kinds of content: their names, addresses, forms and use cases."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import partial
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from flask_babel import LazyString, lazy_gettext
from flask_wtf import FlaskForm

from pms.foundation.lists import Paging
from pms.foundation.tenancy import WorkspaceSession
from pms.foundation.work import Work
from pms.rules.days import JAPAN
from pms.rules.message_words import LeafletKind
from pms.site import campaigns, content, written_content
from pms.site.content import ContentRecord, FoundContent
from pms.site.written_content import (
    LONGEST_BODY,
    LONGEST_SUMMARY,
    WrittenCampaign,
    WrittenLeaflet,
    WrittenPost,
)
from pms.surfaces.fields import (
    DayField,
    Either,
    LongTextField,
    Optional,
    PickField,
    Required,
    SeenField,
    TextField,
    TimeField,
)

NOW: Final = "now"
LATER: Final = "later"


class _Body(LongTextField):
    """The text field of a body, limited in length."""

    most_characters = LONGEST_BODY


class _Summary(LongTextField):
    """The text field of a summary, limited in length."""

    most_characters = LONGEST_SUMMARY


class ContentForm(FlaskForm):
    """The title and body in both languages, and the slug of the address."""

    titleJa = TextField(lazy_gettext("Title in Japanese"), [Either()])
    titleEn = TextField(lazy_gettext("Title in English"), [Either()])
    bodyJa = _Body(lazy_gettext("Text in Japanese"), [Either()])
    bodyEn = _Body(lazy_gettext("Text in English"), [Either()])
    slug = TextField(lazy_gettext("Address on the website"), [Optional()])

    @classmethod
    def of(cls, record: ContentRecord) -> Self:
        """Return the form filled with the recorded content."""
        return cls(formdata=None, data=cls.values_of(record))

    @classmethod
    def values_of(cls, record: ContentRecord) -> dict[str, Any]:
        """Return the values of the fields for the recorded content."""
        return {
            "titleJa": record.title.ja,
            "titleEn": record.title.en,
            "bodyJa": record.body.ja,
            "bodyEn": record.body.en,
            "slug": record.slug,
        }

    @property
    def texts(self) -> dict[str, Any]:
        """The texts that every kind has, from a valid form."""
        return {
            "title_ja": self.titleJa.data,
            "title_en": self.titleEn.data,
            "body_ja": self.bodyJa.data,
            "body_en": self.bodyEn.data,
            "slug": self.slug.data,
        }


class PostForm(ContentForm):
    """A post, with its summaries for lists."""

    summaryJa = _Summary(lazy_gettext("Summary in Japanese"), [Optional()])
    summaryEn = _Summary(lazy_gettext("Summary in English"), [Optional()])

    @classmethod
    def values_of(cls, record: ContentRecord) -> dict[str, Any]:
        summaries = {"summaryJa": record.summary.ja, "summaryEn": record.summary.en}
        return super().values_of(record) | summaries

    @property
    def written_content(self) -> WrittenPost:
        """The post of a valid form."""
        return WrittenPost(
            summary_ja=self.summaryJa.data, summary_en=self.summaryEn.data, **self.texts
        )


class CampaignForm(ContentForm):
    """A campaign, with its first and last day."""

    startsOn = DayField(lazy_gettext("First day"), [Required()])
    endsOn = DayField(lazy_gettext("Last day"), [Optional()])

    @classmethod
    def values_of(cls, record: ContentRecord) -> dict[str, Any]:
        return super().values_of(record) | {"startsOn": record.starts_on, "endsOn": record.ends_on}

    @property
    def written_content(self) -> WrittenCampaign:
        """The campaign of a valid form."""
        return WrittenCampaign(starts_on=self.startsOn.data, ends_on=self.endsOn.data, **self.texts)


class ServiceForm(ContentForm):
    """A service."""

    @property
    def written_content(self) -> WrittenLeaflet:
        """The service of a valid form."""
        return WrittenLeaflet(**self.texts)


class PositionForm(ContentForm):
    """A position, with its place."""

    placeJa = TextField(lazy_gettext("Place in Japanese"), [Optional()])
    placeEn = TextField(lazy_gettext("Place in English"), [Optional()])

    @classmethod
    def values_of(cls, record: ContentRecord) -> dict[str, Any]:
        return super().values_of(record) | {"placeJa": record.place.ja, "placeEn": record.place.en}

    @property
    def written_content(self) -> WrittenLeaflet:
        """The position of a valid form."""
        return WrittenLeaflet(place_ja=self.placeJa.data, place_en=self.placeEn.data, **self.texts)


class PublicationForm(FlaskForm):
    """When content is published: a post now or later, the rest now; `version` is the one seen."""

    version = SeenField()
    when = PickField(
        lazy_gettext("When"),
        choices=((NOW, lazy_gettext("Now")), (LATER, lazy_gettext("At a date and time"))),
        default=NOW,
    )
    onDay = DayField(lazy_gettext("Day"), [Optional()])
    atTime = TimeField(lazy_gettext("Time"), [Optional()])

    @property
    def at(self) -> datetime | None:
        """The chosen instant in Japan's time; None means now."""
        if self.when.data != LATER:
            return None
        return datetime.combine(self.onDay.data, self.atTime.data, JAPAN)

    def validate(self, extra_validators: Any = None) -> bool:
        """Require the day and the time only for a later publication."""
        if not super().validate(extra_validators):
            return False
        needed = (self.onDay, self.atTime) if self.when.data == LATER else ()
        for field in needed:
            if field.data is None:
                field.errors = [*field.errors, lazy_gettext("Please fill this in.")]
        return not any(field.errors for field in needed)


KindForm = PostForm | CampaignForm | PositionForm | ServiceForm
AuditEvent = Callable[[Work, str], object]
_FOLDERS: Final = {LeafletKind.POSITION: "positions", LeafletKind.SERVICE: "services"}


class Words(NamedTuple):
    """The texts of the pages of a kind."""

    many: LazyString
    lead: LazyString
    new: LazyString
    none: LazyString
    hint: LazyString


class Publication(NamedTuple):
    """The instant of publication, None for now, and the version that was seen."""

    at: datetime | None
    version: int | None


class ContentKind(NamedTuple):
    """One kind of content; `folder` is its part of the address, here and on the website."""

    name: str
    folder: str
    tab: str
    list_rule: str
    words: Words
    form: type[KindForm]
    found: Callable[[WorkspaceSession, Paging, date], FoundContent]
    record: Callable[[Any, str, date], ContentRecord]
    write: Callable[..., str]
    publish: Callable[[Work, str, Publication], object]
    withdraw: AuditEvent
    remove: AuditEvent
    columns: Mapping[str, str] = MappingProxyType({})
    """The audit's names of the fields that are named differently there."""

    def id_argument(self, id_: str) -> dict[str, Any]:
        """Return the id as the keyword argument of routes and use cases."""
        return {f"{self.name}_id": id_}

    @property
    def is_timed(self) -> bool:
        """Whether publication may be scheduled for a later instant."""
        return self.name == "post"

    @property
    def is_ordered(self) -> bool:
        """Whether people set the order of its items."""
        return self.name in list(LeafletKind)


POST: Final = ContentKind(
    "post",
    "posts",
    "content",
    "/content",
    Words(
        lazy_gettext("Posts"),
        lazy_gettext("Posts are news and stories for the website. They can be scheduled."),
        lazy_gettext("New post"),
        lazy_gettext("No posts yet"),
        lazy_gettext("Use the first post to introduce yourselves."),
    ),
    PostForm,
    content.posts_at_desk,
    content.post_record,
    written_content.write_post,
    lambda work, id_, wanted: written_content.publish_post(
        work, post_id=id_, at=wanted.at, version=wanted.version
    ),
    lambda work, id_: written_content.withdraw_post(work, post_id=id_),
    lambda work, id_: written_content.remove_post(work, post_id=id_),
)
CAMPAIGN: Final = ContentKind(
    "campaign",
    "campaigns",
    "campaigns",
    "/content/campaigns",
    Words(
        lazy_gettext("Campaigns"),
        lazy_gettext("Limited-time offers are shown with the units they apply to."),
        lazy_gettext("New campaign"),
        lazy_gettext("No campaigns yet"),
        lazy_gettext("A campaign appears on the website and on each of its units."),
    ),
    CampaignForm,
    content.campaigns_at_desk,
    content.campaign_record,
    campaigns.write_campaign,
    lambda work, id_, wanted: campaigns.publish_campaign(
        work, campaign_id=id_, version=wanted.version
    ),
    lambda work, id_: campaigns.withdraw_campaign(work, campaign_id=id_),
    lambda work, id_: campaigns.remove_campaign(work, campaign_id=id_),
    MappingProxyType({"startsOn": "first_on", "endsOn": "last_on"}),
)


def _build_leaflet_kind(kind: LeafletKind, words: Words, form: type[KindForm]) -> ContentKind:
    def found(session: WorkspaceSession, paging: Paging, _today: date) -> FoundContent:
        return content.leaflets_at_desk(session, kind, paging)

    def record(session: WorkspaceSession, leaflet_id: str, _today: date) -> ContentRecord:
        return content.leaflet_record(session, kind, leaflet_id)

    def write(work: Work, **given: Any) -> str:
        given["leaflet_id"] = given.pop(f"{kind}_id", None)
        return written_content.write_leaflet(work, kind=kind, **given)

    folder = _FOLDERS[kind]
    publish, withdraw = (
        partial(written_content.publish_leaflet, kind=kind),
        partial(written_content.withdraw_leaflet, kind=kind),
    )
    remove = partial(written_content.remove_leaflet, kind=kind)
    return ContentKind(
        kind.value,
        folder,
        folder,
        f"/content/{folder}",
        words,
        form,
        found,
        record,
        write,
        lambda work, id_, wanted: publish(work, leaflet_id=id_, version=wanted.version),
        lambda work, id_: withdraw(work, leaflet_id=id_),
        lambda work, id_: remove(work, leaflet_id=id_),
    )


POSITION: Final = _build_leaflet_kind(
    LeafletKind.POSITION,
    Words(
        lazy_gettext("Positions"),
        lazy_gettext("Open positions are listed in the order shown on the website."),
        lazy_gettext("New position"),
        lazy_gettext("No positions yet"),
        lazy_gettext("People who apply for a job on the website are under Job applications."),
    ),
    PositionForm,
)
SERVICE: Final = _build_leaflet_kind(
    LeafletKind.SERVICE,
    Words(
        lazy_gettext("Services"),
        lazy_gettext(
            "Services for owners and residents are listed in the order shown on the website."
        ),
        lazy_gettext("New service"),
        lazy_gettext("No services yet"),
        lazy_gettext("Tell owners what you do for them."),
    ),
    ServiceForm,
)
LEAFLETS: Final = (POSITION, SERVICE)
KINDS: Final = (POST, CAMPAIGN, POSITION, SERVICE)
