"""Pictures: how they are sized, and how they are served."""
