"""Which fields of a form may be stored while a person whose session ended signs in again."""

import re
from typing import Final

# A field that is not named here is never stored. Passwords, secrets of providers, entrance codes
# and the digits of a second factor are left out on purpose, and so is `code`, the name of some.
_NAMES: Final = """
    accessEn accessJa accountName actor add address addressEn addressJa age agreed all altEn
    altJa amountYen answer anyway area areaEn arrivalDate asOf assigneeId attempts atTime
    audit_event availableNow awaits back bankDetails baseRentYen baseUrl bearer because bedrooms
    bill billedThrough billingDay bodyEn bodyJa bornOn boughtOn brandHue budget building
    buildingId buildingIds buildingMaintenanceYen categories category ceilingYen channel charge
    chargeId check checkIn checkInTime checkOut checkOutTime closes codesNeedRegister collectOn
    columns columnsAs columnTitle confirmed contactEmail contactPhone contractEndDate
    contractorName contractorPhone contracts contractYears coOccupants copy day dayIsMeant days
    debitAttempts decision declinedRentStays deductedOn deductions defaultLocale depositHeld
    depositYen description descriptionEn descriptionJa discount discountLabel discountOnce
    discountPercent discountYen distinct doubtsSeen dueOn dueOn1 dueOn2 dueOn3
    earlyExitCapMonths edit email emergency_contact endsOn enquiryId enquiryIds enquiryYears
    entries entry entryId esignStatus every excludeRecords expectedDepartureDate expiresOn
    expiryReminderDays explainedOn explainedTime explanationByPerson factorRequiredOn failed
    failedPoints features featuresEn feeCode feeReason fees feeYen filedAt firstOn
    fiscalYearEndsIn fittedOn floor folder follows formerYears freeMonths fromOn
    fullCalendarMonthIsLong gap givesBack givesKeys greetingEn greetingJa group
    guarantee_company guarantor guestName guests guestSurchargeYen handedOn handedTo hasCampaign
    hasKeys hasPlus headLine highestYen holdReason host hostId hourlyYen house identity_paper
    idleMinutes informedOn into invoiceDueOn invoiceIds is isCharged isForContractors
    isForGuests isForResidents isOn isPublic isUnsent item journals kana keepsOlder kept
    keptDays keptName key keyCount keyId keyItems kind label labelEn labelJa lastOn layout
    layouts learns leaseKind leavesOutWindow leaveWaiting leavingReason ledgerYears
    leftOutBecause life lifecycle like listed listing live locale longestGuestStay
    longNoticeDays maintenanceFigure maintenanceWay managementPercent mayEnter mayOverlap
    meaning member message messages meterReading method minimumStayDays minutes money month
    months monthToMonth mostMessages moveInBy moveInDate moveOutDate moves movesOverpayment
    movingInDays movingOutDays name nameEn nameKana newReservationId next noDeposits note
    noticeDays objectionDays occupation of offer offersCards offersStores on once onDay opens
    opensOn origins otherId otherName overpaid overpaymentsPayNextBills overrideContractEndDate
    overrideMoveInDate owner owner1 owner2 owner3 owner4 owner5 owner6 papers passed pasted
    payment paymentStatus payOn payoutDay payouts percent personId phone place placeEn placeId
    placeJa plan points port positionId postcode priceInYen priceMax priceMin priceOutYen
    projectId projectNumber proposalReason purpose purposeEn purposeJa q qualifiedInvoiceNumber
    quantity questions quietFromHour quietUntilHour reach reachedOn reader readsSheets reason
    reasonEn reasonJa receivedOn records reference registerFields registerKeptYears relationship
    releaseMinutes removal remove renewsOn rentAnswer rentChange rentChangeYen rentFigure
    rentMax rentWay rentYen requestIds reservation reservationFeeYen reservationId result
    retryDays returnedOn returnReason role room rooms rows rulesEn rulesJa runs same scopes
    screeningBeforeContract search secondPerson seen sentAt sentOn share1 share2 share3 share4
    share5 share6 shared shop shortContractDays shortNoticeDays shortTermLeadDays
    shortTermSurchargeYen shown since sizeSqm slug socialLinks sort source start startDate
    startsOn state stationMinutes step storeDays subject summary summaryEn summaryJa taglineEn
    taglineJa takesOver taskId taskIds tasks taxTreatment templateId termLastOn termLeadDays
    termReason text textEn textJa through throughOn ticked ticketId timing title titleEn titleJa
    to toPage topic total totalYen traits turnoverDays type unit unitId unitIds unitYen unpaid
    untilOn url username usesModel utilitiesYen validDays verdict version view waitlistYears
    wantedFrom wantsPassportCopy way what what1 what2 what3 when why wishedAt withUnits words
    workedOn yen1 yen2 yen3
"""
_KEPT: Final = frozenset(_NAMES.split())
# Rows of a list (deductions-0-label), and the two versions of conflicting edits (was.name).
_OF_ROW: Final = re.compile(r"(?:(?:was|keep)\.)?(?:(?:coOccupants|deductions|fees)-\d{1,3}-)?")
# The accounts of the office, one field each: account.income.rent, tax.exempt.freee.
_OF_CHART: Final = re.compile(r"(?:account|subAccount|tax)(?:\.\w{1,40}){1,2}")
# What is restored after a move-out: its useful life and its price, and what a resident objects to.
_OF_RESTORATION: Final = re.compile(r"(?:life|unitPrice)\.\w{1,40}|objection\.\d{1,3}")
# The steps of a master lease: stepFrom2, stepRent2.
_OF_STEP: Final = re.compile(r"step(?:From|Kind|Rent|Percent)[1-9]")
_OF_MONTH: Final = re.compile(r"unpaid-\d{4}-\d{2}")
# The grid of the takeover: positions of rows, cells, answers and words.
_OF_GRID: Final = re.compile(
    r"(?:at|word)-\w{1,12}|[cq]-\d{1,3}-\w{1,40}|(?:meaning|unit|sign|days)-\d{1,4}"
    r"|(?:asOf|billedThrough|reading)\d{1,2}"
)
# What the columns of a bank's list hold.
_OF_COLUMNS: Final = re.compile(r"column-\d{1,3}")
_OF_LIST: Final = re.compile(r"(?:was\.)?fees-\d{1,3}-code")


def may_be_kept(name: str) -> bool:
    """Whether a field of this name may be stored."""
    if any(pattern.fullmatch(name) for pattern in (_OF_LIST, _OF_MONTH, _OF_GRID, _OF_COLUMNS)):
        return True  # the code of a fee, which bills show; unpaid rent of a month
    if _OF_CHART.fullmatch(name) or _OF_RESTORATION.fullmatch(name):
        return True
    if _OF_STEP.fullmatch(name):
        return True
    return _OF_ROW.sub("", name, count=1) in _KEPT
