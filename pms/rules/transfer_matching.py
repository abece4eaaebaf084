"""What a transfer pays: the payer and the bills, each with its reason.

Certain is only what a careful clerk would book without looking: person and bills are both beyond
doubt. An amount alone identifies nobody. Likely candidates are shown side by side, best first;
anything else is unknown and touches no bill. Transfers are read in the bank's order: what an
earlier one pays is not open for a later one.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from pms.rules.bank_statements import BankRow, MoneyMove
from pms.rules.open_bills import (
    USUAL_FEES,
    AmountReason,
    OpenBill,
    PaidBills,
    PaymentPart,
    deduct_parts,
    explain_amount,
    in_order,
)
from pms.rules.payer_names import read_payer
from pms.rules.payer_search import PayerCandidates, PayerIndex, PayerReader, PayerReason
from pms.rules.people_index import RentPayer

_MOST_OFFERS: Final = 3
_STRONG: Final = frozenset(
    {
        PayerReason.SAME_NAME,
        PayerReason.ONE_LETTER_OFF,
        PayerReason.SAME_SOUND,
        PayerReason.FIRST_AND_LAST,
        PayerReason.CUT_NAME,
        PayerReason.ROOM_AND_SURNAME,
    }
)
TO_THE_YEN: Final = frozenset(
    {AmountReason.ONE_BILL, AmountReason.ALL_OPEN, AmountReason.OLDEST, AmountReason.ONLY_SUM}
)
_NAMED_TWICE: Final = frozenset(
    {
        PayerReason.REFERENCE_OF_ANOTHER,
        PayerReason.TWO_REFERENCES,
        PayerReason.REMEMBERED_FOR_ANOTHER,
    }
)


class MatchCertainty(StrEnum):
    """How certain the match of a transfer is."""

    CERTAIN = "certain"
    LIKELY = "likely"
    UNKNOWN = "unknown"


class MatchDoubt(StrEnum):
    """Why a transfer is not certain, or has no match."""

    NONE = "none"
    TAKEN_BACK = "taken_back"
    NO_TRANSFER = "no_transfer"
    BROKEN_LETTERS = "broken_letters"
    SEVERAL_FIT = "several_fit"
    NO_BILL_FITS = "no_bill_fits"
    FITS_ANOTHER = "fits_another"
    AFTER_A_LIKELY = "after_a_likely"
    OTHER_BILLS_FIT = "other_bills_fit"
    CASH = "cash"


class Offer(NamedTuple):
    """One way to place a transfer: the payer, the bills, and the reason."""

    person_ids: tuple[str, ...]
    parts: tuple[PaymentPart, ...]
    payer_reason: PayerReason
    amount_reason: AmountReason
    held_yen: int = 0
    fee_yen: int = 0

    @property
    def mark(self) -> str:
        """What the offer is known by between the page that shows it and the audit event that takes it."""
        parts = ";".join(f"{part.bill_id}:{part.yen}" for part in self.parts)
        return f"{','.join(self.person_ids)}|{parts}|{self.held_yen}"


class Match(NamedTuple):
    """The result for one row of a bank; certain has one offer, unknown may have hints."""

    row: BankRow
    verdict: MatchCertainty
    payer_reason: PayerReason
    doubt: MatchDoubt
    offers: tuple[Offer, ...]

    @property
    def person_ids(self) -> tuple[str, ...]:
        """The possible payers, likeliest first; none when unknown."""
        if self.verdict is MatchCertainty.UNKNOWN:
            return ()
        return tuple(dict.fromkeys(id_ for offer in self.offers for id_ in offer.person_ids))

    @property
    def is_read(self) -> bool:
        """Whether it was asked whose the transfer may be."""
        return self.doubt not in {MatchDoubt.TAKEN_BACK, MatchDoubt.NO_TRANSFER}

    @property
    def first_parts(self) -> tuple[PaymentPart, ...]:
        """The bills that are not open for later transfers; none when unknown."""
        return () if self.verdict is MatchCertainty.UNKNOWN else self.offers[0].parts

    @property
    def parts(self) -> tuple[PaymentPart, ...]:
        """The bills paid; for likely matches those of every offer in order."""
        if self.verdict is MatchCertainty.UNKNOWN:
            return ()
        every = {part.bill_id: part for offer in reversed(self.offers) for part in offer.parts}
        first = [part.bill_id for offer in self.offers for part in offer.parts]
        return tuple(every[bill_id] for bill_id in dict.fromkeys(first))


class TransferMatcher:
    """Matches one transfer after another with people and their open bills."""

    def __init__(
        self,
        people: Iterable[RentPayer],
        bills: Iterable[OpenBill],
        fees: Collection[int] = USUAL_FEES,
        index: PayerReader | None = None,
    ) -> None:
        self.index = index or PayerIndex(people)
        self._fees = tuple(fees)
        self._bills = {bill.id: bill for bill in bills}
        # What is open if no likely match is accepted.
        self._surely = dict(self._bills)
        self._of_person: defaultdict[str, list[str]] = defaultdict(list)
        for bill in in_order(list(self._bills.values())):
            self._of_person[bill.resident_id].append(bill.id)

    def match_all(self, rows: Sequence[BankRow]) -> list[Match]:
        """Return the results for the deposits of a statement, in the bank's order."""
        taken_back = find_taken_back(rows)
        return [
            self.match(row, is_taken_back=place in taken_back)
            for place, row in enumerate(rows)
            if row.is_deposit
        ]

    def match(self, row: BankRow, *, is_taken_back: bool = False) -> Match:
        """Return the result for one deposit; what it pays is not open for the next one."""
        if is_taken_back:
            return _match_nobody(row, PayerReason.NOBODY, MatchDoubt.TAKEN_BACK)
        if row.move is not MoneyMove.TRANSFER and not (row.payer and row.move is MoneyMove.CASH):
            return _match_nobody(row, PayerReason.NOBODY, MatchDoubt.NO_TRANSFER)
        found = self.index.find(row.payer, row.message, is_broken=row.is_broken)
        match = self._match_found_payer(row, found)
        self.take_match(match.verdict, match.first_parts)
        return match

    def take_match(self, verdict: MatchCertainty, parts: Sequence[PaymentPart]) -> None:
        """Let the parts that a transfer pays be open no more; bills that are not here are left out."""
        known = [part for part in parts if part.bill_id in self._bills]
        self._bills.update(deduct_parts(self._bills, known))
        if verdict is MatchCertainty.CERTAIN:
            self._surely.update(deduct_parts(self._surely, known))

    def _match_found_payer(self, row: BankRow, found: PayerCandidates) -> Match:
        if found.reason is PayerReason.NOBODY:
            return self._guess_match(row)
        if not found.is_certain:
            return self._choose_match(row, found)
        offer = self._build_offer(row.yen, found.person_ids, found.reason)
        longer = [
            self._build_offer(row.yen, (person_id,), found.reason)
            for person_id in found.longer_names
        ]
        if longer and (
            not self._is_fitting_offer(offer) or any(map(self._is_fitting_offer, longer))
        ):
            who = (*found.person_ids, *found.longer_names)
            return self._choose_match(
                row, PayerCandidates(PayerReason.SAME_NAME, who, is_certain=False)
            )
        if found.needs_full_bill and not _is_full(found, offer):
            # With the reference of one and the surname of another, the exact bill comes first.
            guess = self._guess_match(row) if found.reason is PayerReason.REFERENCE else None
            nearer = guess.offers if guess and guess.verdict is MatchCertainty.LIKELY else ()
            return _build_likely_match(
                row, found.reason, MatchDoubt.NO_BILL_FITS, _rank_offers(nearer, [offer])
            )
        is_part = offer.amount_reason is AmountReason.PART
        if found.reason is PayerReason.FULL_NAME and is_part:
            # Someone else of the same surname owes exactly this: the name may be incomplete.
            others = [
                self._build_offer(row.yen, (other,), PayerReason.SURNAME)
                for other in self.index.same_surname(found.person_ids[0])
            ]
            fitting = [
                other for other in others if self._is_fitting_offer(other) and not other.fee_yen
            ]
            if fitting:
                return _build_likely_match(
                    row, found.reason, MatchDoubt.FITS_ANOTHER, [offer, *fitting]
                )
        return self._judge_row(row, found, offer)

    def _judge_row(self, row: BankRow, found: PayerCandidates, offer: Offer) -> Match:
        who = found.person_ids
        paid = self._explain_amount(row.yen, who)
        if row.move is not MoneyMove.TRANSFER:
            return _build_likely_match(row, found.reason, MatchDoubt.CASH, [offer])
        if not paid.is_certain:
            doubt = (
                MatchDoubt.OTHER_BILLS_FIT
                if self._is_fitting_offer(offer)
                else MatchDoubt.NO_BILL_FITS
            )
            return _build_likely_match(row, found.reason, doubt, [offer])
        if self._explain_amount_by_bills(row.yen, who, self._surely) != paid:
            return _build_likely_match(row, found.reason, MatchDoubt.AFTER_A_LIKELY, [offer])
        return Match(row, MatchCertainty.CERTAIN, found.reason, MatchDoubt.NONE, (offer,))

    def _choose_match(self, row: BankRow, found: PayerCandidates) -> Match:
        """Several could be meant, or one who is not certain: a bill to the yen decides."""
        if found.reason is PayerReason.REMEMBERED:
            return self._choose_remembered(row, found)
        doubt = MatchDoubt.BROKEN_LETTERS if row.is_broken else MatchDoubt.SEVERAL_FIT
        offers = [
            self._build_offer(row.yen, (person_id,), found.reason) for person_id in found.person_ids
        ]
        fitting = [offer for offer in offers if self._is_fitting_offer(offer)]
        exact = [offer for offer in fitting if not offer.fee_yen]
        if found.reason in _NAMED_TWICE or len(offers) == 1:
            return _build_likely_match(
                row, found.reason, doubt, _rank_offers(exact or fitting, offers)
            )
        best = exact or fitting
        if len(best) == 1:
            # An earlier transfer that is only likely may be the other namesake's.
            others = [
                offer if offer.parts else self._offer_of_surely_open(row.yen, offer)
                for offer in offers
            ]
            return _build_likely_match(row, found.reason, doubt, _rank_offers(best, others))
        if not best and found.reason is PayerReason.SAME_NAME:
            # Relatives who live here may pay together.
            together = self._build_offer(row.yen, found.person_ids, found.reason)
            if self._is_fitting_offer(together) and not together.fee_yen:
                return _build_likely_match(row, found.reason, doubt, [together, *offers])
        why = MatchDoubt.SEVERAL_FIT if best else MatchDoubt.NO_BILL_FITS
        return _match_nobody(row, found.reason, why, _rank_offers(best, offers))

    def _choose_remembered(self, row: BankRow, found: PayerCandidates) -> Match:
        """An unclear remembered payer: likely with a bill to the yen, else the nearest other."""
        together = self._build_offer(row.yen, found.person_ids, found.reason)
        alone = [
            self._build_offer(row.yen, (person_id,), found.reason) for person_id in found.person_ids
        ]
        fitting = [offer for offer in (together, *alone) if self._is_fitting_offer(offer)]
        offers = _rank_offers(fitting, [together, *alone])
        if not fitting and not row.is_broken:
            # Apparently another company of this name, or another person of this surname.
            guess = self._guess_match(row)
            if guess.verdict is MatchCertainty.LIKELY:
                return guess
            return _match_nobody(row, found.reason, MatchDoubt.NO_BILL_FITS, offers)
        doubt = MatchDoubt.BROKEN_LETTERS if row.is_broken else MatchDoubt.SEVERAL_FIT
        return _build_likely_match(row, found.reason, doubt, offers)

    def _guess_match(self, row: BankRow) -> Match:
        """Without a full name: the nearest name whose bill has the exact amount is likely."""
        hints: list[Offer] = []
        for found in self.index.candidates(row.payer, row.message):
            offers = [
                self._build_offer(row.yen, (person_id,), found.reason)
                for person_id in found.person_ids
            ]
            fitting = [
                offer for offer in offers if self._is_fitting_offer(offer) and not offer.fee_yen
            ]
            if found.reason is PayerReason.REFERENCE_ONE_DIGIT_OFF:
                # No name confirms it, and another number may be meant.
                hints += _rank_offers(fitting, offers)
                continue
            if found.reason is PayerReason.GIVEN_NAME:
                # Many people share a given name: it is a hint beside a bill to the yen alone.
                hints += fitting
                continue
            if not fitting and found.reason in _STRONG:
                fitting = [offer for offer in offers if self._is_fitting_offer(offer)]
            if len(fitting) == 1:
                doubt = MatchDoubt.BROKEN_LETTERS if row.is_broken else MatchDoubt.NONE
                # With only a surname, offer only people who owe exactly this.
                others = offers if found.reason in _STRONG else ()
                return _build_likely_match(row, found.reason, doubt, _rank_offers(fitting, others))
            hints += _rank_offers(fitting, offers)
            if fitting:
                return _match_nobody(row, found.reason, MatchDoubt.SEVERAL_FIT, hints)
        reason = hints[0].payer_reason if hints else PayerReason.NOBODY
        return _match_nobody(
            row, reason, MatchDoubt.NO_BILL_FITS if hints else MatchDoubt.NONE, hints
        )

    def _build_offer(self, yen: int, person_ids: tuple[str, ...], reason: PayerReason) -> Offer:
        paid = self._explain_amount(yen, person_ids)
        if paid.parts:
            payers = {part.resident_id for part in paid.parts}
            person_ids = tuple(person_id for person_id in person_ids if person_id in payers)
        reason = self.index.reason_of(person_ids[0], reason)
        return Offer(person_ids, paid.parts, reason, paid.reason, paid.held_yen, paid.fee_yen)

    def _offer_of_surely_open(self, yen: int, offer: Offer) -> Offer:
        """Return a person's offer as if no earlier likely match were accepted."""
        paid = self._explain_amount_by_bills(yen, offer.person_ids, self._surely)
        return offer._replace(
            parts=paid.parts,
            amount_reason=paid.reason,
            held_yen=paid.held_yen,
            fee_yen=paid.fee_yen,
        )

    def _explain_amount(self, yen: int, person_ids: Sequence[str]) -> PaidBills:
        return self._explain_amount_by_bills(yen, person_ids, self._bills)

    def _explain_amount_by_bills(
        self, yen: int, person_ids: Sequence[str], bills: Mapping[str, OpenBill]
    ) -> PaidBills:
        theirs = [bills[id_] for person in person_ids for id_ in self._of_person[person]]
        return explain_amount(yen, theirs, self._fees)

    def _is_fitting_offer(self, offer: Offer) -> bool:
        """Whether an offer pays bills to the yen, apart from a bank fee."""
        reason = offer.amount_reason
        return bool(offer.parts) and (reason in TO_THE_YEN or reason is AmountReason.LESS_A_FEE)


def _is_full(found: PayerCandidates, offer: Offer) -> bool:
    """Whether the bill is paid to the yen, where that is needed for a certain payer."""
    if found.reason is PayerReason.FULL_NAME:
        return offer.amount_reason in TO_THE_YEN or offer.amount_reason is AmountReason.LESS_A_FEE
    if found.reason is PayerReason.REFERENCE:
        return offer.amount_reason in TO_THE_YEN
    return offer.amount_reason is AmountReason.ONE_BILL


def find_taken_back(rows: Sequence[BankRow]) -> set[int]:
    """Return the positions of deposits that a later correction of the same payer and amount reverses."""
    taken: set[int] = set()
    for later, row in enumerate(rows):
        if row.is_deposit or row.move is not MoneyMove.CORRECTION:
            continue
        key = read_payer(row.payer).key
        for place in range(later - 1, -1, -1):
            before = rows[place]
            is_same = before.is_deposit and before.yen == row.yen and place not in taken
            if is_same and read_payer(before.payer).key == key:
                taken.add(place)
                break
    return taken


def _rank_offers(best: Sequence[Offer], others: Sequence[Offer]) -> list[Offer]:
    """The best offers before the others, each person once, up to the number shown side by side.

    Next to an offer that fits, a person who owes nothing is left out.
    """
    others = [offer for offer in others if offer.parts] if best else others
    found = {offer.person_ids: offer for offer in reversed([*best, *others])}
    order = dict.fromkeys(offer.person_ids for offer in [*best, *others])
    return [found[person_ids] for person_ids in order][:_MOST_OFFERS]


def _build_likely_match(
    row: BankRow, reason: PayerReason, doubt: MatchDoubt, offers: Sequence[Offer]
) -> Match:
    if reason is PayerReason.SURNAME:
        reason = offers[0].payer_reason
    return Match(row, MatchCertainty.LIKELY, reason, doubt, tuple(offers[:_MOST_OFFERS]))


def _match_nobody(
    row: BankRow, reason: PayerReason, doubt: MatchDoubt, hints: Sequence[Offer] = ()
) -> Match:
    return Match(row, MatchCertainty.UNKNOWN, reason, doubt, tuple(hints[:_MOST_OFFERS]))
