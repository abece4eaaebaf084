"""Short stays: the guest's link, the register of guests, arrival and entrance codes."""
