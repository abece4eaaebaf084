"""Migrations move a database up and down again, on both kinds."""
