"""The ground every room stands on; it knows no room and no web framework."""
