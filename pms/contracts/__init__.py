"""Contracts: the workspace's templates, the merged document and who signed it."""
