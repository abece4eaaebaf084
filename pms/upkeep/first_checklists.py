"""The checklists that a workspace begins with, until it writes its own."""

from collections.abc import Mapping, Sequence
from typing import Final

from pms.foundation.bilingual import Bilingual
from pms.rules.enumerations import TaskKind

_TURNOVER: Final = (
    Bilingual("忘れ物がないか確認する", "Look for things left behind"),
    Bilingual("鍵の本数を確認する", "Count the keys"),
    Bilingual("ごみを出し、ごみ箱を空にする", "Take the rubbish out and empty the bins"),
    Bilingual("寝具を交換する", "Change the bedding"),
    Bilingual("水回りを清掃する", "Clean bathroom, toilet and sink"),
    Bilingual("キッチンと冷蔵庫を清掃する", "Clean the kitchen and the fridge"),
    Bilingual("床と窓を清掃する", "Clean the floor and the windows"),
    Bilingual("エアコン、照明、給湯の動作を確認する", "Try air conditioner, lights and hot water"),
    Bilingual("傷や破損を写真に撮る", "Take photos of any damage"),
    Bilingual("窓を閉め、施錠する", "Close the windows and lock up"),
)
_CLEANING: Final = (
    Bilingual("ごみを出す", "Take the rubbish out"),
    Bilingual("床を清掃する", "Clean the floor"),
    Bilingual("水回りを清掃する", "Clean bathroom, toilet and sink"),
    Bilingual("消耗品を補充する", "Refill what is used up"),
    Bilingual("不具合があれば報告する", "Report anything that is broken"),
)
_INSPECTION: Final = (
    Bilingual("壁、床、天井を確認する", "Look at walls, floor and ceiling"),
    Bilingual("水漏れと排水を確認する", "Check for leaks and that water drains"),
    Bilingual("エアコン、照明、給湯の動作を確認する", "Try air conditioner, lights and hot water"),
    Bilingual("窓と鍵を確認する", "Check the windows and locks"),
    Bilingual("火災警報器を確認する", "Check the smoke alarm"),
    Bilingual("写真を撮る", "Take photos"),
)
_REPAIR: Final = (
    Bilingual("作業前の写真を撮る", "Take a photo before the work"),
    Bilingual("修理し、動作を確認する", "Repair it and try it out"),
    Bilingual("作業後の写真を撮る", "Take a photo after the work"),
    Bilingual("片付けて清掃する", "Tidy up and clean"),
)

FIRST_CHECKLISTS: Final[Mapping[TaskKind, Sequence[Bilingual]]] = {
    TaskKind.TURNOVER: _TURNOVER,
    TaskKind.CLEANING: _CLEANING,
    TaskKind.INSPECTION: _INSPECTION,
    TaskKind.REPAIR: _REPAIR,
}
"""Other work has none: whoever asks for it says what is to be done."""
