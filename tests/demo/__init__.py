"""The demo workspaces and the data for measuring."""
