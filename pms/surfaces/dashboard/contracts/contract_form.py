"""What is chosen of a document to issue, and what was seen of one to send."""

from datetime import datetime
from typing import Self

from flask_babel import lazy_gettext as _
from werkzeug.datastructures import MultiDict
from wtforms import Form

from pms.contracts.templates import TemplateRecord
from pms.rules.enumerations import Locale
from pms.surfaces.enumeration_words import choices, word
from pms.surfaces.fields import ChoiceField, DayField, HiddenField, Required


class IssueForm(Form):
    """The template and the language; the default one and the resident's unless chosen."""

    templateId = ChoiceField(_("Template"))
    locale = ChoiceField(_("Language"))

    @classmethod
    def of(
        cls,
        templates: list[TemplateRecord],
        locale: str,
        typed: MultiDict[str, str] | None = None,
        template_id: str | None = None,
    ) -> Self:
        """Return the form with what there is to choose from, a template chosen already."""
        form = cls(typed, data={"locale": locale, "templateId": template_id or ""})
        form.templateId.choices = [("", _("The default one"))] + [
            (one.id, _("%(name)s (%(kind)s)", name=one.name, kind=word(one.lease_kind)))
            for one in templates
            if one.archived_at is None
        ]
        form.locale.choices = choices(Locale)
        return form


class HandingForm(Form):
    """The day the prior explanation was handed over on paper and explained."""

    handedOn = DayField(_("Handed over on paper on"), [Required()])


class SendForm(Form):
    """When it had been sent, as far as the person asking knew."""

    sentAt = HiddenField()

    @property
    def seen(self) -> datetime | None:
        """The instant; a text that is none counts as never."""
        try:
            return datetime.fromisoformat(self.sentAt.data or "")
        except ValueError:
            return None
