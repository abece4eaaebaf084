"""The labels of money: bills, lines, deposits, settlements, runs, payment methods and refusals."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from flask_babel import LazyString
from flask_babel import lazy_pgettext as worded

from pms.ledger.billing import Unbillable
from pms.ledger.charge_plans import ChargeBar
from pms.ledger.debts import DebtAge, EntryState
from pms.ledger.statement import Movement
from pms.rules.enumerations import (
    DepositExclusion,
    DepositMoveKind,
    EntryKind,
    FeeCategory,
    FeeTiming,
    LineItem,
    MoneyBackState,
    RecurringItem,
    ReturnKind,
    RowKind,
    RunKind,
    RunState,
    SettlementState,
    SheetKind,
    TaxTreatment,
)
from pms.rules.price_changes import TimelineProblem
from pms.rules.settlement_papers import PaperState
from pms.rules.tax_classes import TaxedItem
from pms.rules.wear import DeductionBearer
from pms.rules.yen import AmountProblem
from pms.statements.owner_months import PublishingBar, StatementState
from pms.statements.reminders import ReminderBar

MONEY_LABELS: Final[Mapping[type[StrEnum], Mapping[str, LazyString]]] = {
    FeeCategory: {
        FeeCategory.RENT: worded("fee category", "Rent"),
        FeeCategory.UTILITIES: worded("fee category", "Utilities"),
        FeeCategory.BUILDING_MAINTENANCE: worded("fee category", "Building maintenance"),
        FeeCategory.SURCHARGE: worded("fee category", "Surcharge"),
        FeeCategory.RESERVATION_FEE: worded("fee category", "Reservation fee"),
        FeeCategory.DEPOSIT: worded("fee category", "Deposit"),
        FeeCategory.PENALTY: worded("fee category", "Penalty"),
        FeeCategory.CLEANING: worded("fee category", "Cleaning"),
        FeeCategory.REPAIR: worded("fee category", "Repair"),
        FeeCategory.SERVICE: worded("fee category", "Service"),
        FeeCategory.OTHER: worded("fee category", "Other"),
    },
    FeeTiming: {
        FeeTiming.MONTHLY: worded("fee", "Every month"),
        FeeTiming.ONE_TIME: worded("fee", "Once"),
    },
    TaxTreatment: {
        TaxTreatment.EXEMPT: worded("tax", "Tax-exempt"),
        TaxTreatment.TAXABLE_10: worded("tax", "10% tax included"),
        TaxTreatment.OUT_OF_SCOPE: worded("tax", "Outside consumption tax"),
    },
    TaxedItem: {
        TaxedItem.BASE_RENT: worded("taxed item", "Rent"),
        TaxedItem.BUILDING_MAINTENANCE: worded("taxed item", "Building maintenance"),
        TaxedItem.SHORT_TERM_SURCHARGE: worded("taxed item", "Short-term surcharge"),
        TaxedItem.GUEST_SURCHARGE: worded("taxed item", "Guest surcharge"),
        TaxedItem.DISCOUNT: worded("taxed item", "Discount of the rent"),
        TaxedItem.KEY_MONEY: worded("taxed item", "Key money"),
        TaxedItem.RENEWAL_FEE: worded("taxed item", "Renewal fee"),
        TaxedItem.RESERVATION_FEE: worded("taxed item", "Reservation fee"),
        TaxedItem.NIGHTS: worded("taxed item", "Nights of a check-in link"),
        TaxedItem.UTILITIES: worded("taxed item", "Utilities"),
        TaxedItem.METER: worded("taxed item", "Metered utilities"),
        TaxedItem.PARKING: worded("taxed item", "Parking"),
        TaxedItem.KEY_EXCHANGE: worded("taxed item", "Key exchange"),
        TaxedItem.OFFICE_FEE: worded("taxed item", "Office fees and other charges"),
        TaxedItem.RENEWAL_HANDLING: worded("taxed item", "Handling of a renewal"),
        TaxedItem.CLEANING: worded("taxed item", "Cleaning"),
        TaxedItem.REPAIR: worded("taxed item", "Repairs"),
        TaxedItem.DEDUCTION: worded("taxed item", "Other deductions from a deposit"),
        TaxedItem.GUARANTEE_FEE: worded("taxed item", "Guarantee fee of your own"),
        TaxedItem.GUARANTEE_COMPANY_FEE: worded(
            "taxed item", "Fee of a guarantee company, passed on"
        ),
        TaxedItem.DEPOSIT: worded("taxed item", "Deposit"),
        TaxedItem.EARLY_EXIT: worded("taxed item", "Early departure"),
        TaxedItem.SHORT_NOTICE: worded("taxed item", "Short notice"),
        TaxedItem.LATE_INTEREST: worded("taxed item", "Late payment interest"),
        TaxedItem.ARREARS: worded("taxed item", "Arrears charge"),
        TaxedItem.OPENING: worded("taxed item", "Debts taken over"),
    },
    RecurringItem: {
        RecurringItem.BASE_RENT: worded("monthly amount", "Rent"),
        RecurringItem.UTILITIES: worded("monthly amount", "Utilities"),
        RecurringItem.BUILDING_MAINTENANCE: worded("monthly amount", "Building maintenance"),
        RecurringItem.SHORT_TERM_SURCHARGE: worded("monthly amount", "Short-term surcharge"),
        RecurringItem.GUEST_SURCHARGE: worded("monthly amount", "Guest surcharge"),
    },
    LineItem: {
        LineItem.DISCOUNT: worded("line of a bill", "Discount"),
        LineItem.RESERVATION_FEE: worded("line of a bill", "Reservation fee"),
        LineItem.DEPOSIT: worded("line of a bill", "Deposit"),
        LineItem.PENALTY: worded("line of a bill", "Move-out penalty"),
    },
    RowKind: {
        RowKind.MOVE_IN: worded("billed days", "Move-in invoice"),
        RowKind.RENT: worded("billed days", "Rent"),
        RowKind.STUB: worded("billed days", "Partial month"),
    },
    EntryKind: {
        EntryKind.MOVE_IN: worded("bill", "Move-in invoice"),
        EntryKind.RENT: worded("bill", "Rent"),
        EntryKind.STUB: worded("bill", "Partial month"),
        EntryKind.CHARGE: worded("bill", "Charge"),
        EntryKind.ARREARS: worded("bill", "Arrears"),
        EntryKind.PENALTY: worded("bill", "Move-out penalty"),
        EntryKind.CREDIT: worded("bill", "Credit"),
        EntryKind.OPPOSITE: worded("bill", "Void"),
        EntryKind.OPENING: worded("bill", "Taken over"),
    },
    EntryState: {
        EntryState.VOIDED: worded("state of a bill", "Voided"),
        EntryState.CREDIT: worded("state of a bill", "Not applied yet"),
        EntryState.SET_OFF: worded("state of a bill", "Set off"),
        EntryState.OVERPAID: worded("state of a bill", "Overpaid"),
        EntryState.PAID: worded("state of a bill", "Paid"),
        EntryState.NOTHING_TO_PAY: worded("state of a bill", "Nothing to pay"),
        EntryState.OVERDUE: worded("state of a bill", "Overdue"),
        EntryState.PARTLY_PAID: worded("state of a bill", "Partly paid"),
        EntryState.OPEN: worded("state of a bill", "Open"),
    },
    DebtAge: {
        DebtAge.NOT_DUE: worded("overdue", "Not due yet"),
        DebtAge.DAYS_1_30: worded("overdue", "1–30 days"),
        DebtAge.DAYS_31_60: worded("overdue", "31–60 days"),
        DebtAge.DAYS_61_90: worded("overdue", "61–90 days"),
        DebtAge.OVER_90: worded("overdue", "Over 90 days"),
    },
    Movement: {
        Movement.BILLED: worded("account", "Billed"),
        Movement.PAID: worded("account", "Paid"),
        Movement.RETURNED: worded("account", "Returned"),
        Movement.REVERSED: worded("account", "Reversed"),
        Movement.RESTORED: worded("account", "Return undone"),
        Movement.NETTED: worded("account", "Set off"),
        Movement.MOVED: worded("account", "Transferred (no cash)"),
        Movement.DEPOSIT_OUT: worded("account", "Deposit moved to"),
        Movement.DEPOSIT_IN: worded("account", "Deposit moved from"),
    },
    ReturnKind: {
        ReturnKind.RETURNED: worded("payment", "Returned"),
        ReturnKind.REVERSED: worded("payment", "Reversed"),
        ReturnKind.RESTORED: worded("payment", "Return undone"),
    },
    MoneyBackState: {
        MoneyBackState.PENDING: worded("refund", "Under way"),
        MoneyBackState.SUCCEEDED: worded("refund", "Refunded"),
        MoneyBackState.FAILED: worded("refund", "Failed"),
        MoneyBackState.CANCELED: worded("refund", "Canceled"),
        MoneyBackState.OPEN: worded("dispute", "Open"),
        MoneyBackState.CLOSED: worded("dispute", "Closed"),
        MoneyBackState.LOST: worded("dispute", "Lost"),
        MoneyBackState.WON: worded("dispute", "Won"),
    },
    SettlementState: {
        SettlementState.REFUND_PENDING: worded("settlement", "Refund to be sent"),
        SettlementState.REFUNDED: worded("settlement", "Refund sent"),
        SettlementState.ZERO_REFUND: worded("settlement", "Nothing to refund"),
        SettlementState.RESIDENT_OWES: worded("settlement", "Resident owes"),
    },
    PaperState: {
        PaperState.UNSENT: worded("settlement paper", "Not sent yet"),
        PaperState.SENT: worded("settlement paper", "Waits for an answer"),
        PaperState.OBJECTED: worded("settlement paper", "Objected"),
        PaperState.AGREED: worded("settlement paper", "Agreed"),
        PaperState.RELEASED: worded("settlement paper", "Released"),
        PaperState.UNANSWERED: worded("settlement paper", "No objection in time"),
    },
    DeductionBearer: {
        DeductionBearer.RESIDENT: worded("bearer", "Resident"),
        DeductionBearer.WEAR: worded("bearer", "Lessor (ordinary wear)"),
        DeductionBearer.LESSOR: worded("bearer", "Lessor"),
    },
    DepositMoveKind: {
        DepositMoveKind.SETTLED: worded("deposit", "Settled"),
        DepositMoveKind.OUT: worded("deposit", "Moved out"),
        DepositMoveKind.IN: worded("deposit", "Moved in"),
    },
    DepositExclusion: {
        DepositExclusion.RENT_ROLL: worded("deposit report", "Rent roll"),
        DepositExclusion.OWNER_RESIDENT: worded("deposit report", "Owner resident"),
        DepositExclusion.GUEST: worded("deposit report", "Guest"),
        DepositExclusion.ONBOARDING: worded("deposit report", "Not moved in and not paid"),
    },
    StatementState: {
        StatementState.UNPUBLISHED: worded("owner statement", "Not published"),
        StatementState.PUBLISHED: worded("owner statement", "Published"),
        StatementState.CHANGED: worded("owner statement", "Changed since it was published"),
    },
    PublishingBar: {
        PublishingBar.NO_OWNER: worded("owner statement", "The building has no owner."),
        PublishingBar.NO_LEASE: worded(
            "owner statement", "The rent of the master lease is not entered yet."
        ),
        PublishingBar.MONTH_RUNS: worded(
            "owner statement",
            "The month is not over yet. Publish the statement after its last day.",
        ),
        PublishingBar.PASSED_OVER: worded(
            "owner statement",
            "A later month is already published and includes this balance.",
        ),
    },
    ReminderBar: {
        ReminderBar.NO_ADDRESS: worded("reminder", "There is no email address."),
        ReminderBar.NOTHING_OVERDUE: worded("reminder", "Nothing is overdue."),
        ReminderBar.REMINDED_TODAY: worded("reminder", "A reminder has already been sent today."),
    },
    ChargeBar: {
        ChargeBar.OWNER_RESIDENT: worded("not charged", "Owner residents"),
        ChargeBar.GUEST: worded("not charged", "Guests"),
        ChargeBar.NOT_MOVED_IN: worded("not charged", "Booked and not moved in yet"),
        ChargeBar.NO_RENT: worded("not charged", "No rent to base a percentage on"),
    },
    Unbillable: {
        Unbillable.DAMAGED_DATES: worded("cannot be billed", "A date cannot be read"),
        Unbillable.NO_PRICE: worded("cannot be billed", "No price is set"),
        Unbillable.NO_INVOICE: worded("cannot be billed", "No move-in invoice yet"),
        Unbillable.NOT_TAKEN_OVER: worded("cannot be billed", "Not yet taken over"),
    },
    SheetKind: {
        SheetKind.UNITS: worded("sheet", "Units"),
        SheetKind.RESIDENTS: worded("sheet", "Residents"),
        SheetKind.RENT_ROLL: worded("sheet", "Rent roll"),
    },
    RunKind: {
        RunKind.CHARGES: worded("run", "Charge for several residents"),
        RunKind.STATEMENT: worded("run", "Import of a bank statement"),
        RunKind.PLACING: worded("run", "Recording of certain transfers"),
        RunKind.UNDOING: worded("run", "Undoing of a bank statement"),
        RunKind.IMPORT: worded("run", "Import"),
        RunKind.TAKEOVER: worded("run", "Take-over"),
        RunKind.BILLING: worded("run", "Monthly billing"),
        RunKind.PUBLISHING: worded("run", "Publishing of owner statements"),
        RunKind.EXPORT: worded("run", "Export of all data"),
        RunKind.BILL_MONTH: worded("run", "Daily billing"),
        RunKind.ADVANCE_LIFECYCLES: worded("run", "Move-ins and move-outs of the day"),
        RunKind.PLAN_TURNOVERS: worded("run", "Review of move-out cleanings"),
        RunKind.FOLLOW_PEOPLE: worded("run", "Inbox update"),
        RunKind.SEND_INVOICES: worded("run", "Sending invoices"),
        RunKind.COLLECT_BILLS: worded("run", "Collecting bills by card and at stores"),
        RunKind.ARRIVAL_REMINDERS: worded("run", "Move-in emails"),
        RunKind.OVERDUE_REMINDERS: worded("run", "Overdue reminders"),
        RunKind.TERM_REMINDERS: worded("run", "Reminders of ends of terms"),
        RunKind.FORGET_GUESTS: worded("run", "Deletion of old guest entries"),
        RunKind.FORGET_PEOPLE: worded("run", "Deletion of old personal data"),
        RunKind.FORGET_CHATS: worded("run", "Deletion of old assistant chats"),
        RunKind.FORGET_LEADS: worded("run", "Deletion of old declined applications"),
        RunKind.COUNT_TELEMETRY: worded("run", "Website visits"),
    },
    RunState: {
        RunState.RUNNING: worded("state of a run", "Running"),
        RunState.STOPPED: worded("state of a run", "Stopped"),
        RunState.FINISHED: worded("state of a run", "Finished"),
        RunState.FINISHED_WITH_PROBLEMS: worded("state of a run", "Finished with problems"),
    },
    TimelineProblem: {
        TimelineProblem.NO_PERIOD: worded("price timeline", "There is no period"),
        TimelineProblem.REVERSED: worded("price timeline", "A period ends before it begins"),
        TimelineProblem.OVERLAP: worded("price timeline", "Periods overlap"),
        TimelineProblem.GAP: worded("price timeline", "Days without a price"),
        TimelineProblem.NOT_OPEN_ENDED: worded("price timeline", "The last period has an end"),
    },
    AmountProblem: {
        AmountProblem.MISSING: worded("amount", "It is empty"),
        AmountProblem.NOT_AN_INTEGER: worded("amount", "Not a whole number"),
        AmountProblem.HAS_DECIMALS: worded("amount", "It has decimals"),
        AmountProblem.HAS_SIGN: worded("amount", "It has a sign"),
        AmountProblem.HAS_CURRENCY_SIGN: worded("amount", "It has a currency sign"),
        AmountProblem.MISPLACED_COMMA: worded("amount", "A comma is in the wrong place"),
        AmountProblem.TOO_SMALL: worded("amount", "Too small"),
        AmountProblem.TOO_LARGE: worded("amount", "Too large"),
    },
}

PAYMENT_METHODS: Final[Mapping[str, LazyString]] = {
    "bank_transfer": worded("payment", "Bank transfer"),
    "direct_debit": worded("payment", "Direct debit"),
    "online": worded("payment", "Online"),
    "card": worded("payment", "Card"),
    "convenience_store": worded("payment", "Convenience store"),
    "cash": worded("payment", "Cash"),
}

# Not offered as a choice: what was paid before a tenancy was taken over.
_OPENING: Final = worded("payment", "Taken over")


def payment_method_label(method: str) -> str:
    """Return the label of a payment method; one named by a file or a command is shown unchanged."""
    words = _OPENING if method == "opening" else PAYMENT_METHODS.get(method)
    return method if words is None else str(words)
