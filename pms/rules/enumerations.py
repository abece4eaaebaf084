"""All closed sets of values that the service stores, reads or returns.

They stand in one file because they are declarations that many rooms share: a value can be looked up
without knowing its room, and no room depends on another one for the name of a state.
"""

from enum import StrEnum


class UnitType(StrEnum):
    """What is rented (Enumerations, unit `type` filter)."""

    APARTMENT = "apartment"
    SHAREHOUSE = "sharehouse"


class UnitSort(StrEnum):
    """The orders of a list of units (Enumerations, unit `sort`)."""

    PRICE_ASC = "price-asc"
    PRICE_DESC = "price-desc"
    SIZE_ASC = "size-asc"
    SIZE_DESC = "size-desc"


class PaymentStatus(StrEnum):
    """How far the move-in invoice is paid (Enumerations, `paymentStatus`)."""

    PENDING = "pending"
    PAID = "paid"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
    FAILED = "failed"


class EsignStatus(StrEnum):
    """How far the contract is signed (Enumerations, `esignStatus`)."""

    PENDING = "pending"
    SENT = "sent"
    PARTIALLY_SIGNED = "partially_signed"
    SIGNED = "signed"
    DECLINED = "declined"
    EXPIRED = "expired"


class Lifecycle(StrEnum):
    """The stage of a reservation between booking and refund (States and transitions)."""

    BOOKED = "booked"
    CONFIRMED = "confirmed"
    LIVING = "living"
    NOTICE_FILED = "notice_filed"
    MOVED_OUT = "moved_out"
    SETTLED = "settled"
    REFUNDED = "refunded"
    CANCELLED = "cancelled"
    TRANSFERRED = "transferred"


class ReservationKind(StrEnum):
    """Whose tenancy a reservation is (Resource overview)."""

    RESIDENT = "resident"
    OWNER_RESIDENT = "owner_resident"
    GUEST = "guest"


class MonthToMonthState(StrEnum):
    """Whether full months are billed open-ended, and why (Month to month)."""

    NONE = "none"
    DERIVED = "derived"
    FORCED = "forced"


class AvailabilityState(StrEnum):
    """The availability of a unit, derived from its reservations (Availability)."""

    AVAILABLE_NOW = "available_now"
    AVAILABLE_FROM = "available_from"
    RESERVED = "reserved"
    POSSIBLY_AVAILABLE = "possibly_available"
    OCCUPIED = "occupied"


class BlockSource(StrEnum):
    """Where an external block comes from (Availability)."""

    RENT_ROLL = "rent_roll"
    CHANNEL_CALENDAR = "channel_calendar"
    OWNER_USE = "owner_use"


class TakeoverState(StrEnum):
    """The progress of a take-over of tenancies."""

    OPEN = "open"
    LIVE = "live"
    UNDOING = "undoing"
    DROPPED = "dropped"


class HandbookTopic(StrEnum):
    """What a page of a building's handbook is about (Resource overview, Share link)."""

    ENTRANCE = "entrance"
    WIFI = "wifi"
    RUBBISH = "rubbish"
    SHUT_OFF = "shut_off"
    EMERGENCY = "emergency"
    OTHER = "other"


class HandbookReader(StrEnum):
    """Who reads a copy of the handbook, besides the staff."""

    CONTRACTOR = "contractor"
    RESIDENT = "resident"
    GUEST = "guest"


class ViewingStatus(StrEnum):
    """The outcome of a scheduled viewing."""

    SCHEDULED = "scheduled"
    DONE = "done"
    CANCELLED = "cancelled"
    NO_SHOW = "no_show"


class RecurringItem(StrEnum):
    """The recurring monthly amounts every pricing snapshot can hold (Pricing snapshot)."""

    BASE_RENT = "base_rent"
    UTILITIES = "utilities"
    BUILDING_MAINTENANCE = "building_maintenance"
    SHORT_TERM_SURCHARGE = "short_term_surcharge"
    GUEST_SURCHARGE = "guest_surcharge"


class FeeCategory(StrEnum):
    """The profit-and-loss category of a fee or a line (Pricing snapshot, Resource overview)."""

    RENT = "rent"
    UTILITIES = "utilities"
    BUILDING_MAINTENANCE = "building_maintenance"
    SURCHARGE = "surcharge"
    RESERVATION_FEE = "reservation_fee"
    DEPOSIT = "deposit"
    PENALTY = "penalty"
    CLEANING = "cleaning"
    REPAIR = "repair"
    SERVICE = "service"
    OTHER = "other"


class FeeTiming(StrEnum):
    """When a fee is charged: every month or once (Pricing snapshot)."""

    MONTHLY = "monthly"
    ONE_TIME = "one_time"


class TaxTreatment(StrEnum):
    """The class of consumption tax of a tax-inclusive amount."""

    EXEMPT = "exempt"
    TAXABLE_10 = "taxable_10"
    OUT_OF_SCOPE = "out_of_scope"


class RowKind(StrEnum):
    """What a billed run of days is: part of the move-in invoice, rent, or a stub."""

    MOVE_IN = "move_in"
    RENT = "rent"
    STUB = "stub"


class EntryKind(StrEnum):
    """What a ledger entry bills (Resource overview, Ledger entry).

    A credit is a negative charge. An opposite entry voids another one by mirroring its lines. An
    opening entry was taken over with a tenancy.
    """

    MOVE_IN = "move_in"
    RENT = "rent"
    STUB = "stub"
    CHARGE = "charge"
    ARREARS = "arrears"
    PENALTY = "penalty"
    CREDIT = "credit"
    OPPOSITE = "opposite"
    OPENING = "opening"


class ReturnKind(StrEnum):
    """Why money of a payment is taken back: it was returned, or recorded by mistake.

    Restored is the opposite of returned: the money stayed, or came back.
    """

    RETURNED = "returned"
    REVERSED = "reversed"
    RESTORED = "restored"


class MoneyBackState(StrEnum):
    """How a refund by the payment provider ended, or a dispute of a payment."""

    PENDING = "pending"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELED = "canceled"
    OPEN = "open"
    CLOSED = "closed"
    LOST = "lost"
    WON = "won"


class LineItem(StrEnum):
    """What a line bills besides the recurring items and the workspace's own fees (Line)."""

    DISCOUNT = "discount"
    RESERVATION_FEE = "reservation_fee"
    DEPOSIT = "deposit"
    PENALTY = "penalty"


class PenaltyKind(StrEnum):
    """Which computation a move-out penalty is (Move-out penalties 1 and 9)."""

    NONE = "none"
    EARLY_EXIT = "early_exit"
    SHORT_NOTICE = "short_notice"


class SettlementState(StrEnum):
    """The state of a deposit settlement (Deposit 5)."""

    REFUND_PENDING = "refund_pending"
    REFUNDED = "refunded"
    ZERO_REFUND = "zero_refund"
    RESIDENT_OWES = "resident_owes"


class DepositMoveKind(StrEnum):
    """How held deposit leaves or reaches a reservation without a payment (Deposit 2 and 4)."""

    SETTLED = "settled"
    OUT = "out"
    IN = "in"


class DepositExclusion(StrEnum):
    """Why a reservation is left out of deposit reporting (Deposit 3)."""

    RENT_ROLL = "rent_roll"
    OWNER_RESIDENT = "owner_resident"
    GUEST = "guest"
    ONBOARDING = "onboarding"


class SheetKind(StrEnum):
    """What a sheet contains."""

    UNITS = "units"
    RESIDENTS = "residents"
    RENT_ROLL = "rent_roll"


class RunKind(StrEnum):
    """What a run does: bill a month, charge many residents, or one of the daily jobs."""

    BILLING = "billing"
    CHARGES = "charges"
    STATEMENT = "statement"
    PLACING = "placing"
    UNDOING = "undoing"
    IMPORT = "import"
    TAKEOVER = "takeover"
    PUBLISHING = "publishing"
    EXPORT = "export"
    BILL_MONTH = "bill-month"
    ADVANCE_LIFECYCLES = "advance-lifecycles"
    PLAN_TURNOVERS = "plan-turnovers"
    FOLLOW_PEOPLE = "follow-people"
    SEND_INVOICES = "send-invoices"
    COLLECT_BILLS = "collect-bills"
    ARRIVAL_REMINDERS = "send-arrival-reminders"
    OVERDUE_REMINDERS = "send-overdue-reminders"
    TERM_REMINDERS = "remind-of-ends-of-terms"
    FORGET_GUESTS = "forget-guests"
    FORGET_CHATS = "forget-chats"
    FORGET_LEADS = "forget-leads"
    FORGET_PEOPLE = "forget-people"
    COUNT_TELEMETRY = "count-telemetry"


class RunState(StrEnum):
    """The state of a run; a stopped one continues when it is started again."""

    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"
    FINISHED_WITH_PROBLEMS = "finished_with_problems"


class WaitlistState(StrEnum):
    """The stage of a waitlist entry."""

    WAITING = "waiting"
    OFFERED = "offered"
    CLOSED = "closed"


class RequestState(StrEnum):
    """The state of a maintenance request (Resource overview)."""

    REPORTED = "reported"
    FOLDED = "folded"
    CLOSED = "closed"


class ProjectState(StrEnum):
    """The state of a maintenance project (Resource overview)."""

    OPEN = "open"
    DONE = "done"
    CANCELLED = "cancelled"


class TaskState(StrEnum):
    """The state of a task."""

    TODO = "todo"
    DOING = "doing"
    ON_HOLD = "on_hold"
    DONE = "done"


class TaskKind(StrEnum):
    """The kind of work of a task; a turnover is the cleaning between two stays."""

    TURNOVER = "turnover"
    CLEANING = "cleaning"
    REPAIR = "repair"
    INSPECTION = "inspection"
    OTHER = "other"


class HoldReason(StrEnum):
    """Why a task is on hold."""

    NO_ACCESS = "no_access"
    PARTS = "parts"
    CONTRACTOR = "contractor"
    RESIDENT = "resident"
    OTHER = "other"


class TicketState(StrEnum):
    """Whether a conversation with a resident is open."""

    OPEN = "open"
    CLOSED = "closed"


class TicketSide(StrEnum):
    """Who wrote in a conversation, or whose turn it is."""

    RESIDENT = "resident"
    STAFF = "staff"
    NOBODY = "nobody"


class TicketStep(StrEnum):
    """Progress of the work, as shown to a resident."""

    RECEIVED = "received"
    PLANNED = "planned"
    VISIT_PLANNED = "visit_planned"
    STARTED = "started"
    WAITING = "waiting"
    DONE = "done"
    CANCELLED = "cancelled"
    REOPENED = "reopened"


class ShareLinkState(StrEnum):
    """Whether a contractor's link still opens its project, and if not, why."""

    LIVE = "live"
    EXPIRED = "expired"
    REVOKED = "revoked"
    PROJECT_ENDED = "project_ended"


class StaffRole(StrEnum):
    """Who works on the dashboard; the role narrows what is reachable (Surfaces)."""

    OPERATOR = "operator"
    OFFICE = "office"
    HOUSEKEEPING = "housekeeping"
    MAINTENANCE = "maintenance"


class TelemetryType(StrEnum):
    """What a website reports about its visitors (Write endpoints, `analytics:write`)."""

    PAGE_VIEW = "page_view"
    EVENT = "event"


class TelemetryAxis(StrEnum):
    """How the visits of a day are grouped: in total, by page, by event and so on."""

    DAY = "day"
    PAGE = "page"
    EVENT = "event"
    CAMPAIGN = "campaign"
    REFERRER = "referrer"


class Locale(StrEnum):
    """The languages of the service."""

    JA = "ja"
    EN = "en"


class LeaseKind(StrEnum):
    """The kind of a contract under the Act on Land and Building Leases: a fixed term or not."""

    FIXED_TERM = "fixed_term"
    ORDINARY = "ordinary"


class Scope(StrEnum):
    """What an API key may do (Authentication 4)."""

    PROPERTIES_READ = "properties:read"
    CONTENT_READ = "content:read"
    RESIDENTS_READ = "residents:read"
    SHOWINGS_READ = "showings:read"
    INQUIRIES_WRITE = "inquiries:write"
    LEADS_WRITE = "leads:write"
    ANALYTICS_WRITE = "analytics:write"
    CHAT_INVOKE = "chat:invoke"
    CHECK_IN_LINKS_WRITE = "check-in-links:write"
    RESERVATION_LINKS_WRITE = "reservation-links:write"
    PURCHASES_WRITE = "purchases:write"
    OTA_INGEST = "ota:ingest"


class UserKind(StrEnum):
    """Which kind of user signs in: to the dashboard or to a portal (Surfaces)."""

    STAFF = "staff"
    RESIDENT = "resident"
    OWNER = "owner"


class Proof(StrEnum):
    """How a session was opened."""

    PASSWORD = "password"
    CODE = "code"
    INVITATION = "invitation"


class SignInEventKind(StrEnum):
    """What happened at a sign-in page, as the sign-in record keeps it."""

    SIGNED_IN = "signed_in"
    FACTOR_ASKED = "factor_asked"
    FAILED = "failed"
    FACTOR_FAILED = "factor_failed"
    LOCKED_OUT = "locked_out"
    CODE_ASKED = "code_asked"
    PASSWORD_CHANGED = "password_changed"
    ADDRESS_CHANGED = "address_changed"
    FACTOR_SET_UP = "factor_set_up"
    FACTOR_REMOVED = "factor_removed"
    SIGNED_OUT = "signed_out"
    SESSION_ENDED = "session_ended"
    SESSIONS_ENDED = "sessions_ended"
    TIMED_OUT = "timed_out"


class CheckoutState(StrEnum):
    """The state of a visit to a provider's payment page."""

    ASKED = "asked"
    OPEN = "open"
    PAID = "paid"
    FAILED = "failed"
    EXPIRED = "expired"


class PaymentWay(StrEnum):
    """How the payment provider collects a resident's bills; without a choice they transfer."""

    CARD = "card"
    STORE = "store"


class ChoiceState(StrEnum):
    """The state of a choice: the card is being entered, it is in force, or it has ended."""

    ASKED = "asked"
    ACTIVE = "active"
    ENDED = "ended"


class CollectionState(StrEnum):
    """The state of a collection; `WAITING` is a payment number for a convenience store."""

    PLANNED = "planned"
    ASKED = "asked"
    WAITING = "waiting"
    PAID = "paid"
    FAILED = "failed"
    CANCELLED = "cancelled"


class IntegrationKind(StrEnum):
    """What a provider does for a workspace."""

    PAYMENTS = "payments"
    ESIGN = "esign"
    LINE = "line"
    WHATSAPP = "whatsapp"
    OTA = "ota"
    ASSISTANT = "assistant"


class ConditionState(StrEnum):
    """The condition of a part of a unit on arrival."""

    IN_ORDER = "in_order"
    MARKED = "marked"
    BROKEN = "broken"


class CheckedRoom(StrEnum):
    """A part of a unit that a resident checks on arrival."""

    ENTRANCE = "entrance"
    LIVING = "living"
    BEDROOM = "bedroom"
    KITCHEN = "kitchen"
    BATH = "bath"
    TOILET = "toilet"
    BALCONY = "balcony"
    EQUIPMENT = "equipment"


class RoomVerdict(StrEnum):
    """How a part of a unit is at move-out, compared with the arrival."""

    SAME = "same"
    WORSE = "worse"


class EnquirySource(StrEnum):
    """How an enquiry came in."""

    WEBSITE = "website"
    MAIL = "mail"
    PHONE = "phone"
    VISIT = "visit"
    PORTAL = "portal"


class EnquiryState(StrEnum):
    """The stage of an enquiry."""

    NEW = "new"
    ANSWERED = "answered"
    VIEWING = "viewing"
    OFFERED = "offered"
    WON = "won"
    LOST = "lost"


class CheckInLinkState(StrEnum):
    """Whether a guest's link still opens the stay, and if not, why."""

    LIVE = "live"
    REVOKED = "revoked"
    CANCELLED = "cancelled"
    OVER = "over"


class ReservationLinkState(StrEnum):
    """Whether a reservation link may still be accepted, and if not, why."""

    LIVE = "live"
    ACCEPTED = "accepted"
    EXPIRED = "expired"
    REVOKED = "revoked"


class RegisterField(StrEnum):
    """Register entries that a workspace may ask of its guests beyond the default ones."""

    OCCUPATION = "occupation"
    AGE = "age"
    PREVIOUS_PLACE = "previous_place"
    NEXT_PLACE = "next_place"


class TransferState(StrEnum):
    """The state of a bank transfer: waiting, placed on bills, in suspense, or not ours."""

    WAITING = "waiting"
    PLACED = "placed"
    KEPT = "kept"
    NOT_OURS = "not_ours"


class AccountKind(StrEnum):
    """The kind of account in a bank's file (預金種目)."""

    ORDINARY = "1"
    CURRENT = "2"
    SAVINGS = "4"


class MandateState(StrEnum):
    """The state of a direct debit mandate: requested, in force, or ended."""

    ASKED = "asked"
    ACTIVE = "active"
    ENDED = "ended"


class BankOrderState(StrEnum):
    """The state of a file that the office gives to its bank."""

    MADE = "made"
    CONFIRMED = "confirmed"
    HANDED_OVER = "handed_over"
    ANSWERED = "answered"
    DROPPED = "dropped"


class PayoutKind(StrEnum):
    """What a payout is for."""

    OWNER = "owner"
    REFUND = "refund"


class DebitOutcome(StrEnum):
    """A bank's answer to a debit (振替結果コード); collection services add codes of their own."""

    COLLECTED = "0"
    NO_FUNDS = "1"
    NO_ACCOUNT = "2"
    STOPPED_BY_PAYER = "3"
    NO_MANDATE = "4"
    STOPPED_BY_US = "8"
    OTHER = "9"


class ContractState(StrEnum):
    """The state of a document."""

    ISSUED = "issued"
    SENT = "sent"
    SIGNED = "signed"
    DECLINED = "declined"
    EXPIRED = "expired"
    OUTDATED = "outdated"
    REPLACED = "replaced"
