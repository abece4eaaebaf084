"""The portals of residents and owners as a browser meets them."""
