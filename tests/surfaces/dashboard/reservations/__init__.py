"""Tests of the dashboard's reservations screens."""
