"""The games, one folder each. The folder is the registration."""
