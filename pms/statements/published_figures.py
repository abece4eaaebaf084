"""Writes the figures of a statement down when it is published, and reads them back."""

from dataclasses import dataclass
from typing import Any

import msgspec

from pms.statements.owner_figures import OwnerFigures


@dataclass(frozen=True, slots=True)
class Published:
    """A statement as it was published: for whom, about what, and every figure."""

    owner: str
    building_ja: str
    building_en: str | None
    figures: OwnerFigures


def written(published: Published) -> dict[str, Any]:
    """Return what is stored; the figures lie flat, so that one of them can be asked for."""
    record: dict[str, Any] = msgspec.to_builtins(published)
    return {**record.pop("figures"), **record}


def read(record: dict[str, Any]) -> Published:
    """Return what was stored."""
    figures = msgspec.convert(record, OwnerFigures)
    return Published(record["owner"], record["building_ja"], record["building_en"], figures)
