"""Property management for Japanese share houses and apartments."""
