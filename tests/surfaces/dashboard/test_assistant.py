"""The assistant at the desk: set, tried, and what it was asked."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from sqlalchemy import func, select

from pms.access.keys import issue_key
from pms.foundation.audit import AuditRecord
from pms.foundation.clock import FixedClock
from pms.foundation.database import Database
from pms.foundation.tokens import Signer
from pms.foundation.work import Work
from pms.jobs.daily_jobs import daily_job, do_daily
from pms.rules.audit_events import AuditEvent
from pms.rules.enumerations import IntegrationKind, Locale, Scope
from pms.site.assistant_settings import UNSET
from pms.site.kept_turns import Exchange, keep_turn
from pms.site.models import AssistantSettings, ChatConversation, ChatTurn
from pms.site.passages import AnswerSource
from pms.surfaces.manual.rendering import HELPFUL, read_page
from pms.workspaces.integrations import set_integration
from tests.cast import Cast, House
from tests.servers.provider import NEAR
from tests.staff import Browser
from tests.surfaces.agent_api.test_questions_to_the_database import statements

TYPED = {
    "isOn": "y",
    "priceInYen": "0.45",
    "priceOutYen": "1.8",
    "ceilingYen": "1,000",
    "mostMessages": "200",
    "greetingJa": "ようこそ。",
    "greetingEn": "Welcome.",
}


def a_key(database: Database, clock: FixedClock, house: House, name: str = "Website") -> str:
    with database.writing(house.workspace_id) as session:
        return issue_key(Work(session, clock, "staff"), name=name, scopes=[Scope.CHAT_INVOKE]).id


def asked(
    database: Database,
    clock: FixedClock,
    house: House,
    key_id: str | None,
    question: str,
    *,
    failure: str | None = None,
    cost: int = 0,
) -> str:
    exchange = Exchange(
        question,
        "お答えです。",
        [AnswerSource("102", "https://a.example/102")],
        Locale.JA,
        cost,
        failure,
    )
    with database.writing(house.workspace_id) as session:
        kept = keep_turn(
            session, clock, key_id=key_id, conversation_id=None, exchange=exchange, figures=UNSET
        )
    return kept.conversation_id


def test_the_list_is_found_by_words_key_day_and_failure(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key_id = a_key(database, clock, cast.sumida)
    first = asked(database, clock, cast.sumida, key_id, "ペットは飼えますか")
    clock.advance(timedelta(days=1))
    second = asked(
        database, clock, cast.sumida, None, "家賃は?", failure="reply: unconfirmed_day", cost=1_250
    )
    text = office.get("/assistant?lang=en").text
    assert "2 conversations" in text
    assert "1 failure" in text
    assert "¥1.25" in text
    for question, shown in (
        ("search=ﾍﾟｯﾄ", first),
        (f"keyId={key_id}", first),
        ("keyId=staff", second),
        ("on=2026-11-20", first),
        ("failed=y", second),
    ):
        block = office.block(f"/assistant?{question}").text
        other = second if shown == first else first
        assert shown in block, question
        assert other not in block, question
    assert office.get("/assistant?keyId=nobody").status_code == 422
    assert "No matching conversations" in office.get("/assistant?lang=en&search=zzz").text


def test_the_list_asks_the_same_few_questions_however_many_there_are(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key_id = a_key(database, clock, cast.sumida)
    asked(database, clock, cast.sumida, key_id, "一")
    office.get("/assistant")  # a connection's first words are said once
    with statements() as few:
        office.get("/assistant")
    for number in range(12):
        asked(database, clock, cast.sumida, key_id, f"質問{number}")
    with statements() as many:
        office.get("/assistant")
    assert len(many) == len(few)


def test_a_conversation_says_what_was_asked_answered_and_why_the_model_was_not_used(
    office: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    key_id = a_key(database, clock, cast.sumida)
    chat_id = asked(
        database, clock, cast.sumida, key_id, "<b>空室</b>は?", failure="reply: unconfirmed_room"
    )
    text = office.get(f"/assistant/chats/{chat_id}?lang=en").text
    assert "&lt;b&gt;空室" in text
    assert "a room that cannot be offered today" in text
    assert "https://a.example/102" in text
    # What a visitor said is not gone on with by the staff.
    answer = office.post(f"/assistant/chats/{chat_id}", {"message": "続き"})
    assert answer.status_code == 422
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(ChatTurn)) == 1


def test_the_staff_tries_it_without_any_key(
    office: Browser, database: Database, cast: Cast
) -> None:
    answer = office.post("/assistant/trial", {"message": "10万円以下の部屋はありますか"})
    assert answer.status_code == 303
    path = answer.location.split(f"/dashboard/{cast.sumida.slug}")[1]
    assert "102" in office.get(path).text
    assert office.post(path, {"message": "すぐ入居できますか"}).status_code == 303
    assert office.post("/assistant/trial", {"message": ""}).status_code == 422
    assert office.post("/assistant/trial", {"message": "x" * 2_001}).status_code == 422
    with database.reading(cast.sumida.workspace_id) as session:
        assert set(session.scalars(select(ChatTurn.key_id))) == {None}
        assert session.scalars(select(ChatConversation.turns)).all() == [2]


def test_an_operator_sets_it_and_the_audit_tells(
    operator: Browser, database: Database, cast: Cast
) -> None:
    seen = operator.get("/assistant/settings")
    assert seen.status_code == 200
    assert operator.post("/assistant/settings", {**TYPED, "version": "0"}).status_code == 303
    with database.reading(cast.sumida.workspace_id) as session:
        row = session.scalars(select(AssistantSettings)).one()
        assert (row.price_in_yen, row.price_out_yen) == (Decimal("0.45"), Decimal("1.8"))
        assert (row.is_on, row.uses_model, row.ceiling_yen) == (True, False, 1_000)
        audit_events = session.scalars(select(AuditRecord.audit_event)).all()
        assert audit_events.count(AuditEvent.ASSISTANT_SET) == 1
    found = operator.post("/assistant/trial", {"message": "こんにちは"})
    path = found.location.split(f"/dashboard/{cast.sumida.slug}")[1]
    assert "ようこそ。" in operator.get(path).text


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"ceilingYen": "0"}, "ceilingYen"),
        ({"ceilingYen": "1.5"}, "ceilingYen"),
        ({"mostMessages": "0"}, "mostMessages"),
        ({"priceInYen": "-1"}, "priceInYen"),
        ({"priceInYen": "0.12345"}, "priceInYen"),
        ({"greetingJa": "あ" * 501}, "greetingJa"),
        ({"usesModel": "y"}, "usesModel"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(
    operator: Browser, database: Database, cast: Cast, typed: dict[str, str], said: str
) -> None:
    answer = operator.post("/assistant/settings", {**TYPED, "version": "0", **typed})
    assert answer.status_code == 422
    assert f'href="#{said}"' in answer.text
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalar(select(AssistantSettings)) is None


def test_a_model_is_used_once_it_is_set_up_and_a_day_can_pay_for_one_answer(
    operator: Browser, database: Database, clock: FixedClock, cast: Cast
) -> None:
    signer = Signer(database.settings.secret_key)
    with database.writing(cast.sumida.workspace_id) as session:
        set_integration(
            Work(session, clock, "person/1"),
            signer,
            kind=IntegrationKind.ASSISTANT,
            address="http://127.0.0.1:9/v1",
            account="gpt-small",
            secret="sk-0123456789",
            limits=NEAR,
        )
    typed = {**TYPED, "version": "0", "usesModel": "y"}
    poor = operator.post("/assistant/settings?lang=en", {**typed, "ceilingYen": "1"})
    assert poor.status_code == 422
    assert "one answer may cost up to" in poor.text
    assert operator.post("/assistant/settings", typed).status_code == 303


def test_two_who_set_it_at_once_are_told(operator: Browser) -> None:
    assert operator.post("/assistant/settings", {**TYPED, "version": "0"}).status_code == 303
    late = operator.post("/assistant/settings", {**TYPED, "version": "0", "mostMessages": "300"})
    assert late.status_code in (303, 422)


def test_old_conversations_are_deleted_after_ninety_days(
    database: Database, clock: FixedClock, cast: Cast
) -> None:
    asked(database, clock, cast.sumida, None, "古い")
    asked(database, clock, cast.minato, None, "よその")
    clock.advance(timedelta(days=90, seconds=1))
    kept = asked(database, clock, cast.sumida, None, "新しい")
    do_daily(daily_job("forget-chats"), database, clock, cast.sumida.workspace_id)
    with database.reading(cast.sumida.workspace_id) as session:
        assert session.scalars(select(ChatConversation.id)).all() == [kept]
        assert session.scalar(select(func.count()).select_from(ChatTurn)) == 1
        assert AuditEvent.CHATS_FORGOTTEN in session.scalars(select(AuditRecord.audit_event)).all()
    with database.reading(cast.minato.workspace_id) as session:
        assert session.scalar(select(func.count()).select_from(ChatTurn)) == 1
    assert clock.today() > date(2027, 2, 1)


@pytest.mark.parametrize("language", ["ja", "en"])
def test_the_manual_names_every_page_of_itself_that_answers_stand_on(language: str) -> None:
    found = read_page("assistant", language).source
    assert all(f"](/manual/{slug})" in found for slug in (*HELPFUL, "notice"))
