"""Bills collected by card and at convenience stores."""
