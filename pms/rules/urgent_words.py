"""Reports that cannot wait: water, gas, power and locks, told by the words of who reports them."""

import re
import unicodedata
from enum import StrEnum
from typing import Final


class UrgentMatter(StrEnum):
    """What is at stake; the most dangerous comes first."""

    GAS = "gas"
    WATER = "water"
    POWER = "power"
    LOCK = "lock"


_WORDS: Final = {
    UrgentMatter.GAS: (
        r"ガス(?:が)?(?:漏|洩|もれ|臭|くさ)|ガスの(?:臭|匂|にお)|ガス警報"
        r"|gas (?:leak|smell|alarm)|leak\w* (?:of )?gas|smell\w*(?: of| like)? gas"
    ),
    UrgentMatter.WATER: (
        r"水漏|水もれ|水洩|漏水|雨漏|雨もり|浸水|冠水|断水|水浸し|水びたし|破裂"
        r"|水が(?:止ま|とま|出ない|出ません|噴)|(?:水|トイレ|便器|排水)\w{0,6}(?:あふれ|溢れ|逆流)"
        r"|leak(?!\w* (?:of )?gas)|flood|burst|overflow|no (?:running )?water|water (?:won.?t|does not|doesn.?t) stop"
    ),
    UrgentMatter.POWER: (
        r"停電|漏電|感電|火花|焦げ(?:臭|くさ)|ブレーカー|電気が(?:来|全部|すべて|止ま|使え)"
        r"|power (?:cut|outage|failure)|no (?:power|electricity)|electric shock|spark(?:s|ing)|breaker"
        r"|burning smell"
    ),
    UrgentMatter.LOCK: (
        r"(?:締|閉)め出|鍵\w{0,4}(?:失く|無く|なく|紛失|落と|忘れ|壊れ|開か|あか|閉ま|しま|かから|掛から)"
        r"|(?:家|部屋|室内)に入れ(?:ない|ません)|オートロック\w{0,6}(?:開か|入れ)|locked (?:out|in)|lockout"
        r"|(?:lost|lose|stolen)\w* (?:my |the |our )?keys?|door (?:won.?t|does not|doesn.?t|cannot|can.?t) (?:lock|open|close|unlock|be locked)"
    ),
}
_PATTERNS: Final = {matter: re.compile(words, re.IGNORECASE) for matter, words in _WORDS.items()}


def urgent_matter(text: str) -> UrgentMatter | None:
    """Return what a report is urgent about, by its words in Japanese or English, or None."""
    folded = unicodedata.normalize("NFKC", text)
    return next((matter for matter, words in _PATTERNS.items() if words.search(folded)), None)
