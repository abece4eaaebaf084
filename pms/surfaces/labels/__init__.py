"""What pages call things, in the reader's language: one module for each subject, and formats."""
