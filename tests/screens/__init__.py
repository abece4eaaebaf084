"""Every screen of the dashboard and the doors, in every state, looked at by machine."""
