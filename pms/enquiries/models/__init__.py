"""The room's tables."""

from pms.enquiries.models.enquiries import (
    Enquiry,
    EnquiryNote,
    Viewing,
    ViewingOfEnquiry,
    WaitlistPlace,
)
from pms.enquiries.models.leads import Lead, LeadNote

__all__ = [
    "Enquiry",
    "EnquiryNote",
    "Lead",
    "LeadNote",
    "Viewing",
    "ViewingOfEnquiry",
    "WaitlistPlace",
]
