"""The workspace: one operator's world, its policy and its fee catalogue."""
