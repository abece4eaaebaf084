"""Every picture of the demo by name, with the words that describe it in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from pms.demo.pictures import baths, floor_plans, fronts, kitchens, rooms
from pms.demo.pictures.canvas import Canvas
from pms.demo.pictures.shells import Look


@dataclass(frozen=True)
class Scene:
    """How a picture is drawn, and what it shows."""

    draw: Callable[[], Canvas]
    alt_ja: str
    alt_en: str

    def image(self) -> Image.Image:
        return self.draw().finished()


def _seen(
    scene: Callable[[Look], Canvas], colours: str, light: str, alt_ja: str, alt_en: str
) -> Scene:
    """`colours`: wall, floor, accent and second colour; `light`: hour, view and seed."""
    wall, floor, accent, second = (f"#{part}" for part in colours.split())
    hour, view, seed = light.split()
    look = Look(wall, floor, accent, second, hour, view, int(seed))
    return Scene(lambda: scene(look), alt_ja, alt_en)


def _planned(plan: Callable[[str, str], Canvas], colours: str, alt_ja: str, alt_en: str) -> Scene:
    first, second = (f"#{part}" for part in colours.split())
    return Scene(lambda: plan(first, second), alt_ja, alt_en)


FRONTS = {
    "kingfisher-morning": _seen(
        fronts.kingfisher_house, "ffffff d9b48a 2f7f93 d9775c", "morning trees 21",
        "青い帯とカワセミの看板がある三階建ての外観、朝",
        "White three-storey house with a blue band and a kingfisher sign, in the morning",
    ),
    "kingfisher-dusk": _seen(
        fronts.kingfisher_house, "ffffff d9b48a 2f7f93 d9775c", "dusk town 22",
        "夕暮れに窓の明かりがともる三階建ての外観",
        "The three-storey house at dusk with its windows lit",
    ),
    "tower": _seen(
        fronts.apartment_tower, "ffffff d9b48a 5c6f86 c98a5a", "noon town 23",
        "バルコニーが並ぶ七階建てマンションの外観", "Seven-storey apartment house with balconies",
    ),
    "brick-court": _seen(
        fronts.brick_court, "ffffff d9b48a b5714f 3f6f63", "afternoon hills 24",
        "木立に囲まれたレンガ張りの二棟", "Two brick wings among trees",
    ),
    "harbour-loft": _seen(
        fronts.harbour_loft, "ffffff d9b48a 3f6f86 e0a23e", "noon harbour 25",
        "のこぎり屋根の倉庫を改装した港のロフト", "A harbour warehouse with a saw-tooth roof, made into lofts",
    ),
    "blossom-house": _seen(
        fronts.blossom_house, "ffffff d9b48a a9764d 3f5f7a", "morning hills 26",
        "桜の木に挟まれた木造二階建ての外観", "Two-storey wooden house between cherry trees",
    ),
    "moonlit-row": _seen(
        fronts.moonlit_row, "ffffff d9b48a 34507a 5f7a4f", "night hills 27",
        "提灯がともる月夜の町家の並び", "A row of town houses with lanterns under the moon",
    ),
}  # fmt: skip
PRIVATE_ROOMS = {
    "room-noon": _seen(
        rooms.private_room, "f3ece0 d9b48a 3f7d8c e8a87c", "noon trees 1",
        "ベッドと机のある明るい個室", "Bright private room with a bed and a desk",
    ),
    "room-morning": _seen(
        rooms.desk_by_the_window, "e6eee9 d9b48a d9775c 8fb5a3", "morning hills 2",
        "丘を望む窓辺に机を置いた個室", "Room with a desk at a window over the hills",
    ),
    "room-loft": _seen(
        rooms.loft_room, "efe6f0 d9b48a 7a6a9a e8b04a", "afternoon town 3",
        "ロフトベッドの下に机がある個室", "Room with a desk below the loft bed",
    ),
    "room-tatami": _seen(
        rooms.tatami_room, "e9dfc6 d9b48a 6d7f4f 5d7f9c", "noon trees 4",
        "障子と低いテーブルのある和室", "Tatami room with paper screens and a low table",
    ),
    "room-books": _seen(
        rooms.library_room, "dfe6e8 c9a67c 8a5a44 3f6f6b", "rain trees 8",
        "大きな本棚と椅子のある雨の日の部屋", "Room with a wall of books on a rainy day",
    ),
    "room-dusk": _seen(
        rooms.private_room, "f0dfd2 c99d72 5a5f8f d98a6a", "dusk town 31",
        "夕焼けの街が見える個室", "Private room with the town at sunset outside",
    ),
    "room-north": _seen(
        rooms.desk_by_the_window, "ece7dd cfae86 3f6f86 e0b060", "rain town 32",
        "三連窓の前に机を置いた北向きの個室", "North-facing room with a desk at a triple window",
    ),
}  # fmt: skip
TWIN_ROOMS = {
    "twin-dusk": _seen(
        rooms.twin_room, "f5e9d6 d9b48a 3f7d8c e39b7b", "dusk town 5",
        "ベッドが二台ある夕暮れのツインルーム", "Twin room at dusk",
    ),
    "twin-noon": _seen(
        rooms.twin_room, "e8eef0 d6b48c 7a8f5a d9a05c", "noon trees 33",
        "木々を望む明るいツインルーム", "Bright twin room with trees outside",
    ),
}  # fmt: skip
HOMES = {
    "living-harbour": _seen(
        rooms.living_room, "eef0ea d9b48a 5f8f86 e3b778", "noon harbour 6",
        "港が見えるリビング", "Living room with a view of the harbour",
    ),
    "studio-night": _seen(
        rooms.studio, "f2e6df d0a77c b5654a efd9b4", "night town 7",
        "夜景の見えるワンルーム", "Studio with the lights of the town outside",
    ),
    "balcony": _seen(
        rooms.balcony, "f4efe6 d9b48a cf8f4f a9c4bd", "afternoon hills 9",
        "バルコニーに続く午後の部屋", "Room that opens on a balcony, in the afternoon",
    ),
    "living-town": _seen(
        rooms.living_room, "f1e9e2 c99d72 a5654f 7fa393", "dusk town 34",
        "街を見わたす夕暮れのリビング", "Living room over the town at dusk",
    ),
    "studio-day": _seen(
        rooms.studio, "edf0ee d9b48a 4f7a6f e0b878", "morning trees 35",
        "朝の光が入るワンルーム", "Studio in the morning light",
    ),
}  # fmt: skip
SHARED = {
    "shared-kitchen": _seen(
        kitchens.shared_kitchen, "f1ebe2 d9b48a 4f7a86 e0a23e", "noon hills 11",
        "アイランドカウンターのある共用キッチン", "Shared kitchen with an island",
    ),
    "lounge": _seen(
        kitchens.lounge, "eee8dc d9b48a c9765a 7fa393", "afternoon town 12",
        "ソファと長いテーブルのある共用ラウンジ", "Shared lounge with a sofa and a long table",
    ),
    "laundry": _seen(
        baths.laundry, "f2efe6 d6cfc2 7fa8b8 e5b35c", "noon town 14",
        "洗濯機が三台ある共用ランドリー", "Shared laundry with three machines",
    ),
    "entrance": _seen(
        baths.entrance, "efe7d8 cda277 4a6f63 e0a860", "noon trees 15",
        "緑のドアと下駄箱のある玄関", "Entrance with a green door and a shoe cupboard",
    ),
}  # fmt: skip
WET_ROOMS = {
    "kitchen": _seen(
        kitchens.kitchen, "f6efe0 cfc6b6 6f9a8d e8b98a", "morning trees 10",
        "窓のあるキッチン", "Kitchen with a window",
    ),
    "bathroom": _seen(
        baths.bathroom, "eef3f2 c9d3d2 5f98a6 e6a57e", "morning trees 13",
        "窓から緑が見える浴室と洗面台", "Bathroom with a tub under the window",
    ),
}  # fmt: skip
PLANS = {
    "plan-room": _planned(
        floor_plans.private_room_plan, "3f7d8c e8a87c", "個室の間取り図", "Floor plan of a private room"
    ),
    "plan-twin": _planned(
        floor_plans.twin_plan, "7a6a9a e8b04a", "ツインルームの間取り図", "Floor plan of a twin room"
    ),
    "plan-studio": _planned(
        floor_plans.studio_plan, "d9775c 8fb5a3", "1Kの間取り図", "Floor plan of a 1K flat"
    ),
    "plan-1ldk": _planned(
        floor_plans.one_bedroom_plan, "5f8f86 e3b778", "1LDKの間取り図", "Floor plan of a 1LDK flat"
    ),
}  # fmt: skip
SCENES: dict[str, Scene] = FRONTS | PRIVATE_ROOMS | TWIN_ROOMS | HOMES | SHARED | WET_ROOMS | PLANS
