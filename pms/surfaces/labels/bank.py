"""The labels of bank matching: how certain a match is, how the payer was recognised, what is paid."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.bank.debit_files import DebitBar
from pms.rules.bank_columns import PassOver, TableRole
from pms.rules.bank_statements import MoneyMove
from pms.rules.days import BankClosure
from pms.rules.enumerations import (
    AccountKind,
    BankOrderState,
    ChoiceState,
    CollectionState,
    DebitOutcome,
    MandateState,
    PaymentWay,
    PayoutKind,
    TransferState,
)
from pms.rules.open_bills import AmountReason
from pms.rules.payer_search import PayerReason
from pms.rules.transfer_matching import MatchCertainty, MatchDoubt

BANK_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    MatchCertainty: {
        MatchCertainty.CERTAIN: worded("bank", "Certain"),
        MatchCertainty.LIKELY: worded("bank", "Likely"),
        MatchCertainty.UNKNOWN: worded("bank", "Unknown"),
    },
    TableRole: {
        TableRole.DAY: worded("bank", "Date"),
        TableRole.YEAR: worded("bank", "Year"),
        TableRole.MONTH: worded("bank", "Month"),
        TableRole.DAY_OF_MONTH: worded("bank", "Day"),
        TableRole.PAID_IN: worded("bank", "Money in"),
        TableRole.PAID_OUT: worded("bank", "Money out"),
        TableRole.AMOUNT: worded("bank", "Amount in or out"),
        TableRole.DIRECTION: worded("bank", "In or out"),
        TableRole.BALANCE: worded("bank", "Balance"),
        TableRole.TEXT: worded("bank", "Kind of transaction"),
        TableRole.PAYER: worded("bank", "Payer"),
        TableRole.MESSAGE: worded("bank", "Message"),
        TableRole.NUMBER: worded("bank", "Bank reference"),
    },
    PassOver: {
        PassOver.TOTAL: worded("bank", "Total"),
        PassOver.HEAD: worded("bank", "Headings repeated"),
        PassOver.NOTHING_MOVED: worded("bank", "No amount"),
        PassOver.NOTE: worded("bank", "Note"),
        PassOver.ABOVE: worded("bank", "Above the headings"),
    },
    BankClosure: {
        BankClosure.WEEKEND: worded("bank", "weekend"),
        BankClosure.HOLIDAY: worded("bank", "public holiday"),
        BankClosure.YEAR_END: worded("bank", "year-end break"),
    },
    TransferState: {
        TransferState.WAITING: worded("bank", "Waiting"),
        TransferState.PLACED: worded("bank", "Recorded"),
        TransferState.KEPT: worded("bank", "In suspense"),
        TransferState.NOT_OURS: worded("bank", "Not rent"),
    },
    MoneyMove: {
        MoneyMove.CASH: worded("bank", "Cash"),
        MoneyMove.TRANSFER: worded("bank", "Transfer"),
        MoneyMove.CHEQUE: worded("bank", "Cheque"),
        MoneyMove.DEBIT: worded("bank", "Direct debit"),
        MoneyMove.INTEREST: worded("bank", "Interest"),
        MoneyMove.FEE: worded("bank", "Fee"),
        MoneyMove.CORRECTION: worded("bank", "Correction"),
        MoneyMove.OTHER: worded("bank", "Other"),
    },
    PayerReason: {
        PayerReason.REFERENCE: worded("bank", "Payment reference"),
        PayerReason.FULL_NAME: worded("bank", "Full name"),
        PayerReason.REMEMBERED: worded("bank", "Remembered payer"),
        PayerReason.ROOM_AND_SURNAME: worded("bank", "Room and surname"),
        PayerReason.CUT_NAME: worded("bank", "Name cut off by the bank"),
        PayerReason.REFERENCE_OF_ANOTHER: worded("bank", "Reference and name of different people"),
        PayerReason.TWO_REFERENCES: worded("bank", "References of two people"),
        PayerReason.SAME_NAME: worded("bank", "Several people of this name"),
        PayerReason.REMEMBERED_FOR_ANOTHER: worded("bank", "Remembered for another resident"),
        PayerReason.ONE_LETTER_OFF: worded("bank", "Name with one letter different"),
        PayerReason.SAME_SOUND: worded("bank", "Name written differently"),
        PayerReason.REFERENCE_ONE_DIGIT_OFF: worded("bank", "Reference with one digit different"),
        PayerReason.FIRST_AND_LAST: worded("bank", "First and last part of the name"),
        PayerReason.ROOM_AND_GIVEN_NAME: worded("bank", "Room and given name"),
        PayerReason.SURNAME: worded("bank", "Surname only"),
        PayerReason.NAME_PART: worded("bank", "One part of the name only"),
        PayerReason.GIVEN_NAME: worded("bank", "Given name only"),
        PayerReason.NOBODY: worded("bank", "No resident with this name"),
    },
    DebitBar: {
        DebitBar.AWAITED: worded("bank", "Waiting for the result of another file"),
        DebitBar.FAILED_TOO_OFTEN: worded("bank", "Failed too often"),
    },
    AccountKind: {
        AccountKind.ORDINARY: worded("bank", "Ordinary account"),
        AccountKind.CURRENT: worded("bank", "Current account"),
        AccountKind.SAVINGS: worded("bank", "Savings account"),
    },
    MandateState: {
        MandateState.ASKED: worded("bank", "Being processed by the bank"),
        MandateState.ACTIVE: worded("bank", "Active"),
        MandateState.ENDED: worded("bank", "Ended"),
    },
    BankOrderState: {
        BankOrderState.MADE: worded("bank", "Created"),
        BankOrderState.CONFIRMED: worded("bank", "Confirmed"),
        BankOrderState.HANDED_OVER: worded("bank", "Submitted to the bank"),
        BankOrderState.ANSWERED: worded("bank", "Result received"),
        BankOrderState.DROPPED: worded("bank", "Cancelled"),
    },
    PayoutKind: {
        PayoutKind.OWNER: worded("bank", "Owner payout"),
        PayoutKind.REFUND: worded("bank", "Deposit refund"),
    },
    PaymentWay: {
        PaymentWay.CARD: worded("bank", "Credit card"),
        PaymentWay.STORE: worded("bank", "Convenience store"),
    },
    ChoiceState: {
        ChoiceState.ASKED: worded("bank", "Card not entered yet"),
        ChoiceState.ACTIVE: worded("bank", "Active"),
        ChoiceState.ENDED: worded("bank", "Ended"),
    },
    CollectionState: {
        CollectionState.PLANNED: worded("bank", "Announced"),
        CollectionState.ASKED: worded("bank", "Being processed by the payment provider"),
        CollectionState.WAITING: worded("bank", "Waiting for payment at a store"),
        CollectionState.PAID: worded("bank", "Paid"),
        CollectionState.FAILED: worded("bank", "Failed"),
        CollectionState.CANCELLED: worded("bank", "Cancelled"),
    },
    DebitOutcome: {
        DebitOutcome.COLLECTED: worded("bank", "Collected"),
        DebitOutcome.NO_FUNDS: worded("bank", "Insufficient funds"),
        DebitOutcome.NO_ACCOUNT: worded("bank", "No such account"),
        DebitOutcome.STOPPED_BY_PAYER: worded("bank", "Stopped by the payer"),
        DebitOutcome.NO_MANDATE: worded("bank", "No direct debit at the bank"),
        DebitOutcome.STOPPED_BY_US: worded("bank", "Stopped by the office"),
        DebitOutcome.OTHER: worded("bank", "Other reason"),
    },
    AmountReason: {
        AmountReason.ONE_BILL: worded("bank", "matches one bill"),
        AmountReason.ALL_OPEN: worded("bank", "matches everything owed"),
        AmountReason.OLDEST: worded("bank", "matches the oldest bills"),
        AmountReason.ONLY_SUM: worded("bank", "the only bills with this total"),
        AmountReason.LESS_A_FEE: worded("bank", "less a transfer fee"),
        AmountReason.PART: worded("bank", "part of the only bill"),
        AmountReason.PART_OF_SEVERAL: worded("bank", "less than the open bills"),
        AmountReason.MORE_THAN_OPEN: worded("bank", "exceeds the amount due"),
        AmountReason.NOTHING_OPEN: worded("bank", "nothing is due"),
        AmountReason.SEVERAL_SUMS: worded("bank", "several sets of bills add up to it"),
        AmountReason.COMPANY_LESS_A_FEE: worded("bank", "total of a company less a fee"),
    },
    MatchDoubt: {
        MatchDoubt.NONE: worded("bank", "Clear"),
        MatchDoubt.TAKEN_BACK: worded("bank", "Returned by the bank"),
        MatchDoubt.NO_TRANSFER: worded("bank", "Not a transfer"),
        MatchDoubt.BROKEN_LETTERS: worded("bank", "Some letters of the name are broken"),
        MatchDoubt.SEVERAL_FIT: worded("bank", "Several people fit"),
        MatchDoubt.NO_BILL_FITS: worded("bank", "No bill of this amount"),
        MatchDoubt.FITS_ANOTHER: worded("bank", "Matches another resident's bill"),
        MatchDoubt.AFTER_A_LIKELY: worded("bank", "Depends on an earlier match"),
        MatchDoubt.OTHER_BILLS_FIT: worded("bank", "Other bills add up to the same amount"),
        MatchDoubt.CASH: worded("bank", "Paid in at a counter or a machine"),
    },
}
