"""Deposits, through the database."""
