"""What each unit is: size, price, features and a few sentences in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pms.demo.chance import Chance
from pms.demo.houses import HousePlan
from pms.rules.enumerations import UnitType

Pair = tuple[str, str]

_SIZES = {
    "個室": (8.0, 12.6), "ロフト付き個室": (10.5, 15.0), "和室6畳": (9.7, 11.6), "ツイン": (13.5, 18.8),
    "1R": (18.2, 23.0), "1K": (20.4, 26.5), "1DK": (27.0, 34.5), "1LDK": (36.0, 46.0),
    "2LDK": (48.0, 57.5),
}  # fmt: skip
_BEDROOMS = {"2LDK": 2}
_SHARED_FEATURES: tuple[Pair, ...] = (
    ("家具付き", "Furnished"), ("エアコン", "Air conditioning"), ("デスク", "Desk"),
    ("バルコニー", "Balcony"), ("専用シャワー", "Private shower"), ("南向き", "South-facing"),
    ("角部屋", "Corner room"), ("鍵付き", "Lockable door"), ("高速Wi-Fi", "Fast Wi-Fi"),
    ("専用冷蔵庫", "Own refrigerator"), ("自転車置き場", "Bicycle parking"),
    ("クローゼット", "Closet"), ("女性専用フロア", "Women-only floor"),
)  # fmt: skip
_HOME_FEATURES: tuple[Pair, ...] = (
    ("オートロック", "Auto-lock"), ("宅配ボックス", "Parcel box"), ("エアコン", "Air conditioning"),
    ("バルコニー", "Balcony"), ("バス・トイレ別", "Separate bath and toilet"),
    ("室内洗濯機置場", "Indoor washing machine space"), ("南向き", "South-facing"),
    ("システムキッチン", "Fitted kitchen"), ("追い焚き", "Reheating bath"),
    ("ペット可", "Pets allowed"), ("インターネット無料", "Free internet"),
    ("家具家電付き", "Furnished with appliances"), ("床暖房", "Floor heating"),
    ("浴室乾燥機", "Bathroom dryer"),
)  # fmt: skip
_LIGHT: tuple[Pair, ...] = (
    ("東向きの窓から朝の光が入ります。", "Morning light comes in through the east window."),
    ("南向きで、冬の昼間は暖房がいらないほどです。",
     "It faces south; on winter days you hardly need heating."),
    ("窓の外はすぐ木立で、夏はカーテンのかわりになります。",
     "Trees stand right outside and do the work of a curtain in summer."),
    ("西の窓からは、晴れた日に夕焼けと遠い山が見えます。",
     "On clear days the west window shows the sunset and far hills."),
    ("北向きですが大きな窓があり、一日じゅうやわらかい明るさです。",
     "It faces north, but the window is large and the light is soft all day."),
)  # fmt: skip
_SHARED_LIFE: tuple[Pair, ...] = (
    ("ベッド、机、椅子、収納があり、その日から暮らせます。",
     "Bed, desk, chair and storage are there: you can live here from the first day."),
    ("隣の部屋との間に収納があるので、音はあまり気になりません。",
     "Closets lie between this room and the next, so it is quiet."),
    ("キッチンのすぐ上の部屋で、夕食のにおいでおなかがすきます。",
     "The room is above the kitchen, and the smell of dinner makes you hungry."),
    ("前に住んでいた人が棚をつくって残していきました。",
     "The last resident built shelves and left them."),
    ("共用のシャワーは同じ階に二つ、洗濯機は一階に三台あります。",
     "Two showers on the same floor, three washing machines downstairs."),
)  # fmt: skip
_HOME_LIFE: tuple[Pair, ...] = (
    ("二口コンロのキッチンと、まな板の置ける調理台があります。",
     "The kitchen has two burners and room for a chopping board."),
    ("浴室と洗面所が分かれていて、朝の支度が重なりません。",
     "Bath and washroom are separate, so mornings do not collide."),
    ("廊下の収納が深く、季節のものはここにしまえます。",
     "The closet in the hall is deep enough for everything out of season."),
    ("リビングの一角が仕事机にちょうどよい広さです。",
     "One corner of the living room is just right for a desk."),
    ("バルコニーには物干しと、鉢を三つ置ける棚があります。",
     "The balcony has a drying rail and a shelf for three pots."),
)  # fmt: skip
_CLOSING: tuple[Pair, ...] = (
    ("最寄りのスーパーは夜十一時まで開いています。", "The nearest supermarket is open until eleven."),
    ("上の階に楽器を弾く人はいません。", "Nobody upstairs plays an instrument."),
    ("内見は平日の夜もご案内できます。", "Viewings are possible on weekday evenings too."),
    ("自転車は一人一台まで無料で置けます。", "One bicycle each can be parked free of charge."),
    ("契約は一か月から、日本語でも英語でもできます。",
     "Contracts start at one month, in Japanese or English."),
)  # fmt: skip


@dataclass(frozen=True)
class RoomPlan:
    """One unit record before it has an id."""

    name: str
    floor: int
    layout: str
    bedrooms: int
    size_centi_sqm: int
    rent_yen: int
    utilities_yen: int
    maintenance_yen: int
    deposit_yen: int
    reservation_fee_yen: int
    minimum_stay_days: int
    features: tuple[Pair, ...]
    description: Pair


def rooms_of(house: HousePlan, chance: Chance) -> Iterator[RoomPlan]:
    """The rooms of a house, floor by floor."""
    for floor, count in enumerate(house.floors, start=1):
        for number in range(1, count + 1):
            layout = chance.one_of(house.layouts)
            name = house.room_name.format(floor=floor, number=number, letter="ABCDEFGH"[floor - 1])
            yield _room(house.type, name, floor, layout, chance)


def _room(type_: UnitType, name: str, floor: int, layout: str, chance: Chance) -> RoomPlan:
    size = round(chance.between(*_SIZES[layout]) * 100)
    is_shared = type_ is UnitType.SHAREHOUSE
    return RoomPlan(
        name=name,
        floor=floor,
        layout=layout,
        bedrooms=_BEDROOMS.get(layout, 1),
        size_centi_sqm=size,
        rent_yen=_shared_rent(size, chance) if is_shared else _home_rent(size, floor, chance),
        utilities_yen=12_000 if is_shared else chance.one_of((0, 3_000)),
        maintenance_yen=5_000 if is_shared else chance.one_of((6_000, 8_000, 10_000)),
        deposit_yen=30_000 if is_shared else chance.one_of((80_000, 100_000)),
        reservation_fee_yen=15_000 if is_shared else 33_000,
        minimum_stay_days=chance.one_of((30, 30, 90))
        if is_shared
        else chance.one_of((90, 180, 365)),
        features=tuple(_features(is_shared, chance)),
        description=_told(is_shared, chance),
    )


def _shared_rent(size_centi_sqm: int, chance: Chance) -> int:
    asked = 24_000 + size_centi_sqm * 25 + chance.whole(-3, 4) * 1_000
    return min(75_000, max(40_000, round(asked, -3)))


def _home_rent(size_centi_sqm: int, floor: int, chance: Chance) -> int:
    asked = 42_000 + size_centi_sqm * 23 + floor * 1_500 + chance.whole(-4, 6) * 1_000
    return min(190_000, max(80_000, round(asked, -3)))


def _features(is_shared: bool, chance: Chance) -> list[Pair]:
    pool = _SHARED_FEATURES if is_shared else _HOME_FEATURES
    return chance.some_of(pool, chance.whole(3, 6))


def _told(is_shared: bool, chance: Chance) -> Pair:
    life = _SHARED_LIFE if is_shared else _HOME_LIFE
    parts = [chance.one_of(pool) for pool in (_LIGHT, life, _CLOSING)]
    return "".join(ja for ja, _ in parts), " ".join(en for _, en in parts)
