"""A published owner statement on paper and as a file: the same rows in the same order."""

from sqlalchemy.orm import Session

from pms.foundation.bilingual import Bilingual
from pms.foundation.spreadsheet import csv_file
from pms.foundation.wording import said_day, said_month, said_yen
from pms.rules.days import day_of
from pms.statements.parties import operator_of
from pms.statements.published_figures import Published, read
from pms.statements.queries import statement_of
from pms.statements.statement_rows import (
    HEAD,
    UNIT_INCOME,
    StatementRow,
    month_rows,
    unit_rows,
)
from pms.statements.typesetting import typeset


def statement_pdf(session: Session, statement_id: str, locale: str) -> bytes:
    """Return the PDF of a published statement in a language; its figures never change."""
    statement = statement_of(session, statement_id)
    published, operator = read(statement.figures), operator_of(session)
    figures = published.figures
    return typeset(
        "statement",
        {
            "language": locale,
            "hue": operator.hue,
            "operator": operator.name.said(locale),
            "address": operator.address_lines,
            "number": f"{statement.month_on:%Y-%m}-{statement.version}",
            "issued": said_day(day_of(statement.published_at), locale),
            "month": said_month(statement.month_on, locale),
            "recipient": published.owner,
            "building": _building(published, locale),
            "payout": said_yen(figures.payout_yen),
            "payout_on": said_day(figures.payout_on, locale),
            "account": figures.payout_account or "",
            "head": [words.said(locale) for words in HEAD],
            "rows": [_said(row) for row in month_rows(figures, locale)],
            "unit_heading": UNIT_INCOME.said(locale),
            "unit_rows": [_said(row) for row in unit_rows(figures, locale)],
        },
    )


def statement_csv(session: Session, statement_id: str, locale: str) -> bytes:
    """Return a published statement as a file a Japanese spreadsheet opens: UTF-8 with its mark."""
    figures = read(statement_of(session, statement_id).figures).figures
    rows = (*month_rows(figures, locale), *unit_rows(figures, locale))
    head = [words.said(locale) for words in HEAD]
    return csv_file([head, *((row.section, row.place, row.text, row.yen) for row in rows)])


def _building(published: Published, locale: str) -> str:
    return Bilingual(published.building_ja, published.building_en).said(locale) or ""


def _said(row: StatementRow) -> dict[str, object]:
    return {
        "section": row.section,
        "place": row.place,
        "text": row.text,
        "amount": said_yen(row.yen),
        "is_sum": row.is_sum,
    }
