"""The tenancy record: a resident is a reservation."""
