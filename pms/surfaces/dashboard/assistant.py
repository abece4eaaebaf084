"""The website's assistant: its settings, its conversations, and a trial by staff."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final, Self

from flask import Response, request, url_for
from flask_babel import LazyString, lazy_gettext
from flask_babel import gettext as _
from flask_wtf import FlaskForm
from wtforms.validators import Length

from pms.foundation.errors import ScopeLacking, TooMany
from pms.foundation.work import Work
from pms.rules.chat_cost import THOUSAND
from pms.rules.checked_reply import ReplyProblem
from pms.rules.enumerations import IntegrationKind
from pms.site import assistant_settings as site_assistant_settings
from pms.site import chat_transcripts, turns
from pms.site.assistant_settings import MOST_MESSAGES, AssistantFigures, StatedAssistant
from pms.site.chat_transcripts import STAFF, TranscriptPage, TranscriptSearch
from pms.site.turns import CUT_OFF, RESTING, ChatVisitor, Reply
from pms.surfaces.assistance import assistance
from pms.surfaces.dashboard.gate import OFFICE, OPERATOR, current_member, dashboard, reading
from pms.surfaces.dashboard.merging import Edit
from pms.surfaces.fields import (
    ChoiceField,
    DayField,
    FlagField,
    LongTextField,
    Optional,
    PercentField,
    Required,
    TextField,
    WholeNumberField,
    YenField,
)
from pms.surfaces.forms import QueryForm, asked_paging, mark_unaccepted, place_problem, submitted
from pms.surfaces.hypermedia import go, page, page_or_block
from pms.surfaces.request_scope import clock, database, today
from pms.workspaces import integration_records


class PriceField(PercentField):
    """The price of a thousand tokens in yen, which may be a fraction."""

    def read(self, typed: str, given: str) -> Decimal:
        if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,4})?", typed):
            return Decimal(typed)
        raise ValueError(lazy_gettext("Enter yen such as 0.45, with at most four decimals."))


class FiguresForm(FlaskForm):
    """The settings: on or off, the language model, prices, the daily ceiling and the greeting."""

    isOn = FlagField(lazy_gettext("Assistant is on"))
    usesModel = FlagField(lazy_gettext("Use a language model for answers"))
    readsSheets = FlagField(
        lazy_gettext("Let the office ask the language model how an imported sheet is read")
    )
    priceInYen = PriceField(lazy_gettext("Price per 1,000 input tokens (yen)"), [Required()])
    priceOutYen = PriceField(lazy_gettext("Price per 1,000 output tokens (yen)"), [Required()])
    ceilingYen = YenField(
        lazy_gettext("Daily limit for each key (yen)"), [Required()], minimum_yen=1
    )
    mostMessages = WholeNumberField(
        lazy_gettext("Daily messages for each key"), [Required()], least=1, most=MOST_MESSAGES
    )
    greetingJa = LongTextField(lazy_gettext("Greeting in Japanese"), [Optional()])
    greetingEn = LongTextField(lazy_gettext("Greeting in English"), [Optional()])

    @classmethod
    def of(cls, figures: AssistantFigures) -> Self:
        """Return the form filled with the settings."""
        return cls(
            formdata=None,
            isOn=figures.is_on,
            usesModel=figures.uses_model,
            readsSheets=figures.reads_sheets,
            priceInYen=_normalise_price(figures.prices.in_yen),
            priceOutYen=_normalise_price(figures.prices.out_yen),
            ceilingYen=figures.ceiling_yen,
            mostMessages=figures.most_messages,
            greetingJa=figures.greeting.ja or "",
            greetingEn=figures.greeting.en or "",
        )

    @property
    def assistant_settings(self) -> StatedAssistant:
        """The typed settings as the use case takes them."""
        return StatedAssistant(
            is_on=bool(self.isOn.data),
            uses_model=bool(self.usesModel.data),
            reads_sheets=bool(self.readsSheets.data),
            price_in_yen=Decimal(self.priceInYen.data),
            price_out_yen=Decimal(self.priceOutYen.data),
            ceiling_yen=self.ceilingYen.data or 0,
            most_messages=self.mostMessages.data or 0,
            greeting_ja=self.greetingJa.data or "",
            greeting_en=self.greetingEn.data or "",
        )


def _normalise_price(price: Decimal) -> Decimal:
    return Decimal(format(price.normalize(), "f"))


_UNSET = 0


@dashboard.get("/assistant/settings", roles=OPERATOR)
def assistant_settings() -> Response:
    """Show the settings, or the defaults if nothing has been set."""
    now = site_assistant_settings.assistant_figures(reading())
    return _render_settings(Edit.of(FiguresForm.of(now), now.version or _UNSET))


@dashboard.post("/assistant/settings", roles=OPERATOR)
def set_assistant() -> Response:
    """Write the settings, merged with changes that others saved meanwhile."""
    form = FiguresForm()
    typed = Edit.from_typed(form, request.form)

    def act(work: Work) -> object:
        now = site_assistant_settings.assistant_figures(work.session)
        current = Edit.of(FiguresForm.of(now), now.version or _UNSET)
        typed.merge(work, current, subject=("workspace", current_member().workspace_id))
        return site_assistant_settings.set_assistant(
            work, stated=form.assistant_settings, expected_version=now.version
        )

    return submitted(
        form,
        act,
        then=lambda _row: go(url_for("dashboard.assistant"), message=typed.message(_("Saved."))),
        again=lambda: _render_settings(typed),
    )


def _render_settings(edit: Edit) -> Response:
    model = integration_records.integrations(reading()).get(IntegrationKind.ASSISTANT)
    return page("dashboard/assistant/settings.html", form=edit.form, edit=edit, model=model)


_PROBLEMS: Final[Mapping[str, LazyString]] = {
    ReplyProblem.EMPTY: lazy_gettext("The model wrote nothing."),
    ReplyProblem.TOO_LONG: lazy_gettext("The model's answer was too long."),
    ReplyProblem.UNKNOWN_ROOM: lazy_gettext("The model named a room that does not exist."),
    ReplyProblem.UNCONFIRMED_ROOM: lazy_gettext(
        "The model named a room that cannot be offered today."
    ),
    ReplyProblem.UNCONFIRMED_DAY: lazy_gettext("The model gave a date that is not confirmed."),
    ReplyProblem.UNFOUNDED_OFFER: lazy_gettext(
        "The model offered something without naming a room."
    ),
    ReplyProblem.UNKNOWN_AMOUNT: lazy_gettext("The model gave an amount that does not exist."),
    ReplyProblem.UNKNOWN_ADDRESS: lazy_gettext("The model gave an address that does not exist."),
}


def cost_words(thousandths: int) -> str:
    """Return a cost in yen; thousandths are shown where it is not a whole number."""
    whole, part = divmod(thousandths, THOUSAND)
    shown = f"{part:03d}".rstrip("0")
    return f"¥{whole:,}.{shown}" if shown else f"¥{whole:,}"


def failure_text(failure: str) -> str:
    """Return why the model gave no answer; a provider's reason keeps its own words."""
    if failure == CUT_OFF:
        return str(lazy_gettext("The model's answer was cut off."))
    if failure == RESTING:
        return str(lazy_gettext("The model failed three times within a minute and is paused."))
    kind, _colon, reason = failure.partition(": ")
    if kind == "reply":
        return str(_PROBLEMS.get(reason, reason))
    return str(lazy_gettext("Provider's response: %(reason)s", reason=reason or failure))


LONGEST = 2_000


class QuestionForm(FlaskForm):
    """One message to the assistant."""

    message = LongTextField(
        lazy_gettext("Your question"),
        [Required(), Length(max=LONGEST, message=lazy_gettext("At most 2,000 characters."))],
    )


class TranscriptsForm(QueryForm):
    """The filters of the conversations: words, key, day, and failures of the model."""

    search = TextField(lazy_gettext("Text of a question or an answer"), [Optional()])
    keyId = ChoiceField(lazy_gettext("Key"), [Optional()])
    on = DayField(lazy_gettext("Day"), [Optional()])
    failed = FlagField(lazy_gettext("Model failed"))

    def offer(self, keys: Iterable[tuple[str, str]]) -> None:
        """Fill the list of keys."""
        tried = (STAFF, str(lazy_gettext("Test by staff")))
        self.keyId.choices = [("", str(lazy_gettext("All"))), tried, *keys]

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter is set."""
        return any(each.data for each in self)

    @property
    def query(self) -> TranscriptSearch:
        """The search of a valid form."""
        return TranscriptSearch(
            text=self.search.data or "",
            key=self.keyId.data or None,
            day_on=self.on.data,
            only_failed=bool(self.failed.data),
        )


@dashboard.get("/assistant", roles=OFFICE, is_of_all_buildings=True)
def assistant() -> Response:
    """Show one page of the conversations, and the use of each key today."""
    form, paging = TranscriptsForm(request.args), asked_paging()
    form.offer(chat_transcripts.list_keys_with_conversations(reading()))
    is_sound = form.validate()
    found = (
        chat_transcripts.list_transcripts(reading(), form.query, paging)
        if is_sound
        else TranscriptPage([], 0)
    )
    response = page_or_block(
        "dashboard/assistant/index.html",
        "results",
        form=form,
        found=found,
        paging=paging,
        figures=site_assistant_settings.assistant_figures(reading()),
        costs=chat_transcripts.costs_of_day(reading(), today()),
        cost_words=cost_words,
    )
    return response if is_sound else mark_unaccepted(response)


@dashboard.get("/assistant/chats/<chat_id>", roles=OFFICE, is_of_all_buildings=True)
def assistant_chat(chat_id: str) -> Response:
    """Show one conversation in full."""
    return chat_page(chat_id, QuestionForm())


def chat_page(chat_id: str, form: QuestionForm) -> Response:
    """Return the page of a conversation; one that staff began can be continued there."""
    return page(
        "dashboard/assistant/chat.html",
        chat=chat_transcripts.transcript(reading(), chat_id),
        form=form,
        cost_words=cost_words,
        failure_text=failure_text,
    )


@dashboard.get("/assistant/trial", roles=OFFICE, is_of_all_buildings=True)
def try_assistant() -> Response:
    """Show the form for a trial question."""
    return _render_trial(QuestionForm())


@dashboard.post("/assistant/trial", roles=OFFICE, is_of_all_buildings=True)
def ask_assistant() -> Response:
    """Start a conversation of staff."""
    form = QuestionForm()
    reply = _reply_to(form, None)
    return mark_unaccepted(_render_trial(form)) if reply is None else _go_to_chat(reply)


@dashboard.post("/assistant/chats/<chat_id>", roles=OFFICE, is_of_all_buildings=True)
def answer_in_chat(chat_id: str) -> Response:
    """Continue a conversation of staff; a conversation of visitors is refused."""
    chat, form = chat_transcripts.transcript(reading(), chat_id), QuestionForm()
    if chat.key_id is not None:
        return mark_unaccepted(chat_page(chat_id, QuestionForm(formdata=None)))
    reply = _reply_to(form, chat_id)
    return mark_unaccepted(chat_page(chat_id, form)) if reply is None else _go_to_chat(reply)


def _reply_to(form: QuestionForm, chat_id: str | None) -> Reply | None:
    if not form.validate():
        return None
    try:
        return turns.talk_to_visitor(
            database(),
            clock(),
            assistance(),
            visitor=ChatVisitor(current_member().workspace_id, None, chat_id),
            message=form.message.data or "",
        )
    except (TooMany, ScopeLacking) as problem:
        place_problem(form, problem)
        return None


def _render_trial(form: QuestionForm) -> Response:
    return page("dashboard/assistant/trial.html", form=form)


def _go_to_chat(reply: Reply) -> Response:
    return go(url_for("dashboard.assistant_chat", chat_id=reply.conversation_id))
