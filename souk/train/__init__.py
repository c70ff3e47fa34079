"""Training: nets that judge positions, learned from nothing but games against themselves."""
