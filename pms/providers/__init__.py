"""Providers outside, one module each: how they sign, what their deliveries say, how they are asked."""
