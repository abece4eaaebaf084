"""Every screen of the dashboard and for signing in, in every state, looked at by machine."""
