"""The inbox: people's messages on all channels, and whose turn it is."""
