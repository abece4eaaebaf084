"""What pages call things, in the reader's language: one module a subject, and how figures are written."""
