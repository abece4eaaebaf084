"""The room's tables."""

from pms.site.models.assistant import AssistantSettings, ChatConversation, ChatTurn
from pms.site.models.content import Position, Post, Service, SiteConfiguration
from pms.site.models.telemetry import TelemetryDay, TelemetryOpenDay, TelemetryReport

__all__ = [
    "AssistantSettings",
    "ChatConversation",
    "ChatTurn",
    "Position",
    "Post",
    "Service",
    "SiteConfiguration",
    "TelemetryDay",
    "TelemetryOpenDay",
    "TelemetryReport",
]
