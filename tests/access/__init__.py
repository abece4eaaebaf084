"""Keys: issued, found, revoked, replaced."""
