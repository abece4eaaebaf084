"""What is typed of the website itself."""

from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.foundation.errors import Refused
from pms.site.desk_content import SiteRecord
from pms.site.set_site_configuration import WrittenSite
from pms.surfaces.fields import (
    EmailField,
    LongTextField,
    Optional,
    PhoneField,
    Required,
    TextField,
)


class WebsiteForm(Form):
    """The address of the website, and what it shows on every page."""

    baseUrl = TextField(_("Address of the website"), [Required()])
    titleJa = TextField(_("Name of the website in Japanese"), [Required()])
    titleEn = TextField(_("Name of the website in English"), [Optional()])
    taglineJa = TextField(_("Tagline in Japanese"), [Optional()])
    taglineEn = TextField(_("Tagline in English"), [Optional()])
    contactEmail = EmailField(_("E-mail for visitors"), [Optional()])
    contactPhone = PhoneField(_("Phone for visitors"), [Optional()])
    addressJa = TextField(_("Address in Japanese"), [Optional()])
    addressEn = TextField(_("Address in English"), [Optional()])
    socialLinks = LongTextField(_("Links"), [Optional()])

    @classmethod
    def of(cls, record: SiteRecord | None) -> Self:
        """Return the form as the website is recorded, an empty one before that."""
        if record is None:
            return cls()
        links = "\n".join(f"{name} {address}" for name, address in record.social_links.items())
        return cls(
            data={
                "baseUrl": record.base_url,
                "titleJa": record.title.ja,
                "titleEn": record.title.en,
                "taglineJa": record.tagline.ja,
                "taglineEn": record.tagline.en,
                "contactEmail": record.contact_email,
                "contactPhone": record.contact_phone,
                "addressJa": record.address.ja,
                "addressEn": record.address.en,
                "socialLinks": links,
            }
        )

    @property
    def written(self) -> WrittenSite:
        """What a valid form says; raise `Refused` for a line that is no link."""
        return WrittenSite(
            base_url=self.baseUrl.data,
            title_ja=self.titleJa.data,
            title_en=self.titleEn.data,
            tagline_ja=self.taglineJa.data,
            tagline_en=self.taglineEn.data,
            contact_email=self.contactEmail.data,
            contact_phone=self.contactPhone.data,
            address_ja=self.addressJa.data,
            address_en=self.addressEn.data,
            social_links=self._links(),
        )

    def _links(self) -> tuple[tuple[str, str], ...]:
        links = []
        for line in filter(None, map(str.strip, (self.socialLinks.data or "").splitlines())):
            name, _blank, address = line.partition(" ")
            if not address.strip():
                raise Refused(
                    "socialLinks: '{line}' is not a name, a blank and an address.",
                    line=line[:60],
                )
            links.append((name, address))
        return tuple(links)
