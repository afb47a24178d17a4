"""Who learns on which seat, and what it learns from: environments, training and evaluation stand on it."""
