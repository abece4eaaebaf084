"""Integrations with providers: adding, changing and removing them."""

import re
from typing import Final

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pms.foundation.audit import note_audit_event, of_workspace
from pms.foundation.errors import Collision, Refused
from pms.foundation.provider_http import PUBLIC, CallLimits, ProviderError, problem_of_address
from pms.foundation.sealing import UnreadableSecretError, seal, unseal
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Signer
from pms.foundation.versions import asked_once
from pms.foundation.work import Work
from pms.providers.authentication import Access
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import IntegrationKind
from pms.workspaces.models import Integration


def has_integration(session: Session, kind: IntegrationKind) -> bool:
    """Whether the session's workspace has a provider of a kind."""
    return asked_once(session, _ask_integration, kind)


def _ask_integration(session: Session, kind: IntegrationKind) -> bool:
    asked = select(Integration.id).where(Integration.kind == kind)
    return session.scalar(asked) is not None


def access_to(session: Session, signer: Signer, kind: IntegrationKind) -> Access:
    """Return the access to a provider; raise `ProviderError` when none is configured or usable."""
    row = session.scalar(select(Integration).where(Integration.kind == kind))
    if row is None:
        raise ProviderError("no provider is set any more", for_good=True)
    try:
        secret = unseal(signer, workspace_of(session), row.sealed_secret)
    except UnreadableSecretError as failure:
        raise ProviderError("the secret cannot be read: set it again", for_good=True) from failure
    return Access(row.address, row.account, secret)


def remove_integration(work: Work, *, kind: IntegrationKind) -> bool:
    """Delete a provider; whether there was one. Its waiting calls end with a plain reason."""
    row = work.session.scalar(select(Integration).where(Integration.kind == kind).with_for_update())
    if row is None:
        return False
    facts = {"kind": kind.value, "address": row.address, "account": row.account}
    note_audit_event(work, AuditEvent.INTEGRATION_REMOVED, of_workspace(work.session), before=facts)
    work.session.delete(row)
    work.session.flush()
    return True


_LONGEST: Final = 200
_ACCOUNT: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")
_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}")
_LEAST_OF_A_SECRET: Final = 8
_MOST_OF_A_SECRET: Final = 4_000
_MOST_DIGITS: Final = 40
_SHOWN: Final = 4


def set_integration(
    work: Work,
    signer: Signer,
    *,
    kind: IntegrationKind,
    address: str,
    account: str | None,
    secret: str | None,
    expected_version: int | None = None,
    limits: CallLimits = PUBLIC,
) -> Integration:
    """Store a provider, its secret sealed; without a new secret the old one stays.

    Raises `Refused` naming the field, and `Collision` for an outdated version. A new address
    requires the secret again, so that the old one is never sent elsewhere.
    """
    asked = select(Integration).where(Integration.kind == kind).with_for_update()
    row = work.session.scalar(asked)
    if (row.version if row else None) != expected_version:
        raise _changed_meanwhile()
    address = _check_address(address, limits)
    account = _check_account(kind, account)
    secret = (secret or "").strip()
    if not secret and (row is None or row.address != address):
        raise Refused("secret: enter the secret of this address.")
    if row is None:
        row = Integration(kind=kind, version=0)
        work.session.add(row)
    if secret:
        row.sealed_secret = seal(signer, workspace_of(work.session), _check_secret(secret))
        row.hint = secret[-_SHOWN:]
    row.address, row.account = address, account
    row.set_at, row.set_by, row.version = work.clock.now(), work.actor, row.version + 1
    # Neither the secret nor its end: readers of the audit need not know which one it is.
    facts = {"kind": kind.value, "address": address, "account": account, "is_new": bool(secret)}
    note_audit_event(work, AuditEvent.INTEGRATION_SET, of_workspace(work.session), after=facts)
    try:
        work.session.flush()
    except IntegrityError as meeting:
        raise _changed_meanwhile() from meeting
    return row


def _changed_meanwhile() -> Collision:
    return Collision("version: a colleague changed this provider in the meantime. Check it again.")


def _check_address(address: str, limits: CallLimits) -> str:
    address = address.strip().rstrip("/")
    problem = problem_of_address(address, limits)
    if problem == "inside":
        raise Refused(
            "address: '{address}' is in a private network. Enter an address on the internet.",
            address=address[:80],
        )
    if problem is not None or len(address) > _LONGEST:
        raise Refused(
            "address: '{address}' is not an address of a provider. It must start with https://.",
            address=address[:80],
        )
    return address


def _check_account(kind: IntegrationKind, account: str | None) -> str | None:
    account = (account or "").strip()
    if not account:
        if kind is IntegrationKind.ESIGN:
            raise Refused("account: enter the account that documents are sent from.")
        if kind is IntegrationKind.WHATSAPP:
            raise Refused("account: enter the phone number ID that messages are sent from.")
        if kind is IntegrationKind.ASSISTANT:
            raise Refused("account: enter the model that answers.")
        return None
    if kind is IntegrationKind.ASSISTANT:
        if not _MODEL.fullmatch(account):
            raise Refused(
                "account: '{account}' is not a model name. Use letters, digits and . : / - _.",
                account=account[:80],
            )
    elif kind is IntegrationKind.WHATSAPP:
        if not (account.isascii() and account.isdecimal() and len(account) <= _MOST_DIGITS):
            raise Refused(
                "account: '{account}' is not a phone number ID. Use digits only.",
                account=account[:80],
            )
    elif not _ACCOUNT.fullmatch(account):
        raise Refused(
            "account: '{account}' is not an account. Use letters, digits, - and _.",
            account=account[:80],
        )
    return account


def _check_secret(secret: str) -> str:
    if (
        not _LEAST_OF_A_SECRET <= len(secret) <= _MOST_OF_A_SECRET
        or not secret.isascii()
        or not secret.isprintable()
    ):
        raise Refused(
            "secret: enter {least} to {most} letters, digits and signs.",
            least=_LEAST_OF_A_SECRET,
            most=_MOST_OF_A_SECRET,
        )
    return secret
