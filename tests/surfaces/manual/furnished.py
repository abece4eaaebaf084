"""The cast's house with nothing left blank, so that every field of an answer is seen filled."""

from datetime import UTC, date, datetime

from sqlalchemy.orm import Session

from pms.catalogue.models import Building, Unit
from pms.enquiries.models import Viewing
from pms.reservations.models import Reservation
from pms.site.models import Position, Post, SiteConfiguration
from tests.cast import House, photo, reservation

LEAVES_ON = date(2027, 1, 31)


def furnish(session: Session, house: House) -> None:
    """Fill in what the cast leaves out; called in a session of the house's workspace."""
    session.add(photo(unit_id=house.free_room_id, alt_ja="居室", alt_en="The room"))
    session.add(
        reservation(
            unit_id=house.residents_room_id,
            name="高橋 翼",
            name_kana="タカハシ ツバサ",
            phone="090-0000-0003",
            email="takahashi@example.jp",
            move_in_date=date(2025, 4, 1),
            override_move_in_date=date(2025, 4, 2),
            arrival_date=date(2025, 4, 3),
            contract_end_date=date(2026, 3, 30),
            override_contract_end_date=date(2026, 3, 31),
            move_out_date=date(2026, 3, 31),
        )
    )
    for row, filled in _blanks(session, house):
        for name, value in filled.items():
            setattr(row, name, value)


def _blanks(session: Session, house: House) -> list[tuple[object, dict[str, object]]]:
    resident = session.get_one(Reservation, (house.workspace_id, house.resident_id))
    guest = session.get_one(Reservation, (house.workspace_id, house.guest_id))
    return [
        (resident, {"phone": "090-0000-0001", "expected_departure_date": LEAVES_ON}),
        (guest, {"move_out_date": guest.contract_end_date}),
        (
            session.get_one(Building, (house.workspace_id, house.building_id)),
            {
                "access_ja": "東向島駅から徒歩6分",
                "access_en": "6 minutes on foot from Higashi-Mukojima",
                "description_ja": "川沿いの静かな家です。",
                "description_en": "A quiet house by the river.",
            },
        ),
        (
            session.get_one(Unit, (house.workspace_id, house.free_room_id)),
            {"description_ja": "南向きの部屋です。", "description_en": "A room facing south."},
        ),
        (
            session.get_one(Viewing, (house.workspace_id, house.viewing_id)),
            {"visitor_phone": "090-0000-0002", "note": "駅で待ち合わせ"},
        ),
        (
            session.query(Post).one(),
            {
                "summary_ja": "川沿いの家の紹介です。",
                "summary_en": "About the house by the river.",
                "published_at": datetime(2026, 11, 1, tzinfo=UTC),
            },
        ),
        (session.query(Position).one(), {"place_ja": "墨田区", "place_en": "Sumida"}),
        (
            session.query(SiteConfiguration).one(),
            {
                "tagline_ja": "川のそばの暮らし",
                "tagline_en": "Living by the river",
                "contact_email": "hello@sumida.example.jp",
                "contact_phone": "03-0000-0000",
                "address_ja": "東京都墨田区東向島一丁目2番3号",
                "address_en": "1-2-3 Higashimukojima, Sumida, Tokyo",
                "social_links": {"instagram": "https://social.example/sumida"},
            },
        ),
    ]
