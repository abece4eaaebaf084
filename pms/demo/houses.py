"""The houses of the demo: invented places in invented towns, told in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from pms.rules.enumerations import UnitType


@dataclass(frozen=True)
class HousePlan:
    """One building record: its words, its rooms and its pictures."""

    slug: str
    name: str
    name_kana: str
    name_en: str
    area: str
    area_en: str
    postcode: str
    address: str
    address_en: str
    access_ja: str
    access_en: str
    description_ja: str
    description_en: str
    type: UnitType
    owner: int
    floors: tuple[int, ...]
    layouts: tuple[str, ...]
    pictures: tuple[str, ...]
    room_name: str = "{floor}{number:02}"


_RIVER = (
    "みどり野鉄道「若葉町」駅 徒歩6分。スーパー徒歩3分、川沿いの遊歩道まで1分。",
    "6 minutes on foot from Wakabacho on the Midorino Railway; supermarket 3 minutes, river path 1.",
)

KAWASEMI_HOUSE = HousePlan(
    "kawasemi-house", "Kawasemi House", "カワセミ ハウス", "Kawasemi House", "若葉町", "Wakaba", "109-0021",
    "東京都みどり野区若葉町2-14-5", "2-14-5 Wakabacho, Midorino-ku, Tokyo", *_RIVER,
    "川沿いに建つ三階建てのシェアハウスです。一階には二十人で囲める長いテーブルとアイランドキッチン、"
    "屋上には洗濯物と夕焼けのための物干し場があります。静かに暮らしたい人も、にぎやかな夕食が好きな人も、"
    "それぞれの距離で暮らせます。",
    "A three-storey share house beside the river. Downstairs there is an island kitchen and a table "
    "for twenty; on the roof, washing lines and the best sunset in Wakaba. Quiet people and people "
    "who like a loud dinner both find their distance here.",
    UnitType.SHAREHOUSE, 0, (8, 8, 8), ("個室", "個室", "個室", "ツイン"),
    ("kingfisher-morning", "shared-kitchen", "lounge", "laundry", "entrance", "bathroom"),
)  # fmt: skip
HOSHIMI_TERRACE = HousePlan(
    "hoshimi-terrace", "星見テラス", "ホシミ テラス", "Hoshimi Terrace", "星見台", "Hoshimi", "109-0034",
    "東京都みどり野区星見台4-1-22", "4-1-22 Hoshimidai, Midorino-ku, Tokyo",
    "みどり野鉄道「星見台」駅 徒歩4分。区立図書館徒歩5分、星見台公園徒歩2分。",
    "4 minutes on foot from Hoshimidai; public library 5 minutes, Hoshimidai Park 2.",
    "坂の上の七階建てマンションです。全戸にバルコニーと宅配ボックスがあり、上の階からは晴れた冬の朝に"
    "富士山が見えます。オートロック、インターネット無料、家具家電付きの部屋もあります。",
    "Seven floors at the top of the hill. Every flat has a balcony and a parcel box, and from the "
    "upper floors Mount Fuji shows on clear winter mornings. Auto-lock, free internet, some flats "
    "furnished.",
    UnitType.APARTMENT, 1, (3, 3, 4, 4, 4, 3, 3), ("1R", "1K", "1K", "1DK", "1LDK"),
    ("tower", "entrance", "kitchen", "bathroom"),
)  # fmt: skip
MINATO_LOFT = HousePlan(
    "minato-loft", "みなとロフト潮見", "ミナト ロフト シオミ", "Minato Loft Shiomi", "港原", "Minatohara", "109-0052",
    "東京都潮騒区港原1-8-3", "1-8-3 Minatohara, Shiosai-ku, Tokyo",
    "臨海みなと線「港原」駅 徒歩8分。水上バス乗り場徒歩2分、自転車置き場40台。",
    "8 minutes on foot from Minatohara on the Rinkai Minato Line; water bus 2 minutes, 40 bicycle "
    "stands.",
    "のこぎり屋根の倉庫を改装したシェアハウスです。高い天井、大きな鉄の窓、海からの風。共用の作業場には"
    "工具とミシンがあり、週末には誰かが何かを作っています。",
    "A share house in a converted warehouse with a saw-tooth roof: high ceilings, steel windows, wind "
    "off the sea. The shared workshop has tools and a sewing machine, and at weekends somebody is "
    "always building something.",
    UnitType.SHAREHOUSE, 2, (9, 9), ("個室", "個室", "ロフト付き個室"),
    ("harbour-loft", "shared-kitchen", "lounge", "laundry"), "{letter}-{number:02}",
)  # fmt: skip
KAWASEMI_SO = HousePlan(
    "kawasemi-so", "シェアハウス カワセミ荘", "シェアハウス カワセミソウ", "Kawasemi-so Share House", "若葉町", "Wakaba",
    "109-0021", "東京都みどり野区若葉町2-14-5", "2-14-5 Wakabacho, Midorino-ku, Tokyo", *_RIVER,
    "川の見えるシェアハウス、カワセミ荘の一部の部屋を当社がご紹介しています。家具と寝具はそろっていますので、"
    "スーツケースひとつで越してきてください。月に一度、屋上で鍋か流しそうめんをします。",
    "We look after some of the rooms of Kawasemi-so, the share house by the river. Furniture and "
    "bedding are waiting: bring one suitcase. Once a month there is hot pot or cold noodles on the "
    "roof, depending on the season.",
    UnitType.SHAREHOUSE, 0, (4, 4, 4), ("個室", "個室", "ツイン", "個室"),
    ("kingfisher-dusk", "lounge", "shared-kitchen", "bathroom"),
)  # fmt: skip
KOMOREBI_COURT = HousePlan(
    "komorebi-court", "コモレビコート", "コモレビ コート", "Komorebi Court", "若葉町", "Wakaba", "109-0022",
    "東京都みどり野区若葉町5-3-1", "5-3-1 Wakabacho, Midorino-ku, Tokyo",
    "みどり野鉄道「若葉町」駅 徒歩11分。小学校徒歩5分、けやき並木の中。",
    "11 minutes on foot from Wakabacho; primary school 5 minutes, in an avenue of zelkovas.",
    "けやき並木に面したレンガ張りの低層マンションです。一階の部屋には小さな庭、二階以上には木の葉越しの光が"
    "入ります。ペット可の部屋があり、中庭には水遊びのできる手押しポンプがあります。",
    "A low brick apartment house in an avenue of zelkova trees. Ground-floor flats have a small "
    "garden; upstairs the light comes through the leaves. Some flats allow pets, and the hand pump "
    "in the courtyard is there to be played with.",
    UnitType.APARTMENT, 3, (7, 7, 6), ("1K", "1LDK", "1LDK", "2LDK"),
    ("brick-court", "kitchen", "bathroom", "entrance"),
)  # fmt: skip
SAKURABASHI_SHARE = HousePlan(
    "sakurabashi-share", "さくらばしシェア", "サクラバシ シェア", "Sakurabashi Share", "桜橋", "Sakurabashi", "109-0063",
    "東京都風早区桜橋通3-7-11", "3-7-11 Sakurabashi-dori, Kazahaya-ku, Tokyo",
    "市電「桜橋」停留所 徒歩1分。銭湯徒歩4分、商店街の入口。",
    "1 minute on foot from the Sakurabashi tram stop; public bath 4 minutes, at the gate of the "
    "shopping street.",
    "桜の木に挟まれた木造二階建ての家です。六畳の和室と洋室があり、縁側と掘りごたつのある居間をみんなで"
    "使います。四月の最初の日曜日は、家の前で花見をするきまりです。",
    "A wooden house of two floors between two cherry trees, with six-mat rooms, a veranda and a "
    "living room with a sunken hearth table. House rule: on the first Sunday of April, everybody "
    "picnics out front.",
    UnitType.SHAREHOUSE, 4, (6, 6), ("和室6畳", "個室", "個室"),
    ("blossom-house", "lounge", "shared-kitchen", "entrance"), "R{floor}{number:02}",
)  # fmt: skip
TSUKIMI_VILLA = HousePlan(
    "tsukimi-villa", "月見町家", "ツキミ マチヤ", "Tsukimi Machiya", "月見台", "Tsukimi", "109-0077",
    "東京都月代区月見台上町88", "88 Tsukimidai Kamimachi, Tsukishiro-ku, Tokyo",
    "月代線「月見台」駅 徒歩9分。石畳の通り、八百屋と豆腐屋は隣。",
    "9 minutes on foot from Tsukimidai on the Tsukishiro Line; a cobbled street with a greengrocer "
    "and a tofu shop next door.",
    "石畳の通りに並ぶ町家を、一戸ずつ丁寧に直しました。格子戸と坪庭はそのままに、床暖房と新しい台所を"
    "入れています。家族での長い滞在や、在宅で働く人に向いています。",
    "Town houses on a cobbled street, repaired one by one. Lattice doors and inner gardens stayed; "
    "floor heating and new kitchens came. Good for a family on a long stay, or for working at home.",
    UnitType.APARTMENT, 4, (5, 5), ("1LDK", "2LDK", "1DK"),
    ("moonlit-row", "kitchen", "bathroom"), "{floor}-{number}",
)  # fmt: skip


@dataclass(frozen=True)
class OperatorPlan:
    """One workspace: its words and its houses."""

    slug: str
    name: str
    name_en: str
    brand_hue: int
    tagline_ja: str
    tagline_en: str
    address_ja: str
    address_en: str
    email: str
    phone: str
    qualified_invoice_number: str
    bank_details: str
    houses: tuple[HousePlan, ...]


MIDORI_LIVING = OperatorPlan(
    "midori-living", "みどりリビング", "Midori Living", 155,
    "川と木のそばで、ちょうどいい距離で暮らす。",
    "Live near the river and the trees, at just the right distance.",
    "東京都みどり野区若葉町1-2-9 みどりビル2階", "Midori Building 2F, 1-2-9 Wakabacho, Midorino-ku, Tokyo",
    "hello@midori-living.example.jp", "03-0021-7788",
    # A corporate number never begins with 0: nobody has this one.
    "T0109002101001", "みどり野銀行 若葉町支店（012） 普通 0021788 ミドリリビング",
    (KAWASEMI_HOUSE, HOSHIMI_TERRACE, MINATO_LOFT),
)  # fmt: skip
TOKYO_NEST = OperatorPlan(
    "tokyo-nest", "東京ネスト", "Tokyo Nest", 28,
    "東京に、帰る場所をもうひとつ。", "One more place in Tokyo to come home to.",
    "東京都風早区桜橋通1-4-2", "1-4-2 Sakurabashi-dori, Kazahaya-ku, Tokyo",
    "info@tokyo-nest.example.com", "03-0066-2410",
    "T0130066024102", "かぜはや信用金庫 桜橋支店（034） 普通 0662410 トウキョウネスト",
    (KAWASEMI_SO, KOMOREBI_COURT, SAKURABASHI_SHARE, TSUKIMI_VILLA),
)  # fmt: skip
OPERATORS = (MIDORI_LIVING, TOKYO_NEST)
