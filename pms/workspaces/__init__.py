"""Workspaces: one operator's data each, with its settings, policy and fee catalogue."""
