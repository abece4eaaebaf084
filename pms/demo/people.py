"""Invented people: names as the papers write them, and addresses that reach nobody."""

from __future__ import annotations

from dataclasses import dataclass

from pms.demo.chance import Chance

_FAMILY = """
佐藤 サトウ sato|鈴木 スズキ suzuki|高橋 タカハシ takahashi|田中 タナカ tanaka|伊藤 イトウ ito
渡辺 ワタナベ watanabe|山本 ヤマモト yamamoto|中村 ナカムラ nakamura|小林 コバヤシ kobayashi
加藤 カトウ kato|吉田 ヨシダ yoshida|山田 ヤマダ yamada|佐々木 ササキ sasaki|松本 マツモト matsumoto
井上 イノウエ inoue|木村 キムラ kimura|林 ハヤシ hayashi|清水 シミズ shimizu|山﨑 ヤマサキ yamasaki
森 モリ mori|阿部 アベ abe|池田 イケダ ikeda|橋本 ハシモト hashimoto|石川 イシカワ ishikawa
前田 マエダ maeda|藤田 フジタ fujita|後藤 ゴトウ goto|岡田 オカダ okada|長谷川 ハセガワ hasegawa
村上 ムラカミ murakami|近藤 コンドウ kondo|石井 イシイ ishii|齋藤 サイトウ saito|坂本 サカモト sakamoto
遠藤 エンドウ endo|青木 アオキ aoki|藤井 フジイ fujii|西村 ニシムラ nishimura|福田 フクダ fukuda
太田 オオタ ota|三浦 ミウラ miura|岡本 オカモト okamoto|松田 マツダ matsuda|中川 ナカガワ nakagawa
中野 ナカノ nakano|原田 ハラダ harada|小野 オノ ono|田村 タムラ tamura|竹内 タケウチ takeuchi
金子 カネコ kaneko|和田 ワダ wada|中山 ナカヤマ nakayama|石田 イシダ ishida|上田 ウエダ ueda
"""
_GIVEN = """
陽菜 ヒナ hina|結衣 ユイ yui|葵 アオイ aoi|凛 リン rin|美咲 ミサキ misaki|さくら サクラ sakura
彩花 アヤカ ayaka|花子 ハナコ hanako|真由 マユ mayu|千尋 チヒロ chihiro|奈々 ナナ nana|遥 ハルカ haruka
楓 カエデ kaede|琴音 コトネ kotone|詩織 シオリ shiori|明日香 アスカ asuka|恵 メグミ megumi|香織 カオリ kaori
由美子 ユミコ yumiko|直美 ナオミ naomi|蓮 レン ren|湊 ミナト minato|大翔 ヒロト hiroto|悠真 ユウマ yuma
樹 イツキ itsuki|陸 リク riku|颯太 ソウタ sota|健太 ケンタ kenta|翔 ショウ sho|拓海 タクミ takumi
直樹 ナオキ naoki|大輔 ダイスケ daisuke|亮 リョウ ryo|誠 マコト makoto|浩二 コウジ koji|隆 タカシ takashi
和也 カズヤ kazuya|雄一 ユウイチ yuichi|慎吾 シンゴ shingo|涼介 リョウスケ ryosuke
"""
_ABROAD = """
Emma Lindqvist/エマ リンドクヴィスト|Lucas Moreau/ルカ モロー|Sofia Rossi/ソフィア ロッシ
Noah Fischer/ノア フィッシャー|Mia Novak/ミア ノヴァク|Liam O'Connor/リアム オコナー
Chloe Martin/クロエ マルタン|Oliver Bennett/オリバー ベネット|Ava Thompson/エイヴァ トンプソン
Ethan Clarke/イーサン クラーク|Nguyễn Minh Anh/グエン ミン アイン|Trần Quốc Bảo/チャン クオック バオ
Priya Raman/プリヤ ラマン|Arjun Mehta/アルジュン メータ|Kim Min-jun/キム ミンジュン
Park Seo-yeon/パク ソヨン|Wang Yu-ting/ワン ユーティン|Lin Chia-hao/リン チアハオ
Siti Rahma/シティ ラーマ|Budi Santoso/ブディ サントソ|Carlos Herrera/カルロス エレーラ
Lucía Fernández/ルシア フェルナンデス|João Almeida/ジョアン アルメイダ|Beatriz Costa/ベアトリス コスタ
Amara Okafor/アマラ オカフォー|Kwame Mensah/クワメ メンサー|Zeynep Yıldız/ゼイネプ ユルドゥズ
Elif Demir/エリフ デミル|Olena Shevchenko/オレナ シェフチェンコ|Pavel Dvořák/パヴェル ドヴォルザーク
Ingrid Solberg/イングリッド ソルベルグ|Jonas Berg/ヨナス ベルグ|Hannah Weiss/ハンナ ヴァイス
Tomasz Zieliński/トマシュ ジェリンスキ|Mateo Vargas/マテオ バルガス|Grace Walker/グレース ウォーカー
Daniel Cohen/ダニエル コーエン|Leila Haddad/レイラ ハッダード|Samuel Adeyemi/サミュエル アデイェミ
Isla Macleod/アイラ マクラウド
"""


def _words(block: str) -> list[list[str]]:
    return [entry.split(" ") for line in block.split("\n") for entry in line.split("|") if entry]


FAMILY = _words(_FAMILY)
GIVEN = _words(_GIVEN)
ABROAD = [entry.split("/") for line in _ABROAD.split("\n") for entry in line.split("|") if entry]
_PLAIN = str.maketrans("ễầốảíãıřń'", "eaoaiairn ")


@dataclass(frozen=True)
class Person:
    """Somebody, as a reservation or a viewing names them."""

    name: str
    kana: str
    email: str
    phone: str
    locale: str


class People:
    """Introduces one person after the other, nobody twice."""

    def __init__(self, chance: Chance, share_from_abroad: float = 0.4):
        self._chance = chance
        self._share = share_from_abroad
        self._met = 0

    def next(self) -> Person:
        self._met += 1
        if self._chance.share() < self._share:
            return self._from_abroad()
        return self._from_japan()

    def _from_japan(self) -> Person:
        family, given = self._chance.one_of(FAMILY), self._chance.one_of(GIVEN)
        email = f"{given[2]}.{family[2]}{self._met}@example.jp"
        return Person(
            f"{family[0]} {given[0]}", f"{family[1]} {given[1]}", email, self._phone(), "ja"
        )

    def _from_abroad(self) -> Person:
        name, kana = self._chance.one_of(ABROAD)
        letters = "".join(part for part in name.lower().translate(_PLAIN) if part.isascii())
        email = f"{'.'.join(letters.replace('-', ' ').split())}{self._met}@example.com"
        return Person(name, kana, email, self._phone(), "en")

    def _phone(self) -> str:
        # A second block that starts with 0 is given to nobody.
        first = self._chance.one_of(("090", "080", "070"))
        return f"{first}-0{self._chance.whole(0, 999):03}-{self._chance.whole(0, 9999):04}"


OWNERS = (
    Person("川瀬 美智子", "カワセ ミチコ", "michiko.kawase@example.jp", "03-0012-4471", "ja"),
    Person("有限会社 星見不動産", "ホシミフドウサン", "owner@hoshimi.example.jp", "03-0045-1180", "ja"),
    Person("港原倉庫株式会社", "ミナトハラソウコ", "lofts@minatohara.example.jp", "03-0071-0029", "ja"),
    Person("木漏 修", "コモレ オサム", "osamu.komore@example.jp", "042-0033-5512", "ja"),
    Person("Harrison Blake", "ハリソン ブレイク", "h.blake@example.com", "03-0058-7714", "en"),
)  # fmt: skip
