"""What visitors of the demo's websites asked the assistant, in both languages."""

from typing import Final, NamedTuple


class Chat(NamedTuple):
    """One conversation: days ago, the hour in Japan, and the questions."""

    days_ago: int
    hour: int
    questions: tuple[str, ...]
    by_staff: bool = False
    model_said: str | None = None
    """Why the words of a model were not used; empty when they were."""


CHATS: Final = (
    Chat(0, 8, ("8万円以下ですぐ入居できる部屋はありますか", "ペット可の部屋は?")),
    Chat(0, 9, ("Do you have anything under 70,000 yen available now?", "Is there free internet?")),
    Chat(0, 10, ("初月半額のキャンペーンについて教えてください",)),
    Chat(0, 11, ("来月から入居したいです。予算は7万円くらいです",)),
    Chat(0, 11, ("こんにちは", "シェアハウスの空室を見たいです"), by_staff=True),
    Chat(1, 21, ("敷金はいくらですか", "退去の連絡は何日前までですか")),
    Chat(1, 22, ("Can I bring a dog?",)),
    Chat(2, 13, ("101号室にはどんな人が住んでいますか",)),
    Chat(2, 20, ("ごみはいつ出せばいいですか", "ありがとうございます")),
    Chat(4, 19, ("清掃の仕事は募集していますか",)),
    Chat(6, 23, ("from April 1, share house, under 60,000 yen", "And until 70,000 yen?")),
    Chat(9, 12, ("電話番号を教えてください",)),
    Chat(12, 18, ("ビットコインで払えますか",)),
    Chat(15, 9, ("インターネットは使えますか",), model_said=""),
    Chat(15, 15, ("8万円以下の空室は?",), model_said="reply: unconfirmed_day"),
    Chat(16, 17, ("Which rooms are free now?",), model_said="provider: too slow"),
    Chat(16, 20, ("予約金ゼロの部屋はありますか",), model_said=""),
    Chat(40, 14, ("駐車場はありますか",)),
    Chat(71, 16, ("家具付きの部屋を探しています",)),
)
