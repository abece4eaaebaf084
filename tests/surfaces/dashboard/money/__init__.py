"""Tests of the dashboard's money screens."""
