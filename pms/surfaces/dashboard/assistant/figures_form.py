"""What is typed of how the assistant is set."""

import re
from decimal import Decimal
from typing import Self

from flask_babel import lazy_gettext as _
from wtforms import Form

from pms.site.assistant_figures import AssistantFigures
from pms.site.set_assistant import MOST_MESSAGES, StatedAssistant
from pms.surfaces.fields import (
    FlagField,
    LongTextField,
    Optional,
    PercentField,
    Required,
    WholeNumberField,
    YenField,
)


class PriceField(PercentField):
    """Yen for a thousand tokens, which may be less than one."""

    def read(self, typed: str, given: str) -> Decimal:
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,4})?", typed):
            return Decimal(typed)
        raise ValueError(_("Yen such as 0.45; at most four decimals."))


class FiguresForm(Form):
    """Whether the assistant answers, by what, what it may cost, and how it greets."""

    isOn = FlagField(_("The assistant answers"))
    usesModel = FlagField(_("A language model words the answers"))
    priceInYen = PriceField(_("Price of 1,000 tokens read (yen)"), [Required()])
    priceOutYen = PriceField(_("Price of 1,000 tokens written (yen)"), [Required()])
    ceilingYen = YenField(_("At most a day for each key (yen)"), [Required()], minimum_yen=1)
    mostMessages = WholeNumberField(
        _("Messages a day for each key"), [Required()], least=1, most=MOST_MESSAGES
    )
    greetingJa = LongTextField(_("Greeting in Japanese"), [Optional()])
    greetingEn = LongTextField(_("Greeting in English"), [Optional()])

    @classmethod
    def of(cls, figures: AssistantFigures) -> Self:
        """Return the form that shows how it is set."""
        return cls(
            isOn=figures.is_on,
            usesModel=figures.uses_model,
            priceInYen=_plain(figures.prices.in_yen),
            priceOutYen=_plain(figures.prices.out_yen),
            ceilingYen=figures.ceiling_yen,
            mostMessages=figures.most_messages,
            greetingJa=figures.greeting.ja or "",
            greetingEn=figures.greeting.en or "",
        )

    @property
    def stated(self) -> StatedAssistant:
        """What was typed, as the use case takes it."""
        return StatedAssistant(
            is_on=bool(self.isOn.data),
            uses_model=bool(self.usesModel.data),
            price_in_yen=Decimal(self.priceInYen.data),
            price_out_yen=Decimal(self.priceOutYen.data),
            ceiling_yen=self.ceilingYen.data or 0,
            most_messages=self.mostMessages.data or 0,
            greeting_ja=self.greetingJa.data or "",
            greeting_en=self.greetingEn.data or "",
        )


def _plain(price: Decimal) -> Decimal:
    return Decimal(format(price.normalize(), "f"))
