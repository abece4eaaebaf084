"""The price frozen onto a reservation and its timeline."""
