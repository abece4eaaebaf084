"""The doors as a browser meets them."""
