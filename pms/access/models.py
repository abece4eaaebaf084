"""Tables of access: API keys, people, their memberships, and sign-in."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, Date, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pms.foundation.building_paths import hidden, shared
from pms.foundation.db import Base, Id, Instant, Json, Word, only_where
from pms.foundation.ids import new_id
from pms.foundation.tenancy import OfEveryone, OfWorkspace, link
from pms.rules.enumerations import Proof, SignInEventKind, StaffRole, UserKind


class ApiKey(OfWorkspace, Base):
    """One bearer key of one workspace; only its SHA-256 is kept, so it cannot be shown again."""

    __tablename__ = "api_key"
    building_path = shared("keys did things in every building, and are named as who did them")
    noun = "key"
    __table_args__ = (
        link("replaced_by_id", "api_key"),
        CheckConstraint("budget_per_hour > 0", name="some_budget"),
    )

    name: Mapped[str]
    hint: Mapped[str]
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[str]] = mapped_column(Json)
    is_public: Mapped[bool] = mapped_column(default=False)
    is_legacy: Mapped[bool] = mapped_column(default=False)
    budget_per_hour: Mapped[int] = mapped_column(default=300)
    created_at: Mapped[datetime] = mapped_column(Instant)
    last_used_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    replaced_by_id: Mapped[str | None] = mapped_column(Id)


class ApiKeyOrigin(OfWorkspace, Base):
    """A website whose pages may call the API with the key, as browsers name it."""

    __tablename__ = "api_key_origin"
    building_path = hidden("only operators see what a key may do")
    noun = "website"
    __table_args__ = (
        link("key_id", "api_key", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "key_id", "origin"),
        Index("ix_api_key_origin_origin", "origin"),
    )

    key_id: Mapped[str] = mapped_column(Id)
    origin: Mapped[str]


class ApiKeyHour(OfWorkspace, Base):
    """The number of requests a key made in one clock hour, which begins at `began_at`."""

    __tablename__ = "api_key_hour"
    building_path = hidden("only operators see what a key did")
    __table_args__ = (
        link("key_id", "api_key", ondelete="CASCADE"),
        UniqueConstraint("workspace_id", "key_id", "began_at"),
    )

    key_id: Mapped[str] = mapped_column(Id)
    began_at: Mapped[datetime] = mapped_column(Instant)
    requests: Mapped[int]


class ApiKeyCall(OfWorkspace, Base):
    """One of the last calls of a key: its route, status and duration.

    The path is the route's pattern, so ids and search terms are not stored.
    """

    __tablename__ = "api_key_call"
    building_path = hidden("only operators see what a key did")
    __table_args__ = (
        link("key_id", "api_key", ondelete="CASCADE"),
        Index("ix_api_key_call_key_id", "workspace_id", "key_id", "at"),
    )

    key_id: Mapped[str] = mapped_column(Id)
    at: Mapped[datetime] = mapped_column(Instant)
    method: Mapped[str]
    path: Mapped[str]
    status: Mapped[int]
    milliseconds: Mapped[int]


class Person(OfEveryone, Base):
    """A person on a staff, one for all workspaces; the address is stored folded.

    The secret of the second factor is stored sealed; in earlier releases it was derived from
    `factor_salt` and the secret key instead. Of recovery codes only hashes are stored.
    """

    __tablename__ = "person"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    email: Mapped[str] = mapped_column(String, unique=True)
    name: Mapped[str]
    locale: Mapped[str] = mapped_column(default="ja")
    password_hash: Mapped[str | None]
    sealed_factor: Mapped[str | None] = mapped_column(Text)
    factor_salt: Mapped[str | None]
    factor_confirmed_at: Mapped[datetime | None] = mapped_column(Instant)
    factor_step: Mapped[int] = mapped_column(default=0)
    recovery_hashes: Mapped[list[str]] = mapped_column(Json, default=list)
    created_at: Mapped[datetime] = mapped_column(Instant)
    deactivated_at: Mapped[datetime | None] = mapped_column(Instant)


class Member(OfWorkspace, Base):
    """A person's membership of a workspace; a person who was removed and returns gets a new row.

    `building_ids` are the buildings the member works for, sorted, and `None` for all. They stand
    here rather than in a table of their own: each request reads its member, and nothing more.
    """

    __tablename__ = "member"
    noun = "member"
    building_path = shared("people of the office are named wherever they did something")
    __table_args__ = (
        Index(
            "ix_member_one_place",
            "workspace_id",
            "person_id",
            unique=True,
            **only_where("removed_at IS NULL"),
        ),
        Index("ix_member_person_id", "person_id"),
    )

    person_id: Mapped[str] = mapped_column(Id, ForeignKey("person.id"))
    role: Mapped[StaffRole] = mapped_column(Word(StaffRole))
    invited_at: Mapped[datetime | None] = mapped_column(Instant)
    invited_by: Mapped[str | None]
    accepted_at: Mapped[datetime] = mapped_column(Instant)
    role_changed_at: Mapped[datetime | None] = mapped_column(Instant)
    role_changed_by: Mapped[str | None]
    building_ids: Mapped[list[str] | None] = mapped_column(Json)
    removed_at: Mapped[datetime | None] = mapped_column(Instant)
    removed_by: Mapped[str | None]


class Invitation(OfWorkspace, Base):
    """An invitation by mail; the link names this row, which decides whether it is valid."""

    __tablename__ = "invitation"
    building_path = hidden("only operators invite")
    noun = "invitation"
    __table_args__ = (Index("ix_invitation_email", "workspace_id", "email"),)

    email: Mapped[str]
    role: Mapped[StaffRole] = mapped_column(Word(StaffRole))
    token_hash: Mapped[str] = mapped_column(String(64), index=True)
    invited_at: Mapped[datetime] = mapped_column(Instant)
    invited_by: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(Instant)
    building_ids: Mapped[list[str] | None] = mapped_column(Json)
    accepted_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)
    revoked_by: Mapped[str | None]


class AuthSession(OfEveryone, Base):
    """A session of a week: of a person on a staff, or of an address in one workspace."""

    __tablename__ = "auth_session"
    __table_args__ = (
        CheckConstraint(
            "(user_kind = 'staff') = (person_id IS NOT NULL)"
            " AND (user_kind = 'staff') = (workspace_id IS NULL)",
            name="one_holder",
        ),
        Index("ix_auth_session_person_id", "person_id"),
        Index("ix_auth_session_address", "workspace_id", "address"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_kind: Mapped[UserKind] = mapped_column(Word(UserKind))
    person_id: Mapped[str | None] = mapped_column(Id, ForeignKey("person.id", ondelete="CASCADE"))
    workspace_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("workspace.id", ondelete="CASCADE")
    )
    address: Mapped[str]
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    proof: Mapped[Proof] = mapped_column(Word(Proof))
    waits_for_factor: Mapped[bool] = mapped_column(default=False)
    device: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(Instant)
    last_seen_at: Mapped[datetime] = mapped_column(Instant)
    longest_pause_seconds: Mapped[int] = mapped_column(default=0)
    """How long it was not used at most: a workspace with a limit below demands a new sign-in."""
    expires_at: Mapped[datetime] = mapped_column(Instant)
    revoked_at: Mapped[datetime | None] = mapped_column(Instant)


class SignInCode(OfEveryone, Base):
    """A requested code: its digits are derived from `salt` and the program's secret key.

    `asker_hash` identifies the browser that requested it, `network_hash` its network, and
    `is_over_allowance` says that one of them had asked more often than is free. `is_link` says that a
    link was mailed instead. A row is stored for any address; whether it is known is checked when the code is
    mailed. A code with a `person_id` signs nobody in: it proves the address that this member of staff
    is about to take.
    """

    __tablename__ = "sign_in_code"
    __table_args__ = (
        Index("ix_sign_in_code_address", "address", "sent_at"),
        Index("ix_sign_in_code_person_id", "person_id", "sent_at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    user_kind: Mapped[UserKind] = mapped_column(Word(UserKind))
    workspace_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("workspace.id", ondelete="CASCADE")
    )
    address: Mapped[str]
    person_id: Mapped[str | None] = mapped_column(Id)
    locale: Mapped[str]
    screen_hash: Mapped[str] = mapped_column(String(64))
    asker_hash: Mapped[str] = mapped_column(String(64), default="")
    network_hash: Mapped[str] = mapped_column(String(64), default="")
    is_over_allowance: Mapped[bool] = mapped_column(default=False)
    is_link: Mapped[bool] = mapped_column(default=False)
    salt: Mapped[str] = mapped_column(String(64))
    sent_at: Mapped[datetime] = mapped_column(Instant)
    mail_due_at: Mapped[datetime | None] = mapped_column(Instant, index=True)
    wrong_tries: Mapped[int] = mapped_column(default=0)
    used_at: Mapped[datetime | None] = mapped_column(Instant)


class WorkspaceOpening(OfEveryone, Base):
    """A one-time link that opens a workspace; it is deleted when it is used.

    With an `email` it was mailed there, and opens a workspace for that address alone.
    """

    __tablename__ = "workspace_opening"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    made_by: Mapped[str]
    email: Mapped[str | None]
    made_at: Mapped[datetime] = mapped_column(Instant)
    expires_at: Mapped[datetime] = mapped_column(Instant)


class AuthTries(OfEveryone, Base):
    """The number of recent tries of a subject, which is stored as a hash."""

    __tablename__ = "auth_tries"

    subject_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    count: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(Instant)


class KeptForm(OfEveryone, Base):
    """A form whose session ended while it was filled in, stored until its author signs in again.

    `is_whole` says that no field was left out, so that it can be sent as it is.
    """

    __tablename__ = "kept_form"

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    person_id: Mapped[str] = mapped_column(Id, ForeignKey("person.id", ondelete="CASCADE"))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    path: Mapped[str]
    fields: Mapped[list[list[Any]]] = mapped_column(Json)
    is_whole: Mapped[bool] = mapped_column(default=True)
    kept_at: Mapped[datetime] = mapped_column(Instant)


class SignInPolicy(OfWorkspace, Base):
    """A workspace's requirements for signing in; one row, whose id is the workspace's.

    An empty column requires nothing. `kept_days` is how long sign-in events are stored.
    """

    __tablename__ = "sign_in_policy"
    building_path = shared("one rule for everybody who signs in")
    __table_args__ = (UniqueConstraint("workspace_id"),)

    factor_required_on: Mapped[date | None] = mapped_column(Date)
    idle_minutes: Mapped[int | None]
    kept_days: Mapped[int] = mapped_column(default=180)
    version: Mapped[int] = mapped_column(default=1)


class SignInEvent(OfEveryone, Base):
    """A sign-in event with network address and device, written for any address alike.

    The typed address is stored only as a hash under the program's secret key. `person_id` is the
    member of staff who has it, if any; `workspace_id` is the workspace of a portal, or the one in
    whose name something was done to a member of its staff.
    """

    __tablename__ = "sign_in_event"
    __table_args__ = (
        Index("ix_sign_in_event_person_id", "person_id", "at"),
        Index("ix_sign_in_event_account", "workspace_id", "account_hash", "at"),
        Index("ix_sign_in_event_at", "at"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True, default=new_id)
    at: Mapped[datetime] = mapped_column(Instant)
    kind: Mapped[SignInEventKind] = mapped_column(Word(SignInEventKind))
    user_kind: Mapped[UserKind] = mapped_column(Word(UserKind))
    person_id: Mapped[str | None] = mapped_column(Id, ForeignKey("person.id", ondelete="CASCADE"))
    workspace_id: Mapped[str | None] = mapped_column(
        Id, ForeignKey("workspace.id", ondelete="CASCADE")
    )
    account_hash: Mapped[str] = mapped_column(String(64))
    proof: Mapped[Proof | None] = mapped_column(Word(Proof))
    client: Mapped[str]
    device: Mapped[str]


class ListView(OfWorkspace, Base):
    """A saved view of a list: the parameters of its URL under a name.

    The view without a name holds the person's columns and page length.
    """

    __tablename__ = "list_view"
    building_path = shared("lists as one person saved them")
    __table_args__ = (UniqueConstraint("workspace_id", "person_id", "listing", "name"),)

    person_id: Mapped[str] = mapped_column(Id, ForeignKey("person.id"))
    listing: Mapped[str]
    name: Mapped[str]
    query: Mapped[str] = mapped_column(Text)
    is_shared: Mapped[bool] = mapped_column(default=False)
    saved_at: Mapped[datetime] = mapped_column(Instant)
