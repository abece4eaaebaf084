"""Paying online: a hosted page of the workspace's provider for what is owed."""
