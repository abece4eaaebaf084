"""Sign-in events, and the sign-in policy of a workspace."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple, TypedDict, Unpack

from sqlalchemy import ColumnElement, Select, delete, func, or_, select
from sqlalchemy.orm import Session

from pms.access.models import Member, Person, SignInEvent, SignInPolicy
from pms.access.sessions import Visitor
from pms.foundation.audit import of_workspace, set_columns
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused, whole_number
from pms.foundation.lists import Paging
from pms.foundation.prepared import one_of
from pms.foundation.sealing import SIGNER
from pms.foundation.tenancy import workspace_of
from pms.foundation.tokens import Signer
from pms.foundation.work import Work, refuse_other_version
from pms.rules.audit_events import AuditEvent
from pms.rules.days import day_start
from pms.rules.enumerations import Proof, SignInEventKind, UserKind
from pms.workspaces.settings import workspace_to_edit

USUALLY_KEPT_DAYS: Final = 180
IDLE_MINUTES: Final = (5, 24 * 60)
KEPT_DAYS: Final = (30, 730)
LONGEST_AHEAD: Final = timedelta(days=366)
_BOUNDS: Final = {
    "idle_minutes": ("idleMinutes", *IDLE_MINUTES),
    "kept_days": ("keptDays", *KEPT_DAYS),
}


class SignInRules(NamedTuple):
    """The rules in force; a second factor is required from a day in Japan on, or never."""

    factor_required_on: date | None = None
    idle_minutes: int | None = None
    kept_days: int = USUALLY_KEPT_DAYS
    version: int = 1


class StatedRules(TypedDict, total=False):
    """The rules to set; those left out stay unchanged, and `None` requires nothing."""

    factor_required_on: date | None
    idle_minutes: int | None
    kept_days: int


def sign_in_policy(session: Session) -> SignInRules:
    """Return the rules of the session's workspace, the defaults where it set none."""
    row = session.scalars(select(SignInPolicy)).one_or_none()
    if row is None:
        return SignInRules()
    return SignInRules(row.factor_required_on, row.idle_minutes, row.kept_days, row.version)


def set_sign_in_policy(
    work: Work, *, expected_version: int | None = None, **stated: Unpack[StatedRules]
) -> SignInRules:
    """Set rules that apply from every person's next request on.

    Raises `Refused` for a figure or a day out of its range, and `Collision` when `expected_version`
    is outdated.
    """
    workspace_to_edit(work.session)  # locked, so that concurrent first settings wait
    row = work.session.scalars(
        select(SignInPolicy).with_for_update().execution_options(populate_existing=True)
    ).one_or_none()
    if row is None:
        workspace_id = workspace_of(work.session)
        row = SignInPolicy(workspace_id=workspace_id, id=workspace_id)
        work.session.add(row)
        work.session.flush()
    refuse_other_version(row, expected_version)
    changed = {name: value for name, value in stated.items() if value != getattr(row, name)}
    for name, value in changed.items():
        _check_rule(work.clock, name, value)
    if changed:
        about = of_workspace(work.session)
        set_columns(work, AuditEvent.SIGN_IN_POLICY_SET, row, changed, about=about)
    return SignInRules(row.factor_required_on, row.idle_minutes, row.kept_days, row.version)


def _check_rule(clock: Clock, name: str, value: object) -> None:
    if name == "factor_required_on":
        first = clock.today()
        last = first + LONGEST_AHEAD
        if value is not None and not (isinstance(value, date) and first <= value <= last):
            raise Refused(
                "factorRequiredOn: '{day}' is not possible. Choose a day from {first} to {last}.",
                day=str(value)[:20],
                first=first,
                last=last,
            )
        return
    field, least, most = _BOUNDS[name]
    if value is None and name == "idle_minutes":
        return
    whole_number(field, value, least, most)


_PURPOSE: Final = "sign-in event"
_MOST_OF_A_DEVICE: Final = 200


class SignInAccount(NamedTuple):
    """An address of one kind of user; an account of staff belongs to no workspace."""

    user_kind: UserKind
    workspace_id: str | None
    address: str

    def hash(self, signer: Signer) -> str:
        """Return the hash of the account under the newest key."""
        return signer.derive_key(_PURPOSE, *self._hashed_parts).hex()

    def hashes(self, signer: Signer) -> list[str]:
        """Return the hashes of the account under each configured key."""
        return [hash_.hex() for hash_ in signer.derived_from_each(_PURPOSE, *self._hashed_parts)]

    @property
    def _hashed_parts(self) -> tuple[str, str, str]:
        return self.user_kind, self.workspace_id or "", self.address


class ShownSignIn(NamedTuple):
    """An event as its owner, or an operator, sees it; `name` is the person's."""

    at: datetime
    kind: SignInEventKind
    proof: Proof | None
    client: str
    device: str
    name: str = ""
    member_id: str = ""

    @property
    def is_warning(self) -> bool:
        """Whether the owner should check that it was them."""
        return self.kind in _WARNINGS


class EventPage(NamedTuple):
    """One page of events, and the total count."""

    events: Sequence[ShownSignIn]
    total: int


_WARNINGS: Final = frozenset(
    [SignInEventKind.FAILED, SignInEventKind.FACTOR_FAILED, SignInEventKind.LOCKED_OUT]
)
_SHOWN: Final = (
    SignInEvent.at,
    SignInEvent.kind,
    SignInEvent.proof,
    SignInEvent.client,
    SignInEvent.device,
)
_NEWEST_FIRST: Final = (SignInEvent.at.desc(), SignInEvent.id.desc())


def note_event(
    session: Session,
    clock: Clock,
    kind: SignInEventKind,
    visitor: Visitor,
    *,
    user_kind: UserKind = UserKind.STAFF,
    workspace_id: str | None = None,
    proof: Proof | None = None,
) -> SignInEvent:
    """Record a visitor's event under their address; the session spans all workspaces.

    The same statement looks up the person who has the address, also when there is none.
    """
    account = SignInAccount(
        user_kind, None if user_kind is UserKind.STAFF else workspace_id, visitor.address
    )
    of_address = select(Person.id).where(Person.email == visitor.address).scalar_subquery()
    event = SignInEvent(
        at=clock.now(),
        kind=kind,
        user_kind=user_kind,
        person_id=of_address if user_kind is UserKind.STAFF else None,
        workspace_id=workspace_id,
        account_hash=account.hash(session.info[SIGNER]),
        proof=proof,
        client=visitor.client,
        device=visitor.device[:_MOST_OF_A_DEVICE],
    )
    session.add(event)
    session.flush()
    return event


def own_events(session: Session, person_id: str, paging: Paging) -> EventPage:
    """Return the events of a person's own account, newest first."""
    return _read_event_page(
        session, select(*_SHOWN).where(SignInEvent.person_id == person_id), paging
    )


def portal_events(session: Session, account: SignInAccount, paging: Paging) -> EventPage:
    """Return the events of an address at a portal, newest first."""
    return _read_event_page(
        session,
        select(*_SHOWN).where(
            SignInEvent.workspace_id == account.workspace_id,
            SignInEvent.account_hash.in_(account.hashes(session.info[SIGNER])),
        ),
        paging,
    )


def staff_events(
    session: Session,
    clock: Clock,
    paging: Paging,
    *,
    member_id: str | None = None,
    kind: SignInEventKind | None = None,
    from_on: date | None = None,
    through_on: date | None = None,
) -> EventPage:
    """Return the events of the accounts of the session's workspace, newest first.

    Only those of present members, since they joined, for as long as this workspace stores them; not
    what was done in the name of another workspace.
    """
    since = clock.now() - timedelta(days=sign_in_policy(session).kept_days)
    own = SignInEvent.workspace_id.is_(None), SignInEvent.workspace_id == workspace_of(session)
    asked = [
        SignInEvent.user_kind == UserKind.STAFF,
        SignInEvent.at >= Member.accepted_at,
        SignInEvent.at >= since,
        Member.workspace_id == workspace_of(session),
        Member.removed_at.is_(None),
        or_(*own),
    ]
    if member_id is not None:
        asked.append(Member.id == member_id)
    if kind is not None:
        asked.append(SignInEvent.kind == kind)
    if from_on is not None:
        asked.append(SignInEvent.at >= day_start(from_on))
    if through_on is not None:
        asked.append(SignInEvent.at < day_start(through_on) + timedelta(days=1))
    statement = (
        select(*_SHOWN, Person.name, Member.id)
        .join(Member, Member.person_id == SignInEvent.person_id)
        .join(Person, Person.id == Member.person_id)
        .where(*asked)
    )
    return _read_event_page(session, statement, paging)


def forget_events(session: Session, now: datetime) -> None:
    """Delete events older than their workspace stores them; of several the longest period counts.

    Events without an account, such as tries of an unknown address, are stored for the default
    period.
    """
    kept = func.coalesce(SignInPolicy.kept_days, USUALLY_KEPT_DAYS)
    by_days: dict[int, list[str]] = {}
    member_rows = session.execute(
        select(Member.person_id, func.max(kept))
        .outerjoin(SignInPolicy, SignInPolicy.workspace_id == Member.workspace_id)
        .where(Member.removed_at.is_(None))
        .group_by(Member.person_id)
    )
    for person_id, member_days in member_rows:
        by_days.setdefault(member_days, []).append(person_id)
    for member_days, ids in by_days.items():
        _delete_old_events(session, now, member_days, one_of(SignInEvent.person_id, ids))
    known = [person_id for ids in by_days.values() for person_id in ids]
    # Delete old events of the portals of each workspace.
    at_a_portal = SignInEvent.person_id.is_(None), SignInEvent.workspace_id.is_not(None)
    rows = session.execute(select(SignInPolicy.workspace_id, SignInPolicy.kept_days))
    set_days: dict[str, int] = dict(rows.all())
    for workspace_id, days in set_days.items():
        _delete_old_events(
            session, now, days, *at_a_portal, SignInEvent.workspace_id == workspace_id
        )
    is_of_others = ~one_of(SignInEvent.workspace_id, list(set_days))
    _delete_old_events(session, now, USUALLY_KEPT_DAYS, *at_a_portal, is_of_others)
    _delete_old_events(
        session,
        now,
        USUALLY_KEPT_DAYS,
        or_(SignInEvent.person_id.is_not(None), SignInEvent.workspace_id.is_(None)),
        or_(SignInEvent.person_id.is_(None), ~one_of(SignInEvent.person_id, known)),
    )


def _delete_old_events(
    session: Session, now: datetime, days: int, *whose: ColumnElement[bool]
) -> None:
    session.execute(
        delete(SignInEvent)
        .where(SignInEvent.at < now - timedelta(days=days), *whose)
        .execution_options(synchronize_session=False)
    )


def _read_event_page(
    session: Session, statement: Select[*tuple[Any, ...]], paging: Paging
) -> EventPage:
    total = session.scalar(select(func.count()).select_from(statement.subquery())) or 0
    rows = session.execute(
        statement.order_by(*_NEWEST_FIRST).limit(paging.limit).offset(paging.offset)
    )
    return EventPage([ShownSignIn(*row) for row in rows], total)
