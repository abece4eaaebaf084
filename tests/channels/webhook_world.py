"""Two workspaces that providers write to, with the records their deliveries refer to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.test import TestResponse

from pms.access.keys import issue_key
from pms.catalogue.models import Unit
from pms.channels.models import InboundEvent
from pms.checkouts.models import MoneyBack, ProviderPayment
from pms.contracts.models import Contract
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.ids import new_id
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.jobs.mail_delivery import choose_postbox
from pms.jobs.readings import take_inbound_events
from pms.jobs.runs import Tools
from pms.ledger.models import LedgerEntry, LedgerLine
from pms.ledger.payment_plan import record_payment
from pms.ledger.queries import standing_of
from pms.reservations.models import Reservation
from pms.rules.enumerations import (
    EntryKind,
    EsignStatus,
    FeeCategory,
    Lifecycle,
    PaymentStatus,
    Scope,
    TaxTreatment,
)
from pms.rules.ledger_entries import EntryBalance
from pms.rules.message_words import SecretPurpose, WebhookSource
from pms.workspaces.webhook_secrets import add_webhook_secret
from tests.cast import LONG_AGO, House, reservation, settle, unit
from tests.channels.webhook_samples import about, raw, world

BEGINNING: Final = datetime(2026, 11, 20, 2, 0, tzinfo=UTC)
_SECRETS: Final = (
    ("line", "channelSecret", WebhookSource.LINE, SecretPurpose.SIGNATURE),
    ("whatsapp", "appSecret", WebhookSource.WHATSAPP, SecretPurpose.SIGNATURE),
    ("whatsapp", "verifyToken", WebhookSource.WHATSAPP, SecretPurpose.HANDSHAKE),
    ("payments", "endpointSecrets", WebhookSource.PAYMENTS, SecretPurpose.SIGNATURE),
    ("esign", "hmacKeys", WebhookSource.ESIGN, SecretPurpose.SIGNATURE),
)


def id_of(dashed: str) -> str:
    """An id of the samples as this program writes it."""
    return dashed.replace("-", "")


@dataclass(frozen=True)
class Providers:
    """Providers that write to both workspaces, and the worker that takes up what they wrote."""

    app: Flask
    database: Database
    clock: FixedClock
    houses: Mapping[str, House]
    keys: Mapping[str, str]

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def delivers(self, provider: str, number: str, body: bytes | None = None) -> TestResponse:
        """Send a delivery of the samples at its instant, with other bytes if given."""
        found = about(provider, number)
        self.clock.advance(datetime.fromisoformat(found["clock"]) - self.clock.now())
        return self.sends(found, raw(provider, number) if body is None else body)

    def sends(self, given: Mapping[str, Any], body: bytes) -> TestResponse:
        """Send bytes as a sidecar says."""
        headers = {
            name: self._with_key(value) if name == "authorization" else value
            for name, value in given["headers"].items()
        }
        return self.client.post(given["path"], data=body, headers=headers)

    def _with_key(self, value: str) -> str:
        for name, key in self.keys.items():
            value = value.replace(f"<KEY {name}>", key)
        return value

    def works(self, after: timedelta = timedelta()) -> None:
        """Have the worker take up what is due."""
        self.clock.advance(after)
        settings = self.database.settings
        take_inbound_events(Tools(settings, self.database, self.clock, choose_postbox(settings)))

    def events(self, slug: str = "kawasemi") -> list[InboundEvent]:
        """What is kept in a workspace, in the order it came."""
        with self.database.reading(self.houses[slug].workspace_id) as session:
            return list(session.scalars(select(InboundEvent).order_by(InboundEvent.id)))

    def count(self) -> int:
        """How many events are kept in both workspaces."""
        return sum(len(self.events(slug)) for slug in self.houses)

    def standing(self, number: int, slug: str = "kawasemi") -> EntryBalance:
        """How an entry of the samples stands now."""
        entry_id = id_of(f"0193e0c0-0000-7000-8000-00000000020{number}")
        with self.database.reading(self.houses[slug].workspace_id) as session:
            entry = session.scalars(select(LedgerEntry).where(LedgerEntry.id == entry_id)).one()
            return standing_of(session, entry.reservation_id, entry_id, self.clock.today())

    def payment(self, intent: str) -> ProviderPayment | None:
        """What is known of a provider's payment."""
        with self.database.reading(self.houses["kawasemi"].workspace_id) as session:
            asked = select(ProviderPayment).where(ProviderPayment.intent == intent)
            return session.scalar(asked)

    def money_back(self) -> list[MoneyBack]:
        """What is known of refunds and disputes, in the order it came."""
        with self.database.reading(self.houses["kawasemi"].workspace_id) as session:
            return list(session.scalars(select(MoneyBack).order_by(MoneyBack.id)))

    def reservation(self, number: int) -> Reservation:
        """A reservation of the samples."""
        wanted = id_of(f"0193e0c0-0000-7000-8000-00000000010{number}")
        with self.database.reading(self.houses["kawasemi"].workspace_id) as session:
            return session.scalars(select(Reservation).where(Reservation.id == wanted)).one()

    def contract(self, number: int) -> Contract:
        """The document of a reservation of the samples."""
        wanted = id_of(f"0193e0c0-0000-7000-8000-00000000010{number}")
        with self.database.reading(self.houses["kawasemi"].workspace_id) as session:
            return session.scalars(select(Contract).where(Contract.reservation_id == wanted)).one()


def open_providers(app: Flask, database: Database, clock: FixedClock) -> Providers:
    """Store the world of the samples."""
    found = world()
    houses = {
        "kawasemi": settle(database, "kawasemi", "かわせみ住宅", "佐藤 花子", "サトウ ハナコ"),
        "hoshimi": settle(database, "hoshimi", "ほしみ荘", "鈴木 一郎", "スズキ イチロウ"),
    }
    clock.advance(BEGINNING - clock.now())
    keys: dict[str, str] = {}
    for slug, house in houses.items():
        _store_secrets(database, clock, house, found["workspaces"][slug])
        _store_people(database, house, found, slug)
        _store_money(database, clock, house, found, slug)
        keys |= _keys(database, clock, house)
    return Providers(app, database, clock, houses, keys)


def _store_secrets(
    database: Database, clock: FixedClock, house: House, data: Mapping[str, Any]
) -> None:
    signer = Signer(database.settings.secret_key)
    with database.writing(house.workspace_id) as session:
        for provider, name, source, purpose in _SECRETS:
            given = data[provider][name]
            for secret in given if isinstance(given, list) else [given]:
                add_webhook_secret(
                    Work(session, clock, "person/nobody"),
                    signer,
                    source=source,
                    purpose=purpose,
                    secret=secret,
                    replaces=False,
                )


def _store_people(database: Database, house: House, given: Mapping[str, Any], slug: str) -> None:
    people = [(id_, one) for id_, one in given["reservations"].items() if one["workspace"] == slug]
    with database.writing(house.workspace_id) as session:
        for number, (dashed, one) in enumerate(people, start=1):
            room: Unit = unit(
                id=new_id(),
                building_id=house.building_id,
                name=f"30{number}",
                slug=f"kawasemi-house-30{number}-{slug}",
            )
            session.add(room)
            session.flush()
            session.add(
                reservation(
                    id=id_of(dashed),
                    unit_id=room.id,
                    name=one["name"],
                    lifecycle=Lifecycle.BOOKED,
                    move_in_date=date(2026, 12, 1),
                    contract_end_date=date(2027, 5, 31),
                    payment_status=PaymentStatus.PENDING,
                    esign_status=EsignStatus(one["esignStatus"]),
                )
            )
            session.flush()
        for envelope, one in given["envelopes"].items():
            if given["reservations"][one["reservation"]]["workspace"] == slug:
                session.add(_contract(id_of(one["reservation"]), envelope))


def _contract(reservation_id: str, envelope: str) -> Contract:
    return Contract(
        id=new_id(),
        reservation_id=reservation_id,
        number=1,
        locale="ja",
        title="定期建物賃貸借契約書",
        body="本文",
        body_hash="0" * 64,
        issued_at=LONG_AGO,
        issued_by="worker",
        sent_at=LONG_AGO,
        envelope=envelope,
    )


def _store_money(
    database: Database, clock: FixedClock, house: House, given: Mapping[str, Any], slug: str
) -> None:
    with database.writing(house.workspace_id) as session:
        for dashed, one in given["entries"].items():
            if one["workspace"] != slug:
                continue
            entry_id, reservation_id = id_of(dashed), id_of(one["reservation"])
            session.add(_entry(entry_id, reservation_id, one))
            session.flush()
            session.add(_line(entry_id, one["totalYen"]))
            session.flush()
            if one["paidYen"]:
                payment_id = record_payment(
                    Work(session, clock, "worker"),
                    reservation_id=reservation_id,
                    entry_id=entry_id,
                    amount_yen=one["paidYen"],
                    method="online",
                    reference=one["paymentIntent"],
                )
                session.add(
                    ProviderPayment(
                        intent=one["paymentIntent"],
                        charge=one["charge"],
                        reservation_id=reservation_id,
                        entry_id=entry_id,
                        payment_id=payment_id,
                        amount_yen=one["paidYen"],
                        paid_at=clock.now(),
                        refunded_yen=0,
                    )
                )


def _entry(entry_id: str, reservation_id: str, given: Mapping[str, Any]) -> LedgerEntry:
    kind, _, period = given["kind"].partition(" ")
    kinds = {"rent": EntryKind.RENT, "move-in": EntryKind.MOVE_IN, "charge": EntryKind.CHARGE}
    return LedgerEntry(
        id=entry_id,
        reservation_id=reservation_id,
        kind=kinds[kind],
        period=f"{period}-01" if kind == "rent" else entry_id,
        label_ja=given["kind"],
        label_en=given["kind"],
        issued_on=date(2026, 11, 1),
        due_on=date(2026, 11, 30),
        written_at=LONG_AGO,
        written_by="worker",
    )


def _line(entry_id: str, yen: int) -> LedgerLine:
    return LedgerLine(
        entry_id=entry_id,
        item="rent",
        label_ja="家賃",
        label_en="Rent",
        category=FeeCategory.RENT,
        tax_treatment=TaxTreatment.EXEMPT,
        amount_yen=yen,
        posted_on=date(2026, 11, 1),
    )


def _keys(database: Database, clock: FixedClock, house: House) -> dict[str, str]:
    scopes = (Scope.OTA_INGEST, Scope.PROPERTIES_READ)
    with database.writing(house.workspace_id) as session:
        made = {
            f"{house.slug} {scope.value}": issue_key(
                Work(session, clock, "worker"), name=scope.value, scopes=[scope]
            )
            for scope in scopes
        }
        if house.slug == "kawasemi":
            made["legacy shared"] = issue_key(
                Work(session, clock, "worker"), name="legacy", scopes=[], is_legacy=True
            )
    return {name: key.plaintext for name, key in made.items()}
