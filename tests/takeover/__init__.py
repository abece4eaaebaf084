"""Running tenancies taken over from what another office kept."""
