"""The page a link opens: the offer, and once it is accepted how far the application is."""

from flask import Response, abort, url_for

from pms.catalogue.building_address import building_address
from pms.catalogue.photos_hung import photos_hung
from pms.catalogue.records import unit_record
from pms.offers.application import application
from pms.offers.preview_offer import preview_offer
from pms.surfaces.reservation_links.applicant import applicant, clock, reading, shown, today


def show() -> Response:
    """Show the offer, or where the application stands."""
    return _offered() if applicant().is_deciding else _applied()


def nothing(_rest: str) -> Response:
    """There is nothing else."""
    abort(404)


def _offered() -> Response:
    offer = applicant().offer
    photos = photos_hung(reading(), ("unit", offer.unit_id))
    return shown(
        "offer",
        offer=offer,
        unit=unit_record(reading(), offer.unit_id).written,
        address=building_address(reading(), offer.building_id),
        photo=next(iter(photos or photos_hung(reading(), ("building", offer.building_id))), None),
        invoice=preview_offer(reading(), clock(), offer.id),
        here=url_for("reservation_links.offer"),
    )


def _applied() -> Response:
    offer = applicant().offer
    return shown(
        "application",
        offer=offer,
        application=application(reading(), offer.reservation_id or "", today()),
        here=url_for("reservation_links.offer"),
    )
