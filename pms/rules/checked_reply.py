"""Checks a language model's text before a visitor reads it: it may promise nothing unconfirmed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.dates_in_text import DateInText, dates_in_text, plain
from pms.rules.room_names import RoomNames, is_named

_SENTENCE: Final = re.compile(r"(?:[^。!?\n;.]|[.](?!\s|$))+[。!?\n;.]*")
_CLAIM: Final = re.compile(
    r"(?<!about )(?<!for )(?<!check )(?<!confirm )\bavailab|\bvacan|\bunoccupied|\bready\b|\bempty\b"
    r"|\bmove[ -]?in(?! (?:fee|cost|invoice|condition))|\bmoving in (?:from|on)\b"
    r"|\bfree\b(?! of| wi-?fi| internet| parking)|\bopen(?:s|ing)? (?:up|from|now)\b"
    r"|\bbookable\b|\bbook (?:it|this|the room|now)|\breserv(?:e|ed|ing)\b|\byours\b"
    r"|\bcan (?:have|take|live|rent|stay)|\bguarantee|\bpromise|\bsecured?\b"
    r"|\bhold(?:ing)? (?:it|the|a|this)\b"
    r"|空室(?!状況|情報|の確認)|空い|空き(?!状況)|空く|あき室|あいて"
    r"|入居(?:でき|可|いただけ|頂け|開始)|入れます|入れる|ご?案内でき|お?住みいただけ|住め|借りられ"
    r"|ご?契約でき|予約(?!金|料)|確保|保証(?!人|会社|金)|ご?用意でき|ご?提供でき|押さえ|お約束"
    r"|引っ?越し(?:でき|可)"
)
# A sentence offers something when it has a word for a home and says that one is available.
_A_HOME: Final = (
    r"(?:rooms?|homes?|units?|apartments?|flats?|places?|spaces?|spots?|studios?|options?"
    r"|openings?|ones|(?:one|two|three|four|five|some|several|a few|a couple|\d+)(?= *(?:[^a-z0-9 ]|$"
    r"|at\b|in\b|for\b|left\b|more\b|here\b|there\b|that\b|which\b|with\b|near\b|to\b|on\b|and\b"
    r"|waiting\b|so\b|still\b|right\b|today\b|of\b|is\b|are\b)))"
)
_HEYA: Final = r"(?:部屋|へや|居室|個室|号室|[\d一二三四五六七八九十数何]室|物件|住まい|住居|住戸|ワンルーム|ルーム)"
_THERE_IS: Final = r"(?:(?<!では)あり(?!がと)|(?<!で)ある|有り|有る|(?<![でう])ござい|(?<!で)御座い|残って|余って|出て)"
_HAVING: Final = re.compile(
    rf"\b(?:have|has|having|had|got|offer|offering|give|giving)\b(?: [\w'’-]+){{0,5}}? {_A_HOME}\b"
    rf"|(?:['’]ve|['’]s) (?:[\w'’-]+ ){{0,5}}?{_A_HOME}\b"
    rf"|\b(?:there|here) (?:is|are|was|will be|remains?)\b(?: [\w'’-]+){{0,5}}? {_A_HOME}\b"
    rf"|\b{_A_HOME} (?:(?:is|are|still) )*(?:left|remain|waiting|exist)"
    r"|\bwaiting for you\b|\bcome (?:and|to) sign\b|\bsign (?:it|now|today|here)\b"
    r"|\bfor rent\b|\bto let\b|\byes,? (?:we|they|it|there) (?:do|does|is|are|have|has)\b"
    rf"|{_HEYA}(?!に|の(?!うち|中|なか|方)|で(?!し|あれ)|ごと|内|番号|代)[^。]{{0,24}}?{_THERE_IS}"
    rf"|[\da-z](?:号室?)?(?:が|も|は|なら)[^。]{{0,8}}?{_THERE_IS}"
    rf"|(?:ある|あります|ございます|残る) ?お?{_HEYA}"
    rf"|(?:なら|でしたら|まだ|はい[、,! ]*|ええ[、,! ]*|もちろん[、,! ]*|^\W*){_THERE_IS}"
    r"|ご?用意(?:が|は|も)?(?:あり|ござい|して|いた)|余裕|残り(?:わずか|[\d一二三])|募集中|誰も住"
    rf"|{_HEYA}(?:を|へ|も)?ご?(?:案内|紹介|提供|提案)"
)
_NOW: Final = re.compile(
    r"\bnow\b|\bimmediate|\bright away|\btoday\b|\bat once|\bstraight away|\binstant|\btonight\b"
    r"|\basap\b|\bthis (?:minute|moment)\b"
    r"|今すぐ|すぐに|すぐ(?:お|ご)|即日|即入居|本日|今日|ただ今|ただいま|現在|今から|今なら|いま(?!す|せ|し)"
)
_EVERY: Final = re.compile(
    r"\b(?:all|every|each|any|both|most|other|several|many|more) (?:of )?(?:our |the |these )?(?:room|unit|apartment|home|one|flat)"
    r"|すべて|全て|全室|全部屋|どの部屋も|どのお部屋も|どれも|いずれも|他の(?:お)?部屋|ほかの(?:お)?部屋"
)
_MONEY: Final = re.compile(
    r"¥ ?(\d[\d,]*)|(\d[\d,]*) ?(?:円|yen\b|jpy\b)|(\d{1,4}(?:\.\d+)?) ?万(?:(\d)千)?円?"
)
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)[^\s<>()「」、。]+|[\w.+-]+@[\w.-]+\.\w+")
_PHONE: Final = re.compile(r"\+?\d[\d()\- ]{7,}\d")
_WEEKDAY: Final = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[月火水木金土日]曜|週末|weekend"
)


class ReplyProblem(StrEnum):
    """Why a reply is not shown."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    UNKNOWN_ROOM = "unknown_room"
    UNCONFIRMED_ROOM = "unconfirmed_room"
    UNCONFIRMED_DAY = "unconfirmed_day"
    UNFOUNDED_OFFER = "unfounded_offer"
    UNKNOWN_AMOUNT = "unknown_amount"
    UNKNOWN_ADDRESS = "unknown_address"


class HomeFacts(NamedTuple):
    """A unit today: its names, and from when it may be offered, if it may."""

    name: str
    building_names: tuple[str, ...]
    move_in_from: date | None


@dataclass(frozen=True)
class Ground:
    """What a reply may rely on: today's facts, and the texts given to the model."""

    asked_on: date
    homes: Sequence[HomeFacts]
    texts: str
    question: str
    longest: int = 1_200


def problem_of_reply(reply: str, ground: Ground) -> ReplyProblem | None:
    """Return why a reply may not be shown, `None` when it may (Availability, Rules).

    A named unit must be confirmed today; no date may be before a named unit is free; an offer names
    its unit. In doubt the reply is not shown, and the retrieved text is shown instead.
    """
    text = plain(reply)
    if not text.strip():
        return ReplyProblem.EMPTY
    if len(text) > ground.longest:
        return ReplyProblem.TOO_LONG
    return _Reading(text, ground).problem()


class _Reading:
    """One reply with the facts it may rely on."""

    def __init__(self, text: str, ground: Ground) -> None:
        self._text = text
        self._ground = ground
        self._texts = plain(ground.texts)
        self._by_name: dict[str, list[HomeFacts]] = {}
        for home in ground.homes:
            self._by_name.setdefault(home.name, []).append(home)
        self._rooms = RoomNames(self._by_name)
        self._buildings = {
            name for home in ground.homes for name in home.building_names if is_named(name, text)
        }

    def problem(self) -> ReplyProblem | None:
        homes = self._find_named_homes(self._text)
        if homes is None:
            return ReplyProblem.UNKNOWN_ROOM
        if any(home.move_in_from is None for home in homes):
            return ReplyProblem.UNCONFIRMED_ROOM
        return self._problem_of_sentences(homes) or self._problem_of_figures()

    def _problem_of_sentences(self, homes: Sequence[HomeFacts]) -> ReplyProblem | None:
        is_offer = _is_claim(self._text)
        for match in _SENTENCE.finditer(self._text):
            sentence = match.group()
            own = self._find_named_homes(sentence) or []
            claims = _is_claim(sentence)
            if not self._are_days_confirmed(sentence, own or homes, is_offer=is_offer):
                return ReplyProblem.UNCONFIRMED_DAY
            if claims and (not own or _EVERY.search(sentence)):
                return ReplyProblem.UNFOUNDED_OFFER
            if not own and _NOW.search(sentence) and self._is_of_a_house(sentence, homes):
                return ReplyProblem.UNFOUNDED_OFFER
            if (
                claims
                and not dates_in_text(sentence, self._ground.asked_on)
                and not self._are_free(own)
            ):
                return ReplyProblem.UNCONFIRMED_DAY
            if (own or claims) and _NOW.search(sentence) and not self._are_free(own):
                return ReplyProblem.UNCONFIRMED_DAY
        return None

    def _is_of_a_house(self, sentence: str, homes: Sequence[HomeFacts]) -> bool:
        """Whether a sentence without a unit is about a building, including one named before."""
        is_house_alone = bool(self._buildings) and not homes
        return is_house_alone or any(is_named(name, sentence) for name in self._buildings)

    def _are_free(self, homes: Sequence[HomeFacts]) -> bool:
        today = self._ground.asked_on
        return all(home.move_in_from is not None and home.move_in_from <= today for home in homes)

    def _are_days_confirmed(
        self, sentence: str, homes: Sequence[HomeFacts], *, is_offer: bool
    ) -> bool:
        for day in dates_in_text(sentence, self._ground.asked_on):
            if homes and not _is_offered(day, homes):
                return False
            if not homes and (is_offer or not self._is_in_the_texts(sentence, day)):
                return False
        return not (homes and _WEEKDAY.search(sentence))

    def _is_in_the_texts(self, sentence: str, day: DateInText) -> bool:
        return sentence[day.start : day.end].strip() in self._texts

    def _problem_of_figures(self) -> ReplyProblem | None:
        known = set(_find_amounts(self._texts))
        asked = set(_find_amounts(plain(self._ground.question)))
        if not set(_find_amounts(self._text)) <= (
            known if self._find_named_homes(self._text) else known | asked
        ):
            return ReplyProblem.UNKNOWN_AMOUNT
        without_money = _MONEY.sub(" ", self._text)
        contacts = [
            *_ADDRESS.findall(self._text),
            *_find_phone_numbers(_ADDRESS.sub(" ", without_money)),
        ]
        if any(contact.rstrip(".,!?") not in self._texts for contact in contacts):
            return ReplyProblem.UNKNOWN_ADDRESS
        return None

    def _find_named_homes(self, text: str) -> list[HomeFacts] | None:
        """All units that a text may mean; `None` when one of them does not exist."""
        # Numbers in an address name no unit.
        rooms = self._rooms.named_in(_PHONE.sub(" ", _ADDRESS.sub(" ", text)))
        if rooms.has_unknown:
            return None
        return [home for name in sorted(rooms.names) for home in self._find_meant_homes(name)]

    def _find_meant_homes(self, name: str) -> list[HomeFacts]:
        """The units with a name; if several buildings have it, those of buildings in the reply."""
        homes = self._by_name[name]
        in_buildings = [home for home in homes if self._buildings & set(home.building_names)]
        return in_buildings or homes


def _is_claim(text: str) -> bool:
    return _CLAIM.search(text) is not None or _HAVING.search(text) is not None


def _is_offered(day: DateInText, homes: Sequence[HomeFacts]) -> bool:
    if day.first_on is None:
        return False
    return all(
        home.move_in_from is not None and home.move_in_from <= day.first_on for home in homes
    )


def _find_amounts(text: str) -> Iterator[int]:
    for signed, unit, tens, thousands in _MONEY.findall(text):
        if tens:
            whole, _, part = tens.partition(".")
            yield int(whole) * 10_000 + int((part + "0000")[:4]) + int(thousands or 0) * 1_000
        else:
            yield int((signed or unit).replace(",", ""))


def _find_phone_numbers(text: str) -> list[str]:
    found = (match.group().strip() for match in _PHONE.finditer(text))
    return [phone for phone in found if sum(letter.isdigit() for letter in phone) >= 9]
