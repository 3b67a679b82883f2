"""The TTIR dialect, ttcore's attributes and `load_cached`, and the context that has them."""
