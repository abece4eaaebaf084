"""Django REST framework as its guide shows it: models, prefetched relations, serializers."""

import os
from collections.abc import Iterable
from typing import Any

import django
from django.conf import settings as django_settings
from django.core.wsgi import get_wsgi_application

from pms.foundation.clock import SystemClock
from pms.foundation.settings import Settings
from pms.foundation.tokens import key_hash

settings = Settings.from_environment(os.environ)
django_settings.configure(
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="measuring",
    INSTALLED_APPS=["rest_framework"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": settings.database_url.removeprefix("sqlite:///"),
            "CONN_MAX_AGE": None,
        }
    },
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.db import models  # Django must be set up first
from django.db.models import Prefetch
from django.urls import path
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from tests.bench.floor.availability import Answer, availability, shown


class Row(models.Model):
    id = models.CharField(primary_key=True, max_length=32)
    workspace_id = models.CharField(max_length=32)

    class Meta:
        abstract = True


def table(name: str) -> type:
    return type("Meta", (), {"managed": False, "db_table": name, "app_label": "bench"})


def link(to: str, name: str) -> Any:
    return models.ForeignKey(to, models.DO_NOTHING, related_name=name, null=True)


class ApiKey(Row):
    hash = models.CharField(max_length=64)
    Meta = table("api_key")


class Building(Row):
    slug, name, name_en = models.TextField(), models.TextField(), models.TextField()
    area, area_en = models.TextField(), models.TextField()
    address, address_en = models.TextField(), models.TextField()
    Meta = table("building")


class Unit(Row):
    building = link("Building", "units")
    slug, name, type, layout = (models.TextField() for _ in range(4))
    bedrooms, size_centi_sqm, floor, rent_yen, deposit_yen, reservation_fee_yen = (
        models.IntegerField() for _ in range(6)
    )
    minimum_stay_days = models.IntegerField()
    features, features_en = models.JSONField(), models.JSONField()
    updated_at = models.TextField()
    Meta = table("unit")


class Fee(Row):
    code, label_ja, label_en = (models.TextField() for _ in range(3))
    is_monthly = models.BooleanField()
    Meta = table("fee")


class UnitFee(Row):
    unit, fee = link("Unit", "fees"), link("Fee", "of_units")
    amount_yen = models.IntegerField()
    Meta = table("unit_fee")


class Photo(Row):
    unit = link("Unit", "photos")
    position, width, height = (models.IntegerField() for _ in range(3))
    alt_ja, alt_en, files = models.TextField(), models.TextField(), models.JSONField()
    Meta = table("photo")


class Stay(Row):
    unit = link("Unit", "stays")
    kind, move_in_date, override_move_in_date, contract_end_date = (
        models.TextField() for _ in range(4)
    )
    override_contract_end_date, move_out_date, expected_departure_date = (
        models.TextField() for _ in range(3)
    )
    forced_on, ends_on, cancelled_at = (models.TextField() for _ in range(3))
    Meta = table("reservation")


class Block(Row):
    unit = link("Unit", "blocks")
    first_on, last_on = models.TextField(), models.TextField()
    Meta = table("external_block")


class BuildingSerializer(serializers.ModelSerializer):
    name = serializers.CharField(source="name_en")
    area = serializers.CharField(source="area_en")
    address = serializers.CharField(source="address_en")

    class Meta:
        model = Building
        fields = ("id", "slug", "name", "area", "address")


class FeeSerializer(serializers.ModelSerializer):
    code = serializers.CharField(source="fee.code")
    label = serializers.CharField(source="fee.label_en")
    amount = serializers.IntegerField(source="amount_yen")

    class Meta:
        model = UnitFee
        fields = ("code", "label", "amount")


class PhotoSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()
    alt = serializers.CharField(source="alt_en")

    class Meta:
        model = Photo
        fields = ("url", "width", "height", "alt")

    def get_url(self, photo: Any) -> str:
        return f"{settings.base_url}/photos/{photo.id}/{max(map(int, photo.files))}.webp"


class UnitSerializer(serializers.ModelSerializer):
    building = BuildingSerializer()
    sizeSqm = serializers.SerializerMethodField()
    price = serializers.IntegerField(source="rent_yen")
    monthlyFees = FeeSerializer(source="fees", many=True)
    monthlyTotal = serializers.SerializerMethodField()
    deposit = serializers.IntegerField(source="deposit_yen")
    reservationFee = serializers.IntegerField(source="reservation_fee_yen")
    minimumStayDays = serializers.IntegerField(source="minimum_stay_days")
    features = serializers.JSONField(source="features_en")
    photos = PhotoSerializer(many=True)
    updatedAt = serializers.CharField(source="updated_at")
    availability = serializers.SerializerMethodField()

    class Meta:
        model = Unit
        fields = (
            "id", "slug", "name", "type", "building", "layout", "bedrooms", "sizeSqm", "floor",
            "price", "monthlyFees", "monthlyTotal", "deposit", "reservationFee",
            "minimumStayDays", "features", "photos", "updatedAt", "availability",
        )  # fmt: skip

    def get_sizeSqm(self, unit: Any) -> str | None:  # named by the field
        return None if unit.size_centi_sqm is None else f"{unit.size_centi_sqm / 100}"

    def get_monthlyTotal(self, unit: Any) -> int | None:
        fees = sum(fee.amount_yen for fee in unit.fees.all())
        return None if unit.rent_yen is None else unit.rent_yen + fees

    def get_availability(self, unit: Any) -> dict[str, Any]:
        return shown(unit.answer, "en")


class Units(APIView):
    def get(self, request: Any) -> Response:
        wanted = key_hash(request.headers["Authorization"].removeprefix("Bearer "))
        workspace_id, today = ApiKey.objects.get(hash=wanted).workspace_id, _today()
        matched = list(_matched(workspace_id, today))
        page = matched[: int(request.query_params["limit"])]
        counts = {
            "confirmed": sum(unit.answer[2] is not None for unit in matched),
            "possible": sum(unit.answer[0] == "possibly_available" for unit in matched),
        }
        units = UnitSerializer(page, many=True).data
        pagination = {"total": len(matched)}
        data = {"units": units, "pagination": pagination, "counts": counts}
        return Response({"ok": True, "data": data})


def _matched(workspace_id: str, today: str) -> Iterable[Any]:
    living = models.Q(ends_on__isnull=True) | models.Q(ends_on__gte=today)
    stays = Stay.objects.filter(living, cancelled_at__isnull=True)
    units = (
        Unit.objects.filter(workspace_id=workspace_id)
        .select_related("building")
        .prefetch_related(
            "blocks",
            Prefetch("stays", queryset=stays),
            Prefetch("fees", queryset=UnitFee.objects.select_related("fee").order_by("fee__code")),
            Prefetch("photos", queryset=Photo.objects.order_by("position", "id")),
        )
        .order_by("id")
    )
    for unit in units:
        unit.answer = _answer(unit, today)
        if unit.answer is not None:
            yield unit


def _answer(unit: Any, today: str) -> Answer | None:
    stays = (
        (
            stay.override_move_in_date or stay.move_in_date,
            stay.override_contract_end_date or stay.contract_end_date,
            stay.move_out_date,
            stay.expected_departure_date,
            int(stay.forced_on is not None),
            stay.kind,
        )
        for stay in unit.stays.all()
    )
    blocks = ((block.first_on, block.last_on) for block in unit.blocks.all())
    return availability(stays, blocks, {"owner_resident"}, today, 0)


def _today() -> str:
    return SystemClock().today().isoformat()


urlpatterns = [path("api/agent/properties", Units.as_view())]
app = get_wsgi_application()
