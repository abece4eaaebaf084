"""The doors of the service, one folder each."""
