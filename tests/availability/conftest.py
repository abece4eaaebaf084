"""How the properties of availability are tried."""

from hypothesis import settings

# A busy machine makes one example slow without making the law wrong.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
