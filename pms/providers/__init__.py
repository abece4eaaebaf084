"""External providers, one module each: signatures, deliveries and requests."""
