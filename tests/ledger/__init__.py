"""Tests of the ledger: billing, repricing, payments, voidings and statements, on both databases."""
