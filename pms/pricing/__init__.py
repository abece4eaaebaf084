"""The frozen price of a reservation and its price periods."""
