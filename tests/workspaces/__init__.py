"""Opening workspaces and reading their figures."""
