"""The words for why the rules refuse or decide something."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.rules.price_changes import TimelineProblem
from pms.rules.yen import AmountProblem

WORDS_OF_REASONS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    TimelineProblem: {
        TimelineProblem.NO_PERIOD: worded("price timeline", "There is no period"),
        TimelineProblem.REVERSED: worded("price timeline", "A period ends before it begins"),
        TimelineProblem.OVERLAP: worded("price timeline", "Periods overlap"),
        TimelineProblem.GAP: worded("price timeline", "Days without a price"),
        TimelineProblem.NOT_OPEN_ENDED: worded("price timeline", "The last period has an end"),
    },
    AmountProblem: {
        AmountProblem.MISSING: worded("amount", "It is empty"),
        AmountProblem.NOT_AN_INTEGER: worded("amount", "Not a whole number"),
        AmountProblem.HAS_DECIMALS: worded("amount", "It has decimals"),
        AmountProblem.HAS_SIGN: worded("amount", "It has a sign"),
        AmountProblem.HAS_CURRENCY_SIGN: worded("amount", "It has a currency sign"),
        AmountProblem.MISPLACED_COMMA: worded("amount", "A comma is in the wrong place"),
        AmountProblem.TOO_SMALL: worded("amount", "Too small"),
        AmountProblem.TOO_LARGE: worded("amount", "Too large"),
    },
}
