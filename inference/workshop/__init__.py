"""Make deals and measure models on them."""
