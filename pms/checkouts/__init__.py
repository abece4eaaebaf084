"""Online payments: a hosted page of the workspace's provider for open bills."""
