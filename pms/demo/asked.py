"""What the people of the demo ask about, and what they were answered, in both languages."""

from typing import Final, NamedTuple

from pms.rules.enumerations import EnquirySource, EnquiryState

_WEB, _PORTAL, _MAIL = EnquirySource.WEBSITE, EnquirySource.PORTAL, EnquirySource.MAIL
_PHONE, _VISIT = EnquirySource.PHONE, EnquirySource.VISIT
_NEW, _ANSWERED, _VIEWING = EnquiryState.NEW, EnquiryState.ANSWERED, EnquiryState.VIEWING
_OFFERED, _WON, _LOST = EnquiryState.OFFERED, EnquiryState.WON, EnquiryState.LOST
UNIT, SOFT, BUILDING, ANY = "unit", "soft", "building", "any"


class Wish(NamedTuple):
    """One enquiry: days from today when it came and when they want to move in, and the words."""

    state: EnquiryState
    source: EnquirySource
    asked_day: int
    what: str
    wanted_day: int | None
    ja: str
    en: str
    answer_ja: str | None = None
    answer_en: str | None = None
    note: str | None = None
    is_of: int | None = None
    """The place of the earlier enquiry of the same person."""


_THANKS_JA: Final = "お問い合わせありがとうございます。こちらのお部屋はご案内できます。内見のご希望日を二つほどお知らせください。"
_THANKS_EN: Final = (
    "Thank you for asking. We can show you this room; which two days would suit you?"
)
WISHES: Final = (
    Wish(
        _LOST, _PORTAL, -38, UNIT, -20,
        "ペットと住めますか。猫が一匹います。", "May I bring a cat?",
        "申し訳ございません。こちらの建物ではペットと暮らすことができません。",
        "We are sorry: no pets in this house.", "別の物件に決めたとのこと。",
    ),
    Wish(
        _WON, _WEB, -34, UNIT, -5,
        "転勤で来月から住みたいです。オンラインで内見できますか。",
        "I move to Japan next month. Is an online viewing possible?", _THANKS_JA, _THANKS_EN,
    ),
    Wish(
        _LOST, _PHONE, -30, ANY, -10,
        "駅から近く、予算は5万円まで。", "Close to a station, 50,000 yen at most.",
        note="予算に合う空きがなく、見送り。",
    ),
    Wish(
        _WON, _VISIT, -26, BUILDING, 4, "妹と同じ建物に住みたい。",
        "I would like to live in the same house as my sister.", _THANKS_JA, _THANKS_EN,
    ),
    Wish(
        _OFFERED, _WEB, -21, UNIT, 14,
        "家具付きの部屋を探しています。布団はありますか。",
        "I am looking for a furnished room. Is bedding included?", _THANKS_JA, _THANKS_EN,
        "内見済み。気に入った様子。",
    ),
    Wish(
        _OFFERED, _PORTAL, -18, UNIT, 30, "契約期間は半年でもよいですか。",
        "Is a contract of six months possible?", "半年のご契約も承ります。",
        "Yes, six months is possible.",
    ),
    Wish(
        _OFFERED, _MAIL, -15, BUILDING, 20, "会社の寮として二部屋お借りしたい。",
        "Our company would like two rooms.", _THANKS_JA, _THANKS_EN, "法人契約。請求先は本社。",
    ),
    Wish(
        _VIEWING, _WEB, -12, UNIT, 25, "週末に内見できますか。", "Is a viewing on a weekend possible?",
        _THANKS_JA, _THANKS_EN,
    ),
    Wish(
        _VIEWING, _PHONE, -10, UNIT, 40, "自転車置き場はありますか。", "Is there a place for a bicycle?",
        note="電話で説明。建物の裏に8台分。",
    ),
    Wish(
        _VIEWING, _WEB, -9, UNIT, None, "共用のキッチンを見てから決めたいです。",
        "I would like to see the shared kitchen first.", _THANKS_JA, _THANKS_EN,
    ),
    Wish(
        _VIEWING, _PORTAL, -7, UNIT, 18, "友人と二人で見に行きます。", "A friend and I would come together.",
        _THANKS_JA, _THANKS_EN,
    ),
    Wish(
        _ANSWERED, _WEB, -6, SOFT, 60, "空くのはいつごろでしょうか。", "When will this room be free?",
        "まだはっきりした日は申し上げられませんが、空きしだいご連絡できるよう空き待ちにお入れしました。",
        "No day is certain yet. You are on our waitlist and hear from us first.",
    ),
    Wish(
        _ANSWERED, _MAIL, -5, ANY, 35, "保証人なしで契約できますか。", "Can I sign without a guarantor?",
        "保証会社のご利用で、保証人なしでもご契約いただけます。",
        "Yes, through a guarantee company.",
    ),
    Wish(
        _ANSWERED, _PHONE, -4, BUILDING, 22, "楽器は弾けますか。", "May I play an instrument?",
        note="夜8時までなら可と伝えた。", is_of=2,
    ),
    Wish(
        _ANSWERED, _WEB, -3, UNIT, 15, "短期の一か月でも住めますか。", "Is one month possible?",
        _THANKS_JA, _THANKS_EN,
    ),
    Wish(_NEW, _PORTAL, -2, UNIT, 28, "女性専用のフロアはありますか。", "Is there a floor for women only?"),
    Wish(
        _NEW, _WEB, -1, UNIT, 12,
        "内見を希望します。平日の夕方以降か、土曜日の午後が都合がよいです。よろしくお願いします。",
        "I would like to see the room, on a weekday evening or on Saturday afternoon.",
    ),
    Wish(
        _NEW, _WEB, -1, UNIT, 33, "先日見た部屋の隣も気になっています。",
        "I am also interested in the room next to the one I saw.", is_of=7,
    ),
    Wish(_NEW, _PHONE, 0, ANY, 45, "春から大学生。女性、一人暮らしは初めて。", "A student from spring on."),
    Wish(
        _NEW, _WEB, 0, BUILDING, 21, "駐車場を一台分お願いできますか。", "Could I have a parking space?",
    ),
)  # fmt: skip
