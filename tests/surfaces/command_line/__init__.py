"""The commands, as an operator types them."""
