"""What is typed of a piece of content, in both languages side by side."""

from datetime import datetime
from typing import Any, Final, Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.rules.days import JAPAN
from pms.site.desk_content import ContentRecord
from pms.site.written_content import (
    LONGEST_BODY,
    LONGEST_SUMMARY,
    WrittenCampaign,
    WrittenLeaflet,
    WrittenPost,
)
from pms.surfaces.fields import (
    DayField,
    HiddenField,
    LongTextField,
    Optional,
    PickField,
    Required,
    TextField,
    TimeField,
)

NOW: Final = "now"
LATER: Final = "later"


class _Body(LongTextField):
    """A text of the website."""

    most_characters = LONGEST_BODY


class _Summary(LongTextField):
    """A few words about a text."""

    most_characters = LONGEST_SUMMARY


class ContentForm(Form):
    """A title and a text in both languages, and the words of its address."""

    titleJa = TextField(_("Title in Japanese"), [Optional()])
    titleEn = TextField(_("Title in English"), [Optional()])
    bodyJa = _Body(_("Text in Japanese"), [Optional()])
    bodyEn = _Body(_("Text in English"), [Optional()])
    slug = TextField(_("Address on the website"), [Optional()])

    @classmethod
    def of(cls, record: ContentRecord) -> Self:
        """Return the form as the content is recorded."""
        return cls(data=cls.told(record))

    @classmethod
    def told(cls, record: ContentRecord) -> dict[str, Any]:
        """The values of the fields as the content is recorded."""
        return {
            "titleJa": record.title.ja,
            "titleEn": record.title.en,
            "bodyJa": record.body.ja,
            "bodyEn": record.body.en,
            "slug": record.slug,
        }

    @property
    def texts(self) -> dict[str, Any]:
        """What every kind has, as a valid form says it."""
        return {
            "title_ja": self.titleJa.data,
            "title_en": self.titleEn.data,
            "body_ja": self.bodyJa.data,
            "body_en": self.bodyEn.data,
            "slug": self.slug.data,
        }


class PostForm(ContentForm):
    """A post: also what a list says of it."""

    summaryJa = _Summary(_("Summary in Japanese"), [Optional()])
    summaryEn = _Summary(_("Summary in English"), [Optional()])

    @classmethod
    def told(cls, record: ContentRecord) -> dict[str, Any]:
        summaries = {"summaryJa": record.summary.ja, "summaryEn": record.summary.en}
        return super().told(record) | summaries

    @property
    def written(self) -> WrittenPost:
        """What a valid form says."""
        return WrittenPost(
            summary_ja=self.summaryJa.data, summary_en=self.summaryEn.data, **self.texts
        )


class CampaignForm(ContentForm):
    """A campaign: also its days."""

    startsOn = DayField(_("First day"), [Required()])
    endsOn = DayField(_("Last day"), [Optional()])

    @classmethod
    def told(cls, record: ContentRecord) -> dict[str, Any]:
        return super().told(record) | {"startsOn": record.starts_on, "endsOn": record.ends_on}

    @property
    def written(self) -> WrittenCampaign:
        """What a valid form says."""
        return WrittenCampaign(starts_on=self.startsOn.data, ends_on=self.endsOn.data, **self.texts)


class ServiceForm(ContentForm):
    """A service."""

    @property
    def written(self) -> WrittenLeaflet:
        """What a valid form says."""
        return WrittenLeaflet(**self.texts)


class PositionForm(ContentForm):
    """A position: also where it is."""

    placeJa = TextField(_("Place in Japanese"), [Optional()])
    placeEn = TextField(_("Place in English"), [Optional()])

    @classmethod
    def told(cls, record: ContentRecord) -> dict[str, Any]:
        return super().told(record) | {"placeJa": record.place.ja, "placeEn": record.place.en}

    @property
    def written(self) -> WrittenLeaflet:
        """What a valid form says."""
        return WrittenLeaflet(place_ja=self.placeJa.data, place_en=self.placeEn.data, **self.texts)


class PublicationForm(Form):
    """When a post comes out, other content at once; `version` is the one that was looked at."""

    version = HiddenField()
    when = PickField(
        _("When"), choices=((NOW, _("Now")), (LATER, _("At a day and time"))), default=NOW
    )
    onDay = DayField(_("Day"), [Optional()])
    atTime = TimeField(_("Time"), [Optional()])

    @property
    def at(self) -> datetime | None:
        """The instant that a valid form means, its time being Japan's; none means now."""
        if self.when.data != LATER:
            return None
        return datetime.combine(self.onDay.data, self.atTime.data, JAPAN)

    @property
    def seen(self) -> int | None:
        """The version as a number; a text that is none counts as not told."""
        text = str(self.version.data or "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None

    def validate(self, extra_validators: Any = None) -> bool:
        """Ask for the day and the time only where they are meant."""
        if not super().validate(extra_validators):
            return False
        needed = (self.onDay, self.atTime) if self.when.data == LATER else ()
        for field in needed:
            if field.data is None:
                field.errors = [*field.errors, _("Please fill this in.")]
        return not any(field.errors for field in needed)
