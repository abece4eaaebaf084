"""What people of the demo say on LINE, WhatsApp and travel channels, and what the office answers."""

from typing import Final, NamedTuple

from pms.rules.channel_words import Channel, MessageKind, MessageState
from pms.rules.message_failures import WINDOW_CLOSED


class Said(NamedTuple):
    """One message: so many minutes ago, by the person or, with a state, by the office.

    One that `edits` another names it by its own minutes.
    """

    minutes_ago: int
    text: str
    state: MessageState | None = None
    kind: MessageKind = MessageKind.TEXT
    is_taken_back: bool = False
    failure: str | None = None
    edits: int | None = None


class Talk(NamedTuple):
    """Everything said with one person; `of` tells who it is among the records, if anybody."""

    channel: Channel
    handle: str
    name: str
    said: tuple[Said, ...]
    of: str | None = None
    booking: str | None = None
    listing: str | None = None


RESIDENT: Final = "resident"
GUEST: Final = "guest"
_SENT, _READ, _FAILED = MessageState.SENT, MessageState.READ, MessageState.FAILED
TALKS: Final = (
    Talk(
        Channel.LINE,
        "U4c1f2a9be07d3358a1c6e5094fbd7721",
        "はるか",
        (
            Said(2_920, "お湯が出ません😢 給湯器のリモコンに「１１１」と出ています。"),
            Said(2_919, "", kind=MessageKind.IMAGE),
            Said(2_890, "ご連絡ありがとうございます。本日15時に担当者が伺います。", _SENT),
            Said(2_600, "すみません、15時は外出しています", is_taken_back=True),
            Said(2_590, "15時で大丈夫です。よろしくお願いします！"),
            Said(
                2_200, "点火プラグを交換しました。またお困りのことがあればお知らせください。", _SENT
            ),
            Said(35, "先ほどから換気扇の音が大きいのですが、見ていただけますか？"),
        ),
        of=RESIDENT,
    ),
    Talk(
        Channel.LINE,
        "U90b7dd3e51f24c86a2be17f40c3958aa",
        "Yuto",
        (
            Said(190, "はじめまして。来月から入居できるお部屋はありますか？"),
            Said(188, "家賃は8万円くらいまで、駅から10分以内が希望です。"),
            Said(187, "", kind=MessageKind.STICKER),
        ),
    ),
    Talk(
        Channel.LINE,
        "Cad936fcbed631fa67e05c3ea03953905",
        "2階キッチン当番",
        (
            Said(1_600, "燃えないごみの日は何曜日でしたか？"),
            Said(1_570, "第2・第4水曜日の朝8時までです。", _SENT),
            Said(1_560, "ありがとうございます！"),
            Said(1_555, "冷蔵庫の貼り紙も新しくしておきました。", _SENT),
        ),
    ),
    Talk(
        Channel.WHATSAPP,
        "12025550143",
        "Tess O'Brien",
        (
            Said(1_702, "Hi! We land at 22:40 — can we check in after midnight? ありがとう 🙏"),
            Said(
                1_700,
                "Hi! We land at 23:40 — can we check in after midnight? ありがとう 🙏",
                edits=1_702,
            ),
            Said(
                1_680, "Of course. The door code works from 15:00 on, whenever you arrive.", _READ
            ),
            Said(1_675, "Perfect, thank you so much!"),
            Said(
                60,
                "Good morning! Did you find everything you need?",
                _FAILED,
                failure=WINDOW_CLOSED,
            ),
        ),
        of=GUEST,
    ),
    Talk(
        Channel.WHATSAPP,
        "819000010042",
        "小鳩 静",
        (
            Said(95, "水漏れです。急ぎでお願いします", kind=MessageKind.IMAGE),
            Said(90, "すぐに業者を手配します。止水栓はトイレの左奥にあります。", _READ),
            Said(82, "止まりました。ありがとうございます。"),
        ),
    ),
    Talk(
        Channel.OTA,
        "airbnb/at-5510022",
        "Marit",
        (
            Said(320, "Hello! Could we drop our bags at 11:00 before check-in?"),
            Said(300, "Yes, there is a shelf for luggage behind the front door.", _SENT),
            Said(45, "Great. Is there a supermarket near the house that is open late?"),
        ),
        booking="HMX1TEST02",
        listing="Kawasemi House 203",
    ),
    Talk(
        Channel.OTA,
        "booking_com/bdc-771",
        "小川 直樹",
        (
            Said(
                25,
                "チェックインが23時を過ぎそうです。\n鍵の受け取り方法を教えてください🙇\n\n"
                "よろしくお願いいたします。",
            ),
        ),
        booking="4210000017",
    ),
    Talk(
        Channel.OTA,
        "vrbo!v-1",
        "Teodoro",
        (Said(4_400, "Is the house free in February?"),),
    ),
)
