"""Authentication and access: API keys, members of staff, their sessions, and sign-in."""
