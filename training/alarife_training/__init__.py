"""Training agents for alarife games."""
