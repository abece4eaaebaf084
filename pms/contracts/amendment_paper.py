"""Writes what changes a signed lease: the terms that are not the same any more, old and new."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy.orm import Session

from pms.contracts.contract_facts import facts_of_reservation
from pms.contracts.contract_states import ContractKind
from pms.contracts.issue_contract import keep_document, refuse_over
from pms.contracts.merge_contract import document, paper_text
from pms.contracts.places import NOTHING, said_place
from pms.contracts.queries import agreed_contract
from pms.contracts.stated_terms import ChangedTerm, StatedTerm, changed_terms, stated_terms
from pms.foundation.bilingual import Bilingual
from pms.foundation.clock import Clock
from pms.foundation.errors import Refused
from pms.rules.template_places import escaped, fill_places

_CHANGES: Final = "{{changes}}"
_HEADS: Final = Bilingual("| 項目 | 変更前 | 変更後 |", "| Item | Before | After |")
_AS_SIGNED: Final = Bilingual("原契約のとおり", "as signed")


def issue_amendment(session: Session, clock: Clock, actor: str, *, reservation_id: str) -> str:
    """Write the amendment of a signed lease, in its language, and return its id.

    Raises `Refused` where nothing was signed, or nothing changed since.
    """
    refuse_over(session, reservation_id)
    agreed = agreed_contract(session, reservation_id)
    if agreed is None:
        raise Refused("Nothing was signed that could be amended: issue a contract.")
    facts = facts_of_reservation(session, reservation_id)
    stated = stated_terms(facts)
    changes = changed_terms(agreed.stated, stated)
    if not changes:
        raise Refused("The contract says what the reservation says; there is nothing to amend.")
    text, locale = paper_text("amendment", agreed.locale).strip(), agreed.locale
    before, after = (
        fill_places(part, lambda name: said_place(name, facts, locale))
        for part in text.split(_CHANGES)
    )
    body = f"{before}{_table(changes, locale)}{after}\n"
    return keep_document(
        session,
        clock,
        actor,
        reservation_id=reservation_id,
        kind=ContractKind.AMENDMENT,
        merged=document(body, locale),
        locale=locale,
        stated=stated,
        # Other days of a fixed term are explained anew, as the law asks of the first ones.
        needs_explanation=agreed.needs_explanation
        and any(one.term is StatedTerm.DATES for one in changes),
    )


def _table(changes: Iterable[ChangedTerm], locale: str) -> str:
    lines = [_HEADS.said(locale) or "", "| --- | --- | --- |"]
    for one in changes:
        was, becomes = one.before.said(locale) or _AS_SIGNED.said(locale), one.after.said(locale)
        cells = (one.label.said(locale), escaped(was or NOTHING), escaped(becomes or NOTHING))
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)
