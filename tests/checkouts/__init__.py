"""Tests of paying online: the visit, the call to the provider, and what comes back."""
