"""What is written on a page of a handbook."""

from typing import Any, Self

from flask_babel import lazy_gettext as _
from flask_babel import lazy_pgettext as worded
from wtforms import Form

from pms.catalogue.handbook import PageRecord
from pms.catalogue.written_facts import WrittenPage
from pms.foundation.errors import Collision
from pms.rules.enumerations import HandbookTopic
from pms.surfaces.enumeration_words import choices
from pms.surfaces.fields import (
    ChoiceField,
    FlagField,
    HiddenField,
    LongTextField,
    Optional,
    Required,
    TextField,
)


class NewPageForm(Form):
    """A page in both languages; a code or password has a field of its own."""

    topic = ChoiceField(_("Topic"), [Required()], default=HandbookTopic.OTHER.value)
    titleJa = TextField(_("Title in Japanese"), [Optional()])
    titleEn = TextField(_("Title in English"), [Optional()])
    bodyJa = LongTextField(_("Text in Japanese"), [Optional()])
    bodyEn = LongTextField(_("Text in English"), [Optional()])
    guardedCode = TextField(_("Code or password"), [Optional()])
    isForContractors = FlagField(_("Contractors with a link to a project here"), default=True)
    isForResidents = FlagField(worded("handbook", "Residents"), default=True)
    isForGuests = FlagField(worded("handbook", "Guests"), default=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.topic.choices = choices(HandbookTopic)

    @property
    def written(self) -> WrittenPage:
        """What a valid form says."""
        return WrittenPage(
            topic=HandbookTopic(self.topic.data),
            title_ja=self.titleJa.data or "",
            title_en=self.titleEn.data or "",
            body_ja=self.bodyJa.data or "",
            body_en=self.bodyEn.data or "",
            guarded_code=self.guardedCode.data,
            is_for_contractors=self.isForContractors.data,
            is_for_residents=self.isForResidents.data,
            is_for_guests=self.isForGuests.data,
        )


KEEP = "keep"
CHANGE = "change"
DROP = "drop"


class PageForm(NewPageForm):
    """An edit: the code is not shown, so it stays unless one says otherwise."""

    codeChange = ChoiceField(
        _("The code on record"),
        [Optional()],
        choices=(
            (KEEP, _("Keep it")),
            (CHANGE, _("Replace it with the one below")),
            (DROP, _("Take it away")),
        ),
        default=KEEP,
    )
    codeSeen = HiddenField()

    @classmethod
    def of(cls, record: PageRecord) -> Self:
        """Return the form as the page is recorded, without its code."""
        written = record.written
        return cls(
            data={
                "topic": written.topic.value,
                "titleJa": written.title_ja,
                "titleEn": written.title_en,
                "bodyJa": written.body_ja,
                "bodyEn": written.body_en,
                "isForContractors": written.is_for_contractors,
                "isForResidents": written.is_for_residents,
                "isForGuests": written.is_for_guests,
                "codeChange": KEEP,
                "codeSeen": _changed(record),
            }
        )

    def refuse_unseen_code(self, record: PageRecord) -> None:
        """Raise `Collision` when the code would be lost that somebody else set meanwhile."""
        now = _changed(record)
        if self.is_code_kept or self.codeSeen.data == now:
            return
        self.codeSeen.data, self.codeSeen.raw_data = now, None
        raise Collision(
            "guardedCode: somebody else changed the code on {at}. Save again to replace it.",
            at=record.code_changed_at,
        )

    @property
    def is_code_kept(self) -> bool:
        """Whether the code stays: typing a new one replaces it in any case."""
        return self.codeChange.data in (None, KEEP) and not self.guardedCode.data


def _changed(record: PageRecord) -> str:
    at = record.code_changed_at
    return at.isoformat() if at else ""
