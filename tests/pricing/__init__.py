"""Tests of prices: frozen once, and the timeline they become."""
