"""Foundation shared by all packages; it imports none of them and no web framework."""
