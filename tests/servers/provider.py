"""A payment and signature provider small enough to read: real HTTP, and honest about repeats."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from pms.foundation.provider_http import CallLimits

NEAR = CallLimits(patience_seconds=5.0, allow_http=True, allowed_networks=("127.0.0.0/8",))
"""Reaches what stands on this machine."""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    payload: Mapping[str, Any]


@dataclass
class Provider:
    """What arrived, what it keeps, and how it behaves: `status` other than 200 is trouble."""

    address: str = ""
    status: int = 200
    loses_answers: bool = False
    raw: bytes | None = None
    asked: list[Asked] = field(default_factory=list)
    sessions: dict[str, Mapping[str, str]] = field(default_factory=dict)
    envelopes: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    stands: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """How a session or an envelope stands, by its id; without a word it is open."""
    charges: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Charges by the key of their question: the same key is charged once."""
    declines: str | None = None
    """Why cards are declined, while they are."""
    takes: int | None = None
    """The yen that a card pays, while they are others than those requested."""

    def answer(self, asked: Asked) -> Mapping[str, Any]:
        """Do what was asked; the same key or transaction is done once."""
        if asked.path.startswith("/v1/"):
            return self._pay(asked, asked.path.partition("?")[0].removeprefix("/v1/"))
        if asked.path.startswith("/v2.1/accounts/") and asked.path.endswith("/views/recipient"):
            return {"url": f"{self.address}/signing/{asked.path.split('/')[5]}"}
        if asked.method == "POST":
            envelope = f"env-{len(self.envelopes) + 1}"
            self.envelopes[envelope] = asked.payload
            return {"envelopeId": envelope, "status": "sent"}
        if "?" not in asked.path:  # how it stands, or that it is closed: both name the envelope
            envelope = asked.path.rsplit("/", 1)[1]
            return {"envelopeId": envelope, "status": "sent", **self.stands.get(envelope, {})}
        wanted = parse_qs(urlsplit(asked.path).query)["transaction_ids"][0]
        found = [one for one, row in self.envelopes.items() if row["transactionId"] == wanted]
        return {"envelopes": [{"envelopeId": one} for one in found]}

    def _pay(self, asked: Asked, path: str) -> Mapping[str, Any]:
        if path.startswith("payment_intents"):
            return self._charge(asked, path.removeprefix("payment_intents").strip("/"))
        if path.startswith("payment_methods/"):
            return {"id": path.split("/")[1]}
        if path == "checkout/sessions":
            key = asked.headers["Idempotency-Key"]
            number = f"cs_{len(self.sessions) + 1}"
            made = {"id": number, "url": f"{self.address}/pay/{number}"}
            return self.sessions.setdefault(key, made)
        session = path.rsplit("/", 1)[1]
        is_open = {"status": "open", "payment_status": "unpaid", "currency": "jpy"}
        return {"id": session, **is_open, **self.stands.get(session, {})}

    def _charge(self, asked: Asked, rest: str) -> Mapping[str, Any]:
        if not rest:
            key = asked.headers["Idempotency-Key"]
            return self.charges.setdefault(key, self._new_charge(asked.payload))
        if rest == "search":
            wanted = parse_qs(urlsplit(asked.path).query)["query"][0].split("'")[3]
            return {"data": [one for key, one in self.charges.items() if key == wanted]}
        charge = next(
            one for one in self.charges.values() if one["id"] == rest.split("/", maxsplit=1)[0]
        )
        if rest.endswith("/cancel"):
            charge["status"] = "canceled"
        return charge

    def _new_charge(self, given: Mapping[str, Any]) -> dict[str, Any]:
        charge = {"id": f"pi_{len(self.charges) + 1}", "currency": "jpy"}
        if given["payment_method_types[0]"] == "konbini":
            codes = {"lawson": {"payment_code": "123456", "confirmation_number": "0312345678"}}
            details = {
                "expires_at": int(given["payment_method_options[konbini][expires_at]"]),
                "hosted_voucher_url": f"{self.address}/voucher/{charge['id']}",
                "stores": {**codes, "unknown": None},
            }
            action = {"type": "konbini_display_details", "konbini_display_details": details}
            return {**charge, "status": "requires_action", "next_action": action}
        if self.declines is not None:
            error = {"message": self.declines}
            return {**charge, "status": "requires_payment_method", "last_payment_error": error}
        amount = self.takes or int(given["amount"])
        return {
            **charge,
            "status": "succeeded",
            "amount_received": amount,
            "latest_charge": f"ch_{charge['id']}",
        }

    def __post_init__(self) -> None:
        self.is_asked, self.goes_on = Event(), Event()
        self.goes_on.set()


@contextmanager
def open_provider() -> Iterator[Provider]:
    """A provider at a free port, gone with the block."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self._take()

        def do_PUT(self) -> None:
            self._take()

        def do_GET(self) -> None:
            self._take()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def _take(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            is_json = "json" in self.headers.get("Content-Type", "")
            content = json.loads(body) if is_json and body else dict(parse_qsl(body))
            asked = Asked(self.command, self.path, dict(self.headers), content)
            provider.asked.append(asked)
            provider.is_asked.set()
            provider.goes_on.wait(5)
            self._say(asked)

        def _say(self, asked: Asked) -> None:
            status, found = provider.status, dict[str, Any]()
            if status != 200:
                found = {"error": {"message": "Your card account is shut."}}
            else:
                found = dict(provider.answer(asked))
                if found.get("status") == "requires_payment_method" and asked.method == "POST":
                    # A declined card is answered as an error that names the charge.
                    error = {**found["last_payment_error"], "payment_intent": {"id": found["id"]}}
                    status, found = 402, {"error": {**error, "type": "card_error"}}
            if provider.loses_answers:
                self.close_connection = True
                return
            content = json.dumps(found).encode() if provider.raw is None else provider.raw
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        provider.address = f"http://127.0.0.1:{server.server_address[1]}"
        serving = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        serving.start()
        yield provider
        server.shutdown()
        serving.join()
