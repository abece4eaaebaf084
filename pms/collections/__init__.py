"""Collecting bills by card and at convenience stores through the payment provider."""
