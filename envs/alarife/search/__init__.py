"""Search, in native loops: trees over forks and flat Monte Carlo, and guidance by a network. Knows no player."""
