"""The demo workspaces: believable operators with everything the service can show, made anew."""
