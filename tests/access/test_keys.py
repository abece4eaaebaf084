"""Keys: shown once, hashed at rest, refused when torn, dead from the moment they are revoked."""

import hmac
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import inspect, select

from pms.access.key_lookup import KnownKey, find_key, keys_of_origin
from pms.access.key_origins import add_origin, origins_of_keys, remove_origin
from pms.access.keys import (
    IssuedKey,
    issue_key,
    keys_of_workspaces,
    replace_key,
    revoke_key,
    workspace_id_of_key,
)
from pms.access.models import ApiKey
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.errors import NotFound, Refused
from pms.foundation.tokens import is_key, key_hash, key_hint, new_key
from pms.foundation.work import Work
from pms.rules.enumerations import Scope
from pms.rules.scopes import LEGACY_SCOPES, PRESETS, Preset
from tests.cast import Cast

pytestmark = pytest.mark.differs("constraints")

READ = sorted(PRESETS[Preset.READ])
STAFF = "person/aoi"


@pytest.fixture
def issue(database: Database, cast: Cast, clock: FixedClock) -> Callable[..., IssuedKey]:
    def issued(**given: Any) -> IssuedKey:
        with database.writing(cast.sumida.workspace_id) as session:
            return issue_key(
                Work(session, clock, STAFF), **{"name": "site", "scopes": READ} | given
            )

    return issued


def found(database: Database, presented: str) -> KnownKey | None:
    with database.connection_across_workspaces() as connection:
        return find_key(connection, presented)


def test_a_key_resolves_to_its_workspace_and_scopes(
    database: Database, cast: Cast, issue: Callable[..., IssuedKey]
) -> None:
    issued = issue(budget_per_hour=7)
    known = found(database, issued.plaintext)
    assert known is not None
    assert (known.id, known.workspace_id) == (issued.id, cast.sumida.workspace_id)
    assert known.scopes == PRESETS[Preset.READ]
    assert (known.budget_per_hour, known.workspace_slug) == (7, "sumida")


def test_nothing_but_the_hash_and_a_hint_is_at_rest(
    database: Database, cast: Cast, issue: Callable[..., IssuedKey]
) -> None:
    plaintext = issue().plaintext
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.scalars(select(ApiKey)).one()
        columns = {column.key: getattr(row, column.key) for column in inspect(ApiKey).columns}
    assert columns["hash"] == key_hash(plaintext)
    assert columns["hint"] == key_hint(plaintext)
    rng = plaintext.removeprefix("pms_live_")
    assert not any(rng[4:-4] in str(value) for value in columns.values())
    assert len(columns["hint"].removeprefix("pms_live_")) == 9


@given(st.data())
@settings(max_examples=200)
def test_a_torn_or_mistyped_key_is_known_without_asking(data: st.DataObject) -> None:
    key = new_key()
    assert is_key(key)
    at = data.draw(st.integers(9, len(key) - 1))
    letter = data.draw(st.sampled_from("0aZ-é \0"))
    assert is_key(key[:at] + letter + key[at + 1 :]) == (letter == key[at])
    assert not is_key(key[:at])
    assert not is_key(key + letter)


@pytest.mark.parametrize(
    "text", ["", " ", "pms_live_", "x" * 47, "é" * 47, "\0" * 47, "a" * 100_000]
)
def test_what_is_no_key_is_not_found(database: Database, text: str) -> None:
    assert found(database, text) is None


def test_a_whole_key_that_was_never_issued_is_not_found(database: Database, cast: Cast) -> None:
    assert found(database, new_key()) is None


def test_the_hash_is_compared_in_constant_time(
    database: Database, issue: Callable[..., IssuedKey], monkeypatch: pytest.MonkeyPatch
) -> None:
    plaintext, compared = issue().plaintext, []
    in_constant_time = hmac.compare_digest

    def watched(one: str, other: str) -> bool:
        compared.append((one, other))
        return in_constant_time(one, other)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    assert found(database, plaintext) is not None
    assert (key_hash(plaintext),) * 2 in compared


def test_a_revoked_key_is_dead_at_once_and_others_live(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    lost, other = issue(), issue()
    with database.writing(cast.sumida.workspace_id) as session:
        revoke_key(Work(session, clock, STAFF), lost.id)
    assert found(database, lost.plaintext) is None
    assert found(database, other.plaintext) is not None
    with (
        pytest.raises(Refused, match="already been revoked"),
        database.writing(cast.sumida.workspace_id) as session,
    ):
        revoke_key(Work(session, clock, STAFF), lost.id)


@pytest.mark.parametrize("key_id", ["", "nope", "0" * 32, "A" * 32, "\0", "é" * 500, "1-2"])
def test_a_key_that_is_not_there_cannot_be_revoked_or_replaced(
    database: Database, cast: Cast, clock: FixedClock, key_id: str
) -> None:
    for use_case in (revoke_key, replace_key):
        with (
            pytest.raises(NotFound),
            database.writing(cast.sumida.workspace_id) as session,
        ):
            use_case(Work(session, clock, STAFF), key_id)
    with pytest.raises(NotFound), database.across_workspaces_reading() as session:
        workspace_id_of_key(session, key_id)


def test_a_stranger_cannot_revoke_our_key(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    ours = issue()
    with pytest.raises(NotFound), database.writing(cast.minato.workspace_id) as session:
        revoke_key(Work(session, clock, STAFF), ours.id)
    assert found(database, ours.plaintext) is not None


def test_a_replacement_takes_over_every_right_and_the_old_key_ends(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    old = issue(is_public=True, budget_per_hour=11)
    with database.writing(cast.sumida.workspace_id) as session:
        new = replace_key(Work(session, clock, STAFF), old.id)
    assert found(database, old.plaintext) is None
    known = found(database, new.plaintext)
    assert known is not None
    assert (known.scopes, known.budget_per_hour) == (PRESETS[Preset.READ], 11)
    with database.reading(cast.sumida.workspace_id) as session:
        live, dead = keys_of_workspaces(session)
    assert (live.id, live.state, live.is_public) == (new.id, "live", True)
    assert (dead.id, dead.state, dead.replaced_by_id) == (old.id, "replaced", new.id)


def test_the_legacy_key_reads_listings_and_content_whatever_is_asked(
    database: Database, issue: Callable[..., IssuedKey]
) -> None:
    legacy = issue(is_legacy=True, scopes=[Scope.OTA_INGEST, Scope.PROPERTIES_READ])
    known = found(database, legacy.plaintext)
    assert known is not None
    assert known.scopes == LEGACY_SCOPES == {Scope.PROPERTIES_READ, Scope.CONTENT_READ}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"scopes": []}, "at least one"),
        ({"scopes": ["root"]}, "'root' is not one of properties:read"),
        ({"scopes": [Scope.RESIDENTS_READ], "is_public": True}, "public pages"),
        (
            {"scopes": [Scope.RESIDENTS_READ, Scope.PROPERTIES_READ]},
            "cannot be combined in one key; create two",
        ),
        ({"name": "  "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"budget_per_hour": 0}, "budget"),
        ({"budget_per_hour": -1}, "budget"),
        ({"budget_per_hour": 10**20}, "budget"),
    ],
)
def test_what_no_key_may_be_is_refused_with_the_reason(
    database: Database, cast: Cast, issue: Callable[..., IssuedKey], given: Any, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        issue(**given)
    with database.reading(cast.sumida.workspace_id) as session:
        assert keys_of_workspaces(session) == []


def test_a_list_of_keys_shows_how_to_recognise_them_and_never_one_itself(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    plaintexts = [issue(name=str(number)).plaintext for number in range(3)]
    with database.writing(cast.minato.workspace_id) as session:
        issue_key(Work(session, clock, STAFF), name="theirs", scopes=READ)
    with database.reading(cast.sumida.workspace_id) as session:
        ours = keys_of_workspaces(session)
    with database.across_workspaces_reading() as session:
        everyones = keys_of_workspaces(session)
    assert [key.workspace for key in everyones] == ["minato", *["sumida"] * 3]
    assert {key.name for key in ours} == {"0", "1", "2"}
    assert not any(plaintext in str(everyones) for plaintext in plaintexts)


OWN, OTHER = "https://example.jp", "https://www.example.jp"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"origins": ["https://example.jp/"]}, "Write 'https://example.jp'"),
        ({"origins": ["https://Example.jp"]}, "Write 'https://example.jp'"),
        ({"origins": ["https://例え.jp"]}, "Write 'https://xn--r8jz45g.jp'"),
        ({"origins": ["http://example.jp"]}, "https://"),
        ({"origins": ["https://*.example.jp"]}, "not the address of a website"),
        ({"origins": ["http://localhost:5173"]}, "development only"),
        ({"origins": [f"https://{number}.example.jp" for number in range(21)]}, "at most 20"),
        ({"origins": [OWN], "scopes": ["residents:read"]}, "residents:read"),
        ({"origins": [OWN], "scopes": ["inquiries:write", "ota:ingest"]}, "ota:ingest"),
    ],
)
def test_what_is_no_website_of_a_key_is_refused_with_what_to_do(
    issue: Callable[..., IssuedKey], given: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=r"origins: ") as refused:
        issue(**given)
    assert words in refused.value.message


def test_a_key_with_websites_is_public_and_its_replacement_keeps_them(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    issued = issue(origins=[OWN, OTHER, OWN, "http://localhost:5173"], is_development=True)
    with database.writing(cast.sumida.workspace_id) as session:
        replaced = replace_key(Work(session, clock, STAFF), issued.id)
    with database.reading(cast.sumida.workspace_id) as session:
        websites = origins_of_keys(session)
        assert all(key.is_public for key in keys_of_workspaces(session))
    names = [[one.origin for one in websites[key_id]] for key_id in (issued.id, replaced.id)]
    assert names == [["http://localhost:5173", OWN, OTHER]] * 2


def test_websites_are_added_and_removed_one_by_one(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    key_id, guarded = issue().id, issue(scopes=["ota:ingest"]).id
    with database.writing(cast.sumida.workspace_id) as session:
        work = Work(session, clock, STAFF)
        added = add_origin(work, key_id, OWN, is_development=False)
        with pytest.raises(Refused, match="already a website of this key"):
            add_origin(work, key_id, OWN, is_development=False)
        with pytest.raises(Refused, match="ota:ingest"):
            add_origin(work, guarded, OWN, is_development=False)
        with pytest.raises(NotFound):
            remove_origin(work, guarded, added.id)
        assert [key.id for key in keys_of_workspaces(session) if key.is_public] == [key_id]
        assert remove_origin(work, key_id, added.id) == OWN
        assert origins_of_keys(session) == {}
        revoke_key(work, key_id)
        with pytest.raises(Refused, match="revoked"):
            add_origin(work, key_id, OWN, is_development=False)


def test_a_website_of_one_workspace_names_no_key_of_another(
    database: Database, cast: Cast, clock: FixedClock, issue: Callable[..., IssuedKey]
) -> None:
    own = issue(origins=[OWN])
    with database.writing(cast.minato.workspace_id) as session:
        other = issue_key(
            Work(session, clock, STAFF), name="site", scopes=READ, origins=[OWN, OTHER]
        )
    with database.connection_across_workspaces() as connection:
        assert keys_of_origin(connection, OWN) == {own.id, other.id}
        assert keys_of_origin(connection, OTHER) == {other.id}
        assert keys_of_origin(connection, "https://other.example") == frozenset()
    with database.reading(cast.sumida.workspace_id) as session:
        assert list(origins_of_keys(session)) == [own.id]
