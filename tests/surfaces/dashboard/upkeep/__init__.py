"""Tests of the dashboard's screens of upkeep."""
