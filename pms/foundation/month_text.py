"""Names the month of a day inside a question, so that a database can group by it."""

from typing import Any

from sqlalchemy import String
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement


class month_text(FunctionElement[str]):  # noqa: N801  # it reads as the function of SQL it is
    """The month of a day as text, YYYY-MM."""

    type = String()
    inherit_cache = True


@compiles(month_text, "sqlite")
def _on_sqlite(element: month_text, compiler: Any, **how: Any) -> str:
    # Days are ISO text there; its own calendar functions cost ten times as much.
    return f"substr({compiler.process(element.clauses, **how)}, 1, 7)"


@compiles(month_text, "postgresql")
def _on_postgresql(element: month_text, compiler: Any, **how: Any) -> str:
    return f"to_char({compiler.process(element.clauses, **how)}, 'YYYY-MM')"
