"""A game as other libraries see it: PettingZoo, Gymnasium, pictures, transitions."""
