"""The words for how a document stands."""

from enum import StrEnum


class ContractState(StrEnum):
    """How a document stands."""

    ISSUED = "issued"
    SENT = "sent"
    SIGNED = "signed"
    DECLINED = "declined"
    EXPIRED = "expired"
    REPLACED = "replaced"
