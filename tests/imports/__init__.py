"""Sheets and calendars from outside, read into one workspace."""
