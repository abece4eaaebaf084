"""Tells what a line of a rent roll is: a total, a floor, a count, a vacant room, parking."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final
from unicodedata import normalize

from pms.rules.roll_cells import plain

_TOTAL: Final = re.compile(
    r"(?:.*(?:小計|合計|総計|累計|総額|平均))(?:[:(\d].*)?|.{0,12}[^設家時会統]計|計|(?:.*\s)?(?:sub-?\s?|grand\s?)?totals?[:\s\d]*|sum|average",
    re.IGNORECASE,
)
_FIGURES: Final = re.compile(r"[¥\\]?[\d,.\s円]+")
_SUBTOTAL: Final = re.compile(r"小計|sub-?\s?total", re.IGNORECASE)
_FLOOR: Final = re.compile(r"(?:地下)?\d{1,2}(?:階|F)|floor\s*\d{1,2}|B\d?F", re.IGNORECASE)
_COUNTS: Final = re.compile(
    r"(?:稼働|入居|空室)率|(?:総|空|全|入居)?(?:戸|室|部屋)数|occupancy(?:rate)?|(?:vacant|total|occupied)units?",
    re.IGNORECASE,
)
_COUNT: Final = re.compile(
    r"(?:(?:入居|稼働|満室|空室|空き|全|計|総戸数|総室数|戸数|室数|occupied|vacant)(?:中|率|数)?[:\s]*\d+(?:室|戸|件|部屋|%|rooms?|units?)?[\s/,・]*)+",
    re.IGNORECASE,
)
# "6 Units", "12戸"; a room 101室 is no count.
_COUNT_FIRST: Final = re.compile(
    r"(?:全|計|total|all)?\s*\d{1,4}\s*(?:units?|rooms?|beds?|flats?|apartments?|戸|世帯)(?:\s*(?:total|in total|計))?",
    re.IGNORECASE,
)
_VACANT: Final = re.compile(
    r"[(\[【<*]*(?:(?:空室?|空き室?|空き部屋|空部屋|あき|あきしつ|空家|空住戸|募集中?|入居者?募集中?|未入居|未契約"
    r"|vacant|vacancy|empty|available|tolet)[/・(\[]?)+[)\]】>*]*",
    re.IGNORECASE,
)
_STARTS_VACANT: Final = re.compile(
    r"[(\[【]?(?:空室|空き|空$|空部屋|あき|募集中|vacant|empty)(?!室?[(\[]?予定(?!な|無))",
    re.IGNORECASE,
)
_OWNER_USE: Final = re.compile(
    r"(?:オーナー|家主|大家|所有者|自社|貸主)(?:様)?(?:が)?(?:使用|居住|利用|自宅|住居|室|宅)|自己使用|自宅|自家使用|管理人室?|管理室|倉庫|事務所使用"
    r"|owner'?s?[ \-](?:use|occupied|residence)|owner$",
    re.IGNORECASE,
)
_PARKING: Final = re.compile(
    r"駐車場?[\s\-]*(?:no)?[.\s]*[\d\-]*.*|駐輪.*|バイク置?場?.*|車庫.*|P[\-\s]?\d+|parking.*|garage.*|物置.*|看板.*|自販機.*|自動販売機.*",
    re.IGNORECASE,
)


def squeeze_cell(cell: str) -> str:
    """A cell in one width without blanks."""
    return "".join(normalize("NFKC", cell).split())


def is_total(cells: Sequence[str]) -> bool:
    """Whether a line is a total, by the words in its first cells."""
    filled = islice((plain(cell) for cell in cells if cell.strip()), 3)
    words = [cell for cell in filled if not _FIGURES.fullmatch(cell)]
    return any(len(word) < 40 and _TOTAL.fullmatch(squeeze_cell(word)) for word in words[:2])


def kind_of_total(cells: Sequence[str]) -> str:
    """What a total line sums: a floor, a building, or everything."""
    filled = [squeeze_cell(cell) for cell in cells if cell.strip()]
    text = " ".join(filled[:3])
    if not _SUBTOTAL.search(text):
        return "total"
    return "floor subtotal" if _FLOOR.search(text) else "building subtotal"


def is_floor(cells: Sequence[str]) -> bool:
    """Whether a line contains only a floor: 1F, 2階."""
    filled = [cell for cell in cells if cell.strip()]
    return len(filled) == 1 and _FLOOR.fullmatch(squeeze_cell(filled[0])) is not None


def is_count(cells: Sequence[str]) -> bool:
    """Whether a line only counts rooms: 入居 3室／空室 1室."""
    filled = [plain(cell) for cell in islice((cell for cell in cells if cell.strip()), 3)]
    if filled and _COUNT_FIRST.fullmatch(filled[0]):
        return True
    if len(filled) == 2:
        first, other = sorted(filled, key=lambda cell: cell[:1].isdigit())
        if _COUNTS.fullmatch(squeeze_cell(first)):
            return other[:1].isdigit()
    return bool(filled) and _COUNT.fullmatch(filled[0]) is not None


def is_vacant(cell: str) -> bool:
    """Whether a name says that the room is vacant."""
    return bool(_VACANT.fullmatch(squeeze_cell(cell)))


def begins_vacant(cell: str) -> bool:
    """Whether a remark or a state begins by saying that the room is vacant."""
    return bool(_STARTS_VACANT.match(squeeze_cell(cell)))


def is_owner_use(cell: str) -> bool:
    """Whether a name says that the owner uses the room."""
    return bool(_OWNER_USE.match(plain(cell)))


def is_parking(cell: str) -> bool:
    """Whether a room is a parking space or the like."""
    return bool(_PARKING.fullmatch(plain(cell)))
