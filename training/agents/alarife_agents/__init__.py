"""The trained agents of alarife's games; see README.md."""
